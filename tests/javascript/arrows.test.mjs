// Arrows and masses stay in the picture, which is widened for them, and never narrowed while a motion runs.
import assert from "node:assert/strict";
import { test } from "node:test";

import { tipsOf } from "../../panels/simulations/arrows.js";
import { LOOK } from "../../panels/drawing/drawing.js";
import { Scene, inThePlane } from "../../panels/simulations/scene.js";

const BOX = [-1.2, -1.2, 1.2, 1.2];
const arrows = [{ name: "weight", unit: "N" }, { name: "motor", unit: "N·m" }];

// A scene with the weight of a bob and the torque of a motor at its hinge.
function sceneOf(outputs = [0, -10, 4]) {
  const run = {
    size: { arrows: { weight: [{ point: 1, vector: [0, 2] }], motor: [{ point: 0, torque: [2, 1] }] } },
    simulation: { outputs: () => Float64Array.from(outputs) },
  };
  const setting = { weight: true, motor: true };
  const scene = new Scene({ box: BOX, arrows }, [run], setting, {}, inThePlane());
  // Draw the bob at a point, and return the tips of the arrows and the picture's view.
  const show = (bob, picture) => {
    const points = [[[0, 0], bob]];
    scene.fit(points, points);
    const shown = scene.arrowsOf([null], points);
    scene.makeRoom(picture, points, shown);
    const view = scene.view(picture);
    return shown.flatMap(({ scale, each }) => each.flatMap((arrow) =>
      tipsOf(arrow, view, scale.unit, (points) => points)));
  };
  return { scene, setting, show };
}

const inside = ([x, y], { width, height }) => x > -1 && x < width + 1 && y > -1 && y < height + 1;

for (const picture of [{ width: 366, height: 240 }, { width: 540, height: 360 }, { width: 300, height: 90 }]) {
  test(`all arrows are seen whole at ${picture.width} × ${picture.height} px`, () => {
    const { scene, show } = sceneOf();
    for (const bob of [[1, 0], [0, -1], [0, 1], [1.19, -1.19]]) {
      const tips = show(bob, picture);
      assert.equal(tips.length, 3);
      assert.ok(tips.every((tip) => inside(tip, picture)), `${tips}`);
    }
    assert.ok(scene.room[1] < BOX[1]);
  });
}

test("a picture is widened for its arrows, and stays so while the motion runs", () => {
  const [picture, { scene, show }] = [{ width: 366, height: 240 }, sceneOf()];
  show([1, 0], picture);
  assert.deepEqual(scene.room, BOX);
  show([0, -1], picture);
  const { room } = scene;
  assert.ok(room[1] < BOX[1]);
  show([1, 0], picture);
  assert.deepEqual(scene.room, room);
});

test("a mass is seen whole where it widens the picture", () => {
  const [picture, far] = [{ width: 366, height: 240 }, [0.4, -6]];
  const { scene, setting, show } = sceneOf();
  Object.assign(setting, { weight: false, motor: false });
  scene.spec.skeleton = { bodies: [1] };
  show(far, picture);
  const [, y] = scene.view(picture).map(far);
  assert.ok(y + LOOK.radii.mass < picture.height + 1);
  assert.deepEqual(scene.widened(), [-1.2, -6, 1.2, 1.2]);
});

test("hidden arrows, another canvas, and a new box need no room of earlier arrows", () => {
  const [picture, { scene, setting, show }] = [{ width: 366, height: 240 }, sceneOf()];
  show([0, -1], picture);
  setting.weight = false;
  show([0, -1], picture);
  assert.deepEqual(scene.room, BOX);
  setting.weight = true;
  show([0, -1], picture);
  show([1, 0], { width: 366, height: 360 });
  assert.deepEqual(scene.room, BOX);
  show([0, -1], picture);
  scene.lookAt(BOX);
  assert.deepEqual(scene.room, BOX);
});

test("a link describes the points' box, which does not depend on the canvas", () => {
  const { scene, show } = sceneOf();
  show([0, -1], { width: 366, height: 240 });
  assert.equal(scene.widened(), null);
  show([0, -3], { width: 366, height: 240 });
  assert.deepEqual(scene.widened(), [-1.2, -3, 1.2, 1.2]);
});

test("arrows that are not finite, or too short, need no room", () => {
  for (const outputs of [[0, NaN, 4], [0, -Infinity, 4], [0, 0, 0]]) {
    const { scene, show } = sceneOf(outputs);
    show([0, -1], { width: 366, height: 240 });
    assert.deepEqual(scene.room, BOX);
  }
});
