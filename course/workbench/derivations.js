// A derivation line by line: the first line that is false, and why. The truth of each line is
// decided by the mechanism's own energies and forces, at random states.
import { UnreadableError } from "../boxes/tokens.js";
import { findEdits, libraryOf } from "./edits.js";
import { fitted } from "./differences.js";
import { timeDerivative } from "./lagrange.js";
import { treeOf, withRates } from "./mechanism.js";
import { shifted } from "./pasted.js";
import { agree, largest, valuesAt } from "./reference.js";
import { Sheet } from "./sheet.js";
import { fewTerms, nodeOf } from "./terms.js";

const MOST_LINES = 100;

// A derivation that is not read at all.
export class DerivationProblem extends Error {}

// What is around a line: (3), ⇒, so, and a comma or a period at its end.
const BEFORE = /^(?:\(?\d+[).]\s+|⇒\s*|=>\s*|→\s*|∴\s*|\\(?:Rightarrow|implies|therefore)\b\s*|(?:so|thus|hence|then|and|therefore|also|now|with)\b[,:]?\s+)+/i;
const bare = (text) => text.trim().replace(/^\$+|\$+$/g, "").trim().replace(BEFORE, "").replace(/\s*[,.;]\s*$/, "");

const PARTIAL = /^(?:\\[td]?frac\{\\partial (\w)\}\{\\partial (.+)\}|[∂d](\w)\/[∂d]\(?(.+?)\)?)$/;
const RATE_OF = /^(?:\\[td]?frac\{d\}\{dt\}|d\/dt)\s*(?:\\left)?[([]?\s*(.+?)\s*(?:\\right)?[)\]]?$/;
const ENERGY_RATE = /^(?:\\[td]?frac\{d([EH])\}\{dt\}|d([EH])\/dt|\\dot\{?([EH])\}?|([EHĖḢ])\u0307?)$/;

// The text at the first sign of equality outside of brackets, and the last one: [left, right].
function sides(text) {
  const signs = [];
  let depth = 0;
  [...text].forEach((letter, at) => {
    if ("({[".includes(letter)) depth += 1;
    if (")}]".includes(letter)) depth -= 1;
    if (letter === "=" && depth === 0) signs.push(at);
  });
  return signs.length ? [text.slice(0, signs[0]).trim(), text.slice(signs.at(-1) + 1).trim()] : null;
}

class UnknownName extends Error {
  constructor(name) {
    super(name);
    this.unknown = name;
  }
}

class Derivation {
  constructor(reference) {
    const { table, coordinates, accelerationNames, values, mechanism } = reference;
    Object.assign(this, { reference, table, mechanism, coordinates });
    this.a = accelerationNames.map((name) => table.symbol(name));
    this.total = timeDerivative(table, mechanism, this.a);
    this.defined = new Map(mechanism.definitions); // names that lines define, as nodes
    this.forces = new Map(); // unknown forces, as values on the motion
    // states with any accelerations, and states with those of the motion
    this.free = reference.withAccelerations(values.map((_, s) => coordinates.map((__, i) => Math.sin(17 * s + 5 * i + 3) * 2 + 0.3)));
    this.moving = reference.withAccelerations(values.map(({ a }) => a));
  }

  tree(text) {
    const { coordinates, defined, reference: { parameters } } = this;
    return treeOf(text, { names: [...withRates([...coordinates, ...defined.keys()], 2), ...parameters], constants: parameters });
  }

  node(tree) {
    return this.table.fromTree(tree, (name) => this.leaf(name));
  }

  leaf(name) {
    const plain = name.replaceAll("'", "");
    const known = this.defined.get(plain);
    if (known !== undefined) return [...name.slice(plain.length)].reduce((node) => this.total(node), known);
    const isKnown = this.reference.allNames.includes(name) || this.forces.has(name);
    if (!isKnown) throw new UnknownName(name);
    return this.table.symbol(name);
  }

  // Values of nodes at points.
  at(nodes, points) {
    const names = [...this.reference.allNames, ...this.forces.keys()];
    const own = points.map((point, s) => ({ ...point, ...Object.fromEntries([...this.forces].map(([name, list]) => [name, list[s]])) }));
    return valuesAt(this.table, nodes, names, own);
  }

  areEqual(x, y, points) {
    const [u, w] = this.at([x, y], points);
    const size = Math.max(largest([...u]), largest([...w]));
    return u.every((value, s) => Math.abs(value - w[s]) <= 1e-8 * size);
  }

  // Whether two nodes are equal by the equations of motion.
  areEqualOnMotion(x, y) {
    const [rest] = this.at([this.table.subtract(x, y)], this.moving);
    const [off] = this.at([y], this.free);
    return rest.every((value) => Math.abs(value) <= 1e-8 * largest([...off]));
  }

