// The picture that belongs to a choice: loaded by `ask` when the choice is made.
import { element } from "../../panels/simulations/elements.js";

// Return a figure, and a function that shows the picture of a choice in it, if there is one.
export function choicePicture(exercise, ask) {
  const figure = element("figure", { class: "tutlib-answer-picture", hidden: true });
  let wanted = "";
  async function show(letter) {
    wanted = exercise.pictures?.includes(letter) ? letter : "";
    figure.hidden = true;
    figure.replaceChildren();
    if (!wanted) return;
    const drawn = await ask(`${exercise.name}-${letter}`).catch(() => "");
    if (wanted !== letter || !drawn) return; // another choice since, or no picture
    figure.innerHTML = drawn; // comes from the site itself
    const picture = figure.querySelector("svg");
    figure.append(element("figcaption", {}, picture.getAttribute("aria-label")));
    picture.removeAttribute("role");
    picture.removeAttribute("aria-label");
    picture.setAttribute("aria-hidden", "true"); // the caption says it
    figure.hidden = false;
  }
  return { figure, show };
}
