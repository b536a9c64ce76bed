// Reads what a student writes into a tree: sums, products, powers, functions, names, lists, and
// equations. Nothing is run. A node is {type, parts, ...}; a name is a leaf with its primes.
import { UnreadableError, words } from "./words.js";
import { derivative } from "./derivative.js";
import { nearest } from "./nearest.js";

const MOST_DEPTH = 60;
export const MOST_PARTS = 4000;
const ARC = { arcsin: "asin", arccos: "acos", arctan: "atan", arctan2: "atan2", ln: "log", Abs: "abs",
  fabs: "abs", Max: "max", Min: "min", maximum: "max", minimum: "min" };
export const FUNCTIONS = new Map(Object.entries({
  sin: 1, cos: 1, tan: 1, cot: 1, sec: 1, csc: 1, asin: 1, acos: 1, atan: 1, atan2: 2, sinh: 1,
  cosh: 1, tanh: 1, sqrt: 1, exp: 1, log: 1, abs: 1, sign: 1, max: 2, min: 2,
}));
const SAME = ["simplify", "expand", "factor", "trigsimp", "Integer", "Float", "float", "S", "sympify", "nsimplify"];
const LISTS = ["Matrix", "array", "ImmutableMatrix", "Array"];
const LIBRARIES = ["sm", "np", "sympy", "numpy", "math", "me", "sp"];
const CONSTANTS = { pi: "pi", e: "e", E: "e", I: "i" };

const plainly = (name) => name.replaceAll("_", "");

class Reader {
  constructor(text, { names = [], constants = [], means = {} }) {
    this.words = words(text);
    this.text = text;
    [this.at, this.depth, this.count] = [0, 0, 0];
    this.means = means;
    const known = [...names, ...Object.keys(means)].map((name) => name.replaceAll("'", ""));
    this.known = new Map(known.map((name) => [plainly(name), name]));
    this.constants = new Set(constants);
  }

  get word() {
    return this.words[this.at];
  }

  is(...signs) {
    return this.word?.type === "sign" && signs.includes(this.word.text);
  }

  takes(sign) {
    if (!this.is(sign)) return false;
    this.at += 1;
    return true;
  }

  node(type, parts, more = {}) {
    this.count += 1;
    if (this.count > MOST_PARTS) this.refuse(`Your answer has more than ${MOST_PARTS} parts.`);
    if (type === "leaf") more.name = this.means[more.name] ?? more.name;
    return { type, parts, ...more };
  }

  refuse(sentence, word = this.word) {
    throw new UnreadableError(sentence, word?.place ?? this.text.length);
  }

  expect(sign) {
    if (this.takes(sign)) return;
    const found = this.word ? `“${this.shown(this.word)}”` : "the end";
    this.refuse(`A “${sign}” is missing before ${found}.`);
  }

  shown(word) {
    return word.type === "raised" ? `^${word.text}` : word.text;
  }

  deeper(read) {
    this.depth += 1;
    if (this.depth > MOST_DEPTH) this.refuse("There are too many parentheses in one another.");
    const found = read();
    this.depth -= 1;
    return found;
  }

  all() {
    if (!this.words.length) throw new UnreadableError("There is nothing to read yet.", 0);
    let tree = this.equation();
    if (this.is(",")) tree = this.node("list", [tree, ...this.further(null)]);
    if (this.word) {
      this.refuse(this.is(")", "]", "}")
        ? `There is one “${this.word.text}” too many.`
        : `What “${this.shown(this.word)}” means here is not clear.`);
    }
    return tree;
  }

  equation() {
    const left = this.sum();
    if (this.is("<", ">", "<=", ">=", "!=")) {
      this.refuse("That is a comparison. Give the expression itself, without <, > or !=.");
    }
    if (!this.takes("=") && !this.takes("==")) return left;
    const right = this.sum();
    if (this.is("=", "==")) this.refuse("There are two equals signs: give one equation.");
    return this.node("=", [left, right]);
  }

  sum() {
    return this.deeper(() => {
      let found = this.signed();
      while (this.is("+", "-")) {
        const type = this.word.text;
        this.at += 1;
        found = this.node(type, [found, this.signed()]);
      }
      return found;
    });
  }

  signed() {
    let negative = false;
    while (this.is("+", "-")) {
      negative = negative !== this.is("-");
      this.at += 1;
    }
    const found = this.product();
    return negative ? this.node("negative", [found]) : found;
  }

  product() {
    let found = this.power();
    for (;;) {
      if (this.is("*", "/")) {
        const type = this.word.text;
        this.at += 1;
        const sign = this.signOf();
        const next = this.power();
        found = this.node(type, [found, sign ? this.node("negative", [next]) : next]);
      } else if (this.begins()) found = this.node("*", [found, this.power()]);
      else return found;
    }
  }

  // Whether what follows begins a factor: 2 m, m (l + 1), (a) (b).
  begins() {
    if (!this.word) return false;
    if (this.word.type === "number") {
      this.refuse(`A sign is missing before “${this.word.text}”.`);
    }
    return this.word.type === "name" || this.is("(", "{");
  }

