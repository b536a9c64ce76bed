// Keep what is read for a time without a network: see publishing/offline.js. From a disk there is nothing
// to keep, and where the site has no worker all goes on without.
(() => {
  if (!/^https?:$/.test(location.protocol) || !isSecureContext || !navigator.serviceWorker) return;
  const worker = new URL("../sw.js", document.currentScript.src);
  const chapterOf = ({ dataset }) => dataset.exercise.replace(/-\d+$/, "");

  async function tell() {
    const { active } = await navigator.serviceWorker.ready;
    const boxes = document.querySelectorAll(".tutlib-answer[data-exercise]");
    active.postMessage({
      addresses: [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)],
      chapters: [...new Set([...boxes].map(chapterOf))],
    });
  }

  addEventListener("load", () => navigator.serviceWorker.register(worker).then(() => {
    navigator.serviceWorker.addEventListener("controllerchange", tell);
    return tell();
  }).catch(() => {}));
})();
