// Answer boxes: what judges them is asked for when the first of them is near the screen.
(() => {
  const home = new URL("answers/", document.currentScript.src);
  const data = new Map();
  let code;

  const styled = () => new Promise((resolve) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: new URL("answers.css", home), onload: resolve, onerror: resolve });
    document.head.append(link);
  });
  const chapterOf = (name) => name.replace(/-\d+$/, "");
  const exercisesOf = (chapter) => {
    if (!data.has(chapter)) {
      data.set(chapter, fetch(new URL(`${chapter}.json`, home)).then((answer) => answer.json()));
    }
    return data.get(chapter);
  };

  async function fill(place) {
    const name = place.dataset.exercise;
    try {
      code ??= Promise.all([import(new URL("answers.js", home)), styled()]);
      const [[{ answerBox }], { exercises, sentences }] = await Promise.all([code, exercisesOf(chapterOf(name))]);
      answerBox(place, exercises[name], sentences);
    } catch {
      place.textContent = "The answer box could not be loaded. In the chapter's notebook, the cell below checks your answer.";
    }
  }

  addEventListener("DOMContentLoaded", () => {
    // a plain script: a page from a disk may load it, too
    if (document.querySelector(".tutlib-kept, .bd-links")) {
      const script = document.createElement("script");
      script.src = new URL("progress.js", home);
      document.head.append(script);
    }
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
