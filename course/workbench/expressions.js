// Table of expressions. A node is a number, and equal expressions are one node, so common
// subexpressions are computed once without being searched for. A node follows its operands.
import { CALLS } from "../boxes/functions.js";
import { UnreadableError } from "../boxes/tokens.js";
import { cosine, sine } from "./elementary.js";

const MOST_NODES = 200_000;
const ODD = ["sin", "tan", "asin", "atan", "sinh", "tanh", "sign"];
const EVEN = ["cos", "cosh", "abs"];

// Functions of one variable that a formula may contain.
export const FUNCTIONS = Object.fromEntries(Object.entries(CALLS).filter(([, f]) => f.length === 1));
Object.assign(FUNCTIONS, { sin: sine, cos: cosine, tan: (x) => sine(x) / cosine(x) });

// Derivatives of the functions: `table`, argument, and the node of the function itself.
const SLOPES = {
  sin: (table, x) => table.call("cos", x),
  cos: (table, x) => table.negative(table.call("sin", x)),
  tan: (table, x, self) => table.add(table.one, table.multiply(self, self)),
  exp: (table, x, self) => self,
  log: (table, x) => table.divide(table.one, x),
  sqrt: (table, x, self) => table.divide(table.number(0.5), self),
  sinh: (table, x) => table.call("cosh", x),
  cosh: (table, x) => table.call("sinh", x),
  tanh: (table, x, self) => table.subtract(table.one, table.multiply(self, self)),
  asin: (table, x) => table.divide(table.one, table.complement(x)),
  acos: (table, x) => table.negative(table.divide(table.one, table.complement(x))),
  atan: (table, x) => table.divide(table.one, table.add(table.one, table.multiply(x, x))),
  abs: (table, x) => table.call("sign", x),
  sign: (table) => table.zero,
};

export class Expressions {
  constructor() {
    // of each node: its kind, its operands, the value of a number, the name of a symbol or function
    Object.assign(this, { kind: [], first: [], second: [], value: [], name: [], nodes: new Map() });
    this.zero = this.number(0);
    this.one = this.number(1);
  }

  node(kind, { first = -1, second = -1, value = NaN, name = "" }) {
    const key = kind === "number" ? value : `${kind} ${name} ${first} ${second}`;
    const known = this.nodes.get(key);
    if (known !== undefined) return known;
    if (this.kind.length > MOST_NODES) throw new UnreadableError("These formulas are too long to be differentiated here.");
    for (const [list, entry] of [["kind", kind], ["first", first], ["second", second], ["value", value], ["name", name]]) {
      this[list].push(entry);
    }
    this.nodes.set(key, this.kind.length - 1);
    return this.kind.length - 1;
  }

  number(value) {
    return this.node("number", { value: value + 0 }); // no negative zero
  }

  symbol(name) {
    return this.node("symbol", { name });
  }

  isNumber(x) {
    return this.kind[x] === "number";
  }

  operands(x) {
    return [this.first[x], this.second[x]].filter((part) => part >= 0);
  }

  negative(x) {
    if (this.isNumber(x)) return this.number(-this.value[x]);
    if (this.kind[x] === "negative") return this.first[x];
    if (this.kind[x] === "-") return this.subtract(this.second[x], this.first[x]);
    return this.node("negative", { first: x });
  }

  add(x, y) {
    if (x === this.zero) return y;
    if (y === this.zero) return x;
    if (this.isNumber(x) && this.isNumber(y)) return this.number(this.value[x] + this.value[y]);
    if (this.kind[y] === "negative") return this.subtract(x, this.first[y]);
    if (this.kind[x] === "negative") return this.subtract(y, this.first[x]);
    if (x === y) return this.multiply(this.number(2), x);
    return this.node("+", { first: Math.min(x, y), second: Math.max(x, y) });
  }

  subtract(x, y) {
    if (y === this.zero) return x;
    if (x === y) return this.zero;
    if (x === this.zero) return this.negative(y);
    if (this.isNumber(x) && this.isNumber(y)) return this.number(this.value[x] - this.value[y]);
    if (this.kind[y] === "negative") return this.add(x, this.first[y]);
    return this.node("-", { first: x, second: y });
  }

  // A product: a number comes first, and a sign is moved out.
  multiply(x, y) {
    if (x === this.zero || y === this.zero) return this.zero;
    if (x === this.one) return y;
    if (y === this.one) return x;
    if (this.isNumber(y)) [x, y] = [y, x];
    const factor = (node) => (this.kind[node] === "*" && this.isNumber(this.first[node]) ? this.first[node] : -1);
    if (this.isNumber(x)) {
      if (this.isNumber(y)) return this.number(this.value[x] * this.value[y]);
      if (this.value[x] === -1) return this.negative(y);
      if (factor(y) >= 0) return this.multiply(this.multiply(x, factor(y)), this.second[y]);
      if (this.kind[y] === "negative") return this.multiply(this.negative(x), this.first[y]);
      return this.node("*", { first: x, second: y });
    }
    for (const [one, other] of [[x, y], [y, x]]) {
      if (this.kind[one] === "negative") return this.negative(this.multiply(this.first[one], other));
      if (factor(one) >= 0) return this.multiply(factor(one), this.multiply(this.second[one], other));
    }
    return this.node("*", { first: Math.min(x, y), second: Math.max(x, y) });
  }

