// Nodes as trees, and trees as text: in plain letters, in LaTeX, and in Python.
import { GREEK_LETTER } from "../boxes/spellings.js";

// The tree of a node, in the form that course/boxes/reading.js makes.
export function treeOfNode(table, x, done = new Map()) {
  if (done.has(x)) return done.get(x);
  const operands = table.operands(x).map((part) => treeOfNode(table, part, done));
  const kind = table.kind[x];
  const tree = { symbol: () => leaf(table.name[x]), number: () => number(table.value[x]),
    call: () => ({ type: "call", name: table.name[x], operands }),
    negative: () => ({ type: "negative", operands }) }[kind]?.() ?? { type: kind, operands };
  done.set(x, tree);
  return tree;
}

const leaf = (name) => ({ type: "leaf", name, operands: [] });

function number(value) {
  if (value < 0) return { type: "negative", operands: [number(-value)] };
  if (value === Math.PI) return { type: "constant", name: "pi", operands: [] };
  const fraction = asFraction(value);
  if (!fraction) return { type: "number", text: String(Number(value.toPrecision(12))), value, operands: [] };
  const [above, below] = fraction.map((part) => ({ type: "number", text: String(part), value: part, operands: [] }));
  return below.value === 1 ? above : { type: "/", operands: [above, below] };
}

// A number as a quotient of small integers, [above, below]; null if it is none.
export function asFraction(value) {
  for (let below = 1; below <= 12; below++) {
    const above = Math.round(value * below);
    if (Math.abs(above) < 1e6 && Math.abs(above - value * below) < 1e-12 * Math.max(1, Math.abs(above))) return [above, below];
  }
  return null;
}

// The tree of a term {coefficient, powers}, of its magnitude: numbers, then names, then functions.
export function treeOfTerm(table, { coefficient, powers }) {
  const inOrder = [...powers].sort(([a], [b]) => rank(table, a) - rank(table, b) || a - b);
  const product = (sign) => inOrder.filter(([, exponent]) => exponent * sign > 0).map(([node, exponent]) => {
    const base = treeOfNode(table, node);
    return Math.abs(exponent) === 1 ? base : { type: "^", operands: [base, number(Math.abs(exponent))] };
  });
  const times = (factors) => factors.reduce((a, b) => ({ type: "*", operands: [a, b] }));
  const size = Math.abs(coefficient);
  const above = product(1);
  const below = product(-1);
  const whole = size === 1 && above.length ? above : [number(size), ...above];
  return below.length ? { type: "/", operands: [times(whole), times(below)] } : times(whole);
}

// The tree of a sum of terms.
export function treeOfTerms(table, terms) {
  return terms.reduce((sum, term) => {
    const tree = treeOfTerm(table, term);
    if (sum === null) return term.coefficient < 0 ? { type: "negative", operands: [tree] } : tree;
    return { type: term.coefficient < 0 ? "-" : "+", operands: [sum, tree] };
  }, null);
}

