// Thumbnails: small animations without a player, such as those of the map of the chapters. They repeat
// while they are visible, unless the system or the reader asks for reduced motion.
//
// `films` holds data for player.js, by name; each canvas names its animation in data-film. They have
// the colors of the page around them.
import { Film } from "./film.js";
import { filmInSpace, filmInThePlane } from "../drawing/screen.js";
import { forgetColors } from "../drawing/drawing.js";
import { positionsOf } from "../drawing/packing.js";

// The pause at the end and the fade before the next start [s]; the fraction of the duration that a
// still shows; and the frames per second.
const [HOLD, FADE, STILL, RATE] = [1, 0.4, 0.3, 30];

// The time of the motion and the opacity of its picture, some seconds after it has begun.
export function momentOf(elapsed, duration) {
  const time = elapsed % (duration + HOLD + FADE);
  const leaving = (duration + HOLD + FADE - time) / FADE;
  return { time: Math.min(time, duration), opacity: Math.min(1, leaving, time / FADE) };
}

class Thumbnail {
  constructor(canvas, data, films) {
    const screen = data.ball ? filmInSpace : filmInThePlane;
    const elapsed = STILL * data.duration;
    Object.assign(this, { canvas, duration: data.duration, seen: false, elapsed });
    this.screen = screen(canvas, { ...data, bare: true }, films, null, () => {});
    this.show(elapsed);
  }

  static async of(canvas, data) {
    const axes = data.ball ? 3 : 2;
    const films = await Promise.all(data.motions.map(async (packed) =>
      new Film(await positionsOf(packed, data.frames), data, axes)));
    return new Thumbnail(canvas, data, films);
  }

  show(time, opacity = 1) {
    this.time = time;
    this.canvas.style.opacity = opacity;
    this.screen.draw(time);
  }

  advance(seconds) {
    this.elapsed += seconds;
    const { time, opacity } = momentOf(this.elapsed, this.duration);
    this.show(time, opacity);
  }

  redraw() {
    this.show(this.time, this.canvas.style.opacity);
  }
}

// Start the animations of a page; `button` pauses and resumes them.
export async function startThumbnails(films, button) {
  const canvases = [...document.querySelectorAll("canvas[data-film]")];
  const known = canvases.filter(({ dataset }) => films[dataset.film]);
  const all = await Promise.all(known.map((canvas) => Thumbnail.of(canvas, films[canvas.dataset.film])));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let [moves, last] = [!calm.matches, null];

  function tick(now) {
    if (!moves || !all.some(({ seen }) => seen)) {
      last = null;
      return;
    }
    requestAnimationFrame(tick);
    if (last !== null && now - last < 1000 / RATE - 4) return;
    const passed = last === null ? 0 : Math.min((now - last) / 1000, 0.1);
    last = now;
    for (const one of all) if (one.seen) one.advance(passed);
  }

  function go() {
    if (last !== null) return;
    last = performance.now();
    requestAnimationFrame(tick);
  }

  function want(on) {
    moves = on;
    button.textContent = on ? "Pause animations" : "Play animations";
    if (on) go();
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      all.find(({ canvas }) => canvas === target).seen = isIntersecting;
    }
    if (moves) go();
  });
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) =>
    all.find(({ canvas }) => canvas === target).redraw()));
  for (const { canvas } of all) [observer, sizes].forEach((one) => one.observe(canvas));
  new MutationObserver(() => {
    forgetColors();
    all.forEach((one) => one.redraw());
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  calm.addEventListener("change", () => want(!calm.matches));
  button.addEventListener("click", () => want(!moves));
  button.hidden = false;
  want(moves);
}
