// The integrators, the linear solver and the simulation of the page, by Node's own test runner.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  Simulation, rungeKutta, semiImplicitEuler, solveGeneral, solveSymmetric, velocityVerlet, verlet,
} from "../../tutlib/page/numerics.js";

const tableaus = {
  Euler: { order: 1, c: [0], A: [[0]], b: [1] },
  midpoint: { order: 2, c: [0, 1 / 2], A: [[0, 0], [1 / 2, 0]], b: [0, 1] },
  Heun: { order: 2, c: [0, 1], A: [[0, 0], [1, 0]], b: [1 / 2, 1 / 2] },
  Kutta: { order: 3, c: [0, 1 / 2, 1], A: [[0, 0, 0], [1 / 2, 0, 0], [-1, 2, 0]], b: [1 / 6, 2 / 3, 1 / 6] },
  RK4: {
    order: 4, c: [0, 1 / 2, 1 / 2, 1],
    A: [[0, 0, 0, 0], [1 / 2, 0, 0, 0], [0, 1 / 2, 0, 0], [0, 0, 1, 0]],
    b: [1 / 6, 1 / 3, 1 / 3, 1 / 6],
  },
};

// A swing on a spring, x'' = −x: the exact motion is known.
function oscillator(t, x, dx) {
  dx[0] = x[1];
  dx[1] = -x[0];
}

function errorAt(make, h, duration = 2) {
  const x = Float64Array.of(1, 0);
  const step = make(2, 1);
  const steps = Math.round(duration / h);
  for (let i = 0; i < steps; i++) step(oscillator, i * h, x, h);
  return Math.hypot(x[0] - Math.cos(duration), x[1] + Math.sin(duration));
}

const order = (make) => Math.log2(errorAt(make, 1 / 128) / errorAt(make, 1 / 256));

for (const [name, tableau] of Object.entries(tableaus)) {
  test(`${name} converges with order ${tableau.order}`, () => {
    assert.ok(Math.abs(order(rungeKutta(tableau)) - tableau.order) < 0.05);
  });
}

for (const [name, make, expected] of [
  ["semi-implicit Euler", semiImplicitEuler, 1],
  ["velocity Verlet", velocityVerlet, 2],
  ["Verlet", verlet, 2],
]) {
  test(`${name} converges with order ${expected}`, () => {
    assert.ok(Math.abs(order(make) - expected) < 0.05);
  });
  test(`${name} keeps the energy bounded for a thousand periods`, () => {
    const x = Float64Array.of(1, 0);
    const step = make(2, 1);
    let worst = 0;
    for (let i = 0; i < 62832; i++) {
      step(oscillator, 0, x, 0.1);
      worst = Math.max(worst, Math.abs(x[0] ** 2 + x[1] ** 2 - 1));
    }
    assert.ok(worst < 0.12, `${worst}`);
  });
}

test("a tableau uses its nodes where the right-hand side depends on time", () => {
  const x = Float64Array.of(0);
  rungeKutta(tableaus.RK4)(1)((t, _, dx) => (dx[0] = t ** 3), 0, x, 2);
  assert.ok(Math.abs(x[0] - 4) < 1e-14);
});

function random(seed) {
  let state = seed;
  return () => ((state = (state * 16807) % 2147483647) / 2147483647) - 0.5;
}

for (const n of [1, 2, 3, 8]) {
  test(`both solvers solve ${n} equations`, () => {
    const next = random(n + 1);
    const B = Array.from({ length: n * n }, next);
    const symmetric = Float64Array.from({ length: n * n }, (_, k) => {
      const [i, j] = [Math.floor(k / n), k % n];
      let sum = i === j ? 1 : 0;
      for (let r = 0; r < n; r++) sum += B[i * n + r] * B[j * n + r];
      return sum;
    });
    const u = Array.from({ length: n }, next);
    const times = (M) => Float64Array.from({ length: n }, (_, i) =>
      u.reduce((sum, value, j) => sum + M[i * n + j] * value, 0));
    for (const [solve, M] of [
      [solveSymmetric, symmetric],
      [solveGeneral, symmetric],
      [solveGeneral, Float64Array.from(B)],
    ]) {
      const F = times(M);
      solve(Float64Array.from(M), F);
      F.forEach((value, i) => assert.ok(Math.abs(value - u[i]) < 1e-12));
    }
  });
}

test("a singular matrix gives NaN, not a wrong answer", () => {
  for (const solve of [solveSymmetric, solveGeneral]) {
    const F = Float64Array.of(1, 2);
    solve(Float64Array.of(1, 2, 2, 4), F);
    assert.ok(F.every(Number.isNaN));
  }
});

test("general elimination exchanges rows", () => {
  const F = Float64Array.of(3, 5);
  solveGeneral(Float64Array.of(0, 1, 1, 0), F);
  assert.deepEqual([...F], [5, 3]);
});

