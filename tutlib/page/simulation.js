// One motion: its state, its clock, and the books of its energy. No drawing here, and no equation:
// they are in the program that tutlib/page/motion.py makes, which a machine of machine.js runs.

// What a hand does: see tutlib/page/handles.py.
const [HOLD, THROW, PUSH] = [0, 1, 2];

// `size` is {coordinates, states, points, energies, axes}, `handles` the points that can be taken
// hold of, `method` a number. The last entry of x, behind the states, adds up the power: what is
// left of E − E₀ − ∫ P dt is drift, the energy that only the method has made or lost.
export class Simulation {
  constructor({ routines, arrays }, { size, handles }, { x0, p, method, h, t = 0 }) {
    Object.assign(this, { routines, arrays, size, handles, method, start: t });
    this.x0 = Float64Array.from(x0);
    this.x = arrays.x;
    this.previous = arrays.before;
    arrays.clock[1] = h;
    this.x.set(this.x0);
    this.writeParameters(p);
    this.reset();
  }

  get t() {
    return this.arrays.clock[0];
  }

  get h() {
    return this.arrays.clock[1];
  }

  outputs(x = this.x) {
    this.arrays.at.set(x.subarray(0, this.size.states));
    this.routines.outputs();
    return this.arrays.out;
  }

  energy() {
    const out = this.outputs();
    let energy = 0;
    for (let i = 0; i < this.size.energies; i++) energy += out[i];
    return energy;
  }

  readout(i) {
    const { energies, axes, points } = this.size;
    return this.outputs()[energies + axes * points + i];
  }

  // The points of the drawing, [[x, y], ...] or [[x, y, z], ...].
  points(x = this.x) {
    const [out, { energies, axes, points }] = [this.outputs(x), this.size];
    return Array.from({ length: points }, (_, i) => {
      const first = energies + axes * i;
      return [...out.subarray(first, first + axes)];
    });
  }

  // Whether the rates are numbers where it stands.
  hasRates() {
    this.routines.rates();
    return this.arrays.dx.every(Number.isFinite);
  }

  // After any change from outside: begin the method and the books of energy anew.
  restart() {
    this.arrays.begun[0] = 0;
    this.x[this.size.states] = 0;
    this.previous.set(this.x);
    this.reference = this.energy();
    this.largest = Math.abs(this.reference);
    this.failed = !this.x.every(Number.isFinite);
  }

  reset() {
    this.arrays.clock[0] = this.start;
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
    this.arrays.clock[1] = h;
    this.restart();
  }

  // Take steps; return how many. A state that is no longer finite is not taken: the motion stops
  // before it.
  step(count = 1) {
    if (this.failed) return 0;
    const taken = this.routines.run(this.method, count);
    this.failed = taken < count;
    this.largest = Math.max(this.largest, Math.abs(this.energy()));
    return taken;
  }

  // [joules, relative to the largest energy so far]
  drift() {
    const joules = this.energy() - this.reference - this.x[this.size.states];
    return [joules, joules / Math.max(this.largest, 1e-300)];
  }

  grasp(what, point, hand) {
    this.arrays.hand.set(hand);
    this.routines.grasp(this.handles.indexOf(point), what);
    this.restart();
  }

  // Bring a point as near to `place` [m] as the mechanism lets it, at rest.
  hold(point, place) {
    this.grasp(HOLD, point, place);
  }

  // Let go of a point that moves at `velocity` [m/s].
  throw(point, velocity) {
    this.grasp(THROW, point, velocity);
  }

  // Give a point an impulse [N s].
  push(point, impulse) {
    this.grasp(PUSH, point, impulse);
  }
}
