// Energy strip: the drift of a motion over time, on a scale that never shrinks. Drift is the energy beyond
// the work of a power: the error of the method, or of the model, or work that is no error.
//
// It is shown as part of the swing, the energy in play (see simulation.js): linear near zero,
// logarithmic farther out. So a harmless drift looks harmless, and a disaster looks like one.
import { dashes, newPicture, shown } from "../drawing/drawing.js";
import { powerOfTen } from "./numbers.js";

// Drift that nobody can see, as part of the swing.
const HARMLESS = 1e-3;
// The scale is linear up to about here ...
const CENTER = 1e-3;
// ... and never shows less than this, nor more.
const [LEAST, MOST] = [1, 1e4];
const [SECONDS, LABELS] = [10, 46]; // history [s], width of labels [px]
const MARKS = [[0.01, "1%"], [0.1, "10%"], [1, "100%"], [100, "100 ×"], [1e4, "10⁴ ×"]];

// Energy record of a motion: points [time, part of the swing], as many as are visible.
export class Books {
  constructor() {
    this.begin();
  }

  begin() {
    Object.assign(this, { points: [], gaps: [], worst: 0, joules: 0, part: 0, gap: 0, level: null });
  }

  record(simulation) {
    const { t, swing } = simulation;
    const [joules, part] = simulation.drift();
    Object.assign(this, { joules, part, swing });
    this.judge(Math.abs(joules));
    this.gap = simulation.gap();
    keepPoint(this.points, [t, part]);
    if (this.gap !== null) keepPoint(this.gaps, [t, this.gap]);
  }

  // A drift that has returned to less than half of its worst wavers, until it exceeds that.
  judge(size) {
    if (!(size <= this.worst)) this.worst = size;
    if (this.worst > 1.1 * this.level) this.level = null;
    if (size < this.worst / 2) this.level ??= this.worst;
  }
}

function keepPoint(points, point) {
  const near = points.length > 1 && point[0] - points.at(-2)[0] < SECONDS / 320;
  if (near) points.pop();
  points.push(point);
  while (points[0][0] < point[0] - SECONDS - 1) points.shift();
}

// What the strip shows unless a specification says so: see panels/simulations/energy_measure.py.
export const METHOD = { label: "energy error of the method", error: true };

// Energy record in words, after the name of what is measured; short, so that it stays on one line of a phone.
export function inWords(books, { label, error } = METHOD) {
  return `${label}: ${error ? errorInWords(books) : work(books)}`;
}

function errorInWords(books) {
  const { worst, part, swing, level } = books;
  if (!books.points.length || worst <= 1e-15 * swing) return "none";
  if (!Number.isFinite(part)) return "not finite";
  const kept = harmless(books);
  if (kept) return `${kept}, harmless`;
  if (level) return `within ${ofTheSwing(worst / swing)}`;
  return `${part < 0 ? "−" : "+"}${ofTheSwing(Math.abs(part))}`;
}

// Work in joules, with its sign.
export function work({ joules }) {
  const size = Math.abs(joules);
  const [scale, unit] = [[1e9, "GJ"], [1e6, "MJ"], [1e3, "kJ"], [0, "J"]].find(([least]) => size >= least);
  return `${joules > 0 ? "+" : ""}${shown(joules / (scale || 1), 2)} ${unit}`;
}

// Energy record in few words, for a list of motions under the name of what is measured.
export function inShort(books, { error } = METHOD) {
  if (!error) return work(books);
  const { worst, part, swing, level } = books;
  if (!books.points.length || worst <= 1e-15 * swing) return "kept";
  if (!Number.isFinite(part)) return "not finite";
  const kept = harmless(books);
  if (kept) return `kept to ${kept}`;
  if (level) return `varies by ${ofTheSwing(worst / swing)}`;
  return `${part < 0 ? "lost" : "invented"} ${ofTheSwing(Math.abs(part))}`;
}

function harmless({ worst, swing }) {
  if (worst < 1e-6 * swing) return `${powerOfTen(worst)} J`;
  return worst < HARMLESS * swing ? ofTheSwing(worst / swing) : "";
}

