// What a live simulation computes: M u' = F solved, and time stepped. No drawing here.
//
// A model is printed by tutlib/page/live.py from the symbolic equations of a chapter:
//   equations(t, x, p, M, F, dx)  fills M (row by row), F, and the rates of q and of what follows u
//   outputs(t, x, p, out)         fills kinetic energy, potential energy, points, readouts
//   energyRate(t, x, p, dx)       returns dE/dt along dx
//   constraints(t, x, p, out)     fills φ, which is zero where loops are closed, and then ∂φ/∂q
// with x = [q..., u..., auxiliary...]. Each function has its twin in Python, and tests hold the two
// together.

// M = L D Lᵀ, in place; F becomes u', or NaN where M is singular.
export function solveSymmetric(M, F) {
  const n = F.length;
  for (let j = 0; j < n; j++) {
    const diagonal = M[j * n + j];
    let pivot = diagonal;
    for (let k = 0; k < j; k++) pivot -= M[j * n + k] * M[j * n + k] * M[k * n + k];
    if (!(Math.abs(pivot) > 1e-14 * Math.abs(diagonal))) return void F.fill(NaN);
    M[j * n + j] = pivot;
    for (let i = j + 1; i < n; i++) {
      let entry = M[i * n + j];
      for (let k = 0; k < j; k++) entry -= M[i * n + k] * M[j * n + k] * M[k * n + k];
      M[i * n + j] = entry / pivot;
    }
  }
  for (let i = 0; i < n; i++) for (let k = 0; k < i; k++) F[i] -= M[i * n + k] * F[k];
  for (let i = n - 1; i >= 0; i--) {
    F[i] /= M[i * n + i];
    for (let k = i + 1; k < n; k++) F[i] -= M[k * n + i] * F[k];
  }
}

// Gaussian elimination with partial pivoting, in place, for any other M.
export function solveGeneral(M, F) {
  const n = F.length;
  const largest = M.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
  for (let j = 0; j < n; j++) {
    let row = j;
    for (let i = j + 1; i < n; i++) if (Math.abs(M[i * n + j]) > Math.abs(M[row * n + j])) row = i;
    if (!(Math.abs(M[row * n + j]) > 1e-15 * largest)) return void F.fill(NaN);
    for (let k = j; k < n; k++) {
      [M[j * n + k], M[row * n + k]] = [M[row * n + k], M[j * n + k]];
    }
    [F[j], F[row]] = [F[row], F[j]];
    for (let i = j + 1; i < n; i++) {
      const factor = M[i * n + j] / M[j * n + j];
      for (let k = j; k < n; k++) M[i * n + k] -= factor * M[j * n + k];
      F[i] -= factor * F[j];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) F[i] -= M[i * n + k] * F[k];
    F[i] /= M[i * n + i];
  }
}

// A method is made by a function of (k, n): k states, the first n of them coordinates. What it
// returns advances x in place, step(f, t, x, h), where f(t, x, dx) writes the rates into dx.

// One explicit Runge-Kutta step for every tableau {c, A, b}.
export function rungeKutta({ c, A, b }) {
  return (k) => {
    const K = b.map(() => new Float64Array(k));
    const stage = new Float64Array(k);
    return (f, t, x, h) => {
      b.forEach((_, i) => {
        stage.set(x);
        for (let j = 0; j < i; j++) {
          const weight = h * A[i][j];
          if (weight !== 0) for (let r = 0; r < k; r++) stage[r] += weight * K[j][r];
        }
        f(t + c[i] * h, stage, K[i]);
      });
      for (let r = 0; r < k; r++) {
        let slope = 0;
        for (let i = 0; i < b.length; i++) slope += b[i] * K[i][r];
        x[r] += h * slope;
      }
    };
  };
}

// Speeds first, then coordinates with the new speeds.
export function semiImplicitEuler(k, n) {
  const dx = new Float64Array(k);
  return (f, t, x, h) => {
    f(t, x, dx);
    for (let r = n; r < k; r++) x[r] += h * dx[r];
    for (let r = 0; r < n; r++) x[r] += h * x[n + r];
  };
}

// The new acceleration is taken at the new coordinates and the old speeds.
export function velocityVerlet(k, n) {
  const [before, after] = [new Float64Array(k), new Float64Array(k)];
  return (f, t, x, h) => {
    f(t, x, before);
    for (let r = 0; r < n; r++) x[r] += h * (x[n + r] + (h / 2) * before[n + r]);
    f(t + h, x, after);
    for (let r = n; r < k; r++) x[r] += (h / 2) * (before[r] + after[r]);
  };
}

