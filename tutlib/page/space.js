// Live simulations on curved spaces: the integrator of the course, in the page. No drawing here.
//
// A model is printed by tutlib/page/live_space.py from functions that Python traced:
//   field(t, x, p, out)          an element of the algebra
//   flow(xi, x, out)             exp(ξ)·x
//   dexp_inverse(u, v, out)      carries a slope back
//   outputs(t, x, p, out)        fills energy, points, readouts
// Tests hold all of it together with Python.
import { Camera, boxOf, drawAxes, drawGround, turnable } from "../pictures/camera.js";
import { tryStep } from "./numerics.js";

const series = (coefficients, square) =>
  coefficients.reduceRight((total, coefficient) => total * square + coefficient, 0);

// The functions of an angle in exp, dexp and dexp⁻¹, as in tutlib/spaces/coefficients.py, which gives the
// series and where they end.
export function coefficientFunctions({ small, B_SLOPE, C, C_SLOPE, D, D_SLOPE }) {
  const { sin, cos, tan, PI } = Math;
  const near = (coefficients, far) => (angle) =>
    angle < small ? series(coefficients, angle * angle) : far(angle);
  return {
    ...{ sqrt: Math.sqrt, exp: Math.exp, sin, cos },
    exp_a: (a) => (a > 0 ? sin(a) / a : 1),
    exp_b: (a) => (a > 0 ? 2 * (sin(a / 2) / a) ** 2 : 0.5),
    exp_c: near(C, (a) => (a - sin(a)) / a ** 3),
    exp_b_slope: near(B_SLOPE, (a) => (a * sin(a) - 2 * (1 - cos(a))) / a ** 4),
    exp_c_slope: near(C_SLOPE, (a) => (3 * sin(a) - a * (2 + cos(a))) / a ** 5),
    inverse_d: near(D, (a) => (a < 2 * PI ? (1 - a / 2 / tan(a / 2)) / a ** 2 : NaN)),
    inverse_d_slope: near(D_SLOPE, (a) =>
      -2 / a ** 4 + 1 / tan(a / 2) / (2 * a ** 3) + 1 / (2 * a * sin(a / 2)) ** 2),
  };
}

// One step of any tableau {c, flows, carriesBack}: for each stage and the result, the rows of its
// flows. It is `step` of tutlib/methods/integration.py.
export function stepOnSpace({ c, flows, carriesBack }, { states, algebra }, model, p) {
  const K = c.map(() => new Float64Array(algebra));
  const [sigma, slope] = [new Float64Array(algebra), new Float64Array(algebra)];
  let [state, moved] = [new Float64Array(states), new Float64Array(states)];
  return (t, x, h) => {
    flows.forEach((rows, i) => {
      state.set(x);
      sigma.fill(0);
      for (const row of rows) {
        sigma.fill(0);
        row.forEach((weight, j) => {
          if (weight !== 0) for (let r = 0; r < algebra; r++) sigma[r] += h * weight * K[j][r];
        });
        model.flow(sigma, state, moved);
        [state, moved] = [moved, state];
      }
      if (i === c.length) return void x.set(state);
      model.field(t + c[i] * h, state, p, slope);
      if (carriesBack) model.dexp_inverse(sigma, slope, K[i]);
      else K[i].set(slope);
    });
  };
}

// One motion, with what live.js asks of a simulation.
export class SpaceSimulation {
  constructor(model, size, { x0, p, method, h, t = 0 }) {
    Object.assign(this, { model, size, h, x0: Float64Array.from(x0), p: Float64Array.from(p) });
    this.out = new Float64Array(1 + 3 * size.points + size.readouts);
    this.dx = new Float64Array(size.algebra);
    this.start = t;
    this.setMethod(method);
    this.reset();
  }

  evaluate(t, x, dx) {
    this.model.field(t, x, this.p, dx);
  }

  outputs(x = this.x) {
    this.model.outputs(this.t, x, this.p, this.out);
    return this.out;
  }

  energy() {
    return this.outputs()[0];
  }

  readout(i) {
    return this.outputs()[1 + 3 * this.size.points + i];
  }

  points(x = this.x) {
    const out = this.outputs(x);
    return Array.from({ length: this.size.points }, (_, i) => [...out.subarray(1 + 3 * i, 4 + 3 * i)]);
  }

  setMethod(method) {
    this.method = method;
    this.advance = stepOnSpace(method, this.size, this.model, this.p);
    this.restart();
  }

  restart() {
    if (!this.x) return;
    this.previous = this.x.slice();
    this.reference = this.energy();
    this.failed = !this.x.every(Number.isFinite);
  }

  reset() {
    this.t = this.start;
    this.x = Float64Array.from(this.x0);
    this.restart();
  }

  setParameters(p) {
    this.p.set(p);
    this.restart();
  }

  setStepSize(h) {
    this.h = h;
    this.restart();
  }

  step() {
    return tryStep(this, () => this.advance(this.t, this.x, this.h));
  }

  drift() {
    const joules = this.energy() - this.reference;
    return [joules, joules / Math.max(Math.abs(this.reference), 1e-300)];
  }
}

// How live.js looks at such a simulation.
export const inSpace = {
  Simulation: SpaceSimulation,
  look: (spec, canvas, redraw) => {
    const camera = new Camera();
    turnable(canvas, camera, redraw);
    return {
      flat: (points) => points.map((point) => camera.flat(point)),
      box: () => boxOf(camera, spec.ball),
      surroundings: (picture, view) => {
        drawGround(picture, view, camera, spec.ball);
        drawAxes(picture, camera, spec.down);
      },
    };
  },
};
