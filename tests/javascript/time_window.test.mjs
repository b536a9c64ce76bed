// Time window: its parts under a pointer, its moves, and the marks of its axis.
import assert from "node:assert/strict";
import { test } from "node:test";

import { moved, partAt, ticks } from "../../panels/simulations/time_window.js";

test("a pointer takes hold of an edge from outside, and of the window from inside", () => {
  const window = [100, 200];
  assert.equal(partAt(90, window, 26), "begin");
  assert.equal(partAt(110, window, 26), "begin");
  assert.equal(partAt(150, window, 26), "whole");
  assert.equal(partAt(195, window, 26), "end");
  assert.equal(partAt(225, window, 26), "end");
  assert.equal(partAt(70, window, 26), "whole");
});

test("the inner half of a narrow window moves it whole", () => {
  assert.equal(partAt(105, [100, 110], 26), "whole");
  assert.equal(partAt(101, [100, 110], 26), "begin");
  assert.equal(partAt(109, [100, 110], 26), "end");
});

test("a window stays inside of the recording, and keeps its length", () => {
  assert.deepEqual(moved([6, 11], "whole", 2.5, [6, 45]), [8.5, 13.5]);
  assert.deepEqual(moved([6, 11], "whole", -3, [6, 45]), [6, 11]);
  assert.deepEqual(moved([6, 11], "whole", 100, [6, 45]), [40, 45]);
  assert.deepEqual(moved([0, 100], "whole", 0, [6, 45]), [6, 45]);
});

test("an edge stops before the other one, and at the ends of the recording", () => {
  assert.deepEqual(moved([6, 11], "begin", 1.004, [6, 45]), [7, 11]);
  assert.deepEqual(moved([6, 11], "begin", 9, [6, 45]), [10.8, 11]);
  assert.deepEqual(moved([6, 11], "end", -9, [6, 45]), [6, 6.2]);
  assert.deepEqual(moved([6, 11], "end", 90, [6, 45]), [6, 45]);
});

test("an axis is marked at round times", () => {
  assert.deepEqual(ticks(6, 45, 8).map(([, text]) => text), ["10", "15", "20", "25", "30", "35", "40", "45"]);
  assert.deepEqual(ticks(26, 26.5, 4).map(([, text]) => text), ["26.0", "26.2", "26.4"]);
});
