// Parser of answers: sums, products, powers, functions, names, lists, and equations become a tree.
// Nothing is evaluated. A node is {type, operands, ...}; a name is a leaf, with primes for
// derivatives.
import { CALLS, isCall, takes } from "./functions.js";
import { nearest, rates } from "./nearest.js";
import { unitOf } from "./judge_units.js";
import { FUNCTIONS } from "./spellings.js";
import { TimeDerivatives } from "./time_derivatives.js";

const SAME = ["simplify", "expand", "factor", "trigsimp", "Integer", "Float", "float", "S", "sympify", "nsimplify"];
const KEEPING = ["simplify", "expand", "factor", "evalf", "doit"];
const LISTS = ["Matrix", "array", "ImmutableMatrix", "Array"];
const LIBRARIES = ["sm", "np", "sympy", "numpy", "math", "me", "sp"];
const CONSTANTS = { __proto__: null, pi: "pi", e: "e", E: "e", I: "i", i: "i", j: "i" };

const hasLeaf = (tree) => tree.type === "leaf" || tree.operands.some(hasLeaf);
const plainly = (name) => name.replaceAll("_", "");

class Reader extends TimeDerivatives {
  constructor(text, { names = [], constants = [], means = {}, units = null, decimals = false, bounds = false }) {
    super(text, { constants, decimals });
    this.bounds = bounds;
    this.units = units;
    this.means = { __proto__: null, ...means };
    this.names = new Set(names);
    const roots = [...names, ...Object.keys(means)].map((name) => name.replaceAll("'", ""));
    this.known = new Map(roots.map((name) => [plainly(name), name]));
  }

  node(type, operands, more = {}) {
    if (type === "leaf") more.name = this.means[more.name] ?? more.name;
    return super.node(type, operands, more);
  }

  // The tree after an attribute: .diff(), .T, and methods that do not change the value.
  attribute(tree, token) {
    if (token.text === "diff") return this.differentiated(tree, this.arguments());
    if (token.text === "T") return this.turned(tree, token);
    if (!KEEPING.includes(token.text)) this.refuse(`“.${token.text}” cannot be used here. Write its result.`, token);
    this.arguments();
    return tree;
  }

  turned(tree, token) {
    if (tree.type !== "list") this.refuse("“.T” needs a list of lists.", token);
    const rows = tree.operands.map((row) => (row.type === "list" ? row.operands : [row]));
    const columns = rows[0].map((_, k) => this.node("list", rows.map((row) => row[k])));
    return this.node("list", columns);
  }

  named() {
    const differential = this.differential();
    if (differential) return differential;
    let token = this.token;
    this.at += 1;
    if (LIBRARIES.includes(token.text) && this.is(".") && this.tokens[this.at + 1]?.type === "name") {
      token = this.tokens[this.at + 1];
      this.at += 2;
    }
    const leaf = this.joined(token) ?? this.leafOf(token.text, token.order);
    if (leaf) return this.ofTime(leaf);
    const name = FUNCTIONS[token.text] ?? token.text;
    const called = isCall(name) && !token.order && (isCall(token.text) || this.is("(") || !this.partsOf(token));
    if (called) return this.call(name, token);
    if (token.order && (isCall(name) || name === "pi")) {
      this.refuse(`A prime cannot differentiate “${token.text}”. Write out its derivative.`, token);
    }
    const constructed = this.constructed(token);
    if (constructed) return constructed;
    if (token.text in CONSTANTS && !token.order) return this.node("constant", [], { name: CONSTANTS[token.text] });
    if (["oo", "zoo", "nan", "inf", "NaN", "infinity"].includes(token.text)) {
      this.refuse(`${token.text} is not an expression with a value.`, token);
    }
    if (token.text === "deg" && this.names.size) return this.degree();
    return this.split(token) ?? this.stranger(token);
  }

