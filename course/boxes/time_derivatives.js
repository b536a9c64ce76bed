// Derivatives with respect to time, as they stand in a text: dθ/dt, d²θ/dt², x.diff(t, 2). Their trees
// are those of what they come to.
import { derivative } from "./derivative.js";
import { Grammar } from "./grammar.js";

// A class that extends this one says by `leafOf` what a name stands for.
export class TimeDerivatives extends Grammar {
  constructor(text, { constants, decimals }) {
    super(text, decimals);
    this.constants = new Set(constants);
  }

  // A derivative with respect to time, to the order that is asked for.
  differentiated(tree, by) {
    let order = 1;
    for (const one of by.flatMap((part) => (part.type === "list" ? part.operands : [part]))) {
      if (one.type === "number" && one.value >= 1 && one.value <= 4) order = one.value;
      else if (one.type !== "leaf" || one.name !== "t") {
        this.refuse("Only derivatives with respect to time t are read here: work the others out.");
      }
    }
    const twice = by.filter((part) => part.type === "leaf").length;
    for (let k = 0; k < Math.max(order, twice); k++) {
      tree = derivative(tree, this.constants, (type, operands, more) => this.node(type, operands, more));
    }
    return tree;
  }

  // dθ/dt, d²θ/dt² and d/dt (...): nothing if it is none of them.
  differential() {
    const start = this.at;
    const numerator = this.above();
    if (numerator && this.takes("/") && this.word?.type === "name" && this.word.text === "dt") {
      this.at += 1;
      const below = this.orderHere();
      if (below !== numerator.order) this.refuse("Write (dθ/dt)^2 for a square, d²θ/dt² for a second derivative.");
      const what = numerator.leaf ?? this.atom();
      return this.differentiated(what, [{ type: "number", value: numerator.order }]);
    }
    this.at = start;
    return null;
  }

  // Of \frac{dθ}{dt}, behind its first brace, make dθ/dt; tell whether it was one.
  unfolded() {
    const ends = (from) => this.words.findIndex(({ text }, k) => k >= from && text === "}");
    const close = ends(this.at);
    if (close < 0 || this.words[close + 1]?.text !== "{" || this.words[close + 2]?.text !== "dt") return false;
    const last = ends(close + 2);
    if (last > 0) this.words.splice(last, 1);
    this.words.splice(close, 2, { type: "sign", text: "/", place: this.words[close].place });
    return true;
  }

  // What stands above dt: the order, and the name behind its d where there is one.
  above() {
    const [, name] = /^d(.*)$/.exec(this.word.text) ?? [];
    if (name === undefined || this.word.order) return null;
    this.at += 1;
    const order = name ? 1 : this.orderHere();
    const behind = name || (this.word?.type === "name" && !this.word.order && this.word.text);
    if (!name && behind) this.at += 1;
    const leaf = behind ? this.leafOf(behind, 0) : null;
    return behind && !leaf ? null : { order, leaf };
  }

  // The power that stands here, as in d²; 1 if there is none.
  orderHere() {
    if (this.word?.type === "raised") return Number(this.words[this.at++].text);
    if (!this.is("^") || this.words[this.at + 1]?.type !== "number") return 1;
    this.at += 2;
    return Number(this.words[this.at - 1].text);
  }
}
