// On paper nothing can be unfolded, and the ground is white. What is folded stays so, but for the
// solutions: they are printed open, at the end, where nobody sees one by chance. A dark page is printed
// light. A formula far from the screen has asked for no fonts yet, and paper waits for none: they are
// there before.
(() => {
  const root = document.documentElement;
  let theme = null;
  const places = new Map();

  // The first words of the last question before a place: "Exercise 2 · The tension in the rod". An open
  // question is none of the exercises.
  function titleOf(place) {
    const asked = document.querySelectorAll("article :is([id^=exercise-], blockquote)");
    const before = [...asked].filter((question) => question.querySelector(".grade") &&
      question.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING);
    return before.at(-1)?.querySelector("strong")?.textContent ?? "";
  }

  function gather(article) {
    const cells = [...article.querySelectorAll(":is(.tag_solution, details:not(.hide, .tutlib-module))")];
    if (!cells.length) return;
    const solutions = document.createElement("section");
    solutions.className = "tutlib-solutions";
    solutions.append(Object.assign(document.createElement("h2"), { textContent: "Solutions" }));
    const isRubric = (cell) => cell.matches("details");
    const titles = cells.map(titleOf);
    cells.forEach((cell, i) => {
      if (titles[i] && titles[i] !== titles[i - 1]) {
        solutions.append(Object.assign(document.createElement("h3"), { textContent: titles[i] }));
      }
      const fold = (isRubric(cell) ? [cell] : [...cell.querySelectorAll("details")]).find((e) => !e.open);
      const place = document.createComment("a solution");
      cell.replaceWith(place);
      places.set(place, [cell, fold]);
      if (fold) fold.open = true;
      solutions.append(cell);
    });
    article.append(solutions);
  }

  function putBack() {
    for (const [place, [cell, fold]] of places) {
      if (fold) fold.open = false;
      place.replaceWith(cell);
    }
    places.clear();
    document.querySelectorAll(".tutlib-solutions").forEach((solutions) => solutions.remove());
  }

  addEventListener("beforeprint", () => {
    if (root.dataset.theme === "dark") [theme, root.dataset.theme] = ["dark", "light"];
    document.querySelectorAll("article").forEach(gather);
  });
  addEventListener("afterprint", () => {
    if (theme) [root.dataset.theme, theme] = [theme, null];
    putBack();
  });

  const used = ({ family }) => {
    const kind = /^"?MJXTEX(-\w+)"?$/.exec(family)?.[1];
    return kind && document.querySelector(`mjx-container .TEX${kind}`);
  };
  const soon = globalThis.requestIdleCallback ?? setTimeout;
  addEventListener("load", () => soon(() => [...document.fonts].filter(used).forEach((face) => face.load())));
})();
