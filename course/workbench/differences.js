// What somebody's accelerations lack: terms of our equations, or terms of T, V, or the forces that
// must have been others before the equations were derived.
import { Interpreter } from "./interpreter.js";
import { lagrangeOf } from "./lagrange.js";
import { dot } from "./linear.js";
import { agree, largest, valuesAt } from "./reference.js";
import { fewTerms, nodeOf } from "./terms.js";

// A list of numbers as a sum of at most two of the candidates {values} with any factors:
// [[factor, candidate], ...]; null if it is none.
export function fitted(numbers, candidates) {
  const size = Math.hypot(...numbers);
  const fits = (rest) => Math.hypot(...rest) < 1e-7 * size;
  for (const one of candidates) {
    const factor = dot(numbers, one.values) / dot(one.values, one.values);
    if (fits(numbers.map((x, s) => x - factor * one.values[s]))) return [[factor, one]];
  }
  for (let i = 0; i < candidates.length; i++) {
    for (let j = 0; j < i; j++) {
      const [u, w] = [candidates[i].values, candidates[j].values];
      const [uu, uw, ww, ux, wx] = [dot(u, u), dot(u, w), dot(w, w), dot(u, numbers), dot(w, numbers)];
      const determinant = uu * ww - uw * uw;
      if (Math.abs(determinant) < 1e-12 * uu * ww) continue;
      const [x, y] = [(ux * ww - wx * uw) / determinant, (uu * wx - uw * ux) / determinant];
      if (fits(numbers.map((value, s) => value - x * u[s] - y * w[s]))) return [[x, candidates[i]], [y, candidates[j]]];
    }
  }
  return null;
}

// The terms of a node as candidates for `fitted`, with the values of their magnitudes.
function candidatesOf(reference, node, points, more = {}) {
  const { table, allNames } = reference;
  const terms = fewTerms(table, node);
  const nodes = terms.map((term) => nodeOf(table, term));
  const values = nodes.length ? valuesAt(table, nodes, allNames, points) : [];
  return terms.map((term, k) => ({ term, node: nodes[k], sign: Math.sign(term.coefficient), values: values[k], ...more }));
}

// Theirs as a multiple of ours: a term with the sign ±1 in ours, fitted with a factor.
const share = (factor, sign) => 1 - factor / sign;

// Whether the terms are all that there are, and are all lacking, which explains nothing.
const isEverything = (terms, candidates) => terms.length === candidates.length && terms.every((each) => Math.abs(each.share) < 1e-6);

// The equations of ours that theirs do not satisfy, each with at most two terms in which they
// differ: [{row, terms: [{term, share}]}]; null if a row cannot be explained. `theirs` are
// accelerations at the states.
export function lackingTerms(reference, theirs) {
  const { table, residuals, allNames, values } = reference;
  const points = reference.withAccelerations(theirs);
  const rests = valuesAt(table, residuals, allNames, points);
  const found = [];
  for (const [row, rest] of rests.entries()) {
    const size = largest(values.flatMap(({ F }) => F[row]));
    if (rest.every((x) => agree(x, 0, 1e3 * Math.max(size, 1e-12)) || Math.abs(x) < 1e-9 * size)) continue;
    const candidates = candidatesOf(reference, residuals[row], points);
    const fit = fitted([...rest], candidates);
    const terms = fit?.map(([factor, { term, sign }]) => ({ term, share: share(factor, sign) }));
    if (!fit || isEverything(terms, candidates)) return null;
    found.push({ row, terms });
  }
  return found;
}

// Terms of T, V, and the forces that would have to be others: [{where, term, share}]; null if there
// are none. Lagrange's operator is linear in L, so each term contributes by itself.
export function earlierTerms(reference, theirs) {
  const { table, mechanism, residuals, allNames, accelerationNames, n } = reference;
  const points = reference.withAccelerations(theirs);
  const rests = valuesAt(table, residuals, allNames, points);
  const column = (lists) => Float64Array.from({ length: n * points.length }, (_, k) => lists[k % n][Math.floor(k / n)]);
  const a = accelerationNames.map((name) => table.symbol(name));
  const terms = [];
  const add = (where, node, effect) => {
    for (const term of fewTerms(table, node)) {
      const magnitude = nodeOf(table, term);
      terms.push({ where, term, sign: Math.sign(term.coefficient), effects: effect(magnitude) });
    }
  };
  add("T", mechanism.T, (node) => lagrangeOf(table, mechanism, node, a));
  add("V", mechanism.V, (node) => lagrangeOf(table, mechanism, node, a).map((x) => table.negative(x)));
  mechanism.forces.forEach((force, i) => add(i, force, (node) => mechanism.q.map((_, j) => (j === i ? table.negative(node) : table.zero))));
  const interpreter = new Interpreter(table, terms.flatMap(({ effects }) => effects), allNames);
  const values = points.map((point) => interpreter.at(point));
  const candidates = terms.map((term, k) => ({ ...term, values: column(Array.from({ length: n }, (_, i) => values.map((list) => list[k * n + i]))) }))
    .filter((term) => largest([...term.values]) > 1e-12);
  const rest = [...column(rests)];
  if (!rest.every(Number.isFinite)) return null;
  const fit = fitted(rest, candidates);
  const found = fit?.map(([factor, { where, term, sign }]) => ({ where, term, share: share(factor, sign) }));
  return !fit || isEverything(found, candidates) ? null : found;
}

