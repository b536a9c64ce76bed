// The box under an exercise's prompt: it says what it read, judges, and remembers, all in the page.
import { element } from "../../panels/simulations/elements.js";
import { mathml } from "./formula.js";
import { judged, understood } from "./judging.js";
import { kept } from "./kept.js";
import { moving } from "./moving.js";
import { revealed } from "./revealed.js";
import { symbolKeys } from "./symbol_keys.js";

const MARKS = { right: "✓", wrong: "✗", unread: "?" };

// A text whose section, if this page has it, is a link.
function withLink(text, section) {
  const titles = [...document.querySelectorAll("section > :is(h1, h2, h3, h4, h5)")];
  const title = section && titles.find((one) => one.textContent.replace(/\s*#$/, "").trim() === section);
  const place = title ? text.lastIndexOf(`“${section}”`) + 1 : 0;
  if (!place) return [text];
  const link = element("a", { href: `#${title.parentElement.id}` }, section);
  return [text.slice(0, place), link, text.slice(place + section.length)];
}

// What the box says of an answer, in a line that screen readers hear.
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

// What heads the exercise of a box: its number and title; else its name.
function titleOf(place, { name }) {
  const titles = [...document.querySelectorAll('[role="heading"] > strong:first-child')];
  const before = titles.filter((one) => one.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING);
  return before.at(-1)?.textContent.replace(" · ", ", ") ?? name;
}

// What a field is called by those who hear it: what stands above it, and its exercise.
const namedAfter = (title, words) => `${words} to ${title.replace(/^E/, "e")}`;

function withField(exercise, title, check) {
  const id = `answer-${exercise.name}`;
  const words = `Your answer${exercise.unit ? ` in ${exercise.unit}` : ""}`;
  const field = element("input", {
    id, "aria-label": namedAfter(title, words), type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    "aria-describedby": `${id}-read`, enterkeyhint: "done",
  });
  const label = element("label", { for: id }, words);
  const read = element("p", { id: `${id}-read`, class: "tutlib-answer-read" });
  const show = () => {
    const { tree, sentence } = field.value.trim() ? understood(exercise, field.value) : {};
    read.replaceChildren();
    if (tree) {
      read.innerHTML = mathml(tree); // made of names, numbers and signs that were read
      read.prepend("Read as ");
    } else if (sentence) read.append(sentence);
    if (read.scrollWidth > read.clientWidth) read.tabIndex = 0; // arrow keys move what is too wide
    else read.removeAttribute("tabindex");
  };
  field.addEventListener("input", show);
  const row = element("div", { class: "tutlib-answer-row" }, field, check);
  return {
    elements: [label, row, symbolKeys(exercise, field), read],
    field,
    get: () => field.value,
    // what cannot be read is told once
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
    get: () => buttons.find((one) => one.checked)?.value ?? "",
    set(text) {
      for (const one of buttons) one.checked = one.value === text;
    },
  };
}

const UNKEPT = "Answers are not kept here: this browser lets the page store nothing, as in a frame of "
  + "another site. Open the page in a tab of its own, or write your answers down.";

// Put a box for an exercise into an element of the page. `ask` brings a file of the boxes by its
// name; the frames of those that move are served from `home`.
export function answerBox(place, exercise, { sentences, ask, home }) {
  const check = element("button", { type: "submit", class: "tutlib-answer-check" }, "Check");
  const title = titleOf(place, exercise);
  const box = (exercise.kind === "choice" ? withOptions : withField)(exercise, title, check);
  const { line, say, clear } = outcome();
  const { figure, show } = revealed(exercise, ask);
  const form = element("form", { "aria-label": `Answer ${title}` }, ...box.elements, line, figure);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = box.get();
    if (!text.trim()) {
      clear();
      box.field.focus();
      return;
    }
    if (matchMedia("(pointer: coarse)").matches) box.field.blur(); // a phone's keyboard makes room
    const feedback = judged(exercise, text, sentences, tried);
    ({ tried } = feedback);
    say(feedback);
    box.dropUnread?.();
    line.scrollIntoView({ block: "nearest" });
    show(text);
    kept.add(entry(text, feedback.verdict));
    place.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: { exercise, ...feedback } }));
  });
  form.addEventListener("input", () => {
    clear();
    show("");
  });
  const answer = kept.all()[exercise.name];
  const entry = (text, verdict) => ({ [exercise.name]: { text, verdict, tried, of: exercise.hash } });
  let tried = answer?.tried ?? [];
  const before = answer && judged(exercise, answer.text, sentences, tried);
  place.replaceChildren(form);
  if (answer) {
    box.set(answer.text);
    show(answer.text);
    say(before);
    box.dropUnread?.();
    if (answer.of !== exercise.hash) { // the exercise may have changed since
      kept.put(entry(answer.text, before.verdict));
      place.dispatchEvent(new CustomEvent("kept", { bubbles: true }));
    }
  }
  if (!kept.works() && !document.querySelector(".tutlib-answer-unkept")) {
    form.append(element("p", { class: "tutlib-answer-unkept" }, UNKEPT));
  }
  if (exercise.moves) moving(place, exercise, { sentences, home, before });
}
