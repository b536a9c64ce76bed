// Under the box: what the reader answered moves beside the true motion, in a frame of its own, which
// is loaded once there is an answer that moves.
import { functionsOf, plain, stillness } from "./driving.js";
import { sayer } from "./saying.js";
import { UnreadableError } from "./words.js";

// Trees for the frame as {functions}, or the {reason} why there are none.
export function drivenBy(exercise, trees, said) {
  try {
    const reason = stillness(exercise, trees, said);
    if (reason) return { reason };
    const known = new Map();
    const entries = Object.entries(functionsOf(exercise, trees));
    return { functions: Object.fromEntries(entries.map(([name, tree]) => [name, plain(tree, known)])) };
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

// Follow the answers that are given in an element of the page, and the one that was: `before`. The
// frames are served from `home`.
export function moving(place, exercise, { sentences, home, before }) {
  const said = sayer(sentences);
  const line = document.createElement("p");
  Object.assign(line, { className: "tutlib-answer-still", role: "status", hidden: true });
  place.append(line);
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
    else place.append(frame = frameOf(exercise, home));
  }
  place.addEventListener("answered", ({ detail }) => follow(detail.trees));
  if (before) follow(before.trees);
}
