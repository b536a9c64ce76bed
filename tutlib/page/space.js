// How live.js looks at a motion in space: through a camera that the reader turns.
import { Camera, boxOf, drawAxes, drawGround, turnable } from "../pictures/camera.js";

export const inSpace = (spec, canvas, redraw) => {
  const camera = new Camera();
  turnable(canvas, camera, redraw);
  return {
    flat: (points) => points.map((point) => camera.flat(point)),
    box: () => boxOf(camera, spec.ball),
    surroundings: (picture, view) => {
      drawGround(picture, view, camera, spec.ball);
      drawAxes(picture, camera, spec.down);
    },
  };
};
