// How a panel in space is seen: from where the reader turned it, and with what is followed.
import assert from "node:assert/strict";
import { test } from "node:test";

import { inSpace } from "../../panels/simulations/space.js";

const canvas = {
  setAttribute() {}, addEventListener() {}, classList: { add() {} },
};
const spec = (follow) => ({
  ball: [0, 0, 0, 2], follow, goals: [], skeleton: { traced: 1, bodies: [] },
});
const middle = ([left, bottom, right, top]) => [(left + right) / 2, (bottom + top) / 2];

test("what is seen stays, or goes with the point that leaves a trace", () => {
  const far = [[9, 9, 9], [3, -1, 0.5]];
  const [still, following] = [0, 1.5].map((follow) => inSpace(spec(follow), canvas, () => {}));
  assert.deepEqual(middle(still.box(far)), [0, 0]);
  const found = following.box(far);
  const [[expected]] = [following.flat([far[1]])];
  middle(found).forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 1e-12));
  assert.ok(Math.abs(found[2] - found[0] - 3) < 1e-12);
  assert.deepEqual(following.box([[0, 0, 0], [NaN, 0, 0]]), found);
});
