// Plays computed motions: positions of points, sampled at equal times, drawn as a mechanism.
//
// `data` is what tutlib/pictures/animation.py writes: {duration, frames, box, skeleton, motions: [{label,
// positions}]}, with positions as base64 of Float32 [frame][point][x, y] in meters, y up; or in space
// [x, y, z], z up, and then {ball, down, follow}. Nothing here integrates: it interpolates, draws, and
// keeps true time.
import { Camera, boxOf, drawAxes, drawGround, turnable } from "./camera.js";
import {
  drawLegend, drawMechanism, drawScale, drawTrace, followTheme, newPicture, playWhenSeen, viewOf,
} from "./drawing.js";

export function startPlayer(root, data) {
  const [canvas, button, slider, speed, readout] = ["canvas", "button", "input", "select", "output"]
    .map((tag) => root.querySelector(tag));
  const decode = (text) =>
    new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  const motions = data.motions.map(({ positions }) => decode(positions));
  const size = data.ball ? 3 : 2;
  const points = motions[0].length / data.frames / size;
  const camera = data.ball && new Camera();
  const traced = data.skeleton.bodies.at(-1);
  let [time, playing, last] = [0, false, null];

  // The points of one motion at a time, between the two nearest frames.
  function pointsAt(positions, t) {
    const points = inSpaceAt(positions, t);
    return camera ? points.map((point) => camera.flat(point)) : points;
  }

  function inSpaceAt(positions, t) {
    const position = (t / data.duration) * (data.frames - 1);
    const frame = Math.min(Math.floor(position), data.frames - 2);
    const part = position - frame;
    const value = (k) => {
      const [now, next] = [positions[frame * points * size + k], positions[(frame + 1) * points * size + k]];
      return now + part * (next - now);
    };
    return Array.from({ length: points }, (_, i) =>
      Array.from({ length: size }, (_, j) => value(size * i + j)));
  }

  function trail(positions) {
    const path = [];
    for (let t = Math.max(0, time - 1.5); t < time; t += 1 / 60) path.push(pointsAt(positions, t)[traced]);
    return path;
  }

  function wholePath(positions) {
    return Array.from({ length: data.frames }, (_, frame) => {
      const first = (frame * points + traced) * size;
      return camera.flat([...positions.subarray(first, first + size)]);
    });
  }

  function draw() {
    const picture = newPicture(canvas);
    const ball = data.follow
      ? [...inSpaceAt(motions[0], time)[traced], data.follow] : data.ball;
    const box = camera ? boxOf(camera, ball) : data.box;
    const view = viewOf(box, picture);
    if (camera) {
      drawGround(picture, view, camera, ball);
      drawAxes(picture, camera, data.down);
      motions.forEach((m, i) => drawTrace(picture, view, wholePath(m), i));
    }
    if (traced !== undefined) motions.forEach((m, i) => drawTrace(picture, view, trail(m), i));
    motions.forEach((m, i) => drawMechanism(picture, view, data.skeleton, pointsAt(m, time), i));
    drawScale(picture, view, box);
    drawLegend(picture, data.motions.map(({ label }) => label));
    const shown = `${time.toFixed(2)} s`;
    readout.textContent = `t = ${shown} of ${data.duration.toFixed(0)} s`;
    slider.value = time;
    slider.setAttribute("aria-valuetext", shown);
  }

  function tick(now) {
    if (!playing) return;
    if (last !== null) time += Math.min((now - last) / 1000, 0.1) * Number(speed.value);
    last = now;
    if (time >= data.duration) time = 0;
    draw();
    requestAnimationFrame(tick);
  }

  function play(on) {
    if (on === playing) return;
    playing = on;
    last = null;
    button.textContent = on ? "Pause" : "Play";
    if (on) requestAnimationFrame(tick);
  }

  slider.max = data.duration;
  const motion = playWhenSeen(canvas, play);
  button.addEventListener("click", () => motion.want(!playing));
  slider.addEventListener("input", () => {
    motion.want(false);
    time = Number(slider.value);
    draw();
  });
  if (camera) {
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "application");
    canvas.classList.add("turnable");
    turnable(canvas, camera, draw);
  }
  followTheme(root, draw);
  new ResizeObserver(draw).observe(canvas);
}
