// What a reader wrote as functions of real numbers: the trees that reading.js makes, or derivatives of
// them, come as messages from the page around, so their shape is looked at first.
import { CALLS, isCall, takes } from "./functions.js";

const JOINED = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b,
  "^": (a, b) => a ** b, negative: (a) => -a,
};
const KNOWN_NUMBERS = { pi: Math.PI, e: Math.E, i: NaN };
const MOST_NODES = 100_000;
const MOST_LEVELS = 1000;

const isRecord = (value) => value !== null && typeof value === "object";
const hasOwn = (known, name) => typeof name === "string" && Object.hasOwn(known, name);

// Whether a node, without its parts, is one of a tree of these names.
function isNode({ type, name, value, operands }, names) {
  if (type === "number") return Number.isFinite(value) && operands.length === 0;
  if (type === "constant") return hasOwn(KNOWN_NUMBERS, name) && operands.length === 0;
  if (type === "leaf") return names.includes(name) && operands.length === 0;
  if (type !== "call") return hasOwn(JOINED, type) && operands.length === JOINED[type].length;
  return isCall(name) && takes(name, operands.length);
}

// Whether a value is a tree of these names; a part may stand at several places, but not in itself.
export function isTree(value, names) {
  const known = new Map();
  function fits(node, level) {
    if (!isRecord(node) || !Array.isArray(node.operands) || level > MOST_LEVELS) return false;
    if (known.has(node)) return known.get(node);
    if (known.size > MOST_NODES || !isNode(node, names)) return false;
    known.set(node, false); // as long as its parts are looked at
    known.set(node, node.operands.every((part) => fits(part, level + 1)));
    return known.get(node);
  }
  return fits(value, 0);
}

function stepOf({ type, name, value }, places, names) {
  if (type === "number") return () => value;
  if (type === "constant") return () => KNOWN_NUMBERS[name];
  if (type === "leaf") {
    const index = names.indexOf(name);
    return (_, numbers) => numbers[index];
  }
  const f = type === "call" ? CALLS[name] : JOINED[type];
  const [a, b] = places;
  if (places.length === 1) return (values) => f(values[a]);
  if (places.length === 2) return (values) => f(values[a], values[b]);
  return (values) => f(...places.map((place) => values[place]));
}

// A tree as a function of an array with the names' numbers; each of its parts is computed once.
export function evaluator(tree, names) {
  const [places, steps] = [new Map(), []];
  function placeOf(node) {
    if (!places.has(node)) {
      const step = stepOf(node, node.operands.map(placeOf), names);
      places.set(node, steps.push(step) - 1);
    }
    return places.get(node);
  }
  placeOf(tree);
  const values = new Float64Array(steps.length);
  return (numbers) => {
    for (let k = 0; k < steps.length; k++) values[k] = steps[k](values, numbers);
    return values[steps.length - 1];
  };
}

// The functions that a program asks for, or null if what came are not just these.
export function evaluators(trees, wanted, names) {
  if (!isRecord(trees) || Object.keys(trees).length !== wanted.length) return null;
  if (!wanted.every((name) => Object.hasOwn(trees, name) && isTree(trees[name], names))) return null;
  return Object.fromEntries(wanted.map((name) => [name, evaluator(trees[name], names)]));
}
