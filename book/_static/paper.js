// On paper nothing can be unfolded, and the ground is white: what is folded on the screen is printed
// open, and a dark page is printed light.
(() => {
  const root = document.documentElement;
  const opened = new Set();
  let theme = null;
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
