// The routines of a motion for panels/simulations/simulation.js: steps, outputs, and handles, of a
// mechanism that was typed in the page. They are those of panels/simulations/motion.py and
// handles.py, with an interpreter in place of a compiled program.
import GRASPS from "../../panels/simulations/grasps.json" with { type: "json" };
import { Interpreter } from "./interpreter.js";
import { lagrange, timeDerivative } from "./lagrange.js";
import { dot, solve } from "./linear.js";

const LARGEST = 1e12; // of a state; a motion that exceeds it stops
const [MOVES, STILL, SHORT] = [60, 1e-9, 0.25]; // as in handles.py
const CLOSINGS = 5;

// Methods that treat coordinates and speeds differently, as in tutlib/methods/partitioned.py; the
// others are tableaus {A, b, c}. Both take one step of f(t, x) -> [...rates, power].
const PARTITIONED = {
  semi_implicit_euler(f, t, x, h, n) {
    const next = [...x];
    const rates = f(t, x);
    for (let i = n; i < x.length; i++) next[i] += h * rates[i];
    for (let i = 0; i < n; i++) next[i] += h * next[n + i];
    return next;
  },
  velocity_verlet(f, t, x, h, n) {
    const next = [...x];
    const before = f(t, x);
    for (let i = 0; i < n; i++) next[i] += h * (x[n + i] + h / 2 * before[n + i]);
    const after = f(t + h, next);
    for (let i = n; i < x.length; i++) next[i] += h / 2 * (before[i] + after[i]);
    return next;
  },
};

function rungeKutta({ A, b, c }, f, t, x, h) {
  const slopes = [];
  const moved = (weights) => x.map((value, i) => value + h * weights.reduce((sum, weight, k) => (weight ? sum + weight * slopes[k][i] : sum), 0));
  c.forEach((time, k) => slopes.push(f(t + time * h, moved(A[k].slice(0, k)))));
  return moved(b);
}

// The denominators that depend on these symbols.
function denominatorsOf(table, roots, symbols) {
  const changing = new Set(symbols);
  const needed = table.needed(roots);
  for (const x of needed) if (table.operands(x).some((part) => changing.has(part))) changing.add(x);
  return [...new Set(needed.filter((x) => table.kind[x] === "/" && changing.has(table.second[x])).map((x) => table.second[x]))];
}

