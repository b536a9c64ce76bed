// Least squares with limits: known minima, limits, and what residuals do not determine.
import assert from "node:assert/strict";
import { test } from "node:test";

import { fitted } from "../../panels/simulations/least_squares.js";

const times = Array.from({ length: 50 }, (_, i) => i / 10);

// The fit of a function of (t, theta) to values, from a start.
function fit(f, values, start, { low = start.map(() => -100), high = start.map(() => 100) } = {}) {
  const steps = fitted({
    count: times.length, start, low, high, sizes: start.map(() => 1),
    residuals(theta, out) {
      times.forEach((t, i) => (out[i] = f(t, theta) - values[i]));
      return out;
    },
  }, start.length);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const decay = (t, [a, k, offset]) => a * Math.exp(-k * t) + offset;
const near = (one, other, tolerance = 1e-6) => one.forEach((value, i) =>
  assert.ok(Math.abs(value - other[i]) < tolerance, `${one} is not near ${other}`));

test("the parameters of an exact motion are found", () => {
  const truth = [2, 0.7, -1];
  const found = fit(decay, times.map((t) => decay(t, truth)), [1, 0.1, 0]);
  near(found.theta, truth);
  assert.deepEqual([found.held, found.atLimit, found.converged], [[], [], true]);
  assert.ok(found.rms[0] > 0.1 && found.rms[1] < 1e-8);
});

test("the minimum of a linear problem is that of the normal equations", () => {
  const line = (t, [a, b]) => a + b * t;
  const noise = times.map((_, i) => Math.sin(7 * i * i));
  const values = times.map((t, i) => line(t, [1, 2]) + noise[i]);
  const [count, sum] = [times.length, (list) => list.reduce((a, b) => a + b, 0)];
  const [t, tt, y, ty] = [times, times.map((s) => s * s), values, values.map((v, i) => v * times[i])].map(sum);
  const slope = (count * ty - t * y) / (count * tt - t * t);
  near(fit(line, values, [0, 0]).theta, [(y - slope * t) / count, slope], 1e-4);
});

test("a narrow curved valley is followed to its end", () => {
  const banana = (t, [a, b]) => (t < 2.5 ? 10 * (b - a * a) : 1 - a);
  near(fit(banana, times.map(() => 0), [-1.2, 1]).theta, [1, 1], 1e-4);
});

test("a parameter ends at its limit, and the others at the minimum there", () => {
  const truth = [2, 0.7, -1];
  const values = times.map((t) => decay(t, truth));
  const found = fit(decay, values, [1, 0.1, 0], { low: [-100, 0, -100], high: [100, 0.5, 100] });
  assert.equal(found.theta[1], 0.5);
  assert.deepEqual(found.atLimit, [1]);
  const two = fit((t, [a, offset]) => decay(t, [a, 0.5, offset]), values, [1, 0]);
  near([found.theta[0], found.theta[2]], two.theta);
});

test("a limit is left again where the sum of squares decreases inside", () => {
  const values = times.map((t) => decay(t, [2, 0.7, -1]));
  const found = fit(decay, values, [1, 1, 0], { low: [-100, 0.2, -100], high: [100, 1, 100] });
  near(found.theta, [2, 0.7, -1]);
});

test("what the residuals do not determine keeps its value", () => {
  const product = (t, [a, b, c]) => a * b * t + c;
  const found = fit(product, times.map((t) => 6 * t + 1), [1, 2, 0]);
  assert.deepEqual(found.held, [1]);
  near(found.theta, [3, 2, 1]);
  assert.deepEqual(fit((t, [a]) => a * t, times, [0, 5]).held, [1], "one without effect");
});

test("a parameter whose error is larger than its range is not determined", () => {
  const values = times.map((t, i) => t + 0.1 * Math.sin(7 * i * i));
  const weak = (t, [a, b]) => a * t + 1e-4 * b * Math.sin(t);
  const found = fit(weak, values, [0, 0.25], { low: [-100, 0], high: [100, 1] });
  assert.deepEqual(found.held, [1]);
  assert.equal(found.theta[1], 0.25);
});

test("without a motion at the start there is no fit", () => {
  const found = fit((t, [a]) => Math.sqrt(a) * t, times, [-1]);
  assert.equal(found.theta, null);
});
