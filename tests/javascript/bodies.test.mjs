// Bodies in space: what is nearer is drawn later, and larger; what looks away is not drawn.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Camera } from "../../panels/drawing/camera.js";
import { drawBodies } from "../../panels/drawing/bodies.js";
import { viewOf } from "../../panels/drawing/drawing.js";

const BALL = [0, 0, 0, 2];
const SIZE = { width: 400, height: 400 };
const NOTHING = {
  lines: [], groups: [], thin: [], bodies: [], pivots: [], faces: [], rings: [], arrows: [], names: [],
};

// A canvas that writes down what is filled and stroked.
function paper() {
  const drawn = [];
  const g = {
    save() {}, restore() {}, setLineDash() {}, closePath() {},
    createRadialGradient: () => ({ addColorStop() {} }),
    beginPath: () => (g.path = []),
    lineTo: (...at) => g.path.push(at),
    arc: (x, y, radius) => (g.path = [[x, y], radius]),
    fill: () => drawn.push({ kind: "fill", path: g.path }),
    stroke: () => drawn.push({ kind: "stroke", path: g.path, width: g.lineWidth }),
    measureText: (text) => ({ width: 8 * text.length }),
    strokeText() {}, fillText: (text, ...at) => drawn.push({ kind: "text", text, at }),
  };
  const color = (role) => role;
  return { picture: { g, ...SIZE, colors: ["a", "b"], ink: "ink", color }, drawn };
}

function draw(skeleton, points, camera = new Camera(0, 0)) {
  const { picture, drawn } = paper();
  const view = viewOf([-2, -2, 2, 2], SIZE);
  drawBodies(picture, view, camera, BALL, { ...NOTHING, ...skeleton }, points, 0);
  return drawn;
}

test("right, up and near are a frame: nothing is lost", () => {
  const camera = new Camera(0.7, -0.4);
  const point = [0.3, -1.2, 2.5];
  const seen = [...camera.flat(point), camera.near(point)];
  assert.ok(Math.abs(Math.hypot(...seen) - Math.hypot(...point)) < 1e-12);
  assert.ok(new Camera(0, 0).near([0, -1, 0]) > 0.99); // one looks along the y axis
});

test("of two balls the nearer one is drawn later and larger", () => {
  const [far, close] = [[0, 1, 0], [1, -1, 0]];
  for (const points of [[far, close], [close, far]]) {
    const [first, second] = draw({ bodies: [0, 1] }, points).map(({ path }) => path);
    assert.deepEqual(first[0], [200, 200]);
    assert.deepEqual(second[0], [300, 200]);
    assert.ok(second[1] > first[1]);
  }
});

test("a face that looks away is not drawn", () => {
  const points = [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]];
  const face = (corners) => ({ faces: [{ corners, group: 0, tint: 0.5 }] });
  assert.equal(draw(face([0, 1, 2, 3]), points).length, 2);
  assert.equal(draw(face([3, 2, 1, 0]), points).length, 0);
});

test("a line that comes toward the reader grows wider", () => {
  const widths = draw({ lines: [[0, 1]], groups: [0] }, [[0, 1.5, 0], [1, -1.5, 0]])
    .map(({ width }) => width);
  assert.deepEqual(widths, [...widths].sort((a, b) => a - b));
  assert.ok(widths.at(-1) > 1.2 * widths[0]);
});

test("a name stands in front of everything, its number below the line", () => {
  const names = [{ text: "b_1", point: 0, away: 1, role: "ink" }];
  const { kind, text } = draw({ names, bodies: [1] }, [[0, 1, 0], [0, -1, 0]]).at(-1);
  assert.deepEqual([kind, text], ["text", "b₁"]);
});

test("a name at the edge stays within the picture", () => {
  const names = [{ text: "e_1", point: 0, away: 1, role: "ink" }];
  for (const [across, up] of [[9, 0], [-9, 0], [0, 9], [0, -9]]) {
    const { at: [x, y] } = draw({ names, bodies: [1] }, [[across, 0, up], [0, 0, 0]]).at(-1);
    assert.ok(x >= 8 && x <= SIZE.width - 8, `${across}, ${up} at ${x}`);
    assert.ok(y >= 10 && y <= SIZE.height - 10, `${across}, ${up} at ${y}`);
  }
});

test("where a motion is no longer finite nothing is drawn", () => {
  assert.equal(draw({ bodies: [0] }, [[0, NaN, 0]]).length, 0);
});
