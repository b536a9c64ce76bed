// A map that gets finer, and the windows through which it is seen.
import assert from "node:assert/strict";
import { test } from "node:test";

import { onAxis } from "../../panels/simulations/chart.js";
import { Patchwork, shadesOf } from "../../panels/simulations/patchwork.js";
import {
  cornerOf, framed, isWhole, partOf, shifted, widened, windowInWords,
} from "../../panels/simulations/windows.js";

const axis = (letter, low, high) => ({ letter, unit: "°", low, high });
const WHOLE = [axis("θ₁", -180, 180), axis("θ₂", -90, 90)];
const ends = (window) => window.map(({ low, high }) => [low, high]);

test("what is widened keeps a place where it is seen, and stays inside", () => {
  const closer = widened(WHOLE, WHOLE, [90, 0], 0.5);
  assert.deepEqual(ends(closer), [[-45, 135], [-45, 45]]);
  assert.deepEqual(partOf(closer, WHOLE), [0.375, 0.25, 0.5, 0.5]);
  const back = widened(closer, WHOLE, [135, 45], 2);
  assert.ok(isWhole(back, WHOLE));
  assert.ok(isWhole(widened(WHOLE, WHOLE, [0, 0], 3), WHOLE));
});

test("a window has a least width, at which its pixels are numbers of their own", () => {
  let window = WHOLE;
  for (let i = 0; i < 100; i++) window = widened(window, WHOLE, [100, 50], 0.5);
  const [{ low, high }] = window;
  const pixels = Array.from({ length: 400 }, (_, i) => low + ((i + 0.5) / 400) * (high - low));
  assert.equal(new Set(pixels).size, 400);
  assert.equal(isWhole(widened(window, WHOLE, [100, 50], 0.5), window), true);
});

test("what is shifted goes no further than the edge", () => {
  const closer = widened(WHOLE, WHOLE, [0, 0], 0.5);
  assert.deepEqual(ends(shifted(closer, WHOLE, [1 / 8, -1 / 8])), [[-67.5, 112.5], [-56.25, 33.75]]);
  assert.deepEqual(ends(shifted(closer, WHOLE, [9, 0])), [[0, 180], [-45, 45]]);
});

test("a frame has the window's proportions, and stays in it", () => {
  assert.deepEqual(cornerOf(WHOLE, [0, 0], [36, 9]), [36, 18]);
  assert.deepEqual(cornerOf(WHOLE, [0, 0], [-36, 9]), [-36, 18]);
  assert.deepEqual(cornerOf(WHOLE, [90, 0], [500, 0]), [180, 45]);
  assert.deepEqual(ends(framed(WHOLE, WHOLE, [36, 18], [-36, -18])), [[-36, 36], [-18, 18]]);
});

test("numbers have as many digits as their axis needs", () => {
  assert.equal(onAxis(-180, WHOLE[0]), "−180");
  assert.equal(onAxis(1.23456, { low: 1.2, high: 1.3 }), "1.235");
  assert.equal(onAxis(-1e-9, { low: -0.5, high: 0.5 }), "0.00");
  assert.equal(windowInWords([axis("θ₁", -180, 180), axis("θ₂", 1, 1.5)]),
    "θ₁ from −180° to 180°, θ₂ from 1.000° to 1.500°");
});

const rows = ({ colors, width }) =>
  Array.from({ length: colors.length / width }, (_, j) => [...colors.subarray(j * width, (j + 1) * width)]);

test("a block lies around its pixel, and the last one reaches the edge", () => {
  const picture = new Patchwork(7, 5);
  picture.put(4, 4, 4, 9);
  assert.deepEqual(rows(picture), [
    [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0],
    [0, 0, 9, 9, 9, 9, 9], [0, 0, 9, 9, 9, 9, 9], [0, 0, 9, 9, 9, 9, 9],
  ]);
});

test("blocks of each size leave no pixel out, and what is finer stays", () => {
  for (const grain of [1, 2, 4, 8]) {
    const picture = new Patchwork(13, 9);
    for (let row = 0; row < 9; row += grain) {
      for (let column = 0; column < 13; column += grain) picture.put(column, row, grain, 1);
    }
    assert.ok(picture.colors.every((color) => color === 1));
    picture.put(0, 0, 16, 2);
    assert.ok(picture.colors.every((color) => color === 1));
    assert.equal(picture.coarsest(16), grain);
  }
});

test("seen through a window, colors are where they were, and coarser", () => {
  const picture = new Patchwork(4, 4);
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) picture.put(column, row, 1, 10 * row + column);
  }
  const closer = picture.seenThrough([0.5, 0, 0.5, 0.5], 4, 4);
  assert.deepEqual(rows(closer), [[2, 2, 3, 3], [2, 2, 3, 3], [12, 12, 13, 13], [12, 12, 13, 13]]);
  assert.ok(closer.grains.every((grain) => grain === 2));
  const around = picture.seenThrough([-0.5, -0.5, 2, 2], 4, 4);
  assert.deepEqual(rows(around), [[0, 0, 0, 0], [0, 11, 13, 0], [0, 31, 33, 0], [0, 0, 0, 0]]);
  assert.equal(around.coarsest(16), 16);
});

test("colors are those of the bar, and gray is what does not end", () => {
  const shade = shadesOf({ low: 1, high: 3, colors: ["#000000", "#0a1420", "#ffffff"] }, "#8c8c8c");
  const hex = (time) => shade(time).toString(16);
  assert.deepEqual([0, 1, 2, 3, 4].map(hex), ["ff000000", "ff000000", "ff20140a", "ffffffff", "ffffffff"]);
  assert.equal(hex(1.5), "ff100a05");
  assert.equal(hex(Infinity), "ff8c8c8c");
  assert.equal(shadesOf({ low: 1, high: 1, colors: ["#010203"] }, "#8c8c8c")(1), 0xff030201);
});
