// Frame under the box in which the reader's answer moves beside the true motion, loaded once there
// is an answer that moves.
import { functionsOf, plain, stillness } from "./motion_functions.js";
import { sayer } from "./answer_sentences.js";
import { UnreadableError } from "./tokens.js";

// Trees for the frame as {functions}, or the {reason} why nothing moves.
export function drivenBy(exercise, trees, said) {
  try {
    const reason = stillness(exercise, trees, said);
    if (reason) return { reason };
    const copies = new Map();
    const entries = Object.entries(functionsOf(exercise, trees));
    return { functions: Object.fromEntries(entries.map(([name, tree]) => [name, plain(tree, copies)])) };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { reason: error.message[0].toLowerCase() + error.message.slice(1).replace(/\.$/, "") };
  }
}

function frameOf({ name, moves }, home) {
  const frame = document.createElement("iframe");
  Object.assign(frame, {
    className: "tutlib-live", title: moves.title, sandbox: "allow-scripts", allow: "clipboard-write",
    src: new URL(`${name}.html`, home),
  });
  return frame;
}

// Show the motion of each answer that is given in an element of the page, and of the stored one,
// `before`. The frames are served from `home`.
export function motionFrame(container, exercise, { sentences, home, before }) {
  const said = sayer(sentences);
  const line = document.createElement("p");
  Object.assign(line, { className: "tutlib-answer-still", role: "status", hidden: true });
  container.append(line);
  let [frame, functions] = [null, null];
  const send = () => frame.contentWindow?.postMessage({ drives: exercise.name, functions }, "*");
  addEventListener("message", ({ source, data }) => {
    const asks = frame && source === frame.contentWindow && data?.asks === exercise.name;
    if (asks && functions) send();
  });
  function follow(trees) {
    const motion = trees ? drivenBy(exercise, trees, said) : {};
    functions = motion.functions ?? null;
    line.hidden = !motion.reason;
    line.textContent = motion.reason ? said("nothing moves", motion) : "";
    if (frame) frame.hidden = !functions;
    if (!functions) return;
    if (frame) send();
    else container.append(frame = frameOf(exercise, home));
  }
  container.addEventListener("answered", ({ detail }) => follow(detail.trees));
  if (before) follow(before.trees);
}
