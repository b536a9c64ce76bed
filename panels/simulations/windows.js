// Window of a map: for each axis {low, high, ...}.

import { onAxis } from "./chart.js";

// Smallest width of a window as part of the whole: pixels are still distinct 64-bit numbers.
const NARROWEST = 1e-9;

// Range of a given width around a middle, inside the whole.
function spanned(axis, whole, middle, width) {
  const all = whole.high - whole.low;
  const wide = Math.min(Math.max(width, NARROWEST * all), all);
  const low = Math.min(Math.max(middle - wide / 2, whole.low), whole.high - wide);
  return wide === all ? { ...whole } : { ...axis, low, high: low + wide };
}

// Window scaled by a factor; the given position keeps its pixel.
export const widened = (window, whole, place, factor) => window.map((axis, i) => {
  const width = axis.high - axis.low;
  const wide = Math.min(width * factor, whole[i].high - whole[i].low);
  const part = (place[i] - axis.low) / width;
  return spanned(axis, whole[i], place[i] + (0.5 - part) * wide, wide);
});

// Window shifted by fractions of its width.
export const shifted = (window, whole, fractions) => window.map((axis, i) => {
  const width = axis.high - axis.low;
  return spanned(axis, whole[i], (axis.low + axis.high) / 2 + fractions[i] * width, width);
});

// Window with two positions as opposite corners.
export const framed = (window, whole, first, second) => window.map((axis, i) =>
  spanned(axis, whole[i], (first[i] + second[i]) / 2, Math.abs(first[i] - second[i])));

// Corner of a frame from one position toward another, in the proportions of the window.
export function cornerOf(window, from, toward) {
  const far = window.map(({ low, high }, i) => (toward[i] - from[i]) / (high - low));
  const room = window.map(({ low, high }, i) =>
    (far[i] < 0 ? from[i] - low : high - from[i]) / (high - low));
  const side = Math.min(Math.max(...far.map(Math.abs)), ...room);
  return window.map(({ low, high }, i) => from[i] + (far[i] < 0 ? -side : side) * (high - low));
}

export const isWhole = (window, whole) =>
  window.every(({ low, high }, i) => low === whole[i].low && high === whole[i].high);

// Position of a window in another one, as [left, top, width, height] in fractions of that one.
export function partOf([x, y], [aroundX, aroundY]) {
  const [width, height] = [aroundX, aroundY].map(({ low, high }) => high - low);
  return [
    (x.low - aroundX.low) / width, (aroundY.high - y.high) / height,
    (x.high - x.low) / width, (y.high - y.low) / height,
  ];
}

// Both ranges in words.
export const windowInWords = (window) => window.map((axis) =>
  `${axis.letter} from ${onAxis(axis.low, axis)}${axis.unit} to ${onAxis(axis.high, axis)}${axis.unit}`)
  .join(", ");