  // Whether two nodes differ by a constant only.
  haveEqualSlopes(x, y) {
    const { mechanism: { q, v }, table } = this;
    return [...q, ...v].every((symbol) => this.areEqual(table.partial(symbol)(x), table.partial(symbol)(y), this.free));
  }

  // What a line's left side is by its form: {what, node, slopes}; null for an equation.
  identity(left) {
    const { table, mechanism: { T, V, q, v }, coordinates, reference: { equations } } = this;
    const E = table.add(T, V);
    if (/^(?:[TK]|E_?\{?[kK]\}?)$/.test(left) && !this.defined.has(left)) return { what: "T", node: T };
    if (/^(?:[VU]|E_?\{?p\}?)$/.test(left) && !this.defined.has(left)) return { what: "V", node: V, slopes: true };
    if (left === "L" || /^\\(?:mathcal|mathscr)\{?L\}?$/.test(left)) return { what: "L", node: equations.L, slopes: true };
    if (/^[EH]$/.test(left) && !this.reference.parameters.includes(left)) return { what: "E", node: E, slopes: true };
    if (ENERGY_RATE.test(left) && /[.\u0307\\/ĖḢ]/.test(left)) return { what: "dE/dt", node: this.total(E) };
    const rate = RATE_OF.exec(left);
    const inner = rate && partialIn(rate[1].trim());
    if (inner) {
      const i = coordinates.findIndex((name) => this.nameOf(inner.by) === `${name}'`);
      if (i >= 0 && inner.of === "L") return { what: "d/dt", node: this.total(equations.momenta[i]) };
    }
    const partial = partialIn(left);
    if (!partial) return null;
    const of = { L: equations.L, T, K: T, V, U: V }[partial.of];
    const name = this.nameOf(partial.by);
    const symbol = [...q, ...v].find((each) => table.name[each] === name);
    return of === undefined || symbol === undefined ? null : { what: "partial", node: table.partial(symbol)(of) };
  }

  nameOf(text) {
    const tree = this.tree(text);
    return tree.type === "leaf" ? tree.name : null;
  }

  // The judgment of a line: {state: "true", "false", "taken", "skipped", ...}.
  judge(text) {
    const both = sides(bare(text));
    if (!both) return { state: "skipped" };
    const [left, right] = both;
    const identity = this.identity(left);
    const r = shifted(this.tree(right), text.lastIndexOf(right));
    if (identity) return this.compared(identity.node, r, identity);
    const l = shifted(this.tree(left), text.indexOf(left));
    return this.definition(l, r) ?? this.equation(l, r);
  }

  compared(node, tree, { what = "", slopes = false } = {}) {
    const theirs = this.node(tree);
    const isTrue = slopes ? this.haveEqualSlopes(theirs, node)
      : this.areEqual(theirs, node, this.free) || (what === "dE/dt" && this.areEqualOnMotion(theirs, node));
    return { state: isTrue ? "true" : "false", what, tree, node, theirs, points: this.free };
  }

  // A line that defines a new name, or gives its derivative, or the square of a speed.
  definition(left, right) {
    const { table, defined } = this;
    const speed = left.type === "^" && left.operands[0].type === "leaf" && /^v_?(\w*)$/.exec(left.operands[0].name);
    if (speed && !this.reference.allNames.includes(speed[0])) return this.squaredSpeed(speed, right);
    if (left.type !== "leaf") return null;
    const plain = left.name.replaceAll("'", "");
    if (defined.has(plain)) return left.name === plain ? null : this.compared(this.leaf(left.name), right, { what: "derivative" });
    if (this.reference.allNames.includes(left.name) || left.name !== plain || this.forces.has(left.name)) return null;
    defined.set(left.name, table.fromTree(right, (name) => this.leaf(name)));
    return { state: "taken", what: "definition" };
  }

  squaredSpeed([name, index], right) {
    const { table, defined } = this;
    const parts = ["x", "y", "z"].flatMap((letter) => [...defined.keys()].filter((each) => each.replace("_", "") === letter + index));
    if (!parts.length) {
      defined.set(name, table.call("sqrt", this.node(right)));
      return { state: "taken", what: "definition" };
    }
    const square = parts.map((each) => this.total(defined.get(each))).reduce((sum, rate) => table.add(sum, table.multiply(rate, rate)), table.zero);
    return this.compared(square, right, { what: "speed" });
  }

  // An equation, which must hold on the motion; it may bring in one unknown force.
  equation(left, right) {
    const { table } = this;
    for (;;) {
      try {
        return this.onMotion(left, right, table.subtract(this.node(left), this.node(right)));
      } catch (error) {
        if (!(error instanceof UnknownName)) throw error;
        this.solveFor(error.unknown, left, right);
        return { state: "taken", what: "force" };
      }
    }
  }