  // The factor of a number in degrees in a formula: sin(90° − θ).
  degree() {
    const number = (value) => this.node("number", [], { text: `${value}`, value });
    return this.node("/", [this.node("constant", [], { name: "pi" }), number(180)]);
  }

  // The leaf of two adjacent names, such as θd and θdot, if no other reading fits.
  joined(token) {
    const next = this.token;
    if (next?.type !== "name" || next.spaced || !this.names.size) return null;
    if (token.order ? this.leafOf(token.text, token.order) : this.known.has(plainly(next.text))) return null; // v̇x
    const leaf = this.leafOf(token.text + next.text, token.order + next.order);
    if (leaf) this.at += 1;
    return leaf;
  }

  // The leaf of a name with dots; null if it is unknown.
  leafOf(text, order) {
    const dotted = /^(.*?)_?(d*)dot((?:_?\d+)?)$/.exec(text);
    const known = this.known.get(plainly(text));
    if (known) return this.leaf(known, order);
    if (dotted && dotted[1] && this.known.has(plainly(dotted[1] + dotted[3]))) {
      return this.leaf(this.known.get(plainly(dotted[1] + dotted[3])), order + dotted[2].length + 1);
    }
    return text === "t" && !order ? this.leaf("t", 0) : this.rateOf(text, order);
  }

  // The leaf of a derivative without a dot, such as dtheta_dt; null if there is none.
  rateOf(text, order) {
    if (this.known.has("d")) return null; // thetad is a product
    for (const [stem, times] of rates(text)) {
      const known = this.known.get(stem);
      if (this.names.has(`${known}${"'".repeat(order + times)}`)) return this.leaf(known, order + times);
    }
    return null;
  }

  leaf(name, order) {
    return this.node("leaf", [], { name: name + "'".repeat(order) });
  }

  // The leaf of theta(t) is that of theta.
  ofTime(leaf) {
    const [a, b, c] = this.tokens.slice(this.at, this.at + 3);
    if (a?.text === "(" && b?.text === "t" && c?.text === ")" && leaf.name !== "t") this.at += 3;
    return leaf;
  }

  call(name, token) {
    let exponent = null;
    if (this.token?.type === "raised" || this.is("^")) {
      exponent = this.raised(this.node("number", [], { text: "0", value: 0 })).operands[1];
    }
    let operands;
    const close = { "(": ")", "{": "}", "[": "]" }[this.token?.text];
    if (this.takes("|")) operands = [this.absolute()];
    else if (close) {
      this.at += 1;
      operands = this.inside(close);
    } else operands = [this.deeper(() => this.argument(token))];
    if (!takes(name, operands.length)) {
      this.refuse(`${name} takes ${CALLS[name].length === 1 ? "one argument" : "two arguments"}.`, token);
    }
    const inverse = exponent?.type === "negative" && exponent.operands[0].value === 1 && `a${name}`;
    if (inverse && isCall(inverse)) return this.node("call", operands, { name: inverse }); // tan⁻¹
    const call = this.node("call", operands, { name, from: token.position });
    return exponent ? this.node("^", [call, exponent]) : call;
  }

  // The argument of a function without parentheses: sin 2 θ, cos θ.
  argument(token) {
    if (!this.token || this.token.type === "sign") this.refuse(`The argument of ${token.text} is missing.`);
    let product = this.power();
    while (this.token?.type === "name" && !isCall(FUNCTIONS[this.token.text] ?? this.token.text)
      && product.type !== "call" && !this.isDifferential() && !(hasLeaf(product) && this.isFactor(product))) {
      product = this.node("*", [product, this.power()]);
    }
    return product;
  }

