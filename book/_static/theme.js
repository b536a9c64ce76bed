// Tells the simulations and animations of a page, which live in frames of their own, whether the
// page is dark or light: when they ask, and whenever it changes.
(() => {
  const root = document.documentElement;
  const tell = (frame) => frame.postMessage({ theme: root.dataset.theme || "light" }, "*");
  addEventListener("message", ({ data, source }) => data === "which theme?" && tell(source));
  new MutationObserver(() => {
    document.querySelectorAll("iframe.tutlib-animation").forEach((f) => tell(f.contentWindow));
  }).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
})();