function ofTheSwing(size) {
  if (size < 10) return `${shown(Math.max(100 * size, 0.001), size < 1e-4 ? 1 : 2)}%`;
  return `${size < 1e4 ? shown(size, 2) : powerOfTen(size)} × the swing`;
}

// Residual of the loops in words, in millimeters or meters.
export function gapInWords(gap) {
  if (gap < 1e-16) return "loop closed";
  if (gap < 1e-6) return `loop closed to ${powerOfTen(gap)} m: harmless`;
  return `loop open by ${gap < 1 ? `${shown(1e3 * gap, 2)} mm` : `${shown(gap, 2)} m`}`;
}

const bent = (part) => Math.sign(part) * Math.log10(1 + Math.abs(part) / CENTER);

// New picture of the last seconds, with room for labels on the right; `across` maps times to pixels.
function newRecord(canvas, motions, list) {
  const picture = newPicture(canvas);
  const last = Math.max(...motions.map(({ books }) => books[list].at(-1)?.[0] ?? 0));
  const [begin, right] = [Math.max(0, last - SECONDS), picture.width - LABELS];
  Object.assign(picture.g, {
    font: "12px system-ui, sans-serif", textAlign: "right", textBaseline: "middle", fillStyle: picture.ink,
  });
  return { ...picture, right, across: (t) => ((t - begin) / SECONDS) * right };
}

// Band of the harmless values.
function drawBand({ g, right }, top, bottom) {
  g.globalAlpha = 0.07;
  g.fillRect(0, top, right, bottom - top);
}

function drawLine({ g, right }, y, strength) {
  g.globalAlpha = strength;
  g.fillRect(0, Math.round(y), right, 1);
}

function drawLabel({ g, width }, y, text) {
  g.globalAlpha = 0.8;
  g.fillText(text, width - 2, y);
}

// Draw the energy drift of all motions.
export function drawStrip(canvas, motions) {
  const record = newRecord(canvas, motions, "points");
  const { width, height } = record;
  if (!width) return;
  const drifts = motions.flatMap(({ books }) => books.points.map(([, part]) => Math.abs(part)));
  const far = Math.max(LEAST, ...drifts.filter(Number.isFinite));
  const top = bent(Math.min(far, MOST)) * 1.12;
  const up = (part) => {
    const at = Number.isFinite(part) ? Math.min(Math.max(bent(part) / top, -1), 1) : 1;
    return height / 2 - at * (height / 2 - 3);
  };
  drawBand(record, up(0.01), up(-0.01));
  drawLabel(record, height / 2, "0");
  let free = height / 2;
  for (const [part, text] of MARKS.filter(([part]) => bent(part) < top)) {
    const y = up(part);
    for (const at of [y, height - y]) drawLine(record, at, 0.16);
    if (y > free - 13 || y < 6) continue;
    free = y;
    drawLabel(record, y, text);
    drawLabel(record, height - y, `−${text}`);
  }
  drawLine(record, height / 2, 0.45);
  drawMotions(record, motions, "points", up);
}

// Draw the residuals of the loops, on a logarithmic scale from rounding errors to a meter.
export function drawGaps(canvas, motions) {
  const record = newRecord(canvas, motions, "gaps");
  const { width, height } = record;
  if (!width) return;
  const up = (gap) => {
    const size = (Math.log10(Math.max(gap, 1e-16)) + 16) / 16;
    return height - 5 - Math.min(size, 1) * (height - 10);
  };
  drawBand(record, up(1e-6), height);
  for (const [gap, text] of [[1e-12, "10⁻¹² m"], [1e-6, "1 µm"], [1, "1 m"]]) {
    drawLine(record, up(gap), 0.16);
    drawLabel(record, up(gap), text);
  }
  drawMotions(record, motions, "gaps", up);
}

function drawMotions({ g, colors, height, right, across }, motions, list, up) {
  g.beginPath();
  g.rect(0, 0, right, height);
  g.clip();
  g.lineWidth = 2;
  motions.forEach(({ books, ghost }, i) => {
    g.strokeStyle = colors[i % colors.length];
    g.globalAlpha = ghost ? 0.6 : 1;
    g.setLineDash(dashes[i % dashes.length]);
    g.beginPath();
    books[list].forEach(([t, value]) => g.lineTo(across(t), up(value)));
    g.stroke();
  });
}
