// One motion: its state, its time, and its energy. Nothing is drawn here, and there is no equation: the
// program of panels/simulations/motion.py has them, which a machine of machine.js runs.

import GRASPS from "./grasps.json" with { type: "json" };

// Number of configurations that are sampled for the range of the potential energy.
const LOOKS = 48;

// `size` is {coordinates, states, axes, angles, outputs}: the coordinates that are angles, and
// [start, count] of each kind of outputs, as panels/simulations/outputs.py writes them; `handles` are
// the points that can be taken hold of, `method` is a number. Arrays have the names that
// panels/simulations/motion.py gives them. Of these, `work` is the integral of the power: the rest,
// E − E₀ − ∫ P dt, is drift; strip.js says of what.
export class Simulation {
  constructor({ routines, arrays }, { size, handles }, { x0, p, method, h, t = 0 }) {
    Object.assign(this, { routines, arrays, size, handles, method, start: t });
    this.x0 = Float64Array.from(x0);
    this.x = arrays.states;
    this.previous = arrays.previous;
    arrays.h[0] = h;
    this.x.set(this.x0);
    this.writeParameters(p);
    this.reset();
  }

  get t() {
    return this.arrays.t[0];
  }

  get h() {
    return this.arrays.h[0];
  }

  outputs(x = this.x) {
    this.arrays.at.set(x);
    this.routines.outputs();
    return this.arrays.out;
  }

  // The outputs of one kind, such as "points".
  outputsOf(kind, x = this.x) {
    const [start, count] = this.size.outputs[kind] ?? [0, 0];
    return this.outputs(x).subarray(start, start + count);
  }

  energy() {
    return this.outputsOf("energies").reduce((sum, energy) => sum + energy, 0);
  }

  readout(i) {
    return this.outputsOf("readouts")[i];
  }

  // The points of the drawing, [[x, y], ...] or [[x, y, z], ...].
  points(x = this.x) {
    const [entries, { axes }] = [this.outputsOf("points", x), this.size];
    return Array.from({ length: entries.length / axes },
      (_, i) => [...entries.subarray(axes * i, axes * (i + 1))]);
  }

  // Residual of the loops [m], or null if there are none.
  gap() {
    const open = this.outputsOf("constraints");
    return open.length ? Math.hypot(...open) : null;
  }

  // Energy in play [J]: the energy above the lowest potential energy found; if that is nearly zero, the
  // range of the potential energy; without a potential energy, the energy itself.
  energyInPlay() {
    const { coordinates, angles = [], outputs } = this.size;
    const energy = this.energy();
    if (!("potential" in outputs)) return Math.abs(energy) || 1;
    let [low, high] = [Infinity, -Infinity];
    const place = this.x.slice();
    for (let k = 0; k < LOOKS; k++) {
      angles.forEach((i) => (place[i] = 2 * Math.PI * ((k * 0.6180339887 ** (i + 1)) % 1)));
      const [potential] = this.outputsOf("potential", place);
      if (!Number.isFinite(potential)) continue;
      [low, high] = [Math.min(low, potential), Math.max(high, potential)];
      if (!angles.length || !coordinates) break;
    }
    const [above, span] = [energy - low, high - low];
    const inPlay = above > span / 100 ? above : span;
    return inPlay > 0 ? inPlay : 1;
  }

  // Time derivatives of the present state; on a curved space, those in its tangent space.
  rates() {
    this.routines.rates();
    return this.arrays.dx;
  }

  hasRates() {
    return this.rates().every(Number.isFinite);
  }

  // Whether the model can fall: it then has an output that is positive while it stands.
  get mayFall() {
    return "upright" in this.size.outputs;
  }

  isDown() {
    return this.mayFall && this.outputsOf("upright")[0] <= 0;
  }

  // Restart the method and the energy balance after any change from outside.
  restart() {
    this.arrays.carries[0] = 0;
    this.arrays.work[0] = 0;
    this.previous.set(this.x);
    this.reference = this.energy();
    this.swing = this.energyInPlay();
    this.failed = !this.x.every(Number.isFinite);
  }

  reset() {
    this.arrays.t[0] = this.start;
    this.x.set(this.x0);
    this.restart();
  }

  setState(x) {
    this.x.set(x);
    this.restart();
  }

  writeParameters(p) {
    this.arrays.p.set(p);
    this.routines.prepare();
  }

  setParameters(p) {
    this.writeParameters(p);
    this.routines.close?.();
    this.restart();
  }

  setMethod(method) {
    this.method = method;
    this.restart();
  }

  setStepSize(h) {
    this.arrays.h[0] = h;
    this.restart();
  }

  // Take steps, and return their number. The motion stops before a state that is not finite.
  step(count = 1) {
    if (this.failed) return 0;
    const taken = this.routines.run(this.method, count);
    this.failed = taken < count;
    return taken;
  }

  // Drift [J], and as part of the energy in play since the restart.
  drift() {
    const joules = this.energy() - this.reference - this.arrays.work[0];
    return [joules, joules / this.swing];
  }

  grasp(what, point, hand) {
    this.arrays.hand.set(hand);
    this.routines.grasp(this.handles.indexOf(point), what);
    this.restart();
  }

  // Move a point as near to `position` [m] as the mechanism allows, at rest.
  hold(point, position) {
    this.grasp(GRASPS.hold, point, position);
  }

  // Release a point that moves at `velocity` [m/s].
  throw(point, velocity) {
    this.grasp(GRASPS.throw, point, velocity);
  }

  // Give a point an impulse [N s].
  push(point, impulse) {
    this.grasp(GRASPS.push, point, impulse);
  }
}