// The terms in which their energies and forces differ from ours: [{where, terms}].
export function energyTerms(reference, nodes) {
  const { table, mechanism, allNames, states } = reference;
  const ours = [mechanism.T, mechanism.V, ...mechanism.forces];
  const found = [];
  for (const [i, node] of ours.entries()) {
    const [difference] = valuesAt(table, [table.subtract(node, nodes[i])], allNames, states);
    if (largest([...difference]) < 1e-9 * Math.max(1e-12, largest([...valuesAt(table, [node], allNames, states)[0]]))) continue;
    const fit = fitted([...difference], candidatesOf(reference, node, states));
    if (fit) found.push({ where: i < 2 ? "TV"[i] : i - 2, terms: fit.map(([factor, { term, sign }]) => ({ term, share: share(factor, sign) })) });
  }
  return found;
}

const MOST_CHANGES = 4000;

// Our own T or V with one part changed, so that its equations are theirs: [{where, what, from, to}].
export function earlierChange(reference, theirs, late) {
  const { table, mechanism, residuals, allNames, accelerationNames } = reference;
  const points = reference.withAccelerations(theirs).slice(0, 4);
  const wanted = valuesAt(table, residuals, allNames, points);
  const size = largest(wanted.flatMap((list) => [...list]));
  const a = accelerationNames.map((name) => table.symbol(name));
  const fits = (effects, among) => {
    const interpreter = new Interpreter(table, effects, allNames);
    return among.every((point) => interpreter.at(point).every((x, i) => Math.abs(x + wanted[i][points.indexOf(point)]) < 1e-7 * size));
  };
  const nodeIn = (tree) => table.fromTree(tree, (name) => leafNode(mechanism, table, name));
  let tried = 0;
  for (const [where, sign] of [["T", 1], ["V", -1]]) {
    const tree = mechanism.trees[where];
    const original = nodeIn(tree);
    for (const part of partsOf(tree)) {
      for (const { what, to } of variantsOf(part, reference)) {
        tried += 1;
        if (tried > MOST_CHANGES || late()) return null;
        const difference = table.subtract(nodeIn(replaced(tree, part, to)), original);
        const effects = lagrangeOf(table, mechanism, sign > 0 ? difference : table.negative(difference), a);
        if (fits(effects, points.slice(0, 1)) && fits(effects, points)) return { where, what, from: part, to };
      }
    }
  }
  return null;
}

export function leafNode({ definitions, flow }, table, name) {
  const plain = name.replaceAll("'", "");
  const known = definitions.get(plain);
  if (known === undefined) return table.symbol(name);
  return name === plain ? known : flow(known);
}

const partsOf = (tree) => [tree, ...tree.operands.flatMap(partsOf)];

export const replaced = (tree, part, to) => {
  if (tree === part) return to;
  return tree.operands.length ? { ...tree, operands: tree.operands.map((operand) => replaced(operand, part, to)) } : tree;
};

const ONE = { type: "number", text: "1", value: 1, operands: [] };

// Other versions of a part of a tree: another index, a relative quantity, a lost factor or square.
function variantsOf(part, { coordinates, parameters }) {
  const { type, name, operands } = part;
  if (type === "call" && (name === "sin" || name === "cos")) {
    return [{ what: "function", to: { ...part, name: name === "sin" ? "cos" : "sin" } }, { what: "lost", to: ONE }];
  }
  if (type === "+" || type === "-") {
    return [{ what: "sign", to: { ...part, type: type === "+" ? "-" : "+" } }, ...operands.map((to) => ({ what: "lost", to }))];
  }
  if (type === "^") return [{ what: "square", to: operands[0] }];
  if (type !== "leaf") return [];
  const order = name.length - name.replaceAll("'", "").length;
  const isParameter = parameters.includes(name);
  const alike = isParameter ? parameters : coordinates.map((coordinate) => coordinate + "'".repeat(order));
  const others = alike.filter((other) => other !== name).map((other) => ({ type: "leaf", name: other, operands: [] }));
  const sums = (others) => others.flatMap((other) => ["-", "+"].map((sign) => ({ what: "relative", to: { type: sign, operands: [part, other] } })));
  if (isParameter) return [...others.map((to) => ({ what: "name", to })), { what: "lost", to: ONE }];
  return [...others.map((to) => ({ what: "name", to })), ...sums(others)];
}