const rank = (table, node) => (table.kind[node] === "symbol" ? Math.min((table.name[node].match(/'/g) ?? []).length, 2) : 1.5);

const FIRM = { "=": 0, "+": 1, "-": 1, negative: 1, "*": 2, "/": 2, "^": 4 };
const firm = ({ type }) => FIRM[type] ?? 5;

// A style has functions for names, calls, products, quotients, and powers.
function written(tree, style) {
  const part = (node) => written(node, style);
  const held = (node, least) => (firm(node) < least ? style.brackets(part(node)) : part(node));
  const [a, b] = tree.operands;
  switch (tree.type) {
    case "number": return style.number(tree.text ?? String(tree.value));
    case "constant": return style.constant(tree.name);
    case "leaf": return style.name(tree.name);
    case "call": return style.call(tree.name, tree.operands.map(part));
    case "negative": return `${style.minus}${held(a, 2)}`;
    case "=": return `${part(a)} = ${part(b)}`;
    case "+": return `${part(a)} + ${held(b, 1)}`;
    case "-": return `${part(a)} ${style.minus} ${held(b, 2)}`;
    case "*": return style.product(held(a, 2), held(b, b.type === "/" && !style.quotientIsFirm ? 3 : 2), b);
    case "/": return style.quotient(a, b, part, held);
    case "^": return style.power(a, b, part, held);
    case "list": return `[${tree.operands.map(part).join(", ")}]`;
  }
  return "?";
}

const split = (name) => {
  const plain = name.replaceAll("'", "");
  const [, base, index] = /^([A-Za-z]+?)_?(\d*|(?<=_).*)$/.exec(plain) ?? [null, plain, ""];
  return { base, index, order: name.length - plain.length };
};

const LOWERED = "₀₁₂₃₄₅₆₇₈₉";
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const DOTS = ["", "\u0307", "\u0308"];

const PLAIN = {
  minus: "−",
  number: (text) => text,
  constant: (name) => GREEK_LETTER[name] ?? name,
  brackets: (inside) => `(${inside})`,
  name(name) {
    const { base, index, order } = split(name);
    const letter = GREEK_LETTER[base] ?? base;
    const dotted = letter.length === 1 ? letter + DOTS[order] : letter + "′".repeat(order);
    return dotted + (/^\d+$/.test(index) ? [...index].map((digit) => LOWERED[digit]).join("") : index && `_${index}`);
  },
  call: (name, inside) => (name === "sqrt" ? `√(${inside})` : `${name}(${inside.join(", ")})`),
  product: (a, b, right) => (right.type === "number" ? `${a} · ${b}` : `${a} ${b}`),
  quotient: (a, b, part, held) => `${held(a, 2)}/${["*", "/"].includes(b.type) ? `(${part(b)})` : held(b, 2)}`,
  power(a, b, part, held) {
    const whole = b.type === "number" && /^\d+$/.test(b.text ?? String(b.value));
    return held(a, 5) + (whole ? [...(b.text ?? String(b.value))].map((digit) => RAISED[digit]).join("") : `^${held(b, 5)}`);
  },
};

const LATEX = {
  ...PLAIN,
  minus: "-",
  quotientIsFirm: true,
  constant: (name) => (name === "pi" ? "\\pi" : name),
  brackets: (inside) => `\\left(${inside}\\right)`,
  name(name) {
    const { base, index, order } = split(name);
    const letter = base in GREEK_LETTER ? `\\${base}` : base.length > 1 ? `\\mathrm{${base}}` : base;
    const dotted = [letter, `\\dot{${letter}}`, `\\ddot{${letter}}`][order];
    return index ? `${dotted}_{${index}}` : dotted;
  },
  call: (name, inside) => (name === "sqrt" ? `\\sqrt{${inside}}` : name === "abs" ? `\\left|${inside}\\right|`
    : `${["asin", "acos", "atan"].includes(name) ? `\\arc${name.slice(1)}` : name === "sign" ? "\\operatorname{sign}" : `\\${name}`}\\left(${inside.join(", ")}\\right)`),
  product: (a, b, right) => (right.type === "number" ? `${a} \\cdot ${b}` : `${a} ${b}`),
  quotient: (a, b, part) => `\\frac{${part(a)}}{${part(b)}}`,
  power: (a, b, part, held) => `${held(a, 5)}^{${part(b)}}`,
};

const PYTHON = {
  ...PLAIN,
  minus: "-",
  name: (name) => {
    const { order } = split(name);
    const plain = name.replaceAll("'", "");
    return order ? `${plain}.diff(t${order > 1 ? `, ${order}` : ""})` : plain;
  },
  constant: (name) => (name === "pi" ? "sm.pi" : "sm.E"),
  call: (name, inside) => `sm.${{ abs: "Abs" }[name] ?? name}(${inside.join(", ")})`,
  product: (a, b) => `${a} * ${b}`,
  quotient: (a, b, part, held) => (a.type === "number" && b.type === "number" ? `sm.Rational(${part(a)}, ${part(b)})`
    : `${held(a, 2)} / ${["*", "/"].includes(b.type) ? `(${part(b)})` : held(b, 2)}`),
  power: (a, b, part, held) => `${held(a, 5)} ** ${held(b, 5)}`,
};

export const plain = (tree) => written(tree, PLAIN);
export const latex = (tree) => written(tree, LATEX);
export const python = (tree) => written(tree, PYTHON);
