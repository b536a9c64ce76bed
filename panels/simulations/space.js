// View of motions in space for live.js: a camera that the reader rotates.
import { Camera, boxOf, drawAxes, drawGround, turnable } from "../drawing/camera.js";
import { drawBodies, drawGoal, faint } from "../drawing/bodies.js";

// Width of a canvas [px] from which the whole ball is visible; on a smaller one the camera is nearer to
// the traced point and its goal, down to this part of the radius.
const [WIDE, NEARER] = [500, 0.5];

export const inSpace = (spec, canvas, redraw) => {
  const camera = new Camera();
  const { down, follow, goals, skeleton: { traced, bodies } } = spec;
  let { ball } = spec;
  turnable(canvas, camera, redraw);

  function nearer(there, goal) {
    if (!goal || canvas.clientWidth >= WIDE || !there.every(Number.isFinite)) return null;
    const [radius, away] = [ball[3], Math.hypot(...goal.map((place, i) => place - there[i]))];
    const middle = goal.map((place, i) => (place + there[i]) / 2);
    return [...middle, Math.min(radius, Math.max(NEARER * radius, (away + NEARER * radius) / 2))];
  }

  return {
    flat: (points) => points.map((point) => camera.flat(point)),
    // The ball follows the traced point, if asked to.
    box: (points) => {
      const there = points[traced ?? bodies.at(-1)];
      if (follow && there.every(Number.isFinite)) ball = [...there, follow];
      return boxOf(camera, nearer(there, points[goals[0]]) ?? ball);
    },
    camera: () => [camera.yaw, camera.pitch],
    turnTo: ([yaw, pitch]) => Object.assign(camera, { yaw, pitch }),
    surroundings: (picture, view) => {
      drawGround(picture, view, camera, ball, spec.skeleton.ground);
      drawAxes(picture, camera, down);
    },
    mechanism: (picture, view, skeleton, points, index) => {
      const pen = skeleton.ghost ? faint(picture) : picture;
      if (index === 0) {
        goals.forEach((i) => drawGoal(picture, view.map(camera.flat(points[i]))));
      }
      drawBodies(pen, view, camera, ball, skeleton, points, index);
    },
  };
};
