// What is drawn stands where it is: up is up, a label has its own line's look.
import assert from "node:assert/strict";
import { test } from "node:test";

import { boxOf, Camera, drawAxes } from "../../panels/drawing/camera.js";
import {
  arrows, drawLegend, drawMechanism, drawScale, drawTrace, LOOK, scaleOf, shown, viewOf,
} from "../../panels/drawing/drawing.js";

const BOX = [-1, -2, 3, 1];
const SIZE = { width: 800, height: 300 };
const COLORS = ["black", "blue", "orange"];
globalThis.Path2D = class {
  constructor(glyph) {
    this.glyph = glyph;
  }
};

// A canvas that writes down what it is asked to draw, each with its colors, width and dashes: a "line"
// is open, an "area" is filled and has an outline or none; both hold corners, arcs by their centers.
function paper() {
  const drawn = [];
  let [shift, turned] = [[0, 0], 1];
  const write = (kind, path) => drawn.push({
    kind, path: g.path, radii: g.radii, glyph: path?.glyph, at: shift, turned, fill: g.fillStyle,
    stroke: g.strokeStyle, dash: g.dash, width: g.lineWidth, alpha: g.globalAlpha ?? 1,
  });
  const g = {
    save: () => {},
    restore: () => ([shift, turned] = [[0, 0], 1]),
    translate: (...by) => (shift = by),
    scale: (x, y) => (turned = Math.sign(y)),
    setLineDash: (dash) => (g.dash = dash.join()),
    beginPath: () => ([g.path, g.radii] = [[], []]),
    closePath: () => {},
    moveTo: (...at) => g.path.push(at),
    lineTo: (...at) => g.path.push(at),
    arc: (x, y, radius) => g.path.push([x, y]) && g.radii.push(radius),
    stroke: (glyph) => write("line", glyph),
    fill: (glyph) => write("area", glyph),
    fillText: (text, ...at) => drawn.push({ kind: "text", text, path: [at] }),
  };
  return { picture: { g, ...SIZE, color: (role) => role, colors: COLORS, ink: "ink" }, drawn };
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

// What a mechanism is made of, each once: by its outline, or as what is drawn without one.
function mechanism(skeleton, points, index = 0) {
  const { picture, drawn } = paper();
  const view = viewOf(BOX, SIZE);
  drawMechanism(picture, view, skeleton, points, index);
  const outlines = drawn.filter(({ kind, glyph }) => kind === "line" && !glyph);
  return { view, drawn, outlines };
}
const ARM = { lines: [[0, 1, 2]], bodies: [2], pivots: [0], joints: [1], radii: [15] };
const ELBOW = [[0, 0], [1, 0.5], [2, -1]];

test("links, pins, masses and the ground stand at their points", () => {
  const { view, drawn, outlines } = mechanism(ARM, ELBOW, 1);
  const [first, second, pivot, joint, mass] = outlines;
  assert.deepEqual(first.path, [ELBOW[0], ELBOW[1]].map(view.map));
  assert.deepEqual(second.path, [ELBOW[1], ELBOW[2]].map(view.map));
  near(pivot.path[0], view.map(ELBOW[0]));
  near(joint.path[0], view.map(ELBOW[1]));
  near(mass.path[0], view.map(ELBOW[2]));
  assert.deepEqual([first, second, mass].map(({ stroke }) => stroke), ["blue", "blue", "blue"]);
  assert.deepEqual([pivot, joint].map(({ stroke, fill }) => [stroke, fill]),
    [["ink", "paper"], ["ink", "paper"]]);
  const ground = drawn.filter(({ glyph }) => glyph === LOOK.glyphs.hatching);
  assert.equal(ground.length, 1);
  near(ground[0].at, view.map(ELBOW[0]));
});

test("a link is a bar as wide as look.json says, and narrow where it is short", () => {
  const { outlines: [bar] } = mechanism(ARM, ELBOW);
  const { link, edge, least } = LOOK.widths;
  bar.radii.forEach((radius) => assert.equal(2 * radius + edge, link));
  const { outlines: [short] } = mechanism(ARM, [[0, 0], [0.2, 0], [0.4, 0]]);
  assert.ok(Math.abs(2 * short.radii[0] + edge - 0.3 * 20) < 1e-9);
  const { outlines: [tiny] } = mechanism(ARM, [[0, 0], [0.01, 0], [0.02, 0]]);
  assert.equal(2 * tiny.radii[0] + edge, least);
});

test("a mass is a disk of its radius with a light on it, a body without mass a point or its pin", () => {
  const [lone, pinned] = [{ ...ARM, radii: [null] }, { ...ARM, joints: [1, 2], radii: [null] }];
  const { drawn, outlines } = mechanism(ARM, ELBOW);
  const { edge } = LOOK.widths;
  assert.equal(outlines.at(-1).radii[0] + edge / 2, 15);
  const light = drawn.at(-1);
  assert.deepEqual([light.kind, light.fill, light.alpha], ["area", "white", LOOK.tints.light]);
  const point = mechanism(lone, ELBOW).outlines.at(-1);
  assert.deepEqual([point.radii[0], point.fill], [LOOK.radii.point, "black"]);
  assert.equal(mechanism(pinned, ELBOW).outlines.length, 2 + 1 + 2);
  assert.equal(mechanism({ ...ARM, radii: undefined }, ELBOW).outlines.at(-1).radii[0] + edge / 2,
    LOOK.radii.mass);
});

test("thin lines are lines, wheels have spokes that turn with them", () => {
  const drawn = { lines: [[0, 1], [1, 2]], thin: [1], wheels: [[1, 2]], bodies: [], pivots: [] };
  const { view, outlines: [rim, spokes, thread, bar] } = mechanism(drawn, ELBOW);
  assert.deepEqual(thread.path, [ELBOW[1], ELBOW[2]].map(view.map));
  assert.equal(thread.width, LOOK.widths.thin);
  assert.deepEqual(bar.path, [ELBOW[0], ELBOW[1]].map(view.map));
  const radius = 100 * Math.hypot(1, 1.5);
  assert.ok(Math.abs(rim.radii[0] - radius) < 1e-9);
  near(spokes.path[1], view.map(ELBOW[2]));
  spokes.path.forEach(([x, y], i) => {
    const length = Math.hypot(x - rim.path[0][0], y - rim.path[0][1]);
    assert.ok(Math.abs(length - (i % 2 ? radius : 0)) < 1e-9);
  });
});

test("the ground is below a pivot, or above what hangs from it", () => {
  const turnOf = (skeleton) =>
    mechanism(skeleton, ELBOW).drawn.find(({ glyph }) => glyph === LOOK.glyphs.ground).turned;
  assert.equal(turnOf(ARM), 1);
  assert.equal(turnOf({ ...ARM, ceiling: true }), -1);
});

test("a ghost is paler than what it is the ghost of", () => {
  const { outlines } = mechanism({ ...ARM, ghost: true }, ELBOW, 1);
  const part = `${100 * LOOK.tints.ghost}%`;
  assert.equal(outlines[0].stroke, `color-mix(in srgb, blue ${part}, paper)`);
  assert.equal(outlines[2].stroke, `color-mix(in srgb, ink ${part}, paper)`);
});

test("a trace fades toward its old end, and lies on its path", () => {
  const { picture, drawn } = paper();
  const view = viewOf(BOX, SIZE);
  const path = Array.from({ length: 100 }, (_, i) => [i / 50, Math.sin(i / 10)]);
  drawTrace(picture, view, path, 2);
  assert.ok(drawn.length > 10);
  drawn.slice(1).forEach((piece, i) => {
    assert.ok(piece.alpha > drawn[i].alpha && piece.width > drawn[i].width);
    assert.deepEqual(piece.path[0], drawn[i].path.at(-1)); // no gap
  });
  assert.equal(drawn.at(-1).alpha, LOOK.tints.trace);
  const all = [drawn[0].path[0], ...drawn.flatMap((piece) => piece.path.slice(1))];
  assert.deepEqual(all, path.map(view.map));
  for (const few of [[], [[0, 0]]]) {
    const { picture: other, drawn: nothing } = paper();
    drawTrace(other, view, few, 0);
    assert.deepEqual(nothing, []);
  }
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
    const skeleton = { lines: [[0, 1], [0, 1]], thin: [1], bodies: [], pivots: [] };
    drawMechanism(picture, view, skeleton, [[0, 0], [1, 1]], i);
    const outlines = drawn.filter(({ kind }) => kind === "line");
    assert.equal(outlines.length, 2);
    drawTrace(picture, view, [[0, 0], [1, 1]], i);
    assert.equal(texts[i].text, label);
    assert.ok(Math.abs(texts[i].path[0][1] - lines[i].path[0][1]) < 8);
    for (const { stroke, dash } of outlines) {
      assert.deepEqual([lines[i].stroke, lines[i].dash], [stroke, dash]);
    }
    assert.equal(drawn.at(-1).stroke, lines[i].stroke);
  });
});

test("the scale's bar is as long as it says", () => {
  const { picture, drawn } = paper();
  const view = viewOf(BOX, SIZE);
  drawScale(picture, view, BOX);
  const [from, to] = drawn[0].path;
  assert.equal(drawn[1].text, `${(to[0] - from[0]) / view.scale} m`);
});

test("the scale suits the larger side of the picture", () => {
  const chain = [-0.3, -4.2, 0.5, 0.2];
  assert.equal(scaleOf(chain), 1);
  assert.equal(scaleOf([0, 0, 0.8, 0.5]), 0.1);
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
