// Reads what a student writes into a tree: sums, products, powers, functions, names, lists, and
// equations. Nothing is run. A node is {type, operands, ...}; a name is a leaf with its primes.
import { CALLS, isCall, takes } from "./functions.js";
import { nearest, rates } from "./nearest.js";
import { TimeDerivatives } from "./time_derivatives.js";

const ARC = { __proto__: null, arcsin: "asin", arccos: "acos", arctan: "atan", arctan2: "atan2", ln: "log", Abs: "abs",
  fabs: "abs", Max: "max", Min: "min", maximum: "max", minimum: "min" };
const SAME = ["simplify", "expand", "factor", "trigsimp", "Integer", "Float", "float", "S", "sympify", "nsimplify"];
const KEEPING = ["simplify", "expand", "factor", "evalf", "doit"];
const LISTS = ["Matrix", "array", "ImmutableMatrix", "Array"];
const LIBRARIES = ["sm", "np", "sympy", "numpy", "math", "me", "sp"];
const CONSTANTS = { __proto__: null, pi: "pi", e: "e", E: "e", I: "i" };

const plainly = (name) => name.replaceAll("_", "");

class Reader extends TimeDerivatives {
  constructor(text, { names = [], constants = [], means = {}, decimals = false, bounds = false }) {
    super(text, { constants, decimals });
    this.bounds = bounds;
    this.means = { __proto__: null, ...means };
    this.names = new Set(names);
    const known = [...names, ...Object.keys(means)].map((name) => name.replaceAll("'", ""));
    this.known = new Map(known.map((name) => [plainly(name), name]));
  }

  node(type, operands, more = {}) {
    if (type === "leaf") more.name = this.means[more.name] ?? more.name;
    return super.node(type, operands, more);
  }

  // What follows a point: .diff(), .T, and what changes no value.
  attribute(tree, word) {
    if (word.text === "diff") return this.differentiated(tree, this.arguments());
    if (word.text === "T") return this.turned(tree, word);
    if (!KEEPING.includes(word.text)) this.refuse(`“.${word.text}” is not read here: write what comes of it.`, word);
    this.arguments();
    return tree;
  }

  turned(tree, word) {
    if (tree.type !== "list") this.refuse("“.T” needs a list of lists.", word);
    const rows = tree.operands.map((row) => (row.type === "list" ? row.operands : [row]));
    const columns = rows[0].map((_, k) => this.node("list", rows.map((row) => row[k])));
    return this.node("list", columns);
  }

  named() {
    const differential = this.differential();
    if (differential) return differential;
    let word = this.word;
    this.at += 1;
    if (LIBRARIES.includes(word.text) && this.is(".") && this.words[this.at + 1]?.type === "name") {
      word = this.words[this.at + 1];
      this.at += 2;
    }
    const leaf = this.joined(word) ?? this.leafOf(word.text, word.order);
    if (leaf) return this.ofTime(leaf);
    const name = ARC[word.text] ?? word.text;
    if (isCall(name) && !word.order) return this.call(name, word);
    if (word.order && (isCall(name) || name === "pi")) {
      this.refuse(`“${word.text}” cannot be differentiated by a prime: write its derivative itself.`, word);
    }
    const called = this.constructed(word);
    if (called) return called;
    if (word.text in CONSTANTS && !word.order) return this.node("constant", [], { name: CONSTANTS[word.text] });
    if (["oo", "zoo", "nan", "inf", "NaN", "infinity"].includes(word.text)) {
      this.refuse(`${word.text} is no expression with a value.`, word);
    }
    return this.split(word) ?? this.stranger(word);
  }

  // The leaf that two names stand for that touch, such as θd and θdot: if no other reading fits.
  joined(word) {
    const next = this.word;
    if (next?.type !== "name" || next.spaced || !this.names.size) return null;
    if (word.order ? this.leafOf(word.text, word.order) : this.known.has(plainly(next.text))) return null; // v̇x
    const leaf = this.leafOf(word.text + next.text, word.order + next.order);
    if (leaf) this.at += 1;
    return leaf;
  }

  // The leaf that a name stands for, with its dots; nothing if it is not known.
  leafOf(text, order) {
    const dotted = /^(.*?)_?(d*)dot((?:_?\d+)?)$/.exec(text);
    const known = this.known.get(plainly(text));
    if (known) return this.leaf(known, order);
    if (dotted && dotted[1] && this.known.has(plainly(dotted[1] + dotted[3]))) {
      return this.leaf(this.known.get(plainly(dotted[1] + dotted[3])), order + dotted[2].length + 1);
    }
    return text === "t" && !order ? this.leaf("t", 0) : this.rateOf(text, order);
  }

