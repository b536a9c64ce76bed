// Drawing of an animation at a given time: in the plane, or in space, where the reader can rotate it.
// A `bare` one shows the motion alone, without legend, scale, or rotation.
import { Camera, boxOf, drawAxes, drawGround, turnable } from "./camera.js";
import { drawBodies, drawGoal, faint } from "./bodies.js";
import {
  drawLegend, drawMechanism, drawScale, drawTrace, newPicture, viewOf,
} from "./drawing.js";

// The duration and the time step of the trace behind a point [s].
const [TRACE, FINE] = [1.5, 1 / 120];

const penFor = (picture, motion) => (motion.ghost ? faint(picture) : picture);

// Motions in drawing order: ghosts first, behind the others.
const inOrder = (motions) =>
  motions.map((motion, i) => [motion, i]).sort(([a], [b]) => Number(b.ghost) - Number(a.ghost));

export function filmInThePlane(canvas, data, films, goals) {
  const { skeleton, box, motions, bare } = data;
  const traced = skeleton.bodies.at(-1);
  return {
    draw(time) {
      const picture = newPicture(canvas);
      const view = viewOf(box, picture);
      const order = inOrder(motions);
      if (traced !== undefined) {
        for (const [motion, i] of order) {
          const path = films[i].path(traced, Math.max(0, time - TRACE), time, FINE);
          drawTrace(penFor(picture, motion), view, path, i);
        }
      }
      goals?.pointsAt(time).forEach((goal) => drawGoal(picture, view.map(goal)));
      for (const [motion, i] of order) {
        const drawn = { ...skeleton, ghost: motion.ghost };
        drawMechanism(picture, view, drawn, films[i].pointsAt(time), i);
      }
      if (bare) return;
      drawScale(picture, view, box);
      drawLegend(picture, motions.map(({ label }) => label));
    },
  };
}

export function filmInSpace(canvas, data, films, goals, redraw) {
  const { skeleton, motions, follow, down, duration, bare } = data;
  const traced = skeleton.traced ?? skeleton.bodies.at(-1);
  const camera = new Camera();
  const steps = Math.min(data.frames, 600);
  const paths = traced === undefined ? []
    : films.map((film) => film.path(traced, 0, duration, duration / steps));
  if (!bare) turnable(canvas, camera, redraw, canvas.parentElement);
  return {
    draw(time) {
      const picture = newPicture(canvas);
      const order = inOrder(motions);
      const ball = follow ? [...films[0].pointAt(traced, time), follow] : data.ball;
      const view = viewOf(boxOf(camera, ball), picture);
      const seen = (points) => points.map((point) => camera.flat(point));
      drawGround(picture, view, camera, ball, skeleton.ground);
      if (!bare) drawAxes(picture, camera, down);
      for (const [motion, i] of order) {
        drawWay(penFor(picture, motion), view, seen(paths[i] ?? []), i);
        const recent = traced === undefined ? []
          : films[i].path(traced, Math.max(0, time - TRACE), time, FINE);
        drawTrace(penFor(picture, motion), view, seen(recent), i);
      }
      goals?.pointsAt(time).forEach((goal) => drawGoal(picture, view.map(camera.flat(goal))));
      for (const [motion, i] of order) {
        drawBodies(penFor(picture, motion), view, camera, ball, skeleton, films[i].pointsAt(time), i);
      }
      if (bare) return;
      drawScale(picture, view, boxOf(camera, ball));
      drawLegend(picture, motions.map(({ label }) => label));
    },
  };
}

// Draw the whole path of a point as a thin line.
function drawWay({ g, colors }, view, path, index) {
  g.strokeStyle = colors[index % colors.length];
  g.globalAlpha = 0.3;
  g.lineWidth = 1.2;
  g.setLineDash([]);
  g.beginPath();
  path.forEach((point) => g.lineTo(...view.map(point)));
  g.stroke();
  g.globalAlpha = 1;
}
