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

// Mark of the keyboard shortcut of a control.
export const keyMark = (name) => element("kbd", { "aria-hidden": "true" }, name);

export function button(label, { onclick, keys, key = keys, kind = "" }) {
  return element(
    "button", { type: "button", class: kind, onclick, "aria-keyshortcuts": keys }, label,
    ...(key ? [keyMark(key)] : []),
  );
}

// Check box; `row` is the label around it.
export function toggle(text, { key, onchange, before = [] }) {
  const box = element("input", { type: "checkbox", onchange: () => onchange(box.checked) });
  box.row = element(
    "label", { class: "toggle" }, box, ...before, text, ...(key ? [keyMark(key)] : []),
  );
  return box;
}

// Label with subscripts, such as θ_d.
export function subscripted(label) {
  const [base, ...below] = label.split("_");
  return below.length ? [base, element("sub", {}, below.join("_"))] : [base];
}

// Name of a quantity, its letter in parentheses: "angle of the first link (θ₁)".
export const titled = ({ label, meaning }) =>
  meaning ? [`${meaning} (`, ...subscripted(label), ")"] : subscripted(label);

// Slider as wide as its column, below its name and value. Arrow keys move it by a step, with Shift by
// ten; page keys by a tenth of its range.
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
    input.value = Number(input.value) + way[event.key] * far; // the browser clamps it
    input.dispatchEvent(new Event("input"));
    event.preventDefault();
    event.stopPropagation();
  });
  // A label would name the input by everything in it, the value included.
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