  divide(x, y) {
    if (x === this.zero && y !== this.zero) return this.zero;
    if (y === this.one) return x;
    if (this.isNumber(x) && this.isNumber(y)) return this.number(this.value[x] / this.value[y]);
    if (x === y) return this.one;
    if (this.kind[x] === "negative") return this.negative(this.divide(this.first[x], y));
    return this.node("/", { first: x, second: y });
  }

  power(x, y) {
    if (!this.isNumber(y)) return this.node("^", { first: x, second: y });
    const n = this.value[y];
    if (this.isNumber(x)) return this.number(this.value[x] ** n);
    if (n < 0) return this.divide(this.one, this.power(x, this.number(-n)));
    if (n === 0.5 || n === 1.5) {
      const root = this.call("sqrt", x);
      return n === 0.5 ? root : this.multiply(x, root);
    }
    if (n > 4 || !Number.isInteger(n)) return this.node("^", { first: x, second: y });
    let product = this.one;
    for (let k = 0; k < n; k++) product = this.multiply(product, x);
    return product;
  }

  call(name, x) {
    if (!SLOPES[name]) {
      const over = { sec: "cos", csc: "sin", cot: "tan" }[name];
      if (over) return this.divide(this.one, this.call(over, x));
      throw new UnreadableError(`${name} cannot be differentiated here. Write it with other functions.`);
    }
    if (this.isNumber(x)) return this.number(FUNCTIONS[name](this.value[x]));
    if (this.kind[x] === "negative" && ODD.includes(name)) return this.negative(this.call(name, this.first[x]));
    if (this.kind[x] === "negative" && EVEN.includes(name)) return this.call(name, this.first[x]);
    return this.node("call", { name, first: x });
  }

  // sqrt(1 - x²)
  complement(x) {
    return this.call("sqrt", this.subtract(this.one, this.multiply(x, x)));
  }

  // The node of a tree of course/boxes/reading.js; `leaf` returns the node of a name.
  fromTree(tree, leaf, done = new Map()) {
    if (done.has(tree)) return done.get(tree);
    const [x, y] = tree.operands.map((part) => this.fromTree(part, leaf, done));
    const made = this.made(tree, x, y, leaf);
    if (this.isNumber(made) && !Number.isFinite(this.value[made])) {
      throw new UnreadableError("This number is too large, or has no value.", tree.from);
    }
    done.set(tree, made);
    return made;
  }

  made({ type, name, value, operands, from }, x, y, leaf) {
    switch (type) {
      case "number": return this.number(value);
      case "constant":
        if (name === "i") throw new UnreadableError("Complex numbers cannot be used here.", from);
        return this.number(name === "pi" ? Math.PI : Math.E);
      case "leaf": return leaf(name, from);
      case "+": return this.add(x, y);
      case "-": return this.subtract(x, y);
      case "*": return this.multiply(x, y);
      case "/":
        if (y === this.zero) throw new UnreadableError("This divides by zero.", operands[1].from);
        return this.divide(x, y);
      case "^": return this.power(x, y);
      case "negative": return this.negative(x);
      case "call": if (operands.length === 1) return this.call(name, x);
    }
    const found = { "=": "an equation", list: "a list", call: name }[type] ?? type;
    throw new UnreadableError(`Give one expression here, not ${found}.`, from);
  }

  // The operator d: `slopes` has the derivatives of symbols, Map(symbol node -> node). Symbols that
  // are not in it are constant.
  differentiator(slopes) {
    const done = new Map();
    const D = (x) => {
      if (!done.has(x)) done.set(x, slopes.get(x) ?? this.slope(x, D));
      return done.get(x);
    };
    return D;
  }

  // The partial derivative with respect to a symbol.
  partial(symbol) {
    return this.differentiator(new Map([[symbol, this.one]]));
  }

  slope(x, D) {
    const [a, b] = [this.first[x], this.second[x]];
    switch (this.kind[x]) {
      case "+": return this.add(D(a), D(b));
      case "-": return this.subtract(D(a), D(b));
      case "negative": return this.negative(D(a));
      case "*": return this.add(this.multiply(D(a), b), this.multiply(a, D(b)));
      case "/": {
        const [above, below] = [D(a), D(b)];
        return this.subtract(this.divide(above, b), this.divide(this.multiply(x, below), b));
      }
      case "^": {
        const lower = this.multiply(b, this.power(a, this.subtract(b, this.one)));
        const ofBase = this.multiply(lower, D(a));
        if (D(b) === this.zero) return ofBase;
        return this.add(ofBase, this.multiply(this.multiply(x, this.call("log", a)), D(b)));
      }
      case "call": return D(a) === this.zero ? this.zero : this.multiply(SLOPES[this.name[x]](this, a, x), D(a));
    }
    return this.zero; // a number, or a symbol that is constant
  }

  // The nodes that the roots depend on, each after its operands.
  needed(roots) {
    const seen = new Set(roots);
    for (const x of seen) this.operands(x).forEach((part) => seen.add(part)); // a set grows while it is read
    return [...seen].sort((a, b) => a - b);
  }
}
