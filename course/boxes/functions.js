// Elementary functions of real numbers that an answer may contain. The length of each is its number
// of arguments; max and min also take more.
export const CALLS = {
  sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan,
  atan2: Math.atan2, sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, sqrt: Math.sqrt,
  exp: Math.exp, log: Math.log, abs: Math.abs, sign: Math.sign, max: Math.max, min: Math.min,
  sec: (x) => 1 / Math.cos(x), csc: (x) => 1 / Math.sin(x), cot: (x) => Math.cos(x) / Math.sin(x),
};

export const isCall = (name) => typeof name === "string" && Object.hasOwn(CALLS, name);

// Whether a function takes this number of arguments.
export function takes(name, count) {
  return name === "max" || name === "min" ? count > 0 : count === CALLS[name].length;
}
