// Camera for motions in space: an orthographic view, rotated by mouse, finger, or keys.
// Points are [x, y, z] in meters, with the third axis up.
import { arrows } from "./drawing.js";

// The largest movement of the pointer that still counts as a click [px].
const CLICK = 5;

export class Camera {
  constructor(yaw = 0.5, pitch = 0.3) {
    Object.assign(this, { yaw, pitch });
  }

  turn(right, up) {
    this.yaw -= right;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + up));
  }

  // Coordinates of a point to the right and up, as seen by the camera.
  flat([x, y, z]) {
    const [c, s] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    return [c * x + s * y, Math.cos(this.pitch) * z + Math.sin(this.pitch) * (c * y - s * x)];
  }

  // Distance of a point from the origin toward the viewer [m].
  near([x, y, z]) {
    const away = Math.cos(this.yaw) * y - Math.sin(this.yaw) * x;
    return Math.sin(this.pitch) * z - Math.cos(this.pitch) * away;
  }
}

// Let mouse, pen, finger, and, when the canvas has the focus, the arrow keys rotate the camera. A finger
// that moves up or down scrolls the page, so it rotates sideways only: see the style sheet. `surface`
// is the canvas with the elements over it; a drag there rotates, and only a click presses a button.
export function turnable(canvas, camera, redraw, surface = canvas) {
  let [held, way] = [null, 0];
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "application");
  canvas.classList.add("turnable");
  surface.addEventListener("pointerdown", (event) => {
    if (held) return; // a second finger
    way = 0;
    held = { id: event.pointerId, at: [event.clientX, event.clientY] };
    try {
      event.target.setPointerCapture(event.pointerId);
    } catch { /* a pointer that is gone already */ }
  });
  surface.addEventListener("pointermove", ({ pointerId, pointerType, clientX, clientY }) => {
    if (held?.id !== pointerId) return;
    const [right, up] = [clientX - held.at[0], clientY - held.at[1]];
    camera.turn(right / 120, pointerType === "touch" ? 0 : up / 120);
    held.at = [clientX, clientY];
    way += Math.hypot(right, up);
    redraw();
  });
  for (const name of ["pointerup", "pointercancel"]) {
    surface.addEventListener(name, ({ pointerId }) => {
      if (held?.id === pointerId) held = null;
    });
  }
  surface.addEventListener("click", (event) => {
    if (event.detail && way > CLICK) event.stopPropagation(); // a key's click has no detail
  }, true);
  canvas.addEventListener("keydown", (event) => {
    const arrow = arrows[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    camera.turn(0.1 * arrow[0], 0.1 * arrow[1]);
    redraw();
    event.preventDefault();
    event.stopPropagation();
  });
}

// The projection of a ball [x, y, z, radius]: [left, bottom, right, top].
export function boxOf(camera, [x, y, z, radius]) {
  const [right, up] = camera.flat([x, y, z]);
  return [right - radius, up - radius, right + radius, up + radius];
}

// Draw a horizontal grid below the ball, or at a given level, to show which direction is up. Its lines
// stay fixed when the ball moves.
export function drawGround({ g, ink }, view, camera, [x0, y0, z0, radius], level = null) {
  const size = 0.7 * radius;
  const [x, y, z] = [x0, y0, z0].map((at) => Math.round((at * 4) / size) * (size / 4));
  const low = level ?? z - size;
  g.strokeStyle = ink;
  g.globalAlpha = 0.18;
  g.lineWidth = 1;
  g.setLineDash([]);
  const line = (...ends) => {
    g.beginPath();
    ends.forEach((end) => g.lineTo(...view.map(camera.flat(end))));
    g.stroke();
  };
  for (let i = -4; i <= 4; i++) {
    const at = (i / 4) * size;
    line([x - size, y + at, low], [x + size, y + at, low]);
    line([x + at, y - size, low], [x + at, y + size, low]);
  }
  g.globalAlpha = 1;
}

// Draw the three axes in a corner; if the model's third axis points down, the picture is upside down.
export function drawAxes({ g, ink, width, height }, camera, down) {
  const sign = down ? -1 : 1;
  g.strokeStyle = g.fillStyle = ink;
  g.lineWidth = 2;
  g.font = "13px system-ui, sans-serif";
  [[1, 0, 0], [0, sign, 0], [0, 0, sign]].forEach((axis, i) => {
    const [right, up] = camera.flat(axis);
    const [x, y] = [width - 52, height - 52];
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + 26 * right, y - 26 * up);
    g.stroke();
    g.fillText(`e${"₁₂₃"[i]}`, x + 38 * right - 6, y - 38 * up + 5);
  });
}