// Return {routines, arrays, layout} for a mechanism; `methods` is a list of tableaus {A, b, c} and
// names of partitioned methods, `drawn` the points to draw, [x, y] as nodes. With `theirs`, a
// function of a point {name: number}, the motion has those accelerations; its energy is still ours.
export function machineOf(mechanism, methods, drawn, theirs = null) {
  const { table, coordinates, parameters, q, v, T, V, constraint } = mechanism;
  const n = coordinates.length;
  const equations = lagrange(table, mechanism);
  const names = ["t", ...coordinates, ...coordinates.map((name) => `${name}'`), ...parameters.keys()];
  const fixed = [...parameters.keys()];
  const make = (roots) => new Interpreter(table, roots, names, fixed);
  const power = timeDerivative(table, mechanism, equations.a)(table.add(T, V));
  const points = drawn.flat();
  const gap = constraint === null ? [] : [constraint];
  const programs = {
    rates: make([...equations.a, power, ...denominatorsOf(table, equations.a, [...q, ...v, mechanism.t])]),
    outputs: make([T, V, ...points, ...gap]),
    slopes: make(drawn.flatMap((point) => point.flatMap((entry) => q.map((symbol) => table.partial(symbol)(entry))))),
    masses: make(equations.M.flat()),
    gradient: make(constraint === null ? [] : [constraint, equations.rate, ...equations.gradient]),
  };
  const arrays = Object.fromEntries(Object.entries({
    states: 2 * n, previous: 2 * n, at: 2 * n, out: 2 + points.length + gap.length, dx: 2 * n + 1, carried: n, carries: 1,
    h: 1, t: 1, work: 1, hand: 2, p: parameters.size,
  }).map(([name, length]) => [name, new Float64Array(length)]));

  const valuesOf = (program, t, x) => {
    program.floats[0] = t;
    program.floats.set(x.length > 2 * n ? x.slice(0, 2 * n) : x, 1);
    program.run();
    return Array.from(program.out, (i) => program.floats[i]);
  };
  let before = null; // signs of the last step
  let signs = null; // of the denominators at the first state of a step
  const ours = (t, x) => {
    const values = valuesOf(programs.rates, t, x);
    signs ??= values.slice(n + 1).map(Math.sign).join();
    return [...x.slice(n, 2 * n), ...values.slice(0, n + 1)];
  };
  const point = (t, x) => ({ t, ...Object.fromEntries(names.slice(1, 1 + 2 * n).map((name, i) => [name, x[i]])), ...Object.fromEntries(fixed.map((name, i) => [name, arrays.p[i]])) });
  const f = theirs === null ? ours : (t, x) => [...x.slice(n, 2 * n), ...theirs(point(t, x)), ours(t, x)[2 * n]];

  // On the constraint: q − Φᵀ(ΦΦᵀ)⁻¹φ, then the speeds without their component across it.
  function corrected(t, x, stillFree = false) {
    if (constraint === null) return x;
    const [open, , ...across] = valuesOf(programs.gradient, t, x);
    const next = [...x];
    across.forEach((slope, i) => (next[i] -= slope * open / dot(across, across)));
    const [, rate, ...there] = valuesOf(programs.gradient, t, next);
    if (!stillFree) there.forEach((slope, i) => (next[n + i] -= slope * rate / dot(there, there)));
    return next;
  }

  // Take steps until a state is not finite, or has crossed a division by zero.
  function run(method, count) {
    for (let k = 0; k < count; k++) {
      const [[t], [h]] = [arrays.t, arrays.h];
      const x = [...arrays.states, arrays.work[0]];
      const chosen = methods[method];
      signs = null;
      const next = corrected(t + h, typeof chosen === "string" ? PARTITIONED[chosen](f, t, x, h, n) : rungeKutta(chosen, f, t, x, h));
      if (before !== null && signs !== before) { // the last step has crossed it
        arrays.states.set(arrays.previous);
        arrays.t[0] = t - h;
        return k;
      }
      if (!next.every((entry) => Math.abs(entry) < LARGEST)) return k;
      before = signs;
      arrays.previous.set(arrays.states);
      arrays.states.set(next.slice(0, 2 * n));
      [arrays.work[0], arrays.t[0]] = [next[2 * n], t + h];
    }
    return count;
  }

  // ∂x/∂q and ∂y/∂q of a point, along the constraint.
  function rowsOf(point, t, x) {
    const all = valuesOf(programs.slopes, t, x);
    const rows = [0, 1].map((axis) => all.slice((2 * point + axis) * n, (2 * point + axis + 1) * n));
    if (constraint === null) return rows;
    const across = valuesOf(programs.gradient, t, x).slice(2);
    return rows.map((row) => row.map((entry, i) => entry - across[i] * dot(across, row) / dot(across, across)));
  }

  // The smallest change of q that moves a point: Jᵀ (J Jᵀ + ε 1)⁻¹ move.
  function smallest([a, b], [dx, dy]) {
    const damping = 1e-3 * (dot(a, a) + dot(b, b)) + 1e-12;
    const [aa, ab, bb] = [dot(a, a) + damping, dot(a, b), dot(b, b) + damping];
    const determinant = aa * bb - ab * ab;
    return a.map((entry, i) => entry * (bb * dx - ab * dy) / determinant + b[i] * (aa * dy - ab * dx) / determinant);
  }

  function grasp(point, what) {
    const [[t], hand] = [arrays.t, [...arrays.hand]];
    let x = [...arrays.states];
    const speeds = (values) => arrays.states.set(values, n);
    if (what === GRASPS.push) {
      const [a, b] = rowsOf(point, t, x);
      const flat = valuesOf(programs.masses, t, x);
      const M = coordinates.map((_, i) => flat.slice(i * n, (i + 1) * n));
      const change = solve(M, a.map((entry, i) => entry * hand[0] + b[i] * hand[1]));
      return speeds(x.slice(n).map((speed, i) => speed + change[i]));
    }
    if (what === GRASPS.throw) return speeds(smallest(rowsOf(point, t, x), hand));
    for (let k = 0; k < MOVES; k++) {
      const rows = rowsOf(point, t, x);
      const here = valuesOf(programs.outputs, t, x).slice(2 + 2 * point, 4 + 2 * point);
      const away = hand.map((entry, i) => entry - here[i]);
      const reach = SHORT * Math.sqrt(dot(rows[0], rows[0]) + dot(rows[1], rows[1]));
      const part = Math.min(1, reach / Math.hypot(...away) || 1);
      const move = smallest(rows, away.map((entry) => part * entry));
      x = corrected(t, x.map((entry, i) => (i < n ? entry + move[i] : entry)), true);
      if (move.every((entry) => Math.abs(entry) < STILL)) break;
    }
    before = null;
    arrays.states.set([...x.slice(0, n), ...v.map(() => 0)]);
    return undefined;
  }

  const routines = {
    run,
    grasp,
    prepare() {
      before = null;
      for (const program of Object.values(programs)) {
        program.floats.set(arrays.p, 1 + 2 * n);
        program.prepare();
      }
    },
    outputs: () => arrays.out.set(valuesOf(programs.outputs, arrays.t[0], [...arrays.at])),
    rates: () => arrays.dx.set(f(arrays.t[0], [...arrays.states])),
    close() {
      for (let k = 0; k < CLOSINGS; k++) arrays.states.set(corrected(arrays.t[0], [...arrays.states]));
    },
  };
  const layout = { energies: [0, 2], potential: [1, 1], points: [2, points.length], ...(gap.length && { constraints: [2 + points.length, 1] }) };
  return { routines, arrays, layout };
}
