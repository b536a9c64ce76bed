// What the strip says: the same energy is harmless or a disaster by what the motion has in play.
import assert from "node:assert/strict";
import { test } from "node:test";

import { niceAbove, powerOfTen, steady } from "../../panels/simulations/numbers.js";
import { Books, gapInWords, inShort, inWords } from "../../panels/simulations/strip.js";

// A motion that keeps its books as told: joules beyond what it has in play.
function books(...joules) {
  const made = new Books();
  const swing = 10;
  joules.forEach((found, i) => made.record({
    t: i / 10, swing, drift: () => [found, found / swing], gap: () => null,
  }));
  return made;
}
const said = (...joules) => inWords(books(...joules)).replace(/^energy error of the method: /, "");

test("what is harmless is said to be so", () => {
  assert.equal(said(0), "none");
  assert.equal(said(-1e-10), "10⁻¹⁰ J, harmless");
  assert.equal(said(3e-9, -1e-12), "10⁻⁸ J, harmless");
  assert.equal(said(0.004), "0.04%, harmless");
  assert.equal(said(2e-5), "0.001%, harmless");
});

test("what a method invents or loses is a part of the swing", () => {
  assert.equal(said(0.1, 0.6, 1.2), "+12%");
  assert.equal(said(-0.5), "−5%");
  assert.equal(said(380), "+38 × the swing");
  assert.equal(said(2.8e23), "+10²³ × the swing");
  assert.equal(said(NaN), "not finite");
});

test("what comes back wavers, until it goes beyond", () => {
  assert.equal(said(0, 0.5, 0.1), "within 5%");
  assert.equal(said(0, 0.5, 0.1, 0.45), "within 5%");
  assert.equal(said(0, 0.5, 0.1, 3), "+30%");
});

test("the strip names what it measures", () => {
  const wrong = books(0, -4.4);
  assert.equal(inWords(wrong), "energy error of the method: −44%");
  const model = { label: "energy error of the model", error: true };
  assert.equal(inWords(wrong, model), "energy error of the model: −44%");
  const holding = { label: "work of holding", error: false };
  assert.deepEqual([[0], [5910], [-3.2], [2e6]].map((joules) => inWords(books(...joules), holding)), [
    "work of holding: 0 J", "work of holding: +5.9 kJ", "work of holding: −3.2 J", "work of holding: +2 MJ",
  ]);
  assert.equal(inShort(books(5910), holding), "+5.9 kJ");
});

test("in a list it is short", () => {
  const short = (...joules) => inShort(books(...joules));
  assert.deepEqual(
    [short(0), short(-1e-10), short(-1.2), short(380), short(0, 0.5, 0.1)],
    ["kept", "kept to 10⁻¹⁰ J", "lost 12%", "invented 38 × the swing", "varies by 5%"],
  );
});

test("a gap is told in millimeters, where anybody could see it in meters", () => {
  assert.deepEqual([0, 3e-12, 5e-6, 2.4e-4, 0.031, 0.1, 3.6].map(gapInWords), [
    "loop closed", "loop closed to 10⁻¹¹ m: harmless", "loop open by 0.005 mm",
    "loop open by 0.24 mm", "loop open by 31 mm", "loop open by 100 mm", "loop open by 3.6 m",
  ]);
});

test("a number is rounded by the size of what it measures", () => {
  assert.equal(steady(-6e-19, 1), "0");
  assert.equal(steady(-0.0004, 1), "0.00");
  assert.equal(steady(-1.23456, 2), "−1.23");
  assert.equal(steady(123.456, 200), "123");
  assert.equal(steady(2e-6, 1e-5), "2.0e−6");
  assert.equal(steady(NaN, 1), "not finite");
  assert.deepEqual([niceAbove(3), niceAbove(5), niceAbove(0.011), powerOfTen(1e-10)], [5, 5, 0.02, "10⁻¹⁰"]);
});

test("the books forget what can no longer be seen", () => {
  const made = new Books();
  for (let i = 0; i < 5000; i++) made.record({ t: i / 100, swing: 1, drift: () => [0, 0], gap: () => 0 });
  assert.ok(made.points.length < 900 && made.points[0][0] > 38);
  assert.equal(made.gaps.length, made.points.length);
});
