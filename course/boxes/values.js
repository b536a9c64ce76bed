// Values of a tree at sample points: complex numbers in double precision, each with a bound of its
// rounding error. A missing value is NaN.
import { CALLS } from "./functions.js";
import { UnreadableError } from "./tokens.js";

const UNIT = 2 ** -52;
const size = ([re, im]) => Math.hypot(re, im);
const rounded = (re, im, error) => [re + 0, im + 0, error + UNIT * Math.hypot(re, im)];
const NONE = [NaN, NaN, NaN];

export const real = (value) => [value, 0, UNIT * Math.abs(value)];

const add = (a, b) => rounded(a[0] + b[0], a[1] + b[1], a[2] + b[2]);
const negative = (a) => [0 - a[0], 0 - a[1], a[2]];
const multiply = (a, b) => rounded(
  a[0] * b[0] - a[1] * b[1],
  a[0] * b[1] + a[1] * b[0],
  size(a) * b[2] + size(b) * a[2] + a[2] * b[2],
);

export function divide(a, b) {
  const below = size(b);
  if (below === 0) return NONE;
  const [re, im] = [b[0] / below, b[1] / below];
  const quotient = [(a[0] * re + a[1] * im) / below, (a[1] * re - a[0] * im) / below];
  return rounded(...quotient, (a[2] + size(quotient) * b[2]) / below);
}

function exponential(a) {
  const scale = Math.exp(a[0]);
  return rounded(scale * Math.cos(a[1]), scale * Math.sin(a[1]), scale * (a[2] + 2 * UNIT * size(a)));
}

function logarithm(a) {
  const length = size(a);
  if (length === 0) return NONE;
  return rounded(Math.log(length), Math.atan2(a[1], a[0]), a[2] / length + UNIT);
}

// A power: by multiplication for an integer exponent, otherwise by the logarithm.
function power(a, b) {
  const whole = b[1] === 0 && Number.isInteger(b[0]) && Math.abs(b[0]) <= 1000 && b[2] < 1e-6;
  if (!whole) {
    if (size(a) === 0) return b[0] > 0 ? [0, 0, a[2]] : NONE;
    return exponential(multiply(b, logarithm(a)));
  }
  let [product, factor] = [[1, 0, 0], a];
  for (let n = Math.abs(b[0]); n; n = Math.floor(n / 2)) {
    if (n % 2) product = multiply(product, factor);
    factor = multiply(factor, factor);
  }
  return b[0] < 0 ? divide([1, 0, 0], product) : product;
}

const HALF = [0.5, 0, 0];
const ONE = [1, 0, 0];
const I = [0, 1, 0];
const over = (f) => (a) => divide(ONE, f(a));

function sine(a) {
  if (a[1] === 0) return rounded(Math.sin(a[0]), 0, Math.abs(Math.cos(a[0])) * a[2] + a[2] ** 2);
  const [re, im] = [Math.sin(a[0]) * Math.cosh(a[1]), Math.cos(a[0]) * Math.sinh(a[1])];
  return rounded(re, im, Math.cosh(a[1]) * (a[2] + UNIT));
}

function cosine(a) {
  if (a[1] === 0) return rounded(Math.cos(a[0]), 0, Math.abs(Math.sin(a[0])) * a[2] + a[2] ** 2);
  const [re, im] = [Math.cos(a[0]) * Math.cosh(a[1]), -Math.sin(a[0]) * Math.sinh(a[1])];
  return rounded(re, im, Math.cosh(a[1]) * (a[2] + UNIT));
}

// The square root with nonnegative real part.
function root(a) {
  const length = size(a);
  if (length === 0) return [0, 0, Math.sqrt(a[2])];
  if (a[1] === 0) {
    const magnitude = Math.sqrt(Math.abs(a[0]));
    return rounded(a[0] > 0 ? magnitude : 0, a[0] > 0 ? 0 : magnitude, a[2] / (2 * magnitude));
  }
  const re = Math.sqrt((length + Math.abs(a[0])) / 2);
  const [x, y] = a[0] >= 0 ? [re, a[1] / (2 * re)] : [Math.abs(a[1]) / (2 * re), Math.sign(a[1]) * re];
  return rounded(x, y, a[2] / Math.sqrt(length));
}

function arcsine(a) {
  if (a[1] === 0 && Math.abs(a[0]) <= 1) {
    const slope = Math.sqrt(Math.max(1 - a[0] ** 2, a[2], UNIT));
    return rounded(Math.asin(a[0]), 0, a[2] / slope);
  }
  // -i log(i a + sqrt(1 - a²))
  const inside = add(multiply(I, a), root(add(ONE, negative(multiply(a, a)))));
  return multiply([0, -1, 0], logarithm(inside));
}