  // The values of an unknown force on the motion, from an equation that is linear in it.
  solveFor(name, left, right) {
    const difference = () => this.at([this.table.subtract(this.node(left), this.node(right))], this.moving)[0];
    const at = (value) => {
      this.forces.set(name, this.moving.map(() => value));
      return difference();
    };
    try {
      const [zero, one] = [at(0), at(1)];
      this.forces.set(name, zero.map((value, s) => -value / (one[s] - value)));
    } catch (error) {
      this.forces.delete(name);
      if (error instanceof UnknownName) throw new UnreadableError(`${error.unknown} and ${name} are both unknown here.`);
      throw error;
    }
  }

  onMotion(left, right, difference) {
    const parts = [...this.summands(difference)];
    const [rest, ...sizes] = this.at([difference, ...parts], this.moving);
    const [off] = this.at([difference], this.free);
    const size = Math.max(...sizes.map((list) => largest([...list])), largest([...off]), 1e-300);
    const isTrue = rest.every((value) => Math.abs(value) <= 1e-8 * size);
    const zero = this.table.zero;
    return { state: isTrue ? "true" : "false", what: "equation", tree: { type: "-", operands: [left, right], from: left.from, to: right.to }, node: zero, theirs: difference, points: this.moving };
  }

  summands(x) {
    const { table } = this;
    return ["+", "-"].includes(table.kind[x]) ? [...this.summands(table.first[x]), ...this.summands(table.second[x])] : [x];
  }
}

function partialIn(text) {
  const match = PARTIAL.exec(text);
  return match && { of: match[1] ?? match[3], by: match[2] ?? match[4] };
}

// Judge lines: {lines: [{state, ...}], first: the index of the first false line or null, reason}.
// What follows from a false line is not judged.
export function judged(reference, lines, late = () => false) {
  if (lines.length > MOST_LINES) throw new DerivationProblem(`This page judges at most ${MOST_LINES} lines, and there are ${lines.length.toLocaleString("en-US")}.`);
  const derivation = new Derivation(reference);
  const found = [];
  for (const text of lines) {
    if (found.some(({ state }) => state === "false")) {
      found.push({ state: "unjudged" });
      continue;
    }
    try {
      found.push(text.trim() ? derivation.judge(text) : { state: "skipped" });
    } catch (error) {
      if (!(error instanceof UnreadableError) && !(error instanceof UnknownName)) throw error;
      const sentence = error instanceof UnknownName ? `${error.unknown} is not defined.` : error.message;
      found.push({ state: "unread", sentence });
    }
  }
  const first = found.findIndex(({ state }) => state === "false");
  return { lines: found, first: first < 0 ? null : first, reason: first < 0 ? null : reasonFor(derivation, found[first], late) };
}

// Why a line is false: {missing: terms} that it lacks, or {edit}, one change that makes it true.
function reasonFor(derivation, { tree, node, theirs, points }, late) {
  const { table, reference } = derivation;
  if (node !== table.zero) {
    const [wanted, actual] = derivation.at([node, theirs], points);
    const terms = fewTerms(table, node);
    const nodes = terms.map((term) => nodeOf(table, term));
    const values = nodes.length ? derivation.at(nodes, points) : [];
    const candidates = terms.map((term, k) => ({ term, values: values[k] }));
    const fit = fitted([...wanted.map((value, s) => value - actual[s])], candidates);
    if (fit) return { missing: fit.map(([factor, { term }]) => ({ term, factor })) };
  }
  const own = points.map((point, s) => ({ ...point, ...Object.fromEntries([...derivation.forces].map(([name, list]) => [name, list[s]])) }));
  const names = [...derivation.defined.keys()].flatMap((name) => withRates([name], 2));
  const values = derivation.at(names.map((name) => derivation.leaf(name)), points);
  names.forEach((name, k) => own.forEach((point, s) => (point[name] = values[k][s])));
  const sheet = new Sheet([tree]);
  const all = sheet.values(own);
  const [target] = derivation.at([node], points);
  const sizes = all.map((list) => largest([...list])).filter(Number.isFinite);
  const size = Math.max(...sizes);
  const agrees = ([root], s) => (node === table.zero ? Math.abs(root[s]) <= 1e-9 * size : agree(root[s], target[s], size));
  const form = {
    kind: "energies", sheet, points: own, block: 1, reference, rows: [{ label: "", roots: [0], agrees }],
  };
  const [edit] = findEdits(form, all, libraryOf(reference, own, true), late);
  return edit ? { edit, sheet } : null;
}