  // Whether the next name is a factor behind a function: a derivative, as in sin θ θ̇, or a name
  // with a unit behind a complete argument without one, as in sin θ l.
  isFactor(argument) {
    const { text, order } = this.token;
    const unit = this.units && unitOf(argument, this.units, () => "").unit;
    const next = unit && this.units[this.leafOf(text, order)?.name];
    if (next && unit.every((power) => !power) && next.some(Boolean)) return true;
    const [point, attribute] = this.tokens.slice(this.at + 1, this.at + 3);
    return order > 0 || ["dot", "ddot"].includes(text) || /'$/.test(this.leafOf(text, order)?.name ?? "")
      || (point?.text === "." && attribute?.text === "diff") || text === "Derivative" || text === "diff";
  }

  isDifferential() {
    const [start, differential] = [this.at, this.differential()];
    this.at = start;
    return Boolean(differential);
  }

  // Calls of Python and LaTeX: Matrix([...]), Eq(a, b), Rational(1, 3), diff(x, t), \frac{a}{b}.
  constructed(token) {
    const name = token.text;
    if (["dot", "ddot"].includes(name) && (this.is("{") || this.token?.type === "name")) {
      const inner = this.atom();
      return this.differentiated(inner, name === "dot" ? [] : [{ type: "number", value: 2 }]);
    }
    if (name === "frac" && this.takes("{")) {
      if (this.unfolded()) return this.differential() ?? this.atom();
      const [top] = this.inside("}");
      this.expect("{");
      return this.node("/", [top, this.inside("}")[0]], { from: token.position });
    }
    if (!this.is("(")) return null;
    if (LISTS.includes(name) || SAME.includes(name)) return this.operandsOf(token)[0];
    const binary = { __proto__: null, Eq: "=", Rational: "/", Pow: "^" }[name];
    if (binary) {
      const operands = this.arguments();
      if (operands.length === 1 && binary === "/") return operands[0];
      if (operands.length !== 2) this.refuse(`${name} takes two arguments.`, token);
      return this.node(binary, operands);
    }
    if (name === "diff" || name === "Derivative") {
      const [what, ...by] = this.operandsOf(token);
      return this.differentiated(what, by);
    }
    return null;
  }

  // The arguments in parentheses after a token, at least one.
  operandsOf(token) {
    const operands = this.arguments();
    return operands.length ? operands : this.refuse(`The argument of ${token.text} is missing.`, token);
  }

  // The names in a token such as mgl, if each is known; as few as possible; null if there are none.
  partsOf({ text }) {
    if (text.length > 40) return null;
    const best = [[]];
    for (let end = 1; end <= text.length; end++) {
      for (let start = 0; start < end; start++) {
        const part = text.slice(start, end);
        const last = end === text.length;
        const fits = this.known.has(plainly(part)) || (last && this.leafOf(part, 0))
          || (last && start > 0 && isCall(FUNCTIONS[part] ?? part)) || part === "pi";
        if (fits && !part.startsWith("_") && best[start] && best[start].length + 1 < (best[end]?.length ?? 99)) {
          best[end] = [...best[start], part];
        }
      }
    }
    const names = best[text.length];
    return names?.length > 1 ? names : null; // a single t' is a derivative of time
  }

  // The product of the names in a token; null if some of it is unknown.
  split(token) {
    const names = this.partsOf(token);
    if (!names) return null;
    let end = token.position;
    const tokens = names.map((part, k) => {
      end += part.length;
      const isLast = k === names.length - 1;
      return { ...token, text: part, position: end - part.length, to: isLast ? token.to : end, order: isLast ? token.order : 0 };
    });
    this.tokens.splice(this.at - 1, 1, ...tokens);
    this.at -= 1;
    return this.product();
  }

  stranger(token) {
    if (this.is("(") && !this.token.spaced) {
      const lower = token.text.toLowerCase();
      const near = isCall(lower) ? lower : nearest(lower, Object.keys(CALLS));
      this.refuse(`${token.text} is not a function that is known here${near ? `. Write ${near}` : ""}.`, token);
    }
    return this.leaf(token.text, token.order);
  }
}

// Return the tree of a text; throw an UnreadableError with a sentence and the position.
export function reading(text, exercise = {}) {
  return new Reader(text, exercise).all();
}