// q₊ = 2q − q₋ + h² a, started by Taylor's formula. It remembers where it was: whoever changes x or
// h from outside makes a new one. The speed it reports is the central difference.
export function verlet(k, n) {
  const [seen, dx] = [new Float64Array(k), new Float64Array(k)];
  let [before, next] = [null, null];
  return (f, t, x, h) => {
    if (next === null) {
      f(t, x, dx);
      next = Array.from({ length: n }, (_, r) => x[r] + h * x[n + r] + (h ** 2 / 2) * dx[n + r]);
    }
    before = Array.from(x.subarray(0, n));
    seen.set(x);
    for (let r = 0; r < n; r++) {
      seen[r] = next[r];
      seen[n + r] = (next[r] - before[r]) / h;
    }
    f(t + h, seen, dx);
    for (let r = 0; r < n; r++) {
      const following = 2 * next[r] - before[r] + h ** 2 * dx[n + r];
      x[r] = next[r];
      x[n + r] = (following - before[r]) / (2 * h);
      next[r] = following;
    }
    for (let r = 2 * n; r < k; r++) x[r] += h * dx[r];
  };
}

const partitioned = {
  semi_implicit_euler: semiImplicitEuler,
  velocity_verlet: velocityVerlet,
  verlet,
};

// Let `advance` change the state x of a simulation; where that does not stay finite, take it back.
export function tryStep(simulation, advance) {
  if (simulation.failed) return false;
  const { x, previous } = simulation;
  previous.set(x);
  advance();
  simulation.failed = !x.every((value) => Math.abs(value) < 1e12);
  if (simulation.failed) x.set(previous);
  else simulation.t += simulation.h;
  return !simulation.failed;
}

// One motion of a model: its state, its clock, and the books of its energy.
//
// `size` is {coordinates, speeds, states, points, symmetric}, `method` {name, tableau or null}. The
// last entry of x, behind the states, adds up dE/dt: what is left of E − E₀ − ∫ dE/dt is drift, the
// energy that only the method has made or lost.
export class Simulation {
  constructor(model, size, { x0, p, method, h, t = 0 }) {
    Object.assign(this, { model, size, h, x0: Float64Array.from(x0), p: Float64Array.from(p) });
    this.M = new Float64Array(size.speeds ** 2);
    this.F = new Float64Array(size.speeds);
    this.out = new Float64Array(2 + 2 * size.points + (size.readouts ?? 0));
    this.loops = new Float64Array((size.constraints ?? 0) * (1 + size.coordinates));
    this.dx = new Float64Array(size.states + 1);
    this.start = t;
    this.rates = (time, x, dx) => this.evaluate(time, x, dx);
    this.setMethod(method);
    this.reset();
  }

  // The rates of x at one time: solve M u' = F, then add the books.
  evaluate(t, x, dx) {
    const { model, size, M, F, p } = this;
    model.equations(t, x, p, M, F, dx);
    (size.symmetric ? solveSymmetric : solveGeneral)(M, F);
    for (let i = 0; i < size.speeds; i++) dx[size.coordinates + i] = F[i];
    dx[size.states] = model.energyRate(t, x, p, dx);
  }

  outputs(x = this.x) {
    this.model.outputs(this.t, x, this.p, this.out);
    return this.out;
  }

  energy() {
    const out = this.outputs();
    return out[0] + out[1];
  }

  readout(i) {
    return this.outputs()[2 + 2 * this.size.points + i];
  }

  // The points of the drawing, [[x, y], ...].
  points(x = this.x) {
    const out = this.outputs(x);
    return Array.from({ length: this.size.points }, (_, i) => [out[2 + 2 * i], out[3 + 2 * i]]);
  }

  setMethod(method) {
    this.method = method;
    const make = method.tableau ? rungeKutta(method.tableau) : partitioned[method.name];
    this.makeStep = () => make(this.size.states + 1, this.size.coordinates);
    this.restart();
  }

  // After any change from outside: begin the method and the books of energy anew.
  restart() {
    this.advance = this.makeStep();
    if (!this.x) return;
    this.x[this.size.states] = 0;
    this.previous = this.x.slice();
    this.reference = this.energy();
    this.largest = 0;
    this.failed = !this.x.every(Number.isFinite);
  }

  reset() {
    this.t = this.start;
    this.steps = 0;
    this.x = new Float64Array(this.size.states + 1);
    this.x.set(this.x0);
    this.restart();
  }

  setState(x) {
    x.forEach((value, i) => (this.x[i] = value));
    this.restart();
  }

  setParameters(p) {
    this.p.set(p);
    for (let i = 0; i < 5; i++) this.close();
    this.restart();
  }

  setStepSize(h) {
    this.h = h;
    this.restart();
  }

  // One step. A state that is no longer finite is not taken: the motion stops before it.
  step() {
    const taken = tryStep(this, () => {
      this.advance(this.rates, this.t, this.x, this.h);
      this.close();
    });
    if (!taken) return false;
    this.steps += 1;
    const energy = this.energy();
    this.largest = Math.max(this.largest, Math.abs(energy));
    return true;
  }

