// The picture that comes with a choice: asked for when the choice is made.
import { element } from "./elements.js";

// Return a figure, and what shows in it what happens after a choice, or nothing.
export function revealed(exercise) {
  const figure = element("figure", { class: "tutlib-answer-picture", hidden: true });
  let wanted = "";
  async function show(letter) {
    wanted = exercise.pictures?.includes(letter) ? letter : "";
    figure.hidden = true;
    figure.replaceChildren();
    if (!wanted) return;
    const answer = await fetch(new URL(`${exercise.name}-${letter}.txt`, import.meta.url)).catch(() => null);
    if (wanted !== letter || !answer?.ok) return; // another was chosen, or the words must do
    figure.innerHTML = await answer.text(); // drawn by the site itself
    const picture = figure.querySelector("svg");
    figure.append(element("figcaption", {}, picture.getAttribute("aria-label")));
    picture.removeAttribute("role");
    picture.removeAttribute("aria-label");
    picture.setAttribute("aria-hidden", "true"); // the caption says it
    figure.hidden = false;
  }
  return { figure, show };
}
