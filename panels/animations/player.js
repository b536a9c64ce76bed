// Player of computed motions: positions of points, drawn as a mechanism, in real time.
//
// `data` comes from panels/animations/animation.py: {duration, frames, box, skeleton, motions: [{label,
// ghost, step, bytes}], goals}, with positions [x, y] in meters, y up; or in space [x, y, z], z up, and
// also {ball, down, follow}. Nothing is integrated here. An animation starts when the reader presses
// play, and stops on its last frame.
import { Film } from "./film.js";
import { filmInSpace, filmInThePlane } from "../drawing/screen.js";
import { followTheme, handOnSearch, playWhenSeen } from "../drawing/drawing.js";
import { positionsOf } from "../drawing/packing.js";

export async function startPlayer(root, data) {
  const [canvas, mark, button, slider, speed, readout] = [
    "canvas", ".mark", ".controls button", "input", "select", "output",
  ].map((name) => root.querySelector(name));
  const axes = data.ball ? 3 : 2;
  const filmOf = async (packed) =>
    packed && new Film(await positionsOf(packed, data.frames), data, axes);
  const films = await Promise.all(data.motions.map(filmOf));
  const goals = await filmOf(data.goals);
  const screen = (data.ball ? filmInSpace : filmInThePlane)(canvas, data, films, goals, () => draw());
  let [time, playing, last] = [0, false, null];

  const shownTime = () => `${time.toFixed(2)} s`;
  const ended = () => time >= data.duration;

  function draw() {
    screen.draw(time);
    readout.textContent = `t = ${shownTime()} of ${data.duration.toFixed(0)} s`;
    slider.value = time;
    slider.setAttribute("aria-valuetext", shownTime());
    tellState();
  }

  function tellState() {
    const what = playing ? "Pause" : ended() ? "Replay" : "Play";
    if (button.textContent !== what) button.textContent = what;
    mark.hidden = playing || (time > 0 && !ended());
    mark.classList.toggle("ended", ended());
  }

  function tick(now) {
    if (!playing) return;
    if (last !== null) time += Math.min((now - last) / 1000, 0.1) * Number(speed.value);
    last = now;
    if (ended()) {
      time = data.duration;
      motion.want(false);
    }
    draw();
    requestAnimationFrame(tick);
  }

  function play(on) {
    if (on === playing) return;
    if (on && ended()) time = 0;
    playing = on;
    last = null;
    tellState();
    if (on) requestAnimationFrame(tick);
  }

  slider.max = data.duration;
  const motion = playWhenSeen(canvas, play, { atOnce: false });
  button.addEventListener("click", () => motion.want(!playing));
  mark.addEventListener("click", () => {
    motion.want(true);
    button.focus({ preventScroll: true }); // the mark is gone, and the keys go on
  });
  slider.addEventListener("input", () => {
    motion.want(false);
    time = Number(slider.value);
    draw();
  });
  followTheme(root, draw);
  handOnSearch();
  new ResizeObserver(draw).observe(canvas);
}
