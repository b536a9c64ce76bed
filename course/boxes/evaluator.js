// Evaluation of trees as functions of real numbers. The trees come in messages from the surrounding
// page, so they are validated first.
import { CALLS, isCall, takes } from "./functions.js";

const JOINED = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b,
  "^": (a, b) => a ** b, negative: (a) => -a,
};
const CONSTANTS = { pi: Math.PI, e: Math.E, i: NaN };
const MOST_NODES = 100_000;
const MOST_LEVELS = 1000;

const isRecord = (value) => value !== null && typeof value === "object";
const hasOwn = (record, name) => typeof name === "string" && Object.hasOwn(record, name);

// Whether a node, apart from its operands, is valid in a tree of these names.
function isNode({ type, name, value, operands }, names) {
  if (type === "number") return Number.isFinite(value) && operands.length === 0;
  if (type === "constant") return hasOwn(CONSTANTS, name) && operands.length === 0;
  if (type === "leaf") return names.includes(name) && operands.length === 0;
  if (type !== "call") return hasOwn(JOINED, type) && operands.length === JOINED[type].length;
  return isCall(name) && takes(name, operands.length);
}

// Whether a value is a tree of these names; nodes may be shared, but not contain themselves.
export function isTree(value, names) {
  const checked = new Map();
  function fits(node, level) {
    if (!isRecord(node) || !Array.isArray(node.operands) || level > MOST_LEVELS) return false;
    if (checked.has(node)) return checked.get(node);
    if (checked.size > MOST_NODES || !isNode(node, names)) return false;
    checked.set(node, false); // while its operands are checked
    checked.set(node, node.operands.every((part) => fits(part, level + 1)));
    return checked.get(node);
  }
  return fits(value, 0);
}

function stepOf({ type, name, value }, indices, names) {
  if (type === "number") return () => value;
  if (type === "constant") return () => CONSTANTS[name];
  if (type === "leaf") {
    const index = names.indexOf(name);
    return (_, numbers) => numbers[index];
  }
  const f = type === "call" ? CALLS[name] : JOINED[type];
  const [a, b] = indices;
  if (indices.length === 1) return (values) => f(values[a]);
  if (indices.length === 2) return (values) => f(values[a], values[b]);
  return (values) => f(...indices.map((index) => values[index]));
}

// Return a tree as a function of an array of the names' values; shared nodes are computed once.
export function evaluator(tree, names) {
  const [indices, steps] = [new Map(), []];
  function indexOf(node) {
    if (!indices.has(node)) {
      const step = stepOf(node, node.operands.map(indexOf), names);
      indices.set(node, steps.push(step) - 1);
    }
    return indices.get(node);
  }
  indexOf(tree);
  const values = new Float64Array(steps.length);
  return (numbers) => {
    for (let k = 0; k < steps.length; k++) values[k] = steps[k](values, numbers);
    return values[steps.length - 1];
  };
}

// Return the functions that a program needs, or null if the trees are not exactly these.
export function evaluators(trees, wanted, names) {
  if (!isRecord(trees) || Object.keys(trees).length !== wanted.length) return null;
  if (!wanted.every((name) => Object.hasOwn(trees, name) && isTree(trees[name], names))) return null;
  return Object.fromEntries(wanted.map((name) => [name, evaluator(trees[name], names)]));
}
