// Formulas of trees as MathML, for browsers and screen readers.
import { GREEK_LETTER } from "./spellings.js";

const DOTS = ["", "˙", "¨", "⃛", "⃜"];
// Precedence of each type of node: operands of lower precedence get parentheses.
const FIRM = { "=": 0, "<": 0, "+": 1, "-": 1, negative: 1, "*": 2, "/": 4, "^": 3 };
const firmness = (node) => FIRM[node.type] ?? 4;

const row = (...children) => `<mrow>${children.join("")}</mrow>`;
const sign = (text) => `<mo>${text}</mo>`;
const letters = (name) => `<mi>${GREEK_LETTER[name] ?? name}</mi>`;
const inParentheses = (inside) => row(sign("("), inside, sign(")"));

function nameOf(name) {
  const plain = name.replaceAll("'", "");
  const order = Math.min(name.length - plain.length, 4);
  const [, base, index] = /^([A-Za-z]+?)_?(\d*|(?<=_).*)$/.exec(plain) ?? [null, plain, ""];
  const dotted = order
    ? `<mover accent="true">${letters(base)}<mo>${DOTS[order]}</mo></mover>` : letters(base);
  if (!index) return dotted;
  return `<msub>${dotted}${/^\d+$/.test(index) ? `<mn>${index}</mn>` : letters(index)}</msub>`;
}

const held = (node, least) =>
  (firmness(node) < least ? inParentheses(formula(node)) : formula(node));

// Whether a factor begins with a digit, which would merge with a number before it.
const beginsWithNumber = (node) => node.type === "number"
  || (["*", "^"].includes(node.type) && beginsWithNumber(node.operands[0]));

function number({ text }) {
  const [, digits, power] = /^(.*?)(?:e([+-]?\d+))?$/i.exec(text);
  if (power === undefined) return `<mn>${digits}</mn>`;
  const exponent = power.replace("+", "").replace("-", "−");
  return row(`<mn>${digits}</mn>`, sign("·"), `<msup><mn>10</mn><mn>${exponent}</mn></msup>`);
}

function list({ operands }) {
  const rows = operands.map((part) => (part.type === "list" ? part.operands : [part]));
  const cells = rows.map((entries) => `<mtr>${entries.map((x) => `<mtd>${formula(x)}</mtd>`).join("")}</mtr>`);
  return row(sign("["), `<mtable>${cells.join("")}</mtable>`, sign("]"));
}

function call({ name, operands }) {
  if (name === "sqrt") return `<msqrt>${formula(operands[0])}</msqrt>`;
  if (name === "abs") return row(sign("|"), formula(operands[0]), sign("|"));
  const inside = operands.map(formula).join(sign(","));
  return row(`<mi>${name}</mi>`, sign("&#x2061;"), inParentheses(inside));
}

const SETTERS = {
  number, list, call,
  constant: ({ name }) => letters(name),
  leaf: ({ name }) => nameOf(name),
  negative: ({ operands: [a] }) => row(sign("−"), held(a, 2)),
  "=": ({ operands: [a, b] }) => row(formula(a), sign("="), formula(b)),
  "<": ({ operands }) => row(operands.map(formula).join(sign("&lt;"))),
  "+": ({ operands: [a, b] }) => row(formula(a), sign("+"), b.type === "negative" ? inParentheses(formula(b)) : formula(b)),
  "-": ({ operands: [a, b] }) => row(formula(a), sign("−"), held(b, 2)),
  "*": ({ operands: [a, b] }) =>
    row(held(a, 2), sign(beginsWithNumber(b) ? "·" : "&#x2062;"), held(b, 2)),
  "/": ({ operands: [a, b] }) => `<mfrac>${formula(a)}${formula(b)}</mfrac>`,
  "^": ({ operands: [a, b] }) => `<msup>${a.type === "/" ? inParentheses(formula(a)) : held(a, 4)}${formula(b)}</msup>`,
};

const formula = (node) => SETTERS[node.type](node);

// Return the tree as MathML in display style.
export const mathml = (tree) => `<math displaystyle="true">${formula(tree)}</math>`;
