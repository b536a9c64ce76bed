// What is drawn stands where it is: up is up, a label has its own line's look.
import assert from "node:assert/strict";
import { test } from "node:test";

import { boxOf, Camera, drawAxes } from "../../tutlib/pictures/camera.js";
import {
  arrows, drawLegend, drawMechanism, drawScale, drawTrace, shown, viewOf,
} from "../../tutlib/pictures/drawing.js";

const BOX = [-1, -2, 3, 1];
const SIZE = { width: 800, height: 300 };
const COLORS = ["black", "blue", "orange"];

// A canvas that writes down what it is asked to draw, each with its color and dashes.
function paper() {
  const drawn = [];
  const g = {
    setLineDash: (dash) => (g.dash = dash.join()),
    beginPath: () => (g.path = []),
    moveTo: (...at) => g.path.push(at),
    lineTo: (...at) => g.path.push(at),
    arc: (x, y) => (g.path = [[x, y]]),
    stroke: () => drawn.push({ kind: "line", path: g.path, color: g.strokeStyle, dash: g.dash }),
    fill: () => drawn.push({ kind: "disk", path: g.path, color: g.fillStyle }),
    fillRect: (x, y, w, h) => drawn.push({ kind: "pivot", path: [[x + w / 2, y + h / 2]] }),
    fillText: (text, ...at) => drawn.push({ kind: "text", text, path: [at] }),
  };
  return { picture: { g, ...SIZE, colors: COLORS, ink: "ink" }, drawn };
}

function near(one, other) {
  one.forEach((value, i) => assert.ok(Math.abs(value - other[i]) < 1e-9, `${one} ${other}`));
}

test("up is up, right is right, and a meter is as long in each direction", () => {
  const view = viewOf(BOX, SIZE);
  const [x, y] = view.map([0.5, 0]);
  near(view.map([1.5, 0]), [x + view.scale, y]);
  near(view.map([0.5, 1]), [x, y - view.scale]);
  assert.equal(view.scale, 100);
  near(view.unmap([x, y]), [0.5, 0]);
  near(view.map([1, -0.5]), [400, 150]); // the middle of the box in the middle of the canvas
});

test("an arrow key points where it leads", () => {
  const view = viewOf(BOX, SIZE);
  const at = ([x, y]) => view.map([0.1 * x, 0.1 * y]);
  const [x, y] = at([0, 0]);
  assert.ok(at(arrows.ArrowRight)[0] > x && at(arrows.ArrowLeft)[0] < x);
  assert.ok(at(arrows.ArrowUp)[1] < y && at(arrows.ArrowDown)[1] > y);
});

test("lines, disks and pivots stand at their points", () => {
  const { picture, drawn } = paper();
  const [points, view] = [[[0, 0], [1, 0.5], [2, -1]], viewOf(BOX, SIZE)];
  const skeleton = { lines: [[0, 1, 2]], bodies: [2], pivots: [0] };
  drawMechanism(picture, view, skeleton, points, 1);
  const [line, disk, pivot] = drawn;
  assert.deepEqual(line.path, points.map(view.map));
  assert.deepEqual([line.color, disk.color], ["blue", "blue"]);
  near(disk.path[0], view.map([2, -1]));
  near(pivot.path[0], view.map([0, 0]));
});

test("a label stands beside a line with the look of its own mechanism and trace", () => {
  const labels = ["one", "two", "three"];
  const legend = paper();
  drawLegend(legend.picture, labels);
  const lines = legend.drawn.filter((item) => item.kind === "line");
  const texts = legend.drawn.filter((item) => item.kind === "text");
  labels.forEach((label, i) => {
    const { picture, drawn } = paper();
    const view = viewOf(BOX, SIZE);
    drawMechanism(picture, view, { lines: [[0, 1]], bodies: [], pivots: [] }, [[0, 0], [1, 1]], i);
    drawTrace(picture, view, [[0, 0], [1, 1]], i);
    assert.equal(texts[i].text, label);
    assert.ok(Math.abs(texts[i].path[0][1] - lines[i].path[0][1]) < 8);
    assert.deepEqual([lines[i].color, lines[i].dash], [drawn[0].color, drawn[0].dash]);
    assert.equal(drawn[1].color, drawn[0].color);
  });
});

test("the scale's bar is as long as it says", () => {
  const { picture, drawn } = paper();
  const view = viewOf(BOX, SIZE);
  drawScale(picture, view, BOX);
  const [from, to] = drawn[0].path;
  assert.equal(drawn[1].text, `${(to[0] - from[0]) / view.scale} m`);
});

test("the camera looks along +y and from above, as Python's still pictures do", () => {
  const camera = new Camera();
  near(camera.flat([1, 2, 3]), [1.8364336390987788, 3.2430162932342417]);
  const [, low] = camera.flat([0, -1, 0]);
  const [, high] = camera.flat([0, 1, 0]);
  assert.ok(high > low); // what is far away on the ground is higher in the picture
  assert.ok(camera.flat([0, 0, 1])[1] > 0.9 && camera.flat([1, 0, 0])[0] > 0.8);
});

test("a turn takes along what is near: to the right, and up", () => {
  const camera = new Camera(0, 0);
  const nearest = [0, -1, 0];
  near(camera.flat(nearest), [0, 0]);
  camera.turn(0.1, 0);
  assert.ok(camera.flat(nearest)[0] > 0);
  camera.turn(-0.1, 0.1);
  assert.ok(camera.flat(nearest)[1] < 0); // seen from farther above
  const [left, bottom, right, top] = boxOf(camera, [0, 0, 0, 2]);
  assert.deepEqual([left, bottom, right, top], [-2, -2, 2, 2]);
});

for (const down of [false, true]) {
  test(`the axes are named at their ends, the third one ${down ? "down" : "up"}`, () => {
    const { picture, drawn } = paper();
    const camera = new Camera();
    drawAxes(picture, camera, down);
    const texts = drawn.filter((item) => item.kind === "text");
    assert.deepEqual(texts.map(({ text }) => text), ["e₁", "e₂", "e₃"]);
    const lines = drawn.filter((item) => item.kind === "line").map(({ path }) => path);
    const sign = down ? -1 : 1;
    [[1, 0, 0], [0, sign, 0], [0, 0, sign]].forEach((axis, i) => {
      const [right, up] = camera.flat(axis);
      const [[x, y], end] = lines[i];
      assert.ok((end[0] - x) * right + (y - end[1]) * up > 0);
      const [[textX, textY]] = texts[i].path;
      assert.ok((textX + 6 - x) * right + (y - (textY - 5)) * up > 0);
    });
  });
}

test("a number is short, and has a minus sign", () => {
  assert.equal(shown(-1.23456), "−1.235");
  assert.equal(shown(1e-7), "1.0e−7");
  assert.equal(shown(Infinity), "not finite");
  assert.equal(shown(0), "0");
});
