// The box under an exercise's prompt: it says what it read, judges, and remembers, all in the page.
import { mathml } from "./formula.js";
import { judged, understood } from "./judging.js";
import { kept } from "./kept.js";
import { moving } from "./moving.js";
import { revealed } from "./revealed.js";

const MARKS = { right: "✓", wrong: "✗" };
const SIGNS = ["+", "−", "·", "/", "^", "(", ")", "√("];
const FUNCTIONS = ["sin(", "cos("];

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// The signs that a reader may want, most of all on a phone: what the exercise knows comes first.
function keysOf(exercise) {
  if (!exercise.names) return [...SIGNS, "π", ...(exercise.kind === "array" ? ["[", ",", "]"] : [])];
  const known = exercise.names.map((one) => one.label)
    .filter((one) => exercise.expected.includes(one) && [...one].length < 5);
  const list = exercise.shape ? ["[", ",", "]"] : [];
  const equals = exercise.kind === "equation" ? ["="] : [];
  return [...new Set([...known.reverse(), ...SIGNS, ...FUNCTIONS, ...list, ...equals])];
}

function keyboard(exercise, field) {
  const keys = keysOf(exercise).map((text) => {
    const key = element("button", { type: "button", tabIndex: -1, textContent: text.replace(/\($/, "") || "(" });
    // the field keeps the focus, and a phone its own keyboard as it is
    key.addEventListener("pointerdown", (event) => event.preventDefault());
    key.addEventListener("click", () => {
      field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new Event("input"));
    });
    return key;
  });
  return element("div", { className: "tutlib-answer-keys", role: "group", "aria-label": "Symbols" }, ...keys);
}

// What the box says of an answer, in a line that screen readers hear.
function outcome() {
  const told = element("p", { className: "tutlib-answer-told", role: "status" });
  const say = ({ verdict, message }) => {
    told.dataset.verdict = verdict;
    const mark = element("span", { "aria-hidden": "true" }, `${MARKS[verdict]} `);
    told.replaceChildren(mark, message);
  };
  const clear = () => {
    delete told.dataset.verdict;
    told.replaceChildren();
  };
  return { told, say, clear };
}

function withField(exercise, check) {
  const id = `answer-${exercise.name}`;
  const field = element("input", {
    id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false,
    "aria-describedby": `${id}-read`, enterKeyHint: "done",
  });
  const unit = exercise.unit ? ` in ${exercise.unit}` : "";
  const label = element("label", { htmlFor: id }, `Your answer${unit}`);
  const read = element("p", { id: `${id}-read`, className: "tutlib-answer-read" });
  const show = () => {
    const { tree, sentence } = field.value.trim() ? understood(exercise, field.value) : {};
    read.replaceChildren();
    if (tree) {
      read.innerHTML = mathml(tree); // made of names, numbers and signs that were read
      read.prepend("Read as ");
    } else if (sentence) read.append(sentence);
  };
  field.addEventListener("input", show);
  return {
    parts: [label, element("div", { className: "tutlib-answer-row" }, field, check), keyboard(exercise, field), read],
    field,
    get: () => field.value,
    set(text) {
      field.value = text;
      show();
    },
  };
}

function withOptions(exercise, check) {
  const buttons = Object.keys(exercise.options).map((letter) =>
    element("input", { type: "radio", name: `answer-${exercise.name}`, value: letter }));
  const labels = Object.entries(exercise.options).map(([letter, text], k) =>
    element("label", {}, buttons[k], element("span", {}, `(${letter}) ${text}`)));
  const legend = element("legend", {}, "Your answer");
  return {
    parts: [element("fieldset", {}, legend, ...labels), check],
    field: buttons[0],
    get: () => buttons.find((one) => one.checked)?.value ?? "",
    set(text) {
      for (const one of buttons) one.checked = one.value === text;
    },
  };
}

// Put a box for an exercise into an element of the page.
export function answerBox(place, exercise, sentences) {
  const check = element("button", { type: "submit", className: "tutlib-answer-check" }, "Check");
  const box = (exercise.kind === "choice" ? withOptions : withField)(exercise, check);
  const { told, say, clear } = outcome();
  const { figure, show } = revealed(exercise);
  const form = element("form", { "aria-label": `Answer ${exercise.name}` }, ...box.parts, told, figure);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = box.get();
    if (!text.trim()) {
      clear();
      box.field.focus();
      return;
    }
    const feedback = judged(exercise, text, sentences);
    say(feedback);
    show(text);
    kept.add({ [exercise.name]: { text, verdict: feedback.verdict } });
    place.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: { exercise, ...feedback } }));
  });
  form.addEventListener("input", () => {
    clear();
    show("");
  });
  const before = kept.all()[exercise.name];
  if (before) {
    box.set(before.text);
    show(before.text);
    say(judged(exercise, before.text, sentences));
  }
  place.replaceChildren(form);
  if (exercise.moves) moving(place, exercise, sentences);
}
