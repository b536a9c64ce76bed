// Signed bars of numbers on one scale, such as the components of forces in a direction and their sum.
import { newPicture } from "../drawing/drawing.js";
import { measured, niceAbove, steady } from "./numbers.js";

// Height of a row, thickness of its bar, and gap between the columns [px].
export const ROW = 24;
const [BAR, GAP] = [12, 8];

// Length of a bar [px], positive to the right; all bars of a panel share `full` [px], the length of the
// smallest round number that is at least `largest`.
export const lengthOf = (value, largest, full) =>
  (Number.isFinite(value) && largest > 0 ? (value / niceAbove(largest)) * full : 0);

// Draw a row for each {label, role, unit, value}: its label, a bar from a common zero, and the number.
// `largest` is the largest magnitude so far.
export function drawBars(canvas, bars, largest) {
  const { g, width, height, color, ink } = newPicture(canvas);
  if (!width) return;
  const written = (value, unit) => measured(steady(value, largest), unit);
  Object.assign(g, { font: "13px system-ui, sans-serif", textBaseline: "middle", fillStyle: ink });
  const widest = (texts) => Math.max(...texts.map((text) => g.measureText(text).width)) + GAP;
  const left = widest(bars.map(({ label }) => label));
  const right = width - widest(bars.map(({ unit }) => written(-niceAbove(largest || 1), unit)));
  const [zero, full] = [(left + right) / 2, (right - left) / 2];
  bars.forEach(({ label, role, unit, value }, i) => {
    const middle = (i + 0.5) * ROW;
    g.fillStyle = ink;
    g.textAlign = "left";
    g.fillText(label, 0, middle);
    g.textAlign = "right";
    g.fillText(written(value, unit), width, middle);
    g.fillStyle = (role && color(role)) || ink;
    g.fillRect(zero, middle - BAR / 2, lengthOf(value, largest, full), BAR);
  });
  g.fillStyle = color("ground");
  g.fillRect(Math.round(zero), 0, 1, height);
}
