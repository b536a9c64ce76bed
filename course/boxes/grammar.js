// How signs join what a student writes: sums, products, powers, lists, equations. What names mean,
// reading.js says.
import { ungrouped, withDecimals } from "./decimals.js";
import { UnreadableError, words } from "./words.js";

const MOST_DEPTH = 60;
const MOST_PARTS = 4000;
const OPERATIONS = ["+", "-", "*", "/", "^", "negative", "="];

// What stands alone in brackets, where a list means nothing: m*[l + r].
const alone = (tree) => (tree.type === "list" && tree.operands.length === 1 ? alone(tree.operands[0]) : tree);

export class Grammar {
  constructor(text, decimals) {
    this.words = decimals ? withDecimals(words(ungrouped(text))) : words(text);
    this.text = text;
    [this.at, this.depth, this.count] = [0, 0, 0];
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

  node(type, operands, more = {}) {
    this.count += 1;
    if (this.count > MOST_PARTS) this.refuse(`Your answer has more than ${MOST_PARTS} parts.`);
    return { type, operands: OPERATIONS.includes(type) ? operands.map(alone) : operands, ...more };
  }

  refuse(sentence, word = this.word) {
    throw new UnreadableError(sentence, word?.place ?? this.text.length);
  }

  expect(sign) {
    if (this.takes(sign)) return;
    const next = this.word ? `“${this.shown(this.word)}”` : "the end";
    this.refuse(`A “${sign}” is missing before ${next}.`);
  }

  shown(word) {
    return word.type === "raised" ? `^${word.text}` : word.text;
  }

  deeper(read) {
    this.depth += 1;
    if (this.depth > MOST_DEPTH) this.refuse("There are too many parentheses in one another.");
    const content = read();
    this.depth -= 1;
    return content;
  }

  all() {
    if (!this.words.length) throw new UnreadableError("There is nothing to read yet.", 0);
    this.takes("=");
    let tree = this.bounds ? this.bounded() : this.equation();
    if (this.is(",")) tree = this.node("list", [tree, ...this.further(null)]);
    if (this.word) {
      this.refuse(this.is(")", "]", "}")
        ? `There is one “${this.word.text}” too many.`
        : `What “${this.shown(this.word)}” means here is not clear.`);
    }
    return tree;
  }

  // An inequality such as 0 < T <= 0.1: what stands in it, the smallest first.
  bounded() {
    const operands = [this.equation()];
    const sign = this.word?.text[0];
    while (this.is("<", ">", "<=", ">=") && this.word.text[0] === sign) {
      this.at += 1;
      operands.push(this.sum());
    }
    if (operands.length === 1) return operands[0];
    return this.node("<", sign === ">" ? operands.reverse() : operands);
  }

  equation() {
    const left = this.sum();
    if (this.is("<", ">", "<=", ">=", "!=") && (!this.bounds || this.depth)) {
      this.refuse("That is a comparison. Give the expression itself, without <, > or !=.");
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
        const type = this.word.text;
        this.at += 1;
        sum = this.node(type, [sum, this.signed()]);
      }
      return sum;
    });
  }

  signed() {
    let negative = false;
    while (this.is("+", "-")) {
      negative = negative !== this.is("-");
      this.at += 1;
    }
    const product = this.product();
    return negative ? this.node("negative", [product]) : product;
  }

  product() {
    let product = this.power();
    for (;;) {
      if (this.is("*", "/")) {
        const type = this.word.text;
        this.at += 1;
        const sign = this.signOf();
        const next = this.power();
        product = this.node(type, [product, sign ? this.node("negative", [next]) : next]);
      } else if (this.begins()) product = this.node("*", [product, this.power()]);
      else return product;
    }
  }

  // Whether what follows begins a factor: 2 m, m (l + 1), (a) (b).
  begins() {
    if (!this.word) return false;
    if (this.word.type === "number") {
      this.refuse(`A sign is missing before “${this.word.text}”.`);
    }
    return this.word.type === "name" || this.is("(", "{", "[");
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
    if (this.is("[") && this.at && this.words[this.at - 1].type !== "sign") { // m [l + r]
      this.at += 1;
      const inside = this.inside("]");
      return this.after(inside.length === 1 ? inside[0] : this.node("list", inside));
    }
    if (this.takes("[")) return this.after(this.node("list", this.inside("]")));
    const subject = word.type === "raised" ? "The power" : `“${word.text}”`;
    return this.refuse(`${subject} stands where a name or a number should be.`);
  }

  // What stands between commas up to a closing sign.
  inside(close) {
    if (this.takes(close)) this.refuse("There is nothing in the parentheses.", this.words[this.at - 2]);
    return this.further(close, true);
  }

  further(close, first = false) {
    return this.deeper(() => {
      const entries = first ? [this.equation()] : [];
      while (this.takes(",")) {
        entries.comma = true;
        if (this.is(close ?? "")) break;
        entries.push(this.equation());
      }
      if (close) this.expect(close);
      return entries;
    });
  }

  // What stands behind an atom with a point: .diff(), .T.
  after(tree) {
    while (this.is(".")) {
      const next = this.words[this.at + 1];
      if (next?.type !== "name") this.refuse("A point stands where it means nothing.");
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
