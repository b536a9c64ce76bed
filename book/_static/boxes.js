// Answer boxes: what judges them is asked for when the first of them is near the screen. All of it
// are plain scripts, each of which hands over what it brings: a page from a disk may load them, too.
(() => {
  const home = new URL("answers/", document.currentScript.src);
  const [asked, brought] = [new Map(), new Map()];
  globalThis.tutlibBrings = (name, value) => brought.set(name, value);

  const loaded = (tag, properties) => new Promise((resolve, reject) => {
    const made = Object.assign(document.createElement(tag), properties, { onload: resolve, onerror: reject });
    document.head.append(made);
  });
  const load = (name) => loaded("script", { src: new URL(`${name}.js`, home) });
  // What a script of this name brings; each is loaded once.
  function ask(name) {
    if (!asked.has(name)) asked.set(name, load(name).then(() => brought.get(name)));
    return asked.get(name);
  }
  let style;
  const styled = () => (style ??= loaded("link", { rel: "stylesheet", href: new URL("answers.css", home) }));

  async function fill(place) {
    const name = place.dataset.exercise;
    const chapter = name.replace(/-\d+$/, "");
    try {
      const [{ answerBox }, { exercises, sentences }] =
        await Promise.all([ask("answers"), ask(chapter), styled()]);
      answerBox(place, exercises[name], { sentences, ask, home });
    } catch {
      place.textContent = "The answer box could not be loaded. In the chapter's notebook, the cell below checks your answer.";
    }
  }

  addEventListener("DOMContentLoaded", () => {
    if (document.querySelector(".tutlib-kept, .bd-links")) load("progress").catch(() => {});
    const near = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        fill(target);
      }
    }, { rootMargin: "600px" });
    document.querySelectorAll(".tutlib-answer[data-exercise]").forEach((place) => near.observe(place));
  });
})();
