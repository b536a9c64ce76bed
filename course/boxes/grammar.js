// How signs join what a student writes: sums, products, powers, lists, equations. What names mean,
// reading.js says.
import { ungrouped, withDecimals } from "./decimals.js";
import { UnreadableError, words } from "./words.js";

const MOST_DEPTH = 60;
const MOST_PARTS = 4000;
const OPERATIONS = ["+", "-", "*", "/", "^", "negative", "="];

// What stands alone in brackets, where a list means nothing: m*[l + r].
const alone = (tree) => (tree.type === "list" && tree.parts.length === 1 ? alone(tree.parts[0]) : tree);

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

  node(type, parts, more = {}) {
    this.count += 1;
    if (this.count > MOST_PARTS) this.refuse(`Your answer has more than ${MOST_PARTS} parts.`);
    return { type, parts: OPERATIONS.includes(type) ? parts.map(alone) : parts, ...more };
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
    const parts = [this.equation()];
    const sign = this.word?.text[0];
    while (this.is("<", ">", "<=", ">=") && this.word.text[0] === sign) {
      this.at += 1;
      parts.push(this.sum());
    }
    if (parts.length === 1) return parts[0];
    return this.node("<", sign === ">" ? parts.reverse() : parts);
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
      found = this.attribute(found, next);
    }
    return found;
  }

  arguments() {
    this.expect("(");
    return this.takes(")") ? [] : this.further(")", true);
  }
}
