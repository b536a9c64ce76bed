// Charts of a window: measured and computed angles, and their residuals, one band for each joint.
import { niceAbove } from "./numbers.js";
import { drawCursor, drawTimes, ticks } from "./time_window.js";
import { newPicture, shown } from "../drawing/drawing.js";

// Margins, and the height of a band's name [px]; the part of the window that is shown before and after it;
// the least distance between dots [px].
const [LEFT, RIGHT, AXIS, NAME] = [50, 8, 18, 17];
const [AROUND, DOTS] = [0.04, 3];
// Index of the computed motion among the colors.
export const COMPUTED = 1;

// Chart of bands: their common time axis, and the area of each.
function newChart(canvas, motion, [begin, end], axis) {
  const picture = newPicture(canvas);
  const margin = AROUND * (end - begin);
  const [low, high] = [begin - margin, end + margin];
  const [width, height] = [picture.width - LEFT - RIGHT, picture.height - axis];
  const across = (time) => LEFT + ((time - low) / (high - low)) * width;
  const bands = Array.from({ length: motion.n }, (_, joint) =>
    ({ joint, top: (height * joint) / motion.n + NAME, bottom: (height * (joint + 1)) / motion.n - 1 }));
  return { ...picture, low, high, across, bands, height, inside: width };
}

// Vertical scale of a band, its frame, and the numbers at its ends.
function scaleOf({ g, ink, color, width }, { top, bottom }, [low, high], labels) {
  const up = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
  Object.assign(g, { strokeStyle: color("grid"), fillStyle: ink, lineWidth: 1, font: "12px system-ui, sans-serif" });
  g.strokeRect(LEFT, top, width - LEFT - RIGHT, bottom - top);
  Object.assign(g, { textAlign: "right", textBaseline: "middle" });
  for (const [value, text] of labels) {
    g.fillText(text, LEFT - 5, Math.min(Math.max(up(value), top + 6), bottom - 6));
  }
  return up;
}

function drawName({ g, ink }, { top }, text) {
  Object.assign(g, { fillStyle: ink, textAlign: "left", textBaseline: "bottom", font: "12px system-ui, sans-serif" });
  g.fillText(text, LEFT, top - 1);
}

// Cursor at the present time, through all bands.
function drawTime({ g, color, bands, across }, time) {
  for (const { top, bottom } of bands) drawCursor(g, across(time), top, bottom, color);
}

function inside({ g, inside: width }, { top, bottom }, draw) {
  g.save();
  g.beginPath();
  g.rect(LEFT, top, width, bottom - top);
  g.clip();
  draw();
  g.restore();
}

// Gray parts before and after the window.
function drawOutside({ g, color, inside: width, across }, { top, bottom }, [begin, end]) {
  g.fillStyle = color("soft");
  g.fillRect(LEFT, top, across(begin) - LEFT, bottom - top);
  g.fillRect(across(end), top, LEFT + width - across(end), bottom - top);
}

// An angle in whole degrees.
const whole = (angle) => `${Math.round((angle * 180) / Math.PI)}`.replace("-", "−");

export function drawAngles(canvas, motion, labels, window, span, time) {
  const chart = newChart(canvas, motion, window, 0);
  if (!chart.width) return;
  const { g, ink, colors, across } = chart;
  const from = Math.max(motion.rowAt(chart.low) - 1, 0);
  const to = Math.min(motion.rowAt(chart.high), motion.rows - 1);
  for (const band of chart.bands) {
    const { joint } = band;
    let [low, high] = [Infinity, -Infinity];
    for (let row = from; row <= to; row++) {
      const angle = motion.q[motion.n * row + joint];
      [low, high] = [Math.min(low, angle), Math.max(high, angle)];
    }
    const margin = Math.max(0.12 * (high - low), 0.01);
    drawOutside(chart, band, window);
    const up = scaleOf(chart, band, [low - margin, high + margin], [[low, whole(low)], [high, whole(high)]]);
    inside(chart, band, () => {
      const every = Math.max(Math.ceil((DOTS * (to - from)) / chart.inside), 1);
      g.fillStyle = ink;
      g.globalAlpha = 0.75;
      for (let row = from; row <= to; row += every) {
        g.beginPath();
        g.arc(across(motion.t[row]), up(motion.q[motion.n * row + joint]), 1.7, 0, 2 * Math.PI);
        g.fill();
      }
      g.globalAlpha = 1;
      drawLine(g, colors[COMPUTED], motion, span, (row) => [across(motion.t[row]), up(motion.angle(row, joint))]);
    });
    drawName(chart, band, `${labels[joint]} [°]`);
  }
  drawTime(chart, time);
}

export function drawResiduals(canvas, motion, labels, window, span, time) {
  const chart = newChart(canvas, motion, window, AXIS);
  if (!chart.width) return;
  const { g, colors, across, color } = chart;
  const residuals = motion.residuals(span);
  const most = residuals.reduce((sum, value) => Math.max(sum, Math.abs(value)), 0);
  const far = Number.isFinite(most) ? niceAbove(Math.min(Math.max(most, 1e-3), 10)) : 10;
  for (const band of chart.bands) {
    drawOutside(chart, band, window);
    const up = scaleOf(chart, band, [-far * 1.1, far * 1.1],
      [far, 0, -far].map((value) => [value, shown(1e3 * value)]));
    inside(chart, band, () => {
      g.fillStyle = color("ground");
      g.fillRect(LEFT, Math.round(up(0)), chart.inside, 1);
      drawLine(g, colors[COMPUTED], motion, span, (row) => [
        across(motion.t[row]), up(residuals[motion.n * (row - span[0]) + band.joint]),
      ]);
    });
    drawName(chart, band, `${labels[band.joint]}: computed − measured [mrad]`);
  }
  drawTime(chart, time);
  drawTimes(g, ticks(chart.low, chart.high, chart.inside / 60), across, chart.height, chart);
}

function drawLine(g, color, motion, [first, last], point) {
  Object.assign(g, { strokeStyle: color, lineWidth: 2, lineJoin: "round" });
  g.beginPath();
  for (let row = first; row <= last; row++) g.lineTo(...point(row));
  g.stroke();
}
