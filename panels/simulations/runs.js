// Motions of one panel: each has its simulation, its history, and its own changes of the setting. They
// share the clock, the setting, and the pointer.
import { Simulation } from "./simulation.js";
import { Books } from "./strip.js";

// Number of steps between looks at the clock.
const AT_ONCE = 16;

const withChanges = (list, changes = {}) => list.map((value, i) => changes[i] ?? value);

// A motion. `described` may give it its own parameters, states, method, or step size; and with its own
// model, that model's size, and a start unless the states are the same.
export class Run {
  constructor(described, machine, spec, setting) {
    Object.assign(this, described, { spec, owed: 0, trace: [], portrait: [], books: new Books() });
    this.size = described.size ?? spec.size;
    this.simulation = new Simulation(machine, { size: this.size, handles: spec.handles }, {
      x0: this.startOf(setting),
      p: withChanges(setting.p, this.parameters),
      method: this.numberOf(this.method ?? setting.method),
      h: this.h ?? setting.h,
    });
  }

  numberOf(name) {
    return Math.max(this.spec.methods.findIndex((method) => method.name === name), 0);
  }

  startOf(setting) {
    return this.start ?? withChanges(setting.x0, this.state);
  }

  // Apply changes of the setting.
  follow(news, setting) {
    const { simulation } = this;
    if (news.p) simulation.setParameters(withChanges(setting.p, this.parameters));
    if (news.h && !this.h) simulation.setStepSize(setting.h);
    if (news.method && !this.method) simulation.setMethod(this.numberOf(setting.method));
    if (news.x0) simulation.x0 = Float64Array.from(this.startOf(setting));
    if (news.p || news.h || news.method) this.books.begin();
  }

  reset() {
    this.simulation.reset();
    this.forget();
  }

  // Set the state from Python, which knows the states of the panel's model only.
  setState(x) {
    if (this.start) return;
    this.simulation.setState(x);
    this.forget();
  }

  // Everything that a link needs to continue from here: see permalink.js.
  moment() {
    const { simulation, books } = this;
    const { t, x, reference, swing, arrays: { work, carries, carried } } = simulation;
    return {
      time: t,
      state: [...x],
      ...(carries[0] && { begun: [...carried] }),
      books: [reference, swing, work[0], books.worst, books.level ?? 0],
    };
  }

  goOn({ time, state, begun, books }) {
    const { simulation, simulation: { arrays } } = this;
    arrays.t[0] = time;
    simulation.setState(state);
    if (begun) {
      arrays.carries[0] = 1;
      arrays.carried.set(begun);
    }
    this.forget();
    if (!books) return;
    const [reference, swing, work, worst, level] = books;
    Object.assign(simulation, { reference, swing });
    arrays.work[0] = work;
    this.books.worst = worst;
    this.books.level = level || null;
    this.books.record(simulation);
  }

  hold(point, target) {
    this.simulation.hold(point, target);
    this.forget();
  }

  throw(point, velocity) {
    this.simulation.throw(point, velocity);
    this.books.begin();
  }

  push(point, impulse) {
    this.simulation.push(point, impulse);
    this.books.begin();
  }

  forget() {
    Object.assign(this, { trace: [], portrait: [], owed: 0 });
    this.books.begin();
  }

  // Whether a model that can fall has fallen; a ghost never counts as fallen.
  isDown() {
    return !this.ghost && this.simulation.isDown();
  }

  // Take the steps of so many seconds, and return whether none of them failed. Past the deadline the
  // rest is dropped, so that the page never freezes. A fallen model takes none.
  advance(seconds, deadline) {
    const { simulation } = this;
    const most = simulation.mayFall ? 1 : AT_ONCE;
    this.owed += seconds;
    while (this.owed >= simulation.h) {
      const count = Math.min(Math.floor(this.owed / simulation.h), most);
      if (this.isDown() || simulation.step(count) < count) return false;
      this.owed -= count * simulation.h;
      if (this.owed >= simulation.h && performance.now() > deadline) this.owed = 0;
    }
    return true;
  }

  single() {
    this.owed = 0;
    return !this.isDown() && this.simulation.step() === 1;
  }

  // Record the present state: the path of a point, the energy, the phase portrait.
  record(point) {
    const { simulation, size, spec } = this;
    const remember = (list, item, most) => {
      list.push(item);
      if (list.length > most) list.shift();
    };
    remember(this.trace, simulation.points()[point], 240);
    this.books.record(simulation);
    if (!spec.states[0].hidden) {
      const at = [0, size.coordinates].map((i) => simulation.x[i] * (spec.states[i]?.scale ?? 1));
      remember(this.portrait, at, 1500);
    }
  }

  // State at this moment: while it plays, interpolated between the last two steps.
  now(playing) {
    const { simulation, owed } = this;
    const { previous, x, h } = simulation;
    if (!playing) return x;
    const part = Math.min(owed / h, 1);
    return x.map((value, i) => previous[i] + part * (value - previous[i]));
  }

  // Radii of the bodies [px]: they grow with the masses as those of balls of one material.
  radii(x, { mass, least, most }) {
    const { skeleton } = this.spec;
    const { masses = [] } = this.size;
    if (!masses.length || !skeleton.reference) return skeleton.radii;
    const out = this.simulation.outputs(x);
    return masses.map((place, i) => {
      if (place === null) return skeleton.radii[i];
      const [start] = place;
      const radius = mass * Math.cbrt(Math.max(out[start], 0) / skeleton.reference);
      return Math.min(Math.max(radius, least), most);
    });
  }
}
