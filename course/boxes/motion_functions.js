// Functions that the simulation of an exercise needs from an answer: its entries and their partial
// derivatives, as trees; or the reason why nothing moves.
import { derivative } from "./derivative.js";
import { pointsOf } from "./judge_mistakes.js";
import { namesIn } from "./judge_numbers.js";
import { agree, listed } from "./answer_sentences.js";
import { isZero, same, values } from "./values.js";
import { UnreadableError } from "./tokens.js";

const MOST_NODES = 100_000;
const numbered = (value) => ({ type: "number", operands: [], value });
const is = (node, value) => node.type === "number" && node.value === value;

// Simplified products, sums, and powers. Derivatives have many zeros, and a factor beside a zero,
// such as the logarithm of a negative number, must have no effect.
const SHORTER = {
  "+": ([a, b]) => (is(a, 0) ? b : is(b, 0) && a),
  "-": ([a, b]) => (is(b, 0) ? a : a.type === "number" && b.type === "number"
    && numbered(a.value - b.value)),
  "*": ([a, b]) => (is(a, 0) || is(b, 1) ? a : (is(b, 0) || is(a, 1)) && b),
  "/": ([a]) => is(a, 0) && a,
  "^": ([a, b]) => (is(b, 0) ? numbered(1) : is(b, 1) && a),
  negative: ([a]) => is(a, 0) && a,
};

// Return a maker of nodes for `derivative` in which the differentiated leaf becomes 1.
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
  return derivative(tree, new Set(names.filter((constant) => constant !== name)), node);
}

// The trees of the functions that the simulation needs, such as answer_0_d_0_2: the first entry,
// differentiated twice with respect to the second name.
export function functionsOf({ moves: { names, functions } }, trees) {
  const [node, derivatives] = [maker(), new Map()];
  function differentiated(entry, orders) {
    const key = [entry, ...orders].join();
    if (!derivatives.has(key)) {
      const k = orders.findIndex((order) => order > 0);
      const lower = orders.map((order, i) => order - Number(i === k));
      derivatives.set(key, k < 0 ? trees[entry] : partial(differentiated(entry, lower), names[k], names, node));
    }
    return derivatives.get(key);
  }
  return Object.fromEntries(functions.map((name) => {
    const [, entry, orders] = /^answer_(\d+)_d_(.*)$/.exec(name);
    return [name, differentiated(Number(entry), orders.split("_").map(Number))];
  }));
}

// Whether an equation determines accelerations: it is linear in them, and contains at least one.
function saysAccelerations(exercise, tree) {
  const { names, accelerations } = exercise.moves;
  const node = maker();
  const factors = accelerations.map((name) => partial(tree, name, names, node));
  const [here, there] = [pointsOf(exercise), pointsOf(exercise, null, accelerations)];
  const coefficients = factors.map((factor) => values(factor, here));
  const linear = factors.every((factor, k) => same(coefficients[k], values(factor, there)));
  return linear && !coefficients.every((list) => list.every(isZero));
}

// The reason why an answer moves nothing, in the words of Python's check; empty if it does.
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

// A tree with only the fields that the frame needs: nothing else leaves the page.
export function plain(tree, copies = new Map()) {
  if (!copies.has(tree)) {
    const { type, name, value, operands } = tree;
    copies.set(tree, { type, name, value, operands: operands.map((part) => plain(part, copies)) });
  }
  return copies.get(tree);
}
