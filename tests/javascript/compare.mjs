// Motions and fits of a panel of `compare`: reads {program, specification, does} and writes what each of
// `does` finds: {rows, residuals, rms} of a motion, or a fit of a window.
import { readFileSync } from "node:fs";

import { fitted } from "../../panels/simulations/least_squares.js";
import { machines } from "../../panels/simulations/machine.js";
import { MeasuredMotion, rms, samplesOf } from "../../panels/simulations/measured_motion.js";
import { problemOf } from "../../panels/simulations/window_fit.js";

const { program, specification, does } = JSON.parse(readFileSync(0, "utf8"));
const [machine] = await machines(program, specification);
const motion = new MeasuredMotion(machine, await samplesOf(specification));

const found = does.map(({ window, p, x, fit }) => {
  const began = performance.now();
  const span = motion.rowsIn(window);
  const start = x ?? motion.measuredState(span[0]);
  if (fit) {
    const steps = fitted(problemOf(motion, specification.sliders, p, span), specification.sliders.length);
    let [count, step] = [0, steps.next()];
    for (; !step.done; count++) step = steps.next();
    const { theta, rms: sizes, held, atLimit, converged } = step.value;
    return { theta, rms: sizes, held, atLimit, converged, count, span, milliseconds: performance.now() - began };
  }
  motion.run(p, start, span);
  const [first, last] = span.map((row) => row * motion.states);
  return {
    span, rms: rms(motion.residuals(span)), residuals: [...motion.residuals(span)], rows: [...motion.arrays.X.slice(first, last + motion.states)],
    milliseconds: performance.now() - began,
  };
});
process.stdout.write(JSON.stringify(found));
