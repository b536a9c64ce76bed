// Answers that are kept: merged, counted, and as a file. Run by test_javascript.py.
import assert from "node:assert/strict";
import test from "node:test";

import { asFile, asOfNow, counted, fromFile, merged, storage } from "../../course/boxes/answer_storage.js";

const RIGHT = { text: "m*g", verdict: "right" };
const WRONG = { text: "m", verdict: "wrong" };

test("a wrong answer never takes the place of a right one", () => {
  const own = { "a-1": RIGHT, "a-2": WRONG };
  const again = { text: "g*m", verdict: "right" };
  assert.deepEqual(merged(own, { "a-1": WRONG, "a-2": RIGHT, "a-3": WRONG }), { "a-1": RIGHT, "a-2": RIGHT, "a-3": WRONG });
  assert.deepEqual(merged(own, { "a-1": again }), { "a-1": again, "a-2": WRONG });
});

test("a file brings back what was saved", () => {
  const answers = { "kane-3": RIGHT, "two-words-1": WRONG };
  assert.deepEqual(fromFile(asFile(answers)), { answers });
});

test("wrong answers are kept with the tries before them, and with nothing else", () => {
  const tries = { "kane-3": { ...WRONG, tried: ["x", "m"] }, "kane-4": WRONG };
  assert.deepEqual(fromFile(asFile(tries)), { answers: tries });
  for (const tried of [[3], "x", ["a", "b", "c", "d"], ["x".repeat(4001)], {}, null, []]) {
    assert.deepEqual(fromFile(asFile({ "kane-4": { ...WRONG, tried } })), { answers: { "kane-4": WRONG } });
  }
});

test("a right answer to an exercise that has changed is not counted before it is asked again", () => {
  const [old, now] = ["0000000a", "0000000b"];
  const answers = { "a-1": { ...RIGHT, of: old }, "a-2": { ...RIGHT, of: now }, "a-3": RIGHT };
  assert.deepEqual(fromFile(asFile(answers)), { answers });
  const counts = counted(asOfNow(answers, { "a-1": now, "a-2": now, "a-3": now }), { a: ["a-1", "a-2", "a-3"] });
  assert.deepEqual(counts, [{ chapter: "a", answered: 3, right: 2, all: 3 }]);
  const odd = { "a-1": { ...RIGHT, of: "<b>" } };
  assert.deepEqual(fromFile(asFile(odd)), { answers: { "a-1": RIGHT } });
});

test("two sites on one host keep answers apart, and what was kept before is read", async () => {
  const held = new Map([["equations-in-motion-answers", JSON.stringify({ "a-1": WRONG })]]);
  globalThis.localStorage = {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => held.set(name, value),
    removeItem: (name) => held.delete(name),
  };
  const site = async (year) => {
    globalThis.document = { currentScript: { src: `https://host.example/${year}/_static/answers/answers.js` } };
    return (await import(`../../course/boxes/answer_storage.js?${year}`)).storage;
  };
  const [one, other] = [await site(2026), await site(2027)];
  one.add({ "a-1": RIGHT });
  assert.deepEqual([one.all(), other.all()], [{ "a-1": RIGHT }, { "a-1": WRONG }]);
  one.put({ "a-1": WRONG });
  assert.deepEqual(one.all(), { "a-1": WRONG });
  other.forget();
  assert.deepEqual([one.all(), other.all()], [{ "a-1": WRONG }, {}]);
  delete globalThis.localStorage;
  delete globalThis.document;
});

test("what is no file of answers is refused by a sentence", () => {
  for (const text of ["", "hello", "3", "null", "[]", "{}", '{"course":"Equations in Motion","version":1}',
    '{"course":"Equations in Motion","version":"1","answers":{}}', '{"course":"Another","version":1,"answers":{}}']) {
    assert.match(fromFile(text).sentence, /no answers of this course/, text);
  }
  const later = '{"course":"Equations in Motion","version":2,"answers":{}}';
  assert.match(fromFile(later).sentence, /newer version/);
});

test("of a file, only answers are taken", () => {
  const answers = {
    "kane-3": { ...RIGHT, more: 1 }, "__proto__-1": RIGHT, "<b>-1": RIGHT, "kane-4": { text: 3, verdict: "right" },
    "kane-5": { text: "x", verdict: "great" }, "kane-6": null,
  };
  assert.deepEqual(fromFile(asFile(answers)), { answers: { "kane-3": RIGHT } });
});

test("chapters without an answer are not counted; without a store nothing is kept", () => {
  const chapters = { a: ["a-1", "", "a-2", "a-4"], b: ["b-1"] };
  const counts = counted({ "a-1": RIGHT, "a-2": WRONG, "a-3": RIGHT }, chapters);
  assert.deepEqual(counts, [{ chapter: "a", answered: 2, right: 1, all: 3 }]);
  storage.add({ "a-1": RIGHT });
  assert.deepEqual([storage.trouble(), storage.all()], ["none", {}]);
});

test("a full storage is reported, before an answer is lost and after", async () => {
  const held = new Map();
  let free = 1e4;
  globalThis.localStorage = {
    getItem: (name) => held.get(name) ?? null,
    setItem(name, value) {
      if (value.length > free) throw Object.assign(new Error("full"), { name: "QuotaExceededError" });
      held.set(name, value);
    },
    removeItem: (name) => held.delete(name),
  };
  const own = (await import("../../course/boxes/answer_storage.js?full")).storage;
  assert.deepEqual([own.trouble(), own.add({ "a-1": RIGHT }), own.trouble()], ["", true, ""]);
  free = 60;
  assert.deepEqual([own.trouble(), own.add({ "a-2": RIGHT }), own.all()], ["full", false, { "a-1": RIGHT }]);
  free = 1e4;
  assert.equal(own.trouble(), "full"); // the last answer is not stored yet
  assert.deepEqual([own.add({ "a-2": RIGHT }), own.trouble()], [true, ""]);
  delete globalThis.localStorage;
});
