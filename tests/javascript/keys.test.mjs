// What the keys of a panel do: those of controls.json, digits, and the arrow keys.
import assert from "node:assert/strict";
import { test } from "node:test";

import { arrows } from "../../panels/drawing/drawing.js";
import { listenToKeys } from "../../panels/simulations/keys.js";
import { CONTROLS } from "../../panels/simulations/panel.js";

// A panel that writes down what its keys do.
function pressed(key, spec = {}) {
  const done = [];
  const note = (name) => (...given) => done.push([name, ...given].join(" "));
  const acts = Object.fromEntries(["step", "reset", "say", "push", "play"].map((n) => [n, note(n)]));
  acts.change = ({ method }) => done.push(`method ${method}`);
  const box = (name) => ({ click: note(name) });
  const boxes = { trace: box("trace"), portrait: box("portrait"), switches: [] };
  const canvas = { matches: () => false };
  const listener = { addEventListener: (_, act) => (listener.act = act), removeEventListener() {} };
  listenToKeys(listener, {
    size: {}, states: [{}], methods: [{ name: "euler" }, { name: "rk4" }], switches: [], ...spec,
  }, { canvas, rows: [], boxes, code: null }, {}, acts, (way) => done.push(`move ${way}`));
  listener.act({ key, target: canvas, preventDefault() {}, stopPropagation() {} });
  return done.join();
}

test("each control has its key", () => {
  const does = {
    step: "step", reset: "reset", say: "say", pushLeft: "push -1", pushRight: "push 1",
    trace: "trace", portrait: "portrait",
  };
  for (const [name, done] of Object.entries(does)) assert.equal(pressed(CONTROLS[name].key), done);
  assert.equal(CONTROLS.play.key, "Space");
  assert.equal(pressed(" "), "play");
  const keyed = Object.keys(CONTROLS).filter((name) => CONTROLS[name].key);
  assert.deepEqual(keyed.sort(), [...Object.keys(does), "play", "pause"].sort());
});

test("what a panel lacks has no key", () => {
  assert.equal(pressed(CONTROLS.pushLeft.key, { size: { holdable: false } }), "");
  assert.equal(pressed(CONTROLS.portrait.key, { states: [{ hidden: true }] }), "");
});

test("a digit chooses the method of that number", () => {
  assert.equal(pressed("0"), "method euler");
  assert.equal(pressed("1"), "method rk4");
  assert.equal(pressed("2"), "");
});

test("an arrow key points where its name says", () => {
  assert.deepEqual(arrows, {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
  });
  assert.equal(pressed("ArrowLeft"), "move -0.025,0");
});
