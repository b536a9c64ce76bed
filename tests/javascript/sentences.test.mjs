// What a panel says of a motion: sides, rates and drifts in words.
import assert from "node:assert/strict";
import { test } from "node:test";

import { driftInWords, inSentences } from "../../panels/simulations/sentences.js";

const LINK = { label: "θ", meaning: "angle of the link", unit: "°", scale: 180 / Math.PI };
const CART = { label: "x", meaning: "place of the cart", unit: "m", scale: 1 };

// A link that hangs from a cart, or stands on it if it is counted `from` up.
function run([x, angle], [speed, rate], { from = 0, part = 0, ...more } = {}) {
  const points = ([at, turned]) => [[at, 0], [at + Math.sin(turned + from), -Math.cos(turned + from)]];
  const state = Float64Array.of(x, angle, speed, rate);
  return {
    spec: { states: [CART, LINK], skeleton: { lines: [[0, 1]], bodies: [1] }, size: { states: 4, outputs: {} } },
    size: { states: 4, coordinates: 2, axes: 2 },
    simulation: { t: 2.4, x: state, points: (at = state) => points(at), rates: () => Float64Array.of(speed, rate, 0, 0) },
    books: { part },
    ...more,
  };
}
const said = (q, u, more) => {
  const one = run(q, u, more);
  return inSentences([one], one, [], true);
};
const link = (...given) => said(...given).match(/\. (Link[^.]*)\./)[1];

test("a moment of a motion in three sentences", () => {
  assert.equal(said([0.31, -0.5411], [-0.2, 1.2], { part: 3e-6 }), "t = 2.4 s. Place of the cart 0.31 m, " +
    "decreasing at 0.2 m/s. Link 31° left of down, swinging back at 69°/s. Energy error of the method 3 in a million.");
});

test("sides are those of the picture, from down or from up, whichever is nearer", () => {
  assert.equal(link([0, 0.5], [0, 1]), "Link 29° right of down, swinging out at 57°/s");
  assert.equal(link([0, 3], [0, -1]), "Link 8° right of up, falling at 57°/s");
  assert.equal(link([0, 3 - 2 * Math.PI * 4], [0, 1]), "Link 8° right of up, rising at 57°/s");
  assert.equal(link([0, 0.1], [0, 0], { from: Math.PI }), "Link 6° left of up, at rest");
  assert.equal(link([0, 0], [0, 0]), "Link straight down, at rest");
});

test("an angle that turns no line, and a model in the plane without lines, are numbers", () => {
  const one = run([0, 0.5], [0, 1], {});
  one.spec.skeleton.lines = [];
  assert.match(inSentences([one], one, [], true), /Angle of the link 29°, increasing at 57°\/s/);
});

test("of several motions the first is told in full, the others in brief", () => {
  const one = run([0, 0.5], [0, 0], { label: "right" });
  const other = run([0.2, 0.5], [0, 0], { label: "yours", part: -0.5 });
  assert.equal(inSentences([other, one], one, ["torque 2 N·m", "λ₁ 3 N"], false), "Paused at t = 2.4 s. " +
    "Right: Place of the cart 0 m, at rest. Link 29° right of down, at rest. Torque 2 N·m. λ₁ 3 N. " +
    "No energy error of the method. Yours: Place of the cart 0.2 m, at rest. Energy error of the method 50%, lost.");
});

test("a drift is told by its size", () => {
  const found = [0, 3e-10, 4.04e-7, 3e-6, 0.004, 0.12, -12, NaN].map((part) => driftInWords({ part }, { label: "energy error of the model", error: true }));
  assert.deepEqual(found, ["No energy error of the model", ...["300 in a trillion", "400 in a billion", "3 in a million",
    "4 in a thousand", "12%, invented", "12 times the swing, lost", "not finite"].map((text) => `Energy error of the model ${text}`)]);
  assert.equal(driftInWords({ part: 150, joules: 5910 }, { label: "work of holding", error: false }), "Work of holding +5.9 kJ");
});
