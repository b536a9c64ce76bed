// Sums of terms: a node multiplied out, {coefficient, powers: Map(node -> exponent)} each, and
// gathered by sin² + cos² = 1 and the sums of angles.
import { UnreadableError } from "../boxes/tokens.js";

const MOST_TERMS = 3000;
const NOTHING = 1e-13;

const keyOf = (powers) => [...powers].sort(([a], [b]) => a - b).join(" ");

// Powers multiplied by other powers; zero exponents are left out.
function product(powers, others) {
  const all = new Map(powers);
  for (const [node, exponent] of others) {
    const sum = (all.get(node) ?? 0) + exponent;
    if (sum) all.set(node, sum);
    else all.delete(node);
  }
  return all;
}

function merged(terms) {
  const sums = new Map();
  for (const { coefficient, powers } of terms) {
    const key = keyOf(powers);
    const before = sums.get(key)?.coefficient ?? 0;
    sums.set(key, { coefficient: before + coefficient, powers });
  }
  return [...sums.values()].filter(({ coefficient }) => Math.abs(coefficient) > NOTHING);
}

const scaled = (terms, factor) => terms.map(({ coefficient, powers }) => ({ coefficient: factor * coefficient, powers }));

function times(left, right) {
  if (left.length * right.length > MOST_TERMS) throw new UnreadableError("These formulas have too many terms.");
  return merged(left.flatMap((a) => right.map((b) => ({
    coefficient: a.coefficient * b.coefficient, powers: product(a.powers, b.powers),
  }))));
}

function expanded(table, x, done) {
  if (done.has(x)) return done.get(x);
  const of = (node) => expanded(table, node, done);
  const [a, b] = [table.first[x], table.second[x]];
  const alone = (node, exponent = 1) => [{ coefficient: 1, powers: new Map([[node, exponent]]) }];
  let terms;
  switch (table.kind[x]) {
    case "number": terms = table.value[x] ? [{ coefficient: table.value[x], powers: new Map() }] : []; break;
    case "+": terms = merged([...of(a), ...of(b)]); break;
    case "-": terms = merged([...of(a), ...scaled(of(b), -1)]); break;
    case "negative": terms = scaled(of(a), -1); break;
    case "*": terms = times(of(a), of(b)); break;
    case "/": {
      const below = of(b);
      const [only] = below;
      const inverse = below.length === 1
        ? [{ coefficient: 1 / only.coefficient, powers: new Map([...only.powers].map(([node, exponent]) => [node, -exponent])) }]
        : alone(b, -1);
      terms = times(of(a), inverse);
      break;
    }
    default: terms = alone(x);
  }
  done.set(x, terms);
  return terms;
}

// Return the terms of a node.
export function termsOf(table, node) {
  let terms = expanded(table, node, new Map());
  for (;;) {
    const joined = joinedOnce(table, terms);
    if (!joined) return terms;
    terms = merged(joined);
  }
}

const isCall = (table, node, name) => table.kind[node] === "call" && table.name[node] === name;

// Join one pair of terms by a trigonometric identity; null if there is none.
function joinedOnce(table, terms) {
  const index = new Map(terms.map((term, i) => [keyOf(term.powers), i]));
  for (const [i, term] of terms.entries()) {
    for (const { partner, ratio, result } of identities(table, term.powers)) {
      const j = index.get(keyOf(partner));
      if (j === undefined || j === i) continue;
      const quotient = terms[j].coefficient / term.coefficient;
      const made = Math.abs(Math.abs(quotient) - 1) < 1e-12 && ratio.includes(Math.sign(quotient)) && result(Math.sign(quotient));
      if (!made) continue;
      const rest = terms.filter((_, k) => k !== i && k !== j);
      return [...rest, { coefficient: term.coefficient * made.sign, powers: made.powers }];
    }
  }
  return null;
}

// The identities that a term may be part of: the powers of the other term, the possible ratios of
// the coefficients, and the result for a ratio.
function* identities(table, powers) {
  const names = [...powers].filter(([, exponent]) => exponent > 0).map(([node]) => node);
  const [cosines, sines] = ["cos", "sin"].map((name) => names.filter((node) => isCall(table, node, name)));
  const over = (changes) => product(powers, changes);
  const wave = (name, angle, without) => {
    const made = table.call(name, angle);
    const negative = table.kind[made] === "negative";
    return { sign: negative ? -1 : 1, powers: product(without, [[negative ? table.first[made] : made, 1]]) };
  };
  for (const c of cosines) {
    const u = table.first[c];
    const s = table.call("sin", u);
    if (powers.get(c) >= 2) {
      const without = over([[c, -2]]);
      yield { partner: product(without, [[s, 2]]), ratio: [1], result: () => ({ sign: 1, powers: without }) };
    }
    for (const other of cosines) { // cos u cos w ± sin u sin w
      if (other === c) continue;
      const w = table.first[other];
      const without = over([[c, -1], [other, -1]]);
      yield {
        partner: product(without, [[s, 1], [table.call("sin", w), 1]]),
        ratio: [1, -1],
        result: (ratio) => wave("cos", ratio > 0 ? table.subtract(u, w) : table.add(u, w), without),
      };
    }
    for (const other of sines) { // sin w cos u ± cos w sin u
      if (other === s) continue;
      const w = table.first[other];
      const without = over([[c, -1], [other, -1]]);
      yield {
        partner: product(without, [[s, 1], [table.call("cos", w), 1]]),
        ratio: [1, -1],
        result: (ratio) => wave("sin", ratio > 0 ? table.add(u, w) : table.subtract(w, u), without),
      };
    }
  }
}

// The node of a term's magnitude, without its sign.
export function nodeOf(table, { coefficient, powers }) {
  let [above, below] = [table.number(Math.abs(coefficient)), table.one];
  for (const [node, exponent] of powers) {
    const power = table.power(node, table.number(Math.abs(exponent)));
    if (exponent > 0) above = table.multiply(above, power);
    else below = table.multiply(below, power);
  }
  return table.divide(above, below);
}

// The terms of a node; none if they are too many.
export function fewTerms(table, node) {
  try {
    return termsOf(table, node);
  } catch (error) {
    if (error instanceof UnreadableError) return [];
    throw error;
  }
}