  signOf() {
    let negative = false;
    while (this.is("+", "-")) {
      negative = negative !== this.is("-");
      this.at += 1;
    }
    return negative;
  }

  power() {
    const base = this.atom();
    return this.raised(base);
  }

  raised(base) {
    if (this.word?.type === "raised") {
      const text = this.word.text;
      this.at += 1;
      return this.raised(this.node("^", [base, this.node("number", [], { text, value: Number(text) })]));
    }
    if (!this.takes("^")) return base;
    return this.deeper(() => {
      const negative = this.signOf();
      const exponent = this.power();
      return this.node("^", [base, negative ? this.node("negative", [exponent]) : exponent]);
    });
  }

  atom() {
    const word = this.word;
    if (!word) this.refuse("Something is missing at the end.");
    if (word.type === "number") {
      this.at += 1;
      const value = Number(word.text);
      if (!Number.isFinite(value)) this.refuse(`The number ${word.text} is too large.`, word);
      const rounded = !/^\d+$/.test(word.text);
      return this.node("number", [], { text: word.text, value, rounded });
    }
    if (word.type === "name") return this.after(this.named());
    for (const [open, close] of [["(", ")"], ["{", "}"]]) {
      if (!this.takes(open)) continue;
      const inside = this.inside(close);
      return this.after(inside.length === 1 && !inside.comma ? inside[0] : this.node("list", inside));
    }
    if (this.takes("[")) return this.after(this.node("list", this.inside("]")));
    const told = word.type === "raised" ? "The power" : `“${word.text}”`;
    return this.refuse(`${told} stands where a name or a number should be.`);
  }

  // What stands between commas up to a closing sign.
  inside(close) {
    if (this.takes(close)) this.refuse("There is nothing in the parentheses.", this.words[this.at - 2]);
    return this.further(close, true);
  }

  further(close, first = false) {
    return this.deeper(() => {
      const found = first ? [this.equation()] : [];
      while (this.takes(",")) {
        found.comma = true;
        if (this.is(close ?? "")) break;
        found.push(this.equation());
      }
      if (close) this.expect(close);
      return found;
    });
  }

  // What stands behind an atom with a point: .diff(), .T.
  after(found) {
    while (this.is(".")) {
      const next = this.words[this.at + 1];
      if (next?.type !== "name") this.refuse("A point stands where it means nothing.");
      this.at += 2;
      if (next.text === "diff") found = this.differentiated(found, this.arguments());
      else if (next.text === "T") found = this.turned(found, next);
      else if (["simplify", "expand", "factor", "evalf", "doit"].includes(next.text)) this.arguments();
      else this.refuse(`“.${next.text}” is not read here: write what comes of it.`, next);
    }
    return found;
  }

  arguments() {
    this.expect("(");
    return this.takes(")") ? [] : this.further(")", true);
  }

  turned(found, word) {
    if (found.type !== "list") this.refuse("“.T” needs a list of lists.", word);
    const rows = found.parts.map((row) => (row.type === "list" ? row.parts : [row]));
    const columns = rows[0].map((_, k) => this.node("list", rows.map((row) => row[k])));
    return this.node("list", columns);
  }

  // A derivative with respect to time, to the order that is asked for.
  differentiated(found, by) {
    let order = 1;
    for (const one of by.flatMap((part) => (part.type === "list" ? part.parts : [part]))) {
      if (one.type === "number" && one.value >= 1 && one.value <= 4) order = one.value;
      else if (one.type !== "leaf" || one.name !== "t") {
        this.refuse("Only derivatives with respect to time t are read here: work the others out.");
      }
    }
    const twice = by.filter((part) => part.type === "leaf").length;
    for (let k = 0; k < Math.max(order, twice); k++) {
      found = derivative(found, this.constants, (...given) => this.node(...given));
    }
    return found;
  }

  named() {
    let word = this.word;
    this.at += 1;
    if (LIBRARIES.includes(word.text) && this.is(".") && this.words[this.at + 1]?.type === "name") {
      word = this.words[this.at + 1];
      this.at += 2;
    }
    const leaf = this.leafOf(word.text, word.order);
    if (leaf) return this.ofTime(leaf);
    const name = ARC[word.text] ?? word.text;
    if (FUNCTIONS.has(name) && !word.order) return this.call(name, word);
    const called = this.constructed(word);
    if (called) return called;
    if (word.text in CONSTANTS && !word.order) return this.node("constant", [], { name: CONSTANTS[word.text] });
    if (["oo", "zoo", "nan", "inf", "NaN", "infinity"].includes(word.text)) {
      this.refuse(`${word.text} is no expression with a value.`, word);
    }
    return this.split(word) ?? this.stranger(word);
  }

