// Grammar of typed formulas: sums, products, powers, lists, equations. reading.js adds the meaning
// of names.
import { ungrouped, withDecimals } from "./decimals.js";
import { UnreadableError, tokenize } from "./tokens.js";

const MOST_DEPTH = 60;
const MOST_PARTS = 4000;
const OPERATIONS = ["+", "-", "*", "/", "^", "negative", "="];

// An operand in brackets that do not mean a list: m*[l + r].
const alone = (tree) => (tree.type === "list" && tree.operands.length === 1 ? alone(tree.operands[0]) : tree);

export class Grammar {
  constructor(text, decimals) {
    this.tokens = decimals ? withDecimals(tokenize(ungrouped(text))) : tokenize(text);
    this.text = text;
    [this.at, this.depth, this.count, this.inBars] = [0, 0, 0, false];
  }

  get token() {
    return this.tokens[this.at];
  }

  is(...signs) {
    return this.token?.type === "sign" && signs.includes(this.token.text);
  }

  takes(sign) {
    if (!this.is(sign)) return false;
    this.at += 1;
    return true;
  }

  node(type, operands, more = {}) {
    this.count += 1;
    if (this.count > MOST_PARTS) this.refuse(`Your answer has more than ${MOST_PARTS} parts.`);
    const last = this.tokens[this.at - 1];
    const from = Math.min(last?.position ?? 0, ...operands.map((part) => part.from));
    return { type, operands: OPERATIONS.includes(type) ? operands.map(alone) : operands, from, to: last?.to ?? 0, ...more };
  }

  refuse(sentence, token = this.token) {
    throw new UnreadableError(sentence, token?.position ?? this.text.length);
  }

  expect(sign) {
    if (this.takes(sign)) return;
    const next = this.token ? `“${this.shown(this.token)}”` : "the end";
    this.refuse(`A “${sign}” is missing before ${next}.`);
  }

  shown(token) {
    return token.type === "raised" ? `^${token.text}` : token.text;
  }

  deeper(read) {
    this.depth += 1;
    if (this.depth > MOST_DEPTH) this.refuse("The parentheses are nested too deeply.");
    const content = read();
    this.depth -= 1;
    return content;
  }

  all() {
    if (!this.tokens.length) throw new UnreadableError("There is nothing to read yet.", 0);
    this.takes("=");
    let tree = this.bounds ? this.bounded() : this.equation();
    if (this.is(",")) tree = this.node("list", [tree, ...this.further(null)]);
    if (this.token) {
      this.refuse(this.is(")", "]", "}")
        ? `There is one “${this.token.text}” too many.`
        : `It is not clear what “${this.shown(this.token)}” means here.`);
    }
    return tree;
  }

  // The sides of an inequality such as 0 < T <= 0.1, the smallest first.
  bounded() {
    const operands = [this.equation()];
    const sign = this.token?.text[0];
    while (this.is("<", ">", "<=", ">=") && this.token.text[0] === sign) {
      this.at += 1;
      operands.push(this.sum());
    }
    if (operands.length === 1) return operands[0];
    return this.node("<", sign === ">" ? operands.reverse() : operands);
  }

  equation() {
    const left = this.sum();
    if (this.is("<", ">", "<=", ">=", "!=") && (!this.bounds || this.depth)) {
      this.refuse("This is a comparison. Give the expression itself, without <, > or !=.");
    }
    if (!this.takes("=") && !this.takes("==")) return left;
    const right = this.sum();
    if (this.is("=", "==")) this.refuse("There are two equals signs: give one equation.");
    return this.node("=", [left, right]);
  }

  sum() {
    return this.deeper(() => {
      let sum = this.signed();
      while (this.is("+", "-")) {
        const type = this.token.text;
        this.at += 1;
        sum = this.node(type, [sum, this.signed()]);
      }
      return sum;
    });
  }

  signed() {
    const from = this.token?.position;
    let negative = false;
    while (this.is("+", "-")) {
      negative = negative !== this.is("-");
      this.at += 1;
    }
    const product = this.product();
    return negative ? this.node("negative", [product], { from }) : product;
  }

