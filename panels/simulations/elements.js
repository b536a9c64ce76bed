// Elements of a panel: buttons, boxes, sliders.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A key that does the same, for those who have a keyboard.
export const keyMark = (name) => element("kbd", { "aria-hidden": "true" }, name);

export function button(label, { onclick, keys, key = keys, kind = "" }) {
  return element(
    "button", { type: "button", class: kind, onclick, "aria-keyshortcuts": keys }, label,
    ...(key ? [keyMark(key)] : []),
  );
}

// A box to check; the row that holds it is its `row`.
export function toggle(text, { key, onchange, before = [] }) {
  const box = element("input", { type: "checkbox", onchange: () => onchange(box.checked) });
  box.row = element(
    "label", { class: "toggle" }, box, ...before, text, ...(key ? [keyMark(key)] : []),
  );
  return box;
}

// θ_d with its d below the line
export function subscripted(label) {
  const [base, ...below] = label.split("_");
  return below.length ? [base, element("sub", {}, below.join("_"))] : [base];
}

// What a quantity is called, its letter in brackets: "angle of the first link (θ₁)".
export const titled = ({ label, meaning }) =>
  meaning ? [`${meaning} (`, ...subscripted(label), ")"] : subscripted(label);

// A slider as wide as its column, its name and its value above it. Arrow keys move it by a step,
// with Shift by ten; page keys by a tenth of its range.
export function slider({ heading, low, high, step, value = low, oninput, kind = "" }) {
  const text = element("output");
  const input = element("input", {
    type: "range", min: low, max: high, step, value, oninput: () => {
      fill();
      oninput(Number(input.value));
    },
  });
  const fill = () => {
    const part = (Number(input.value) - low) / (high - low);
    input.style.setProperty("--part", part);
  };
  input.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -1, PageUp: 1 };
    const page = event.key.startsWith("Page");
    if (!(event.key in way) || !(page || event.shiftKey)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = page ? Math.max((high - low) / 10, step) : 10 * step;
    input.value = Number(input.value) + way[event.key] * far; // the browser keeps it within
    input.dispatchEvent(new Event("input"));
    event.preventDefault();
    event.stopPropagation();
  });
  // The value is no part of the name, and a label names the first that it holds.
  const name = element("span", { class: "name" }, ...heading);
  const words = heading.filter((part) => part.localName !== "kbd").map((part) => part.textContent ?? part);
  input.setAttribute("aria-label", words.join(""));
  const row = element("label", { class: `slider ${kind}`.trim() }, name, input, text);
  const show = (now, said) => {
    input.value = now;
    fill();
    text.textContent = said;
    input.setAttribute("aria-valuetext", said);
  };
  return { row, input, text, show };
}
