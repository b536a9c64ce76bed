// The reader's progress: counts beside the chapters in the sidebar, ticks on their cards, and a
// section on a page.
import { element } from "../../panels/simulations/elements.js";
import { asFile, asOfNow, counted, fromFile, storage } from "./answer_storage.js";

const FILE = "equations-in-motion-answers.json";
// The name of a page with exercises is theirs, or that of its folder; names of chapters begin with
// their number.
const PAGE = /\/(\d+-)?([a-z-]+)(?:\/\d-[a-z0-9-]+)?\.html$/;

let [hashes, pages] = [{}, {}];
const present = () => asOfNow(storage.all(), hashes);

const chapterOf = (link) => PAGE.exec(new URL(link.href).pathname)?.[2];
const isNumbered = (link) => Boolean(PAGE.exec(new URL(link.href).pathname)?.[1]);
const links = () => [...document.querySelectorAll(".bd-links a[href]")];
// The first page, if a chapter is a folder of pages.
const linkOf = (chapter) => links().find((link) => chapterOf(link) === chapter);

// "3 of 8", with an explanation for screen readers.
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

// On the card of a chapter: a tick for each right exercise, a ring for each other one.
function showTicks(counts, chapters) {
  const answers = present();
  for (const card of document.querySelectorAll(".course-card[data-chapter]")) {
    const count = counts.find(({ chapter }) => chapter === card.dataset.chapter);
    const ticks = card.querySelector(".course-ticks");
    ticks.hidden = !count;
    if (!count) continue;
    const names = chapters[count.chapter].filter(Boolean);
    const marks = names.map((name) => (answers[name]?.verdict === "right" ? "✓" : "○")).join("");
    ticks.replaceChildren(
      element("span", { "aria-hidden": "true" }, marks),
      element("span", { class: "tutlib-kept-heard" }, `${count.right} of ${count.all} exercises right`),
    );
  }
}

// Turn the button that begins the course into a link to the next exercise, once there are answers.
function leadOn(counts, chapters) {
  const button = document.querySelector(".course-start a");
  if (!button) return;
  start ??= { href: button.getAttribute("href"), label: button.textContent };
  const further = counts.length ? next(present(), chapters) : null;
  button.setAttribute("href", further?.href ?? start.href);
  button.textContent = further ? `Continue: ${further.textContent}` : start.label;
}
let start = null;

const titleOf = (link) => link.firstChild.textContent.trim();

// A link to the first exercise that is not right yet, in the order of the sidebar.
function next(answers, chapters) {
  for (const link of links().filter(isNumbered)) {
    const names = chapters[chapterOf(link)] ?? [];
    const number = names.findIndex((name) => name && answers[name]?.verdict !== "right");
    if (number < 0) continue;
    const path = `/${pages[names[number]]}.html`;
    const page = links().find((link) => new URL(link.href).pathname.endsWith(path)) ?? link;
    const href = `${page.href.split("#")[0]}#exercise-${names[number]}`;
    return element("a", { href }, `exercise ${number + 1} of “${titleOf(link)}”`);
  }
  return null;
}

// The list item of a chapter, with a link and its title in the sidebar.
function line({ chapter, right, all }) {
  const link = linkOf(chapter);
  const title = (link && titleOf(link)) ?? chapter.replaceAll("-", " ");
  const named = link ? element("a", { href: link.href }, title) : title;
  return element("li", {}, named, `: ${right} of ${all} exercises right`);
}

function save() {
  const address = URL.createObjectURL(new Blob([asFile(storage.all())], { type: "application/json" }));
  element("a", { href: address, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function load(file) {
  const { answers, sentence } = fromFile(await file.text());
  if (sentence) return sentence;
  if (!storage.add(answers)) {
    return "These answers could not be saved: this browser's storage for this site is full. Your file is unchanged.";
  }
  const count = Object.keys(answers).length;
  return `Loaded ${count === 1 ? "one answer" : `${count} answers`}. Your right answers were kept.`;
}

function forget() {
  const asked = "Delete all your answers? They are stored only in this browser, unless you saved a file.";
  if (!confirm(asked)) return "";
  storage.forget();
  return "All answers were deleted.";
}

// The section: its text changes; its buttons stay, and keep the focus.
function section(container, redraw) {
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
      chosen.value = ""; // so that the same file can be chosen again
    },
  });
  const hideable = [button("Save as a file", save), button("Delete all", () => {
    act(forget());
    if (hideable[0].hidden) buttons.children[1].focus(); // the pressed button is gone
  })];
  const buttons = element("div", {}, hideable[0], button("Load from a file", () => chosen.click()), hideable[1], chosen);
  container.replaceChildren(element("section", { "aria-labelledby": "your-answers" }, heading, text, list, further, buttons, report));
  return (counts, chapters) => {
    const trouble = storage.trouble();
    text.textContent = {
      "": "Your answers are stored only in this browser. Save them as a file to move them to another one.",
      none: "This browser does not store anything for this site: your answers are lost when you leave a page.",
      full: "This browser's storage for this site is full: new answers are lost when you leave a page. Save the answers that you have as a file.",
    }[trouble];
    list.replaceChildren(...counts.map(line));
    list.hidden = !counts.length;
    const link = next(present(), chapters);
    further.replaceChildren(counts.length ? "Continue with " : "Start with ", link ?? "", ".");
    further.hidden = !link;
    buttons.hidden = trouble === "none";
    for (const button of hideable) button.hidden = !counts.length;
  };
}

// On paper, the answers given so far, also to exercises that have not been on the screen.
function showOnPaper() {
  const answers = present();
  for (const box of document.querySelectorAll(".tutlib-answer[data-exercise]")) {
    const { text, verdict } = answers[box.dataset.exercise] ?? {};
    const typed = box.querySelector('input[type="text"]')?.value.trim();
    const shown = typed || text;
    if (!shown) continue;
    const mark = shown === text && verdict === "right" ? " ✓" : "";
    box.append(element("p", { class: "tutlib-answer-paper" }, `Your answer: ${shown}${mark}`));
  }
}

// Show the progress and update it; `chapters` are the names of exercises by chapter, empty for
// those that no page can judge, `hashOf` a hash of each exercise, and `pageOf` the page of each
// exercise whose chapter has several.
export function progress(chapters, hashOf = {}, pageOf = {}) {
  [hashes, pages] = [hashOf, pageOf];
  const redraw = () => {
    const order = links().map(chapterOf);
    const counts = counted(present(), chapters)
      .sort((a, b) => order.indexOf(a.chapter) - order.indexOf(b.chapter));
    for (const show of [...sections, showCounts, showTicks, leadOn]) show(counts, chapters);
  };
  const containers = [...document.querySelectorAll(".tutlib-kept")];
  const sections = containers.map((container) => section(container, redraw));
  for (const event of ["answered", "kept"]) document.addEventListener(event, redraw);
  addEventListener("beforeprint", showOnPaper);
  addEventListener("afterprint", () => document.querySelectorAll(".tutlib-answer-paper").forEach((text) => text.remove()));
  addEventListener("storage", redraw); // another tab has stored an answer
  redraw();
}
