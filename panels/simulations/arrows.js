// Arrows of velocities, forces, and torques; those of one unit share a scale, which is shown.
//
// A group of arrows is {name, label, role, unit}; its arrows are [{point | place, vector | torque}]: a
// point by its number, all else as [start, count] in a motion's outputs. Each role has its own color
// (see look.json) and its own arrowhead.
import { niceAbove } from "./numbers.js";

// Maximum length of an arrow [px], and as a part of the picture's height; a longer one makes the scale
// change.
const [LONGEST, PART] = [84, 0.25];
const HEAD = 11;
// Radius of a torque's arc, and distance of an arrow from the picture's edge [px].
const [RADIUS, EDGE] = [22, 3];

// Scale of the arrows of a unit: it fits the largest value so far.
export class ArrowScale {
  constructor() {
    this.begin();
    this.fitTo(Infinity);
  }

  // Let arrows fit into a picture of this height [px].
  fitTo(height) {
    this.pixels = Math.min(LONGEST, PART * height);
  }

  begin() {
    this.largest = 0;
  }

  see(size) {
    if (Number.isFinite(size)) this.largest = Math.max(this.largest, size);
  }

  // {value, pixels}: an arrow of this value has this length.
  get unit() {
    if (!(this.largest > 0)) return null;
    return { value: niceAbove(this.largest), pixels: this.pixels };
  }
}

// Arrows of a group, read from the outputs: [{from, vector} | {from, turn}].
export function readArrows(each, out, points) {
  const read = ([start, count]) => [...out.subarray(start, start + count)];
  return each.map(({ point, place, vector, torque }) => {
    const from = point === undefined ? read(place) : points[point];
    return torque === undefined ? { from, vector: read(vector) } : { from, turn: read(torque)[0] };
  });
}

export const sizeOf = ({ vector, turn }) => (vector ? Math.hypot(...vector) : Math.abs(turn));

// Draw the arrows of one group; `flat` projects points to the picture.
export function drawArrows(picture, view, arrows, unit, role, flat) {
  const { g, color, ink } = picture;
  g.strokeStyle = g.fillStyle = color(role) || ink;
  g.lineWidth = role === "constraint" ? 2 : 2.5;
  g.setLineDash(role === "constraint" ? [6, 3] : []);
  for (const arrow of arrows) {
    const { from, direction, length } = onScreen(arrow, view, unit, flat);
    if (!(length > 1)) continue;
    if (direction) drawStraight(g, from, direction, length, role);
    else drawTurned(g, from, arrow.turn, length, role);
  }
  g.setLineDash([]);
}

// Start of an arrow, its direction unless it is an arc, and its length [px]: at most 1.5 times that of
// the scale's arrow.
function onScreen(arrow, view, unit, flat) {
  const size = sizeOf(arrow);
  const length = Math.min(size / unit.value, 1.5) * unit.pixels;
  const [origin] = flat([arrow.from]);
  const from = view.map(origin);
  if (!arrow.vector) return { from, length };
  const [end] = flat([arrow.from.map((at, i) => at + arrow.vector[i] / size)]);
  const [right, up] = end.map((at, i) => at - origin[i]);
  const seen = Math.hypot(right, up);
  return { from, direction: [right / (seen || 1), -up / (seen || 1)], length: length * seen };
}

// Pixels that must be in the picture for an arrow to be seen whole: a little beyond its tip, or the
// corners around an arc.
export function tipsOf(arrow, view, unit, flat) {
  const { from: [x, y], direction, length } = onScreen(arrow, view, unit, flat);
  if (!(length > 1)) return [];
  if (direction) return [direction.map((part, i) => [x, y][i] + part * (length + EDGE))];
  const far = RADIUS + HEAD / 2 + EDGE;
  return [[x - far, y - far], [x + far, y + far]];
}

function drawStraight(g, [x, y], [dx, dy], length, role) {
  const head = Math.min(HEAD, 0.7 * length);
  const shaft = role === "velocity" ? length : length - head;
  g.beginPath();
  g.moveTo(x, y);
  g.lineTo(x + dx * shaft, y + dy * shaft);
  g.stroke();
  drawHead(g, [x + dx * length, y + dy * length], [dx, dy], head, role);
}

// Arc of a torque around its joint, counterclockwise if positive; its length shows the magnitude.
function drawTurned(g, [x, y], turn, length, role) {
  const radius = RADIUS;
  const sign = turn > 0 ? -1 : 1; // the screen's y points down
  const angle = Math.min(length / radius, 5.5);
  g.save();
  g.translate(x, y);
  g.rotate(sign * angle - Math.PI / 2); // the arc ends on the right, where its head is
  g.beginPath();
  g.arc(0, 0, radius, -sign * angle, 0, sign < 0);
  g.stroke();
  const size = Math.min(HEAD, 0.7 * length);
  drawHead(g, [radius, sign * size * 0.6], [0, sign], size, role);
  g.restore();
}

function drawHead(g, [x, y], [dx, dy], size, role) {
  const [half, dash] = [0.45 * size, g.getLineDash()];
  g.setLineDash([]);
  g.beginPath();
  g.moveTo(x - dx * size - dy * half, y - dy * size + dx * half);
  g.lineTo(x, y);
  g.lineTo(x - dx * size + dy * half, y - dy * size - dx * half);
  if (role === "velocity") g.stroke();
  else g.fill();
  g.setLineDash(dash);
}

// SVG of an arrow for a legend: the page writes its meaning beside it.
export function arrowMark(role, pixels = 28) {
  const y = 7;
  const dash = role === "constraint" ? ' stroke-dasharray="6 3"' : "";
  const head = role === "velocity"
    ? `<path d="M${pixels - 9} ${y - 5}L${pixels - 1} ${y}L${pixels - 9} ${y + 5}" fill="none"/>`
    : `<path d="M${pixels - 10} ${y - 5}L${pixels} ${y}L${pixels - 10} ${y + 5}Z" stroke="none"/>`;
  const end = role === "velocity" ? pixels - 1 : pixels - 9;
  return `<svg width="${pixels}" height="14" aria-hidden="true" style="color: var(--${role})" ` +
    'fill="currentColor" stroke="currentColor" stroke-width="2.5">' +
    `<path d="M0 ${y}H${end}"${dash} fill="none"/>${head}</svg>`;
}
