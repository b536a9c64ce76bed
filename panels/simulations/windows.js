// Window of a map: for each axis {low, high, ...}.

import { onAxis } from "./chart.js";

// Narrower than this part of the whole no window gets: numbers of 64 bits still tell its pixels apart.
const NARROWEST = 1e-9;

// As wide as asked for, around a middle, and inside the whole.
function spanned(axis, whole, middle, width) {
  const all = whole.high - whole.low;
  const wide = Math.min(Math.max(width, NARROWEST * all), all);
  const low = Math.min(Math.max(middle - wide / 2, whole.low), whole.high - wide);
  return wide === all ? { ...whole } : { ...axis, low, high: low + wide };
}

// So many times as wide; the place stays where it is seen.
export const widened = (window, whole, place, factor) => window.map((axis, i) => {
  const width = axis.high - axis.low;
  const wide = Math.min(width * factor, whole[i].high - whole[i].low);
  const part = (place[i] - axis.low) / width;
  return spanned(axis, whole[i], place[i] + (0.5 - part) * wide, wide);
});

// Moved by parts of its width.
export const shifted = (window, whole, fractions) => window.map((axis, i) => {
  const width = axis.high - axis.low;
  return spanned(axis, whole[i], (axis.low + axis.high) / 2 + fractions[i] * width, width);
});

// With two places as opposite corners.
export const framed = (window, whole, one, other) => window.map((axis, i) =>
  spanned(axis, whole[i], (one[i] + other[i]) / 2, Math.abs(one[i] - other[i])));

// The corner of a frame from a place toward another one, in the window's own proportions.
export function cornerOf(window, from, toward) {
  const far = window.map(({ low, high }, i) => (toward[i] - from[i]) / (high - low));
  const room = window.map(({ low, high }, i) =>
    (far[i] < 0 ? from[i] - low : high - from[i]) / (high - low));
  const side = Math.min(Math.max(...far.map(Math.abs)), ...room);
  return window.map(({ low, high }, i) => from[i] + (far[i] < 0 ? -side : side) * (high - low));
}

export const isWhole = (window, whole) =>
  window.every(({ low, high }, i) => low === whole[i].low && high === whole[i].high);

// Where a window lies in another one, as [left, top, width, height] in parts of that.
export function partOf([x, y], [aroundX, aroundY]) {
  const [width, height] = [aroundX, aroundY].map(({ low, high }) => high - low);
  return [
    (x.low - aroundX.low) / width, (aroundY.high - y.high) / height,
    (x.high - x.low) / width, (y.high - y.low) / height,
  ];
}

// Both ranges.
export const windowInWords = (window) => window.map((axis) =>
  `${axis.letter} from ${onAxis(axis.low, axis)}${axis.unit} to ${onAxis(axis.high, axis)}${axis.unit}`)
  .join(", ");
