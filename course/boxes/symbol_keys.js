// Keys for signs, useful on a phone: the symbols of the exercise first, then operators and
// functions.
import { button, element } from "../../panels/simulations/elements.js";
import { mathml } from "./formula.js";

const SIGNS = ["+", "−", "·", "/", "(", ")", "^", "²", "√("];
const FUNCTIONS = ["sin(", "cos(", "tan(", "atan(", "exp(", "max("];
const LIST = ["[", ",", "]"];

// Coordinates before constants, each before its derivatives.
function symbolsOf({ names, expected }) {
  const order = ({ name }) => (name.match(/'/g) ?? []).length;
  return names
    .filter(({ label }) => expected.includes(label) && [...label].length < 10)
    .sort((a, b) => b.changes - a.changes || order(a) - order(b) || (a.name < b.name ? -1 : 1))
    .map(({ label }) => label);
}

// The texts that the keys of an exercise insert.
export function keysOf(exercise) {
  if (!exercise.names) return [...SIGNS, "π", ...(exercise.kind === "array" ? LIST : [])];
  const equals = exercise.kind === "equation" ? ["="] : [];
  const list = exercise.shape ? [...LIST, ";"] : [];
  return [...new Set([...symbolsOf(exercise), ...SIGNS, ...equals, ...FUNCTIONS, "π", ...list])];
}

const changed = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));

function write(field, text) {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  changed(field);
  if (field.selectionEnd === field.value.length) field.scrollLeft = field.scrollWidth;
}

// Delete the selection, or the letter before the caret with the dots above it.
function erase(field) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const before = value.slice(0, start);
  const from = start === end ? before.replace(/\P{M}\p{M}*$/u, "").length : start;
  field.setRangeText("", from, end, "end");
  changed(field);
}

// Move the caret by one letter, to the left or to the right.
function move(field, left) {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const position = left
    ? value.slice(0, start).replace(/\P{M}\p{M}*$/u, "").length
    : value.length - value.slice(end).replace(/^\P{M}\p{M}*/u, "").length;
  field.setSelectionRange(position, position);
}

// Scroll until the keys are above a phone's own keyboard, but keep the field in sight.
function rise(field, keys) {
  if (document.activeElement !== field) return;
  const covered = keys.getBoundingClientRect().bottom + 8 - visualViewport.offsetTop - visualViewport.height;
  const room = field.getBoundingClientRect().top - visualViewport.offsetTop - 80;
  scrollBy(0, Math.max(0, Math.min(covered, room)));
}

// Return the keys that write into a field.
export function symbolKeys(exercise, field) {
  const key = (label, onclick, name) => {
    const made = button(label, { onclick });
    made.tabIndex = -1; // not needed with a keyboard
    if (name) made.setAttribute("aria-label", name);
    else if (label.includes("_")) { // k_p is set as in a formula
      const { name: leaf } = exercise.names.find((symbol) => symbol.label === label);
      made.innerHTML = mathml({ type: "leaf", name: leaf });
      made.setAttribute("aria-label", label);
    }
    // so that the field keeps the focus, and a phone's keyboard stays
    made.addEventListener("pointerdown", (event) => event.preventDefault());
    return made;
  };
  const keys = element(
    "div", { class: "tutlib-answer-keys", role: "group", "aria-label": "Symbols" },
    ...keysOf(exercise).map((text) => key(text.replace(/(.)\($/, "$1"), () => write(field, text))),
    key("←", () => move(field, true), "Move left"),
    key("→", () => move(field, false), "Move right"),
    key("⌫", () => erase(field), "Delete"),
  );
  globalThis.visualViewport?.addEventListener("resize", () => rise(field, keys));
  return keys;
}
