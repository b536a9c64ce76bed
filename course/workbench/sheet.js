// Trees as a list of operations with their values at many points, in which a single operation can
// be changed.
import { CALLS } from "../boxes/functions.js";

const CONSTANTS = { pi: Math.PI, e: Math.E };

export class Sheet {
  constructor(trees) {
    this.trees = []; // one for each operation, after those of its operands
    this.operands = [];
    const index = new Map();
    const put = (tree) => {
      if (!index.has(tree)) {
        const operands = tree.operands.map(put);
        this.operands.push(operands);
        index.set(tree, this.trees.push(tree) - 1);
      }
      return index.get(tree);
    };
    this.roots = trees.map(put);
    // arrays of `edited` by number of points, and the call in which each was written last
    Object.assign(this, { buffers: {}, turns: new Uint32Array(this.trees.length), turn: 0 });
    this.parents = this.trees.map(() => []);
    this.operands.forEach((list, k) => new Set(list).forEach((part) => this.parents[part].push(k)));
  }

  // The operations that depend on operation k, in order.
  after(k) {
    const found = new Set([k]);
    for (let j = k + 1; j < this.trees.length; j++) {
      if (this.operands[j].some((part) => found.has(part))) found.add(j);
    }
    found.delete(k);
    return [...found];
  }

  // Write the values of operation k for the values a and b of its operands into `list`.
  apply(k, a, b, list) {
    const { type, name } = this.trees[k];
    const size = list.length;
    switch (type) {
      case "+": for (let s = 0; s < size; s++) list[s] = a[s] + b[s]; break;
      case "-": case "=": for (let s = 0; s < size; s++) list[s] = a[s] - b[s]; break;
      case "*": for (let s = 0; s < size; s++) list[s] = a[s] * b[s]; break;
      case "/": for (let s = 0; s < size; s++) list[s] = a[s] / b[s]; break;
      case "^": for (let s = 0; s < size; s++) list[s] = a[s] ** b[s]; break;
      case "negative": for (let s = 0; s < size; s++) list[s] = -a[s]; break;
      case "call": for (let s = 0; s < size; s++) list[s] = b ? CALLS[name](a[s], b[s]) : CALLS[name](a[s]); break;
      default: list.fill(NaN); // a list, which is no number
    }
    return list;
  }

  // The values of all operations at points.
  values(points) {
    const values = [];
    this.trees.forEach(({ type, name, value }, k) => {
      const list = new Float64Array(points.length);
      if (type === "number" || type === "constant") list.fill(type === "number" ? value : CONSTANTS[name] ?? NaN);
      else if (type === "leaf") points.forEach((point, s) => (list[s] = point[name] ?? NaN));
      else this.apply(k, values[this.operands[k][0]], values[this.operands[k][1]], list);
      values.push(list);
    });
    return values;
  }

  // The roots' values if operation k had the values `changed`, at the first points. They are valid
  // until the next call.
  edited(values, k, after, changed) {
    const size = changed.length;
    this.buffers[size] ??= this.trees.map(() => new Float64Array(size));
    const now = this.buffers[size];
    this.turn += 1;
    now[k] = changed;
    this.turns[k] = this.turn;
    const valueOf = (j) => (this.turns[j] === this.turn ? now[j] : values[j]);
    for (const j of after) {
      const [a, b] = this.operands[j];
      this.apply(j, valueOf(a), b === undefined ? undefined : valueOf(b), now[j]);
      this.turns[j] = this.turn;
    }
    return this.roots.map(valueOf);
  }

  // The additive term around operation k: below the nearest sum outside of all functions, an
  // equation, or an assigned name.
  termAround(k) {
    const chain = [k];
    while (this.parents[chain.at(-1)].length === 1 && !this.trees[chain.at(-1)].assigned) chain.push(this.parents[chain.at(-1)][0]);
    const isCall = (j) => this.trees[j].type === "call";
    let at = Math.max(chain.findLastIndex(isCall), 0);
    while (at + 1 < chain.length && !["+", "-", "="].includes(this.trees[chain[at + 1]].type)) at += 1;
    return this.trees[chain[at]];
  }
}
