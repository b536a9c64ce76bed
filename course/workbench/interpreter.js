// Evaluation of nodes at numbers: a list of instructions over one array of floats.
import { FUNCTIONS } from "./expressions.js";

const NAMES = Object.keys(FUNCTIONS);
const BODIES = Object.values(FUNCTIONS);
const [SIN, COS] = [NAMES.indexOf("sin"), NAMES.indexOf("cos")];
const CODES = { "+": 0, "-": 1, "*": 2, "/": 3, negative: 4, "^": 5, call: 6 };

// `names` are the inputs. What depends only on the names in `fixed` is computed by prepare(), and
// the rest by run(). Inputs are the first entries of `floats`; those of the roots are in `out`.
export class Interpreter {
  constructor(table, roots, names, fixed = []) {
    const order = table.needed(roots);
    const index = new Map();
    const still = new Set(); // nodes that prepare() computes
    const numbers = [];
    const [prepared, running] = [[], []];
    let next = names.length;
    for (const x of order) {
      const { [x]: kind } = table.kind;
      if (kind === "symbol") {
        const input = names.indexOf(table.name[x]);
        if (input < 0) throw new Error(`there is no value for ${table.name[x]}`);
        index.set(x, input);
        if (fixed.includes(table.name[x])) still.add(x);
        continue;
      }
      index.set(x, next);
      if (kind === "number") {
        numbers.push([next, table.value[x]]);
        still.add(x);
      } else {
        const parts = table.operands(x);
        const isStill = parts.every((part) => still.has(part));
        if (isStill) still.add(x);
        const last = kind === "call" ? NAMES.indexOf(table.name[x]) : index.get(parts[1]) ?? 0;
        (isStill ? prepared : running).push(CODES[kind], next, index.get(parts[0]), last);
      }
      next += 1;
    }
    this.floats = new Float64Array(next);
    for (const [at, value] of numbers) this.floats[at] = value;
    this.out = Int32Array.from(roots, (x) => index.get(x));
    [this.prepared, this.running] = [Int32Array.from(prepared), Int32Array.from(running)];
    this.names = names;
  }

  execute(code) {
    const w = this.floats;
    for (let k = 0; k < code.length; k += 4) {
      const a = w[code[k + 2]], last = code[k + 3];
      let value;
      switch (code[k]) {
        case 0: value = a + w[last]; break;
        case 1: value = a - w[last]; break;
        case 2: value = a * w[last]; break;
        case 3: value = a / w[last]; break;
        case 4: value = -a; break;
        case 5: value = a ** w[last]; break;
        default: value = last === SIN ? BODIES[SIN](a) : last === COS ? BODIES[COS](a) : BODIES[last](a);
      }
      w[code[k + 1]] = value;
    }
  }

  prepare() {
    this.execute(this.prepared);
  }

  run() {
    this.execute(this.running);
  }

  // The values of the roots at a point {name: number}.
  at(point) {
    this.names.forEach((name, i) => (this.floats[i] = point[name] ?? NaN));
    this.prepare();
    this.run();
    return Array.from(this.out, (i) => this.floats[i]);
  }
}
