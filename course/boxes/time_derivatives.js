// Derivatives with respect to time in a text: dθ/dt, d²θ/dt², x.diff(t, 2). Their trees are those
// of the results.
import { derivative } from "./derivative.js";
import { Grammar } from "./grammar.js";

// A subclass defines `leafOf`, the meaning of a name.
export class TimeDerivatives extends Grammar {
  constructor(text, { constants, decimals }) {
    super(text, decimals);
    this.constants = new Set(constants);
  }

  // The derivative of a tree with respect to time, of the given order.
  differentiated(tree, by) {
    let order = 1;
    for (const variable of by.flatMap((part) => (part.type === "list" ? part.operands : [part]))) {
      if (variable.type === "number" && variable.value >= 1 && variable.value <= 4) order = variable.value;
      else if (variable.type !== "leaf" || variable.name !== "t") {
        this.refuse("Only derivatives with respect to time t can be used here. Write out the others.");
      }
    }
    const twice = by.filter((part) => part.type === "leaf").length;
    for (let k = 0; k < Math.max(order, twice); k++) {
      tree = derivative(tree, this.constants, (type, operands, more) => this.node(type, operands, more));
    }
    return tree;
  }

  // The tree of dθ/dt, d²θ/dt², or d/dt (...); null if there is none of them.
  differential() {
    const start = this.at;
    const numerator = this.above();
    if (numerator && this.takes("/") && this.token?.type === "name" && this.token.text === "dt") {
      this.at += 1;
      const below = this.orderHere();
      if (below !== numerator.order) this.refuse("Write (dθ/dt)^2 for a square, d²θ/dt² for a second derivative.");
      const what = numerator.leaf ?? this.atom();
      return this.differentiated(what, [{ type: "number", value: numerator.order }]);
    }
    this.at = start;
    return null;
  }

  // Turn \frac{dθ}{dt}, after its first brace, into dθ/dt; return whether it was one.
  unfolded() {
    const ends = (from) => this.tokens.findIndex(({ text }, k) => k >= from && text === "}");
    const close = ends(this.at);
    if (close < 0 || this.tokens[close + 1]?.text !== "{" || this.tokens[close + 2]?.text !== "dt") return false;
    const last = ends(close + 2);
    if (last > 0) this.tokens.splice(last, 1);
    this.tokens.splice(close, 2, { type: "sign", text: "/", position: this.tokens[close].position });
    return true;
  }

  // The numerator of a derivative: its order, and the leaf after its d if there is one.
  above() {
    const [, name] = /^d(.*)$/.exec(this.token.text) ?? [];
    if (name === undefined || this.token.order) return null;
    this.at += 1;
    const order = name ? 1 : this.orderHere();
    const behind = name || (this.token?.type === "name" && !this.token.order && this.token.text);
    if (!name && behind) this.at += 1;
    const isOver = this.is("/") && this.tokens[this.at + 1]?.text === "dt"; // also of a new name: dz/dt = ...
    const leaf = behind ? this.leafOf(behind, 0) ?? (isOver ? this.leaf(behind, 0) : null) : null;
    return behind && !leaf ? null : { order, leaf };
  }

  // The exponent at this position, as in d²; 1 if there is none.
  orderHere() {
    if (this.token?.type === "raised") return Number(this.tokens[this.at++].text);
    if (!this.is("^") || this.tokens[this.at + 1]?.type !== "number") return 1;
    this.at += 2;
    return Number(this.tokens[this.at - 1].text);
  }
}