const arccosine = (a) => add(real(Math.PI / 2), negative(arcsine(a)));

function arctangent(a) {
  if (a[1] === 0) return rounded(Math.atan(a[0]), 0, a[2] / (1 + a[0] ** 2));
  const turned = multiply(I, a);
  const difference = add(logarithm(add(ONE, negative(turned))), negative(logarithm(add(ONE, turned))));
  return multiply([0, 0.5, 0], difference);
}

function sinh(a) {
  return multiply(HALF, add(exponential(a), negative(exponential(negative(a)))));
}

const cosh = (a) => multiply(HALF, add(exponential(a), exponential(negative(a))));

// A function that is defined for real numbers only.
const ofReals = (f) => (...inputs) => (inputs.every(([, im]) => im === 0)
  ? rounded(f(...inputs.map(([re]) => re)), 0, Math.max(...inputs.map(([, , error]) => error)))
  : NONE);

// Functions of complex numbers; all others are for real numbers only.
const COMPLEX = {
  sin: sine, cos: cosine, tan: (a) => divide(sine(a), cosine(a)), sec: over(cosine), csc: over(sine),
  cot: (a) => divide(cosine(a), sine(a)), asin: arcsine, acos: arccosine, atan: arctangent,
  atan2: (y, x) => {
    const angle = ofReals(CALLS.atan2)(y, x);
    return [angle[0], angle[1], (y[2] + x[2]) / Math.hypot(y[0], x[0]) + UNIT];
  },
  sinh, cosh, tanh: (a) => divide(sinh(a), cosh(a)), sqrt: root, exp: exponential, log: logarithm,
  abs: (a) => [size(a), 0, a[2]],
};
const FUNCTIONS = Object.fromEntries(
  Object.entries(CALLS).map(([name, f]) => [name, COMPLEX[name] ?? ofReals(f)]),
);

const OPERATIONS = {
  "+": add, "-": (a, b) => add(a, negative(b)), "*": multiply, "/": divide, "^": power, negative,
};
const CONSTANTS = { pi: real(Math.PI), e: real(Math.E), i: I };

// The nodes of a tree, each once, after its operands.
function listed(tree, order = new Map()) {
  if (!order.has(tree)) {
    for (const part of tree.operands) listed(part, order);
    order.set(tree, order.size);
  }
  return order;
}

// Return the values at all points, which are objects from names to numbers.
export function values(tree, points) {
  const nodes = [...listed(tree).keys()];
  return points.map((point) => {
    const computed = new Map();
    for (const node of nodes) {
      const inputs = node.operands.map((part) => computed.get(part));
      computed.set(node, valueOf(node, inputs, point));
    }
    return computed.get(tree);
  });
}

function valueOf(node, inputs, point) {
  if (node.type === "number") return Number.isInteger(node.value) ? [node.value, 0, 0] : real(node.value);
  if (node.type === "constant") return CONSTANTS[node.name];
  if (node.type === "leaf") return Object.hasOwn(point, node.name) ? [point[node.name], 0, 0] : NONE;
  const f = node.type === "call" ? FUNCTIONS[node.name] : OPERATIONS[node.type];
  if (!f) throw new UnreadableError("Expected one value, but found a list or an equation.");
  return inputs.some(([re]) => Number.isNaN(re)) ? NONE : f(...inputs);
}

// Whether a value is finite, and whether it is real.
export const isFinite = ([re, im]) => Number.isFinite(re) && Number.isFinite(im);
export const isReal = (value) => isFinite(value)
  && Math.abs(value[1]) <= 1e-10 * size(value) + Math.min(16 * value[2], 1e-7);

const largest = (list) => Math.max(0, ...list.filter(isFinite).map(size));

// Whether two lists of values agree within double precision.
export function same(list, right) {
  const scale = largest(right) || 1;
  return list.every((a, k) => {
    const b = right[k];
    const doubt = Math.min(16 * (a[2] + b[2]), 1e-7 * scale);
    return isFinite(a) && isFinite(b)
      && Math.hypot(a[0] - b[0], a[1] - b[1]) <= 1e-10 * Math.max(size(a), size(b)) + doubt;
  });
}

export const isZero = (value) => isFinite(value) && size(value) <= Math.min(16 * value[2], 1e-7);
export const times = multiply;
export const minus = (a, b) => add(a, negative(b));
export { negative as opposite, size };
