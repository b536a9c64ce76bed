// Values of a mechanism's own equations at random states, with which other formulas are compared.
import { Interpreter } from "./interpreter.js";
import { lagrange } from "./lagrange.js";

const STATES = 6;
const TRIES = 400;

// Random numbers between 0 and 1, the same for everyone (mulberry32).
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Values of nodes at points: one array for each node.
export function valuesAt(table, nodes, names, points) {
  const interpreter = new Interpreter(table, nodes, names);
  const values = points.map((point) => interpreter.at(point));
  return nodes.map((_, i) => Float64Array.from(values, (list) => list[i]));
}

export class Reference {
  // `fixed` are names of parameters that keep their values at all states.
  constructor(mechanism, fixed = []) {
    const { table, coordinates, parameters } = mechanism;
    Object.assign(this, { mechanism, fixed, table, coordinates, parameters: [...parameters.keys()], n: coordinates.length });
    this.equations = lagrange(table, mechanism);
    this.accelerationNames = coordinates.map((name) => `${name}''`);
    this.names = ["t", ...coordinates, ...coordinates.map((name) => `${name}'`), ...this.parameters];
    this.allNames = [...this.names, ...this.accelerationNames];
    this.sample();
  }

  // Choose states at which everything is finite. The parameters vary as well, so that no two
  // different terms agree by accident.
  sample() {
    const { mechanism: { T, V, forces }, equations: { a, M, F }, n } = this;
    const roots = [...a, ...M.flat(), ...F, T, V, ...forces];
    const interpreter = new Interpreter(this.table, roots, this.names);
    const next = random(7);
    [this.states, this.values] = [[], []];
    for (let k = 0; k < TRIES && this.states.length < STATES; k++) {
      const state = this.stateNear(next, k);
      const all = interpreter.at(state);
      if (!all.every(Number.isFinite)) continue;
      const rows = Array.from({ length: n }, (_, i) => all.slice(n + i * n, n + (i + 1) * n));
      const after = n + n * n;
      this.states.push(state);
      this.values.push({ a: all.slice(0, n), M: rows, F: all.slice(after, after + n), T: all[after + n], V: all[after + n + 1], Q: all.slice(after + n + 2) });
    }
  }

  stateNear(next, k) {
    const state = { t: 2 * next() };
    for (const name of this.coordinates) state[name] = (0.25 + 1.2 * next()) * (k % 3 === 2 ? -1 : 1);
    for (const name of this.coordinates) state[`${name}'`] = (next() < 0.5 ? -1 : 1) * (0.3 + 1.2 * next());
    for (const [name, value] of this.mechanism.parameters) state[name] = this.fixed.includes(name) ? value : (value || 1) * (0.7 + 0.7 * next());
    return state;
  }

  // The states with accelerations: those of `lists`, one for each state.
  withAccelerations(lists) {
    return this.states.map((state, s) => ({ ...state, ...Object.fromEntries(this.accelerationNames.map((name, i) => [name, lists[s][i]])) }));
  }

  // Lagrange's equations with free accelerations, M q̈ − F, as nodes.
  get residuals() {
    const { table, equations: { M, F }, accelerationNames } = this;
    this.residualNodes ??= F.map((force, i) => M[i].reduce(
      (sum, entry, j) => table.add(sum, table.multiply(entry, table.symbol(accelerationNames[j]))), table.negative(force)));
    return this.residualNodes;
  }
}

export const largest = (list) => list.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

// Whether two numbers agree, relative to the larger of them and to the size of what they belong to.
export const agree = (x, wanted, size) => Math.abs(x - wanted) <= 1e-8 * (Math.abs(wanted) + 1e-3 * size);