  // The leaf that a name stands for, with its dots; nothing if it is not known.
  leafOf(text, order) {
    const dotted = /^(.*?)_?(d*)dot((?:_?\d+)?)$/.exec(text);
    const known = this.known.get(plainly(text));
    if (known) return this.leaf(known, order);
    if (dotted && dotted[1] && this.known.has(plainly(dotted[1] + dotted[3]))) {
      return this.leaf(this.known.get(plainly(dotted[1] + dotted[3])), order + dotted[2].length + 1);
    }
    return text === "t" && !order ? this.leaf("t", 0) : null;
  }

  leaf(name, order) {
    return this.node("leaf", [], { name: name + "'".repeat(order) });
  }

  // theta(t) is theta.
  ofTime(leaf) {
    const [a, b, c] = this.words.slice(this.at, this.at + 3);
    if (a?.text === "(" && b?.text === "t" && c?.text === ")" && leaf.name !== "t") this.at += 3;
    return leaf;
  }

  call(name, word) {
    let exponent = null;
    if (this.word?.type === "raised" || this.is("^")) {
      exponent = this.raised(this.node("number", [], { text: "0", value: 0 })).parts[1];
    }
    let given;
    if (this.is("(") || this.is("{")) {
      const close = this.is("(") ? ")" : "}";
      this.at += 1;
      given = this.inside(close);
    } else given = [this.deeper(() => this.argument(word))];
    const wanted = FUNCTIONS.get(name);
    if (given.length !== wanted && !(wanted > 1 && given.length > 1 && name !== "atan2")) {
      this.refuse(`${name} takes ${wanted === 1 ? "one argument" : "two arguments"}.`, word);
    }
    const call = this.node("call", given, { name });
    return exponent ? this.node("^", [call, exponent]) : call;
  }

  // What a function without parentheses is taken of: sin 2 θ, cos θ.
  argument(word) {
    if (!this.word || this.word.type === "sign") this.refuse(`What is ${word.text} taken of?`);
    let found = this.power();
    while (this.word?.type === "name" && !FUNCTIONS.has(ARC[this.word.text] ?? this.word.text)
      && found.type !== "call") {
      found = this.node("*", [found, this.power()]);
    }
    return found;
  }

  // What Python or LaTeX builds: Matrix([...]), Eq(a, b), Rational(1, 3), diff(x, t), \frac{a}{b}.
  constructed(word) {
    const name = word.text;
    if (["dot", "ddot"].includes(name) && (this.is("{") || this.word?.type === "name")) {
      const inner = this.atom();
      return this.differentiated(inner, name === "dot" ? [] : [{ type: "number", value: 2 }]);
    }
    if (name === "frac" && this.takes("{")) {
      const [top] = this.inside("}");
      this.expect("{");
      return this.node("/", [top, this.inside("}")[0]]);
    }
    if (!this.is("(")) return null;
    if (LISTS.includes(name)) return this.arguments()[0];
    if (SAME.includes(name)) return this.arguments()[0];
    const binary = { Eq: "=", Rational: "/", Pow: "^" }[name];
    if (binary) {
      const given = this.arguments();
      if (given.length === 1 && binary === "/") return given[0];
      if (given.length !== 2) this.refuse(`${name} takes two arguments.`, word);
      return this.node(binary, given);
    }
    if (name === "diff" || name === "Derivative") {
      const [what, ...by] = this.arguments();
      return this.differentiated(what, by);
    }
    return null;
  }

  // A word without signs between its names, as mgl: if every part is known, in as few as can be.
  split(word) {
    const text = word.text;
    if (text.length > 40) return null;
    const best = [[]];
    for (let end = 1; end <= text.length; end++) {
      for (let start = 0; start < end; start++) {
        const part = text.slice(start, end);
        const last = end === text.length;
        const fits = this.known.has(plainly(part)) || (last && this.leafOf(part, 0))
          || (last && FUNCTIONS.has(ARC[part] ?? part)) || part === "pi";
        if (fits && !part.startsWith("_") && best[start] && best[start].length + 1 < (best[end]?.length ?? 99)) {
          best[end] = [...best[start], part];
        }
      }
    }
    const parts = best[text.length];
    if (!parts) return null;
    let end = word.place;
    const found = parts.map((part, k) => {
      end += part.length;
      return { ...word, text: part, place: end - part.length, order: k === parts.length - 1 ? word.order : 0 };
    });
    this.words.splice(this.at - 1, 1, ...found);
    this.at -= 1;
    return this.product();
  }

  stranger(word) {
    if (this.is("(") && !this.word.spaced) {
      const lower = word.text.toLowerCase();
      const near = FUNCTIONS.has(lower) ? lower : nearest(lower, [...FUNCTIONS.keys()]);
      this.refuse(`${word.text} is no function that is known here${near ? `. Write ${near}` : ""}.`, word);
    }
    return this.leaf(word.text, word.order);
  }
}

// Return the tree of a text; throw an UnreadableError with a sentence and the place.
export function reading(text, exercise = {}) {
  return new Reader(text, exercise).all();
}
