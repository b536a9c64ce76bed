// Small films: they hold at their end, fade, and begin again. Run by test_javascript.py.
import assert from "node:assert/strict";
import test from "node:test";

import { momentOf } from "../../panels/animations/thumbnails.js";

test("a film runs at true speed, holds at its end, fades and begins again", () => {
  assert.deepEqual(momentOf(3, 8), { time: 3, opacity: 1 });
  assert.deepEqual(momentOf(8.5, 8), { time: 8, opacity: 1 });
  const [fading, begun] = [momentOf(9.2, 8), momentOf(9.5, 8)];
  assert.equal(fading.time, 8);
  assert.ok(Math.abs(fading.opacity - 0.5) < 1e-12);
  assert.ok(Math.abs(begun.time - 0.1) < 1e-12);
  assert.ok(Math.abs(begun.opacity - 0.25) < 1e-12);
});
