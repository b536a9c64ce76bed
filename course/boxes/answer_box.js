// The answer box under an exercise's prompt: shows what it has read, judges, and stores the answer.
import { element } from "../../panels/simulations/elements.js";
import { mathml } from "./formula.js";
import { judged, understood } from "./judging.js";
import { storage } from "./answer_storage.js";
import { motionFrame } from "./motion_frame.js";
import { choicePicture } from "./choice_picture.js";
import { symbolKeys } from "./symbol_keys.js";

const MARKS = { right: "✓", wrong: "✗", unread: "?" };

// A text in which the section's title is a link, if the section is on this page.
function withLink(text, section) {
  const titles = [...document.querySelectorAll("section > :is(h1, h2, h3, h4, h5)")];
  const title = section && titles.find((heading) => heading.textContent.replace(/\s*#$/, "").trim() === section);
  const start = title ? text.lastIndexOf(`“${section}”`) + 1 : 0;
  if (!start) return [text];
  const link = element("a", { href: `#${title.parentElement.id}` }, section);
  return [text.slice(0, start), link, text.slice(start + section.length)];
}

// The judgment of an answer, on a line that screen readers announce.
function outcome() {
  const line = element("p", { class: "tutlib-answer-told", role: "status" });
  const say = ({ verdict, message, section }) => {
    line.dataset.verdict = verdict;
    const mark = element("span", { "aria-hidden": "true" }, `${MARKS[verdict]} `);
    line.replaceChildren(mark, ...withLink(message, section));
  };
  const clear = () => {
    delete line.dataset.verdict;
    line.replaceChildren();
  };
  return { line, say, clear };
}

// The number and title of the exercise above a box, or else the heading above it, or the name.
function titleOf(container, { name }) {
  const above = (selector) => [...document.querySelectorAll(selector)]
    .filter((title) => title.compareDocumentPosition(container) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1);
  const title = above('[role="heading"] > strong:first-child') ?? above("section > :is(h2, h3, h4, h5)");
  return title?.textContent.replace(" · ", ", ").replace(/\s*#$/, "").trim() || name;
}

// The name of a field for screen readers: its label, and its exercise.
const namedAfter = (title, words) => `${words} to ${title.replace(/^Exercise/, "exercise")}`;

function withField(exercise, title, check) {
  const id = `answer-${exercise.name}`;
  const words = `Your answer${exercise.unit ? ` in ${exercise.unit}` : ""}`;
  const field = element("input", {
    id, "aria-label": namedAfter(title, words), type: "text", autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", dir: "ltr",
    "aria-describedby": `${id}-read`, enterkeyhint: "done",
  });
  const label = element("label", { for: id }, words);
  const read = element("p", { id: `${id}-read`, class: "tutlib-answer-read" });
  const show = () => {
    const { tree, sentence } = field.value.trim() ? understood(exercise, field.value) : {};
    read.replaceChildren();
    if (tree) {
      read.innerHTML = mathml(tree); // contains only names, numbers, and signs that were parsed
      read.prepend("Read as ");
    } else if (sentence) read.append(sentence);
    if (read.scrollWidth > read.clientWidth) read.tabIndex = 0; // arrow keys scroll a wide formula
    else read.removeAttribute("tabindex");
  };
  field.addEventListener("input", show);
  const row = element("div", { class: "tutlib-answer-row" }, field, check);
  return {
    elements: [label, row, symbolKeys(exercise, field), read],
    field,
    get: () => field.value,
    // after a check, what cannot be read is in the judgment
    dropUnread: () => read.querySelector("math") ?? read.replaceChildren(),
    set(text) {
      field.value = text;
      show();
    },
  };
}

function withOptions(exercise, title, check) {
  const buttons = Object.keys(exercise.options).map((letter) =>
    element("input", { type: "radio", name: `answer-${exercise.name}`, value: letter }));
  const labels = Object.entries(exercise.options).map(([letter, text], k) =>
    element("label", {}, buttons[k], element("span", {}, `(${letter}) ${text}`)));
  const legend = element("legend", {}, "Your answer");
  return {
    elements: [element("fieldset", { "aria-label": namedAfter(title, "Your answer") }, legend, ...labels), check],
    field: buttons[0],
    get: () => buttons.find((button) => button.checked)?.value ?? "",
    set(text) {
      for (const button of buttons) button.checked = button.value === text;
    },
  };
}

const NOT_SAVED = {
  none: "Your answers are not saved: this browser does not let this page store anything, perhaps because another "
    + "site shows it in a frame. Open the page in its own tab, or write your answers down.",
  full: "Your answers are not saved: this browser's storage for this site is full. Delete the data of other pages "
    + "of this site in your browser's settings, or write your answers down.",
};

// Say once on the page that answers are not saved, and why; say nothing if they are.
function tellIfNotSaved(form) {
  const trouble = storage.trouble();
  const note = document.querySelector(".tutlib-answer-unkept");
  if (!trouble) note?.remove();
  else if (!note) form.append(element("p", { class: "tutlib-answer-unkept", role: "status" }, NOT_SAVED[trouble]));
}

// Put the box of an exercise into an element of the page. `ask` loads a file of the boxes by name;
// the frames of simulations are served from `home`.
export function answerBox(container, exercise, { sentences, ask, home }) {
  const check = element("button", { type: "submit", class: "tutlib-answer-check" }, "Check");
  const title = titleOf(container, exercise);
  const box = (exercise.kind === "choice" ? withOptions : withField)(exercise, title, check);
  const { line, say, clear } = outcome();
  const { figure, show } = choicePicture(exercise, ask);
  const form = element("form", { "aria-label": `Answer ${title}` }, ...box.elements, line, figure);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = box.get();
    if (!text.trim()) {
      clear();
      box.field.focus();
      return;
    }
    if (matchMedia("(pointer: coarse)").matches) box.field.blur(); // closes a phone's keyboard
    const feedback = judged(exercise, text, sentences, tried);
    ({ tried } = feedback);
    say(feedback);
    box.dropUnread?.();
    line.scrollIntoView({ block: "nearest" });
    show(text);
    storage.add(entry(text, feedback.verdict));
    tellIfNotSaved(form);
    container.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: { exercise, ...feedback } }));
  });
  form.addEventListener("input", () => {
    clear();
    show("");
  });
  const answer = storage.all()[exercise.name];
  const entry = (text, verdict) => ({ [exercise.name]: { text, verdict, tried, of: exercise.hash } });
  let tried = answer?.tried ?? [];
  const before = answer && judged(exercise, answer.text, sentences, tried);
  container.replaceChildren(form);
  if (answer) {
    box.set(answer.text);
    show(answer.text);
    say(before);
    box.dropUnread?.();
    if (answer.of !== exercise.hash) { // the exercise may have changed
      storage.put(entry(answer.text, before.verdict));
      container.dispatchEvent(new CustomEvent("kept", { bubbles: true }));
    }
  }
  tellIfNotSaved(form);
  if (exercise.moves) motionFrame(container, exercise, { sentences, home, before });
}
