// The gallery: every machine can be read and moves, and every text is judged as its entry claims.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { machineOf } from "../../course/workbench/machine.js";
import { parts, readMechanism, treeOf, withRates } from "../../course/workbench/mechanism.js";
import { soundness } from "../../course/workbench/soundness.js";
import { done } from "../../course/workbench/task.js";
import { Simulation } from "../../panels/simulations/simulation.js";

const gallery = JSON.parse(readFileSync(new URL("../../course/workbench/gallery.json", import.meta.url), "utf8"));
const RK4 = { A: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]], b: [1 / 6, 1 / 3, 1 / 3, 1 / 6], c: [0, 1 / 2, 1 / 2, 1] };

// The start of a motion: 1 for a coordinate and 0 for a velocity that is not given.
function startOf({ coordinates }, text) {
  const names = withRates(coordinates, 1);
  const given = new Map(parts(text).map(({ text: each }) => {
    const [left, right] = each.split("=");
    return [treeOf(left.trim(), { names, constants: [] }).name, Number(right)];
  }));
  return [...coordinates.map((name) => given.get(name) ?? 1), ...coordinates.map((name) => given.get(`${name}'`) ?? 0)];
}

test("names are unique", () => {
  assert.equal(new Set(gallery.map(({ name }) => name)).size, gallery.length);
});

for (const { name, fields, verdict, first } of gallery) {
  test(`${name} opens without a problem and moves`, () => {
    const { mechanism, warnings } = readMechanism(fields);
    assert.deepEqual([...warnings, ...soundness(mechanism)].map(({ message }) => message), []);
    const points = mechanism.points.filter((point) => point !== null);
    const { layout, ...machine } = machineOf(mechanism, [RK4], points);
    const n = mechanism.coordinates.length;
    const x0 = startOf(mechanism, fields.start);
    const size = { coordinates: n, states: 2 * n, axes: 2, outputs: layout };
    const motion = new Simulation(machine, { size, handles: [] }, { x0, p: [...mechanism.parameters.values()], method: 0, h: 0.005 });
    assert.equal(motion.step(200), 200);
    const way = Math.max(...mechanism.coordinates.map((_, i) => Math.abs(motion.x[i] - x0[i])));
    assert.ok(way > 0.05 && way < 50, `moved by ${way}`);
  });

  test(`${name} is judged as it claims`, () => {
    const { theirs, derivation } = fields;
    assert.equal(theirs === undefined, verdict === undefined);
    assert.equal(derivation === undefined, first === undefined);
    if (theirs) {
      const answer = done({ kind: "comparison", fields, text: theirs });
      assert.equal(answer.problem, undefined);
      assert.equal(answer.verdict, verdict);
    }
    if (derivation) {
      const answer = done({ kind: "derivation", fields, lines: derivation.split("\n") });
      assert.equal(answer.problem, undefined);
      assert.equal(answer.first, first - 1);
      assert.ok(answer.lines.every(({ state }) => state !== "unread"));
    }
  });
}