// A bob on a rod of length p[0], with g = 9.81, written by hand: x = [θ, θ'].
const pendulum = {
  equations(t, x, p, M, F, dx) {
    M[0] = p[0] ** 2;
    F[0] = -9.81 * p[0] * Math.sin(x[0]);
    dx[0] = x[1];
  },
  outputs(t, x, p, out) {
    out[0] = (p[0] * x[1]) ** 2 / 2;
    out[1] = 9.81 * p[0] * (1 - Math.cos(x[0]));
    [out[2], out[3]] = [0, 0];
    [out[4], out[5]] = [p[0] * Math.sin(x[0]), -p[0] * Math.cos(x[0])];
  },
  energyRate: (t, x, p, dx) => dx[0] * 9.81 * p[0] * Math.sin(x[0]) + dx[1] * p[0] ** 2 * x[1],
};
const size = { coordinates: 1, speeds: 1, states: 2, points: 2, symmetric: true };
const swing = (changes = {}) => new Simulation(pendulum, size, {
  x0: [2, 0], p: [1], h: 0.01, method: { name: "rk4", tableau: tableaus.RK4 }, ...changes,
});

test("a simulation steps, resets and keeps its books", () => {
  const simulation = swing();
  for (let i = 0; i < 1000; i++) assert.ok(simulation.step());
  assert.ok(Math.abs(simulation.t - 10) < 1e-9);
  assert.ok(Math.abs(simulation.drift()[1]) < 1e-6);
  simulation.reset();
  assert.deepEqual([...simulation.x], [2, 0, 0]);
  assert.equal(simulation.t, 0);
});

test("Euler's drift is seen", () => {
  const simulation = swing({ method: { name: "euler", tableau: tableaus.Euler } });
  for (let i = 0; i < 500; i++) simulation.step();
  assert.ok(simulation.drift()[0] > 1);
});

test("a motion that blows up stops at its last finite state", () => {
  const simulation = swing({ x0: [2, 1e155] });
  while (simulation.step()) assert.ok(simulation.steps < 1e4);
  assert.ok(simulation.failed);
  assert.ok(simulation.x.every(Number.isFinite));
  assert.equal(simulation.step(), false);
});

test("a negative mass or a singular matrix fails in words, not in silence", () => {
  assert.equal(swing({ p: [0] }).step(), false);
  assert.equal(swing({ p: [NaN] }).step(), false);
});

test("a bob is held where it can be, and thrown as it can fly", () => {
  const simulation = swing();
  simulation.hold(1, [3, 0]);
  assert.ok(Math.abs(simulation.x[0] - Math.PI / 2) < 1e-6);
  assert.equal(simulation.x[1], 0);
  simulation.throw(1, [0, 2]);
  assert.ok(Math.abs(simulation.x[1] - 2) < 0.01);
  assert.equal(simulation.drift()[0], 0);
});

test("a push is an impulse: l θ' changes by impulse / mass along the way", () => {
  const simulation = swing({ x0: [0, 0], p: [2] });
  simulation.push(1, [3, 0]);
  assert.ok(Math.abs(2 * simulation.x[1] - 3) < 1e-6);
});

// The same bob in x and y, held on the circle by a multiplier: x = [x, y, x', y', ∫λ].
const onCircle = {
  equations(t, x, p, M, F, dx) {
    M.set([1, 0, -x[0], 0, 1, -x[1], -x[0], -x[1], 0]);
    F.set([0, -9.81, x[2] ** 2 + x[3] ** 2]);
    dx[0] = x[2];
    dx[1] = x[3];
  },
  outputs(t, x, p, out) {
    out.set([(x[2] ** 2 + x[3] ** 2) / 2, 9.81 * x[1], 0, 0, x[0], x[1]]);
  },
  energyRate: (t, x, p, dx) => x[2] * dx[2] + x[3] * dx[3] + 9.81 * dx[1],
  constraints(t, x, p, out) {
    out.set([(x[0] ** 2 + x[1] ** 2 - p[0] ** 2) / 2, x[0], x[1]]);
  },
};
const circle = (x0) => new Simulation(
  onCircle,
  { coordinates: 2, speeds: 3, states: 5, points: 2, constraints: 1, symmetric: false },
  { x0, p: [1], h: 0.01, method: { name: "rk4", tableau: tableaus.RK4 } },
);

test("a constrained bob moves as the bob on a rod does, and stays on its circle", () => {
  const [one, other] = [circle([Math.sin(2), -Math.cos(2), 0, 0, 0]), swing()];
  for (let i = 0; i < 300; i++) {
    one.step();
    other.step();
    assert.ok(Math.abs(Math.hypot(one.x[0], one.x[1]) - 1) < 1e-12);
  }
  assert.ok(Math.abs(one.x[0] - Math.sin(other.x[0])) < 1e-5);
});

test("a constrained bob is held, thrown and pushed along its circle only", () => {
  const bob = circle([0, -1, 0, 0, 0]);
  bob.hold(1, [3, 0]);
  assert.ok(Math.hypot(bob.x[0] - 1, bob.x[1]) < 1e-6);
  bob.throw(1, [5, 2]);
  assert.ok(Math.abs(bob.x[2]) < 1e-6 && Math.abs(bob.x[3] - 2) < 0.01);
  const still = circle([0, -1, 0, 0, 0]);
  still.push(1, [3, 4]);
  assert.ok(Math.abs(still.x[2] - 3) < 1e-6 && Math.abs(still.x[3]) < 1e-9);
});
