// On paper nothing can be unfolded, and the ground is white: what is folded on the screen is printed
// open, and a dark page is printed light. A formula far from the screen has asked for no fonts yet,
// and paper waits for none: they are there before.
(() => {
  const root = document.documentElement;
  const opened = new Set();
  let theme = null;
  const used = ({ family }) => {
    const kind = /^"?MJXTEX(-\w+)"?$/.exec(family)?.[1];
    return kind && document.querySelector(`mjx-container .TEX${kind}`);
  };
  const soon = globalThis.requestIdleCallback ?? setTimeout;
  addEventListener("load", () => soon(() => [...document.fonts].filter(used).forEach((face) => face.load())));
  addEventListener("beforeprint", () => {
    if (root.dataset.theme === "dark") [theme, root.dataset.theme] = ["dark", "light"];
    for (const fold of document.querySelectorAll("article details:not([open])")) {
      fold.open = true;
      opened.add(fold);
    }
  });
  addEventListener("afterprint", () => {
    if (theme) [root.dataset.theme, theme] = [theme, null];
    for (const fold of opened) fold.open = false;
    opened.clear();
  });
})();