  // The rate that a name without a dot stands for, such as dtheta_dt; nothing if there is none.
  rateOf(text, order) {
    if (this.known.has("d")) return null; // then thetad is a product
    for (const [stem, times] of rates(text)) {
      const known = this.known.get(stem);
      if (this.names.has(`${known}${"'".repeat(order + times)}`)) return this.leaf(known, order + times);
    }
    return null;
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
      exponent = this.raised(this.node("number", [], { text: "0", value: 0 })).operands[1];
    }
    let operands;
    const close = { "(": ")", "{": "}", "[": "]" }[this.word?.text];
    if (close) {
      this.at += 1;
      operands = this.inside(close);
    } else operands = [this.deeper(() => this.argument(word))];
    if (!takes(name, operands.length)) {
      this.refuse(`${name} takes ${CALLS[name].length === 1 ? "one argument" : "two arguments"}.`, word);
    }
    const inverse = exponent?.type === "negative" && exponent.operands[0].value === 1 && `a${name}`;
    if (inverse && isCall(inverse)) return this.node("call", operands, { name: inverse }); // tan⁻¹
    const call = this.node("call", operands, { name });
    return exponent ? this.node("^", [call, exponent]) : call;
  }

  // What a function without parentheses is taken of: sin 2 θ, cos θ.
  argument(word) {
    if (!this.word || this.word.type === "sign") this.refuse(`What is ${word.text} taken of?`);
    let product = this.power();
    while (this.word?.type === "name" && !isCall(ARC[this.word.text] ?? this.word.text)
      && product.type !== "call" && !this.isDifferential()) {
      product = this.node("*", [product, this.power()]);
    }
    return product;
  }

  isDifferential() {
    const [start, differential] = [this.at, this.differential()];
    this.at = start;
    return Boolean(differential);
  }

  // What Python or LaTeX builds: Matrix([...]), Eq(a, b), Rational(1, 3), diff(x, t), \frac{a}{b}.
  constructed(word) {
    const name = word.text;
    if (["dot", "ddot"].includes(name) && (this.is("{") || this.word?.type === "name")) {
      const inner = this.atom();
      return this.differentiated(inner, name === "dot" ? [] : [{ type: "number", value: 2 }]);
    }
    if (name === "frac" && this.takes("{")) {
      if (this.unfolded()) return this.differential() ?? this.atom();
      const [top] = this.inside("}");
      this.expect("{");
      return this.node("/", [top, this.inside("}")[0]]);
    }
    if (!this.is("(")) return null;
    if (LISTS.includes(name) || SAME.includes(name)) return this.operandsOf(word)[0];
    const binary = { __proto__: null, Eq: "=", Rational: "/", Pow: "^" }[name];
    if (binary) {
      const operands = this.arguments();
      if (operands.length === 1 && binary === "/") return operands[0];
      if (operands.length !== 2) this.refuse(`${name} takes two arguments.`, word);
      return this.node(binary, operands);
    }
    if (name === "diff" || name === "Derivative") {
      const [what, ...by] = this.operandsOf(word);
      return this.differentiated(what, by);
    }
    return null;
  }

  // What stands in the parentheses after a word, which is not nothing.
  operandsOf(word) {
    const operands = this.arguments();
    return operands.length ? operands : this.refuse(`What is ${word.text} taken of?`, word);
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
          || (last && isCall(ARC[part] ?? part)) || part === "pi";
        if (fits && !part.startsWith("_") && best[start] && best[start].length + 1 < (best[end]?.length ?? 99)) {
          best[end] = [...best[start], part];
        }
      }
    }
    const names = best[text.length];
    if (!names || names.length < 2) return null; // alone it is t', a rate of time
    let end = word.place;
    const words = names.map((part, k) => {
      end += part.length;
      return { ...word, text: part, place: end - part.length, order: k === names.length - 1 ? word.order : 0 };
    });
    this.words.splice(this.at - 1, 1, ...words);
    this.at -= 1;
    return this.product();
  }

  stranger(word) {
    if (this.is("(") && !this.word.spaced) {
      const lower = word.text.toLowerCase();
      const near = isCall(lower) ? lower : nearest(lower, Object.keys(CALLS));
      this.refuse(`${word.text} is no function that is known here${near ? `. Write ${near}` : ""}.`, word);
    }
    return this.leaf(word.text, word.order);
  }
}

// Return the tree of a text; throw an UnreadableError with a sentence and the place.
export function reading(text, exercise = {}) {
  return new Reader(text, exercise).all();
}
