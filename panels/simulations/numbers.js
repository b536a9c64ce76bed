// Numbers for people: rounded by the magnitude of what they measure, with their unit.
import { shown } from "../drawing/drawing.js";

export const measured = (number, unit) =>
  `${number}${unit.startsWith("°") ? "" : " "}${unit}`.trim();

// Number with as many decimals as the usual magnitude of its quantity needs, so that the text does not
// jump, and zero for rounding errors.
export function steady(value, size) {
  if (!Number.isFinite(value)) return "not finite";
  if (Math.abs(value) < 1e-9 * size) return "0";
  if (Math.abs(value) >= 1e6 || size < 1e-3) return shown(value);
  const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(size)), 0), 6);
  return value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
}

const raised = (number) => String(number).replace("-", "⁻")
  .replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

// Smallest power of ten that is at least a positive number.
export const powerOfTen = (number) => `10${raised(Math.ceil(Math.log10(number) - 1e-9))}`;

// Smallest of 1, 2, or 5 times a power of ten that is at least a positive number.
export function niceAbove(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].find((factor) => factor * power >= number * (1 - 1e-12)) * power;
}
