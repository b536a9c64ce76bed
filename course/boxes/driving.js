// What a reader's answer gives to the simulation that waits for it: its entries and their partial
// derivatives, as trees; or why nothing moves.
import { derivative } from "./derivative.js";
import { pointsOf } from "./judge_differences.js";
import { namesIn } from "./judge_numbers.js";
import { agree, listed } from "./saying.js";
import { isZero, same, values } from "./values.js";
import { UnreadableError } from "./words.js";

const MOST_NODES = 100_000;
const numbered = (value) => ({ type: "number", operands: [], value });
const is = (node, value) => node.type === "number" && node.value === value;

// What a product, sum or power of these parts is without computing: a derivative is full of zeros,
// and where there is a zero, the logarithm of a negative number beside it must not matter.
const SHORTER = {
  "+": ([a, b]) => (is(a, 0) ? b : is(b, 0) && a),
  "-": ([a, b]) => (is(b, 0) ? a : a.type === "number" && b.type === "number"
    && numbered(a.value - b.value)),
  "*": ([a, b]) => (is(a, 0) || is(b, 1) ? a : (is(b, 0) || is(a, 1)) && b),
  "/": ([a]) => is(a, 0) && a,
  "^": ([a, b]) => (is(b, 0) ? numbered(1) : is(b, 1) && a),
  negative: ([a]) => is(a, 0) && a,
};

// A maker of nodes for `derivative`, whose leaves are those derivatives that are not zero.
function maker() {
  let count = 0;
  return (type, operands, more) => {
    count += 1;
    if (count > MOST_NODES) throw new UnreadableError("Its derivatives have too many parts.");
    if (type === "leaf") return numbered(1);
    return SHORTER[type]?.(operands) || { type, operands, ...more };
  };
}

function partial(tree, name, names, node) {
  return derivative(tree, new Set(names.filter((one) => one !== name)), node);
}

// The trees of the functions that the simulation asks for, such as answer_0_d_0_2: the first entry,
// twice differentiated with respect to the second name.
export function functionsOf({ moves: { names, functions } }, trees) {
  const [node, known] = [maker(), new Map()];
  function differentiated(entry, orders) {
    const key = [entry, ...orders].join();
    if (!known.has(key)) {
      const k = orders.findIndex((order) => order > 0);
      const lower = orders.map((order, i) => order - Number(i === k));
      known.set(key, k < 0 ? trees[entry] : partial(differentiated(entry, lower), names[k], names, node));
    }
    return known.get(key);
  }
  return Object.fromEntries(functions.map((name) => {
    const [, entry, orders] = /^answer_(\d+)_d_(.*)$/.exec(name);
    return [name, differentiated(Number(entry), orders.split("_").map(Number))];
  }));
}

// Whether an equation says what the accelerations are: it is linear in them, and has one of them.
function saysAccelerations(exercise, tree) {
  const { names, accelerations } = exercise.moves;
  const node = maker();
  const factors = accelerations.map((name) => partial(tree, name, names, node));
  const still = Object.fromEntries(accelerations.map((name) => [name, () => 0]));
  const [here, there] = [pointsOf(exercise), pointsOf(exercise, still)];
  const coefficients = factors.map((factor) => values(factor, here));
  const straight = factors.every((factor, k) => same(coefficients[k], values(factor, there)));
  return straight && !coefficients.every((list) => list.every(isZero));
}

// Why these entries of an answer set nothing in motion, in Python's words; empty if they do.
export function stillness(exercise, trees, said) {
  const { names, accelerations } = exercise.moves;
  const used = new Set(trees.flatMap((tree) => [...namesIn(tree)]));
  const unsaid = exercise.names.filter(({ name }) => used.has(name) && !names.includes(name));
  if (unsaid.length) {
    const labels = unsaid.map(({ label }) => label).sort();
    return said("unsaid", { names: listed(labels), are: agree(labels, "is", "are") });
  }
  if (!accelerations.length || trees.every((tree) => saysAccelerations(exercise, tree))) return "";
  return said("no acceleration", { accelerations: agree(accelerations, "acceleration is", "accelerations are") });
}

// A tree without what its reader noted beside: only this leaves the page.
export function plain(tree, known = new Map()) {
  if (!known.has(tree)) {
    const { type, name, value, operands } = tree;
    known.set(tree, { type, name, value, operands: operands.map((part) => plain(part, known)) });
  }
  return known.get(tree);
}
