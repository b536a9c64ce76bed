// Mechanisms in space, drawn from back to front; nearer parts are larger and darker.
//
// `skeleton` comes from lines_data in panels/drawing/space.py: lines, bodies, faces, rings, arrows,
// names; color number 0 is the color of the mechanism itself.
import { LOOK } from "./drawing.js";

// Widths and radii [px] at the center of the visible ball.
const [BAR, THIN, BALL, PIN] = [7, 2, 11, 6];
const RING = Array.from({ length: 24 }, (_, i) => [
  Math.cos((i * Math.PI) / 12), Math.sin((i * Math.PI) / 12),
]);
// The direction to the light: left, above, and toward the viewer.
const LIGHT = [-0.4, 0.5, 0.77];

const mixed = (color, part, other) =>
  `color-mix(in srgb, ${color} ${Math.round(100 * part)}%, ${other})`;
const along = (a, b, part) => a.map((value, i) => value + part * (b[i] - value));
const mean = (points) => [0, 1, 2].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);
const across = (a, b) => [
  a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
];

// Replace an index such as that of n_1 by a subscript: n₁.
export const withSubscripts = (name) => name.replace(/_(\d)/g, (_, digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

class Painter {
  constructor({ g, colors, ink, color, width, height }, view, camera, [x, y, z, radius], index) {
    Object.assign(this, {
      g, colors, ink, view, camera, index, radius, width, height, paper: color("paper"),
    });
    [this.middle, this.items] = [camera.near([x, y, z]), []];
  }

  // Depth from 1, the nearest, to -1.
  depth(point) {
    return Math.max(-1, Math.min(1, (this.camera.near(point) - this.middle) / this.radius));
  }

  size(point) {
    return 1 + 0.3 * this.depth(point);
  }

  at(point) {
    return this.view.map(this.camera.flat(point));
  }

  color(number) {
    return this.colors[(number || this.index) % this.colors.length];
  }

  // A color that is paler with distance.
  shade(color, point) {
    return mixed(color, 0.82 + 0.18 * this.depth(point), this.paper);
  }

  add(point, draw) {
    this.items.push([this.camera.near(point), draw]);
  }

  path(points, closed = false) {
    this.g.beginPath();
    points.forEach((point) => this.g.lineTo(...this.at(point)));
    if (closed) this.g.closePath();
  }

  stroke(color, width) {
    Object.assign(this.g, { strokeStyle: color, lineWidth: width, lineCap: "round" });
    this.g.stroke();
  }

  // A line in pieces, so that a part that crosses it can be behind one piece and in front of another.
  line(from, to, width, colorAt) {
    const pieces = 6;
    for (let i = 0; i < pieces; i++) {
      const [a, b] = [along(from, to, i / pieces), along(from, to, (i + 1) / pieces)];
      const middle = along(a, b, 0.5);
      this.add(middle, () => {
        this.path([a, b]);
        this.stroke(colorAt(middle), width * this.size(middle));
      });
    }
  }

  ball(point, color, radius) {
    this.add(point, () => {
      const [[x, y], r] = [this.at(point), radius * this.size(point)];
      const light = this.g.createRadialGradient(x - 0.35 * r, y - 0.35 * r, 0.1 * r, x, y, r);
      light.addColorStop(0, mixed(color, 0.35, this.paper));
      light.addColorStop(1, this.shade(color, point));
      this.g.beginPath();
      this.g.arc(x, y, r, 0, 2 * Math.PI);
      this.g.fillStyle = light;
      this.g.fill();
    });
  }

  // A face, if its outside faces the viewer; corners are counterclockwise as seen from outside.
  face(corners, color, tint) {
    const [u, v] = [1, 2].map((k) => corners[k].map((value, i) => value - corners[0][i]));
    const normal = across(u, v);
    const facing = this.camera.near(normal);
    if (facing <= 0) return;
    const length = Math.hypot(...normal) || 1;
    const [right, up] = this.camera.flat(normal);
    const light = (LIGHT[0] * right + LIGHT[1] * up + LIGHT[2] * facing) / length;
    this.add(mean(corners), () => {
      this.path(corners, true);
      const base = mixed(color, tint, this.paper);
      this.g.fillStyle = mixed(base, 0.72 + 0.28 * Math.max(0, light), "black");
      this.g.fill();
      this.stroke(this.shade(color, mean(corners)), 1.5);
    });
  }

  ring(center, [a, b], color, filled) {
    const points = RING.map(([c, s]) => center.map((at, i) => at + c * a[i] + s * b[i]));
    this.add(center, () => {
      this.path(points, true);
      this.g.fillStyle = mixed(color, filled ? 0.65 : 0.15, "transparent");
      this.g.fill();
      this.stroke(this.shade(color, center), THIN * this.size(center));
    });
  }

  // An arrow, not shaded with distance: its color identifies its kind.
  arrow(from, to, color) {
    const [[x0, y0], [x1, y1]] = [this.at(from), this.at(to)];
    const [length, way] = [Math.hypot(x1 - x0, y1 - y0), Math.atan2(y1 - y0, x1 - x0)];
    this.line(from, along(from, to, 0.94), 3, () => color);
    this.add(to, () => {
      const [{ g }, size] = [this, Math.min(11 * this.size(to), length)];
      g.beginPath();
      g.lineTo(x1, y1);
      for (const side of [-0.4, 0.4]) {
        g.lineTo(x1 - size * Math.cos(way + side), y1 - size * Math.sin(way + side));
      }
      g.fillStyle = color;
      g.fill();
    });
  }

  // A name beside its point, on the side away from `from`, the body's center; in front of everything,
  // and inside the picture even if the point is at its edge.
  name(text, point, from, color) {
    const [[x, y], [x0, y0]] = [this.at(point), this.at(from)];
    const length = Math.hypot(x - x0, y - y0);
    const [dx, dy] = length > 1 ? [(x - x0) / length, (y - y0) / length] : [0.7, -0.7];
    this.items.push([Infinity, () => {
      const { g } = this;
      Object.assign(g, {
        font: "600 14px system-ui, sans-serif", textAlign: "center", textBaseline: "middle",
        lineWidth: 4, lineJoin: "round", strokeStyle: this.paper, fillStyle: color,
      });
      const [said, half] = [withSubscripts(text), g.measureText(withSubscripts(text)).width / 2];
      const place = [
        Math.max(half + 2, Math.min(this.width - half - 2, x + (12 + half) * dx)),
        Math.max(10, Math.min(this.height - 10, y + 20 * dy)),
      ];
      g.strokeText(said, ...place);
      g.fillText(said, ...place);
    }]);
  }

  draw() {
    this.g.save();
    this.g.setLineDash([]);
    this.items.sort((one, other) => one[0] - other[0]).forEach(([, draw]) => draw());
    this.g.restore();
  }
}

// A picture with the pale colors of a ghost.
export function faint(picture) {
  const pale = (color) => mixed(color, LOOK.tints.ghost, picture.color("paper"));
  const color = (role) => pale(picture.color(role));
  return { ...picture, color, colors: picture.colors.map(pale), ink: pale(picture.ink) };
}

// Draw one mechanism, the index-th of the picture, from its points in space.
export function drawBodies(picture, view, camera, ball, skeleton, points, index) {
  if (!points.flat().every(Number.isFinite)) return;
  const painter = new Painter(picture, view, camera, ball, index);
  const { lines, groups, thin, bodies, pivots, faces, rings, arrows, names } = skeleton;
  lines.forEach((line, i) => {
    const colorAt = (point) => painter.shade(painter.color(groups[i]), point);
    line.slice(1).forEach((to, k) =>
      painter.line(points[line[k]], points[to], thin.includes(i) ? THIN : BAR, colorAt));
  });
  bodies.forEach((k) => painter.ball(points[k], painter.color(0), BALL));
  pivots.forEach((k) => painter.ball(points[k], picture.ink, PIN));
  for (const { corners, group, tint } of faces) {
    painter.face(corners.map((k) => points[k]), painter.color(group), tint);
  }
  for (const { center, plane: [o, ...ends], radius, group, filled } of rings) {
    const axes = ends.map((k) => points[k].map((at, i) => radius * (at - points[o][i])));
    painter.ring(points[center], axes, painter.color(group), filled);
  }
  for (const { start, end, role } of arrows) painter.arrow(points[start], points[end], picture.color(role));
  for (const { text, point, away, role } of names) {
    painter.name(text, points[point], points[away], picture.color(role));
  }
  painter.draw();
}

// Draw a goal: a dashed ring around a dot, parallel to the screen.
export function drawGoal({ g, color }, [x, y], size = 1) {
  g.strokeStyle = g.fillStyle = color("goal");
  g.lineWidth = 2.5;
  g.setLineDash([5, 3.5]);
  g.beginPath();
  g.arc(x, y, 17 * size, 0, 2 * Math.PI);
  g.stroke();
  g.setLineDash([]);
  g.beginPath();
  g.arc(x, y, 2.5, 0, 2 * Math.PI);
  g.fill();
}
