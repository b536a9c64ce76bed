// How far a reader has come: counts beside the chapters of the side bar, ticks on their cards, and a
// section of its own.
import { element } from "../../panels/simulations/elements.js";
import { asFile, asOfNow, counted, fromFile, kept } from "./kept.js";

const FILE = "equations-in-motion-answers.json";
// A page that has exercises is called like them, or its folder is; those of chapters begin with their
// number.
const PAGE = /\/(\d+-)?([a-z-]+)(?:\/\d-[a-z0-9-]+)?\.html$/;

let [hashes, pages] = [{}, {}];
const present = () => asOfNow(kept.all(), hashes);

const chapterOf = (link) => PAGE.exec(new URL(link.href).pathname)?.[2];
const isNumbered = (link) => Boolean(PAGE.exec(new URL(link.href).pathname)?.[1]);
const links = () => [...document.querySelectorAll(".bd-links a[href]")];
// Of a chapter that is a folder of pages, the first.
const linkOf = (chapter) => links().find((link) => chapterOf(link) === chapter);

// "3 of 8", and for those who listen, of what.
function showCounts(counts) {
  document.querySelectorAll(".tutlib-kept-count").forEach((old) => old.remove());
  for (const count of counts) {
    const link = linkOf(count.chapter);
    if (!link) continue;
    const seen = element("span", { "aria-hidden": "true" }, `${count.right} of ${count.all}`);
    const heard = element(
      "span", { class: "tutlib-kept-heard" }, `(${count.right} of ${count.all} exercises right)`,
    );
    link.append(" ", element("span", { class: "tutlib-kept-count" }, seen, heard));
  }
}

// On the card of a chapter: a tick for each exercise that is right, a ring for each other one.
function showTicks(counts, chapters) {
  const answers = present();
  for (const card of document.querySelectorAll(".course-card[data-chapter]")) {
    const count = counts.find(({ chapter }) => chapter === card.dataset.chapter);
    const place = card.querySelector(".course-ticks");
    place.hidden = !count;
    if (!count) continue;
    const names = chapters[count.chapter].filter(Boolean);
    const marks = names.map((name) => (answers[name]?.verdict === "right" ? "✓" : "○")).join("");
    place.replaceChildren(
      element("span", { "aria-hidden": "true" }, marks),
      element("span", { class: "tutlib-kept-heard" }, `${count.right} of ${count.all} exercises right`),
    );
  }
}

// The button that begins the course leads on, once there is something to go on with.
function leadOn(counts, chapters) {
  const button = document.querySelector(".course-start a");
  if (!button) return;
  start ??= { href: button.getAttribute("href"), label: button.textContent };
  const further = counts.length ? next(present(), chapters) : null;
  button.setAttribute("href", further?.href ?? start.href);
  button.textContent = further ? `Go on: ${further.textContent}` : start.label;
}
let start = null;

const titleOf = (link) => link.firstChild.textContent.trim();

// Where to go on: at the first exercise that is not right yet, as the chapters stand in the side bar.
function next(answers, chapters) {
  for (const link of links().filter(isNumbered)) {
    const names = chapters[chapterOf(link)] ?? [];
    const number = names.findIndex((name) => name && answers[name]?.verdict !== "right");
    if (number < 0) continue;
    const place = `/${pages[names[number]]}.html`;
    const page = links().find((one) => new URL(one.href).pathname.endsWith(place)) ?? link;
    const href = `${page.href.split("#")[0]}#exercise-${names[number]}`;
    return element("a", { href }, `exercise ${number + 1} of “${titleOf(link)}”`);
  }
  return null;
}

// A chapter's line leads to it; its title is that of the side bar.
function line({ chapter, right, all }) {
  const link = linkOf(chapter);
  const title = (link && titleOf(link)) ?? chapter.replaceAll("-", " ");
  const named = link ? element("a", { href: link.href }, title) : title;
  return element("li", {}, named, `: ${right} of ${all} exercises right`);
}

function save() {
  const address = URL.createObjectURL(new Blob([asFile(kept.all())], { type: "application/json" }));
  element("a", { href: address, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function load(file) {
  const { answers, sentence } = fromFile(await file.text());
  if (sentence) return sentence;
  kept.add(answers);
  const count = Object.keys(answers).length;
  return `Loaded ${count === 1 ? "one answer" : `${count} answers`}. What you had right stayed as it was.`;
}

function forget() {
  const asked = "Forget all your answers? This browser is the only place that keeps them, unless you saved a file.";
  if (!confirm(asked)) return "";
  kept.forget();
  return "All answers are forgotten.";
}

// The section: what stands in it changes; its buttons stay, and so does the focus.
function section(place, redraw) {
  const heading = element("h2", { id: "your-answers" }, "Your answers");
  const text = element("p");
  const list = element("ul");
  const further = element("p");
  const report = element("p", { role: "status" });
  const button = (label, onclick) => element("button", { type: "button", onclick }, label);
  const act = (said) => {
    redraw();
    report.textContent = said;
  };
  const chosen = element("input", {
    type: "file", accept: ".json,application/json", hidden: true, "aria-label": "File of answers",
    onchange: async () => {
      const [file] = chosen.files;
      if (file) act(await load(file));
      chosen.value = ""; // the same file may be chosen again
    },
  });
  const hideable = [button("Save as a file", save), button("Forget all", () => {
    act(forget());
    if (hideable[0].hidden) buttons.children[1].focus(); // the one that was pressed is gone
  })];
  const buttons = element("div", {}, hideable[0], button("Load from a file", () => chosen.click()), hideable[1], chosen);
  place.replaceChildren(element("section", { "aria-labelledby": "your-answers" }, heading, text, list, further, buttons, report));
  return (counts, chapters) => {
    const works = kept.works();
    text.textContent = works
      ? "What you answer under the exercises is kept in this browser alone. As a file, you can take it to another."
      : "This browser keeps nothing for this site: your answers are forgotten when you leave a page.";
    list.replaceChildren(...counts.map(line));
    list.hidden = !counts.length;
    const link = next(present(), chapters);
    further.replaceChildren(counts.length ? "Go on with " : "Begin with ", link ?? "", ".");
    further.hidden = !link;
    buttons.hidden = !works;
    for (const one of hideable) one.hidden = !counts.length;
  };
}

// Show how far the reader is, and go on doing so; `chapters` holds the names of their exercises, empty
// for those that no page can judge, `known` a hash of each exercise, and `stands` the page that it
// stands on where its chapter has several.
export function progress(chapters, known = {}, stands = {}) {
  [hashes, pages] = [known, stands];
  const redraw = () => {
    const order = links().map(chapterOf);
    const counts = counted(present(), chapters)
      .sort((one, other) => order.indexOf(one.chapter) - order.indexOf(other.chapter));
    for (const show of [...sections, showCounts, showTicks, leadOn]) show(counts, chapters);
  };
  const places = [...document.querySelectorAll(".tutlib-kept")];
  const sections = places.map((place) => section(place, redraw));
  for (const event of ["answered", "kept"]) document.addEventListener(event, redraw);
  addEventListener("storage", redraw); // another tab has kept an answer
  redraw();
}
