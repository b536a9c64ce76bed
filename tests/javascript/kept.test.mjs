// Answers that are kept: merged, counted, and as a file. Run by test_javascript.py.
import assert from "node:assert/strict";
import test from "node:test";

import { asFile, counted, fromFile, kept, merged } from "../../tutlib/page/kept.js";

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

test("what is no file of answers is refused by a sentence", () => {
  for (const text of ["", "hello", "3", "null", "[]", "{}", '{"course":"Equations in Motion","version":1}',
    '{"course":"Equations in Motion","version":"1","answers":{}}', '{"course":"Another","version":1,"answers":{}}']) {
    assert.match(fromFile(text).sentence, /no answers of this course/, text);
  }
  const later = '{"course":"Equations in Motion","version":2,"answers":{}}';
  assert.match(fromFile(later).sentence, /later version/);
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
  assert.deepEqual(counts, [{ chapter: "a", given: 2, right: 1, all: 3 }]);
  kept.add({ "a-1": RIGHT });
  assert.deepEqual([kept.works(), kept.all()], [false, {}]);
});
