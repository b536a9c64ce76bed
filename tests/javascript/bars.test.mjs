// Lengths of bars and arrows: what has one unit has one scale.
import assert from "node:assert/strict";
import { test } from "node:test";

import { lengthOf } from "../../panels/simulations/bars.js";
import { Scene, inThePlane } from "../../panels/simulations/scene.js";

test("a bar is as long as its value says, to the right if it is positive", () => {
  assert.equal(lengthOf(10, 13, 100), 50); // the scale ends at 20
  assert.equal(lengthOf(-5, 13, 100), -25);
  assert.equal(lengthOf(20, 20, 100), 100);
});

test("nothing seen so far, or a number that is not finite, has no bar", () => {
  assert.equal(lengthOf(0, 0, 100), 0);
  assert.equal(lengthOf(NaN, 13, 100), 0);
});

test("arrows of one unit share a scale", () => {
  const arrows = [["weight", "N"], ["v", "m/s"], ["tension", "N"]].map(([name, unit]) => ({ name, unit }));
  const { groups } = new Scene({ box: [0, 0, 1, 1], arrows }, [], {}, {}, inThePlane());
  const [weight, speed, tension] = groups.map(({ scale }) => scale);
  assert.equal(weight, tension);
  assert.notEqual(weight, speed);
});