  // [joules, relative to the largest energy so far]
  drift() {
    const joules = this.energy() - this.reference - this.x[this.size.states];
    return [joules, joules / Math.max(this.largest, Math.abs(this.reference), 1e-300)];
  }

  // Subtract from v its part across the constraints, and `add` what closes them:
  // v − Φᵀ (Φ Φᵀ)⁻¹ (Φ v + add φ), with Φ = ∂φ/∂q where x is.
  along(v, add = 0) {
    const { coordinates: n, constraints: m = 0 } = this.size;
    if (!m) return v;
    const { loops } = this;
    this.model.constraints(this.t, this.x, this.p, loops);
    const [squares, force] = [new Float64Array(m * m), new Float64Array(m)];
    const slope = (i, j) => loops[m + i * n + j];
    for (let i = 0; i < m; i++) {
      force[i] = add * loops[i];
      for (let j = 0; j < n; j++) force[i] += slope(i, j) * v[j];
      for (let k = 0; k < m; k++) {
        for (let j = 0; j < n; j++) squares[i * m + k] += slope(i, j) * slope(k, j);
      }
    }
    solveSymmetric(squares, force);
    return v.map((value, j) => force.reduce((rest, f, i) => rest - slope(i, j) * f, value));
  }

  // Bring the coordinates back to where loops are closed by one Newton step, then the speeds.
  close() {
    const { coordinates: n, constraints } = this.size;
    if (!constraints) return;
    this.along(new Float64Array(n), 1).forEach((value, i) => (this.x[i] += value));
    this.x.set(this.along(this.x.slice(n, 2 * n)), n);
  }

  // ∂(position of a point)/∂q by central differences: [[∂x/∂q...], [∂y/∂q...]], along the
  // constraints.
  jacobian(point) {
    const { coordinates } = this.size;
    const x = this.x.slice();
    const J = [new Float64Array(coordinates), new Float64Array(coordinates)];
    for (let i = 0; i < coordinates; i++) {
      const [q, d] = [this.x[i], 1e-6];
      x[i] = q + d;
      const [right, up] = this.points(x)[point];
      x[i] = q - d;
      const [left, down] = this.points(x)[point];
      x[i] = q;
      J[0][i] = (right - left) / (2 * d);
      J[1][i] = (up - down) / (2 * d);
    }
    return J.map((row) => this.along(row));
  }

  // The smallest change of q that moves a point by `move`: Jᵀ (J Jᵀ + ε 1)⁻¹ move.
  smallest(point, [dx, dy]) {
    const [a, b] = this.jacobian(point);
    const dot = (u, v) => u.reduce((sum, value, i) => sum + value * v[i], 0);
    const damping = 1e-3 * (dot(a, a) + dot(b, b)) + 1e-12;
    const [aa, ab, bb] = [dot(a, a) + damping, dot(a, b), dot(b, b) + damping];
    const determinant = aa * bb - ab * ab;
    const [along, across] = [(bb * dx - ab * dy) / determinant, (aa * dy - ab * dx) / determinant];
    return a.map((value, i) => value * along + b[i] * across);
  }

  // Bring a point as near to `target` as the mechanism lets it, at rest.
  hold(point, target) {
    const { coordinates, speeds } = this.size;
    for (let i = 0; i < 60; i++) {
      // By short moves: a target out of reach would otherwise make it swing to and fro.
      const [x, y] = this.points()[point];
      const away = Math.hypot(target[0] - x, target[1] - y);
      const [a, b] = this.jacobian(point);
      const part = Math.min(1, 0.25 * Math.hypot(...a, ...b) / (away || 1));
      const change = this.smallest(point, [part * (target[0] - x), part * (target[1] - y)]);
      change.forEach((value, r) => (this.x[r] += value));
      this.close();
      if (change.every((value) => Math.abs(value) < 1e-9)) break;
    }
    this.x.fill(0, coordinates, coordinates + speeds);
    this.restart();
  }

  // Let go of a point that moves at `velocity` [m/s].
  throw(point, velocity) {
    const speeds = this.smallest(point, velocity);
    speeds.forEach((value, i) => (this.x[this.size.coordinates + i] = value));
    this.restart();
  }

  // An impulse [N s] at a point changes the speeds by M⁻¹ Jᵀ impulse.
  push(point, [px, py]) {
    const [a, b] = this.jacobian(point);
    const { coordinates, speeds, symmetric } = this.size;
    this.model.equations(this.t, this.x, this.p, this.M, this.F, this.dx);
    const change = new Float64Array(speeds);
    a.forEach((value, i) => (change[i] = value * px + b[i] * py));
    (symmetric ? solveSymmetric : solveGeneral)(this.M, change);
    change.forEach((value, i) => (this.x[coordinates + i] += value));
    this.restart();
  }
}