  product() {
    let product = this.power();
    for (;;) {
      if (this.is("*", "/")) {
        const type = this.token.text;
        this.at += 1;
        const sign = this.signOf();
        const next = this.power();
        product = this.node(type, [product, sign ? this.node("negative", [next]) : next]);
      } else if (this.begins()) product = this.node("*", [product, this.power()]);
      else return product;
    }
  }

  // Whether the next token begins a factor: 2 m, m (l + 1), (a) (b).
  begins() {
    if (!this.token) return false;
    if (this.token.type === "number") {
      const next = this.tokens[this.at + 1];
      if (this.token.text === "10" && (next?.type === "raised" || next?.text === "^")) return true; // 1.9 10^3
      this.refuse(`An operator is missing before “${this.token.text}”.`);
    }
    return this.token.type === "name" || this.is("(", "{", "[") || (this.is("|") && !this.inBars);
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
    if (this.token?.type === "raised") {
      const text = this.token.text;
      this.at += 1;
      const [, minus, digits] = /^(-?)(.*)$/.exec(text);
      const size = this.node("number", [], { text: digits, value: Number(digits) });
      return this.raised(this.node("^", [base, minus ? this.node("negative", [size]) : size]));
    }
    if (!this.takes("^")) return base;
    return this.deeper(() => {
      const negative = this.signOf();
      const exponent = this.power();
      return this.node("^", [base, negative ? this.node("negative", [exponent]) : exponent]);
    });
  }

  atom() {
    const token = this.token;
    if (!token) this.refuse("Something is missing at the end.");
    if (token.type === "number") {
      this.at += 1;
      const value = Number(token.text);
      if (!Number.isFinite(value)) this.refuse(`The number ${token.text} is too large.`, token);
      const rounded = !/^\d+$/.test(token.text);
      return this.node("number", [], { text: token.text, value, rounded });
    }
    if (token.type === "name") return this.after(this.named());
    for (const [open, close] of [["(", ")"], ["{", "}"]]) {
      if (!this.takes(open)) continue;
      const inside = this.inside(close);
      if (inside.length !== 1 || inside.comma) return this.after(this.node("list", inside));
      const between = { from: token.position, to: this.tokens[this.at - 1].to };
      return this.after({ ...inside[0], ...between });
    }
    if (this.takes("|")) return this.absolute();
    if (this.is("[") && this.at && this.tokens[this.at - 1].type !== "sign") { // m [l + r]
      this.at += 1;
      const inside = this.inside("]");
      return this.after(inside.length === 1 ? inside[0] : this.node("list", inside));
    }
    if (this.takes("[")) return this.after(this.node("list", this.inside("]")));
    const found = token.type === "raised" ? "a power" : `“${token.text}”`;
    return this.refuse(`Expected a name or a number, but found ${found}.`);
  }

  // The absolute value of what is between bars, |a|.
  absolute() {
    const outer = this.inBars;
    this.inBars = true;
    const operand = this.sum();
    this.expect("|");
    this.inBars = outer;
    return this.node("call", [operand], { name: "abs" });
  }

  // The entries between commas, up to a closing sign.
  inside(close) {
    if (this.takes(close)) this.refuse("There is nothing in the parentheses.", this.tokens[this.at - 2]);
    return this.further(close, true);
  }

  further(close, first = false) {
    return this.deeper(() => {
      const bars = this.inBars;
      this.inBars = false;
      const entries = first ? [this.equation()] : [];
      while (this.takes(",")) {
        entries.comma = true;
        if (this.is(close ?? "")) break;
        entries.push(this.equation());
      }
      if (close) this.expect(close);
      this.inBars = bars;
      return entries;
    });
  }

  // The tree of an atom with attributes: .diff(), .T.
  after(tree) {
    while (this.is(".")) {
      const next = this.tokens[this.at + 1];
      if (next?.type !== "name") this.refuse("This “.” has no meaning here.");
      this.at += 2;
      tree = this.attribute(tree, next);
    }
    return tree;
  }

  arguments() {
    this.expect("(");
    return this.takes(")") ? [] : this.further(")", true);
  }
}
