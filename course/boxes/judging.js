// Judges what a reader wrote, by the data of an exercise: in the same words as Python's check.
import { arrays, choices, numbers } from "./judge_numbers.js";
import { MOST_TRIES, response } from "./judge_stages.js";
import { symbols } from "./judge_symbols.js";
import { sayer } from "./saying.js";
import { UnreadableError } from "./words.js";

const KINDS = { number: numbers, array: arrays, choice: choices, expression: symbols, equation: symbols };

// What the right answer, or a wrong one, is compared by.
const valuesOf = (exercise) => exercise.entries?.map((entry) => entry.values) ?? exercise.value;

// What is read so far, {tree} or {sentence, place}: while a reader writes.
export function understood(exercise, text) {
  try {
    return { tree: KINDS[exercise.kind].tree(exercise, text) };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { sentence: error.message, place: error.place };
  }
}

// Return {verdict, message, tried, tree, trees, place}: `tried` are the different wrong answers so far,
// which the next call takes; the tree is what was read, the trees are its entries as they are
// compared, the place is where reading ended. Of a wrong answer, the stage of what is said first, and
// the section where that is told.
export function judged(exercise, text, sentences, before = []) {
  const said = sayer(sentences);
  const kind = KINDS[exercise.kind];
  const wrong = (findings, tried) => ({
    verdict: findings[0][0] === "reading" ? "unread" : "wrong", stage: findings[0][0], tried, ...response(findings, tried.length, exercise.section, said),
  });
  try {
    const answer = kind.read(exercise, text, said);
    const read = { tree: answer.tree, trees: answer.trees, value: answer.value, place: null };
    if (kind.same(exercise, answer, valuesOf(exercise))) {
      const message = said("right", { lesson: exercise.lesson }).trim();
      return { verdict: "right", message, tried: [], ...read };
    }
    const known = exercise.misconceptions.find((one) => kind.same(exercise, answer, one.values ?? one.value));
    const hints = known ? [["misconception", known.hint]] : [];
    const findings = [...hints, ...kind.findings(exercise, answer, said)].slice(0, 2);
    return { ...wrong(findings, withTry(exercise, before, answer, text, said)), ...read };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { ...wrong([["reading", error.message]], before), tree: null, place: error.place };
  }
}

// The different wrong answers with one more, unless it is one of them.
function withTry(exercise, before, answer, text, said) {
  const kind = KINDS[exercise.kind];
  const known = before.some((earlier) => {
    try {
      const other = kind.read(exercise, earlier, said);
      return kind.same(exercise, answer, other.values ?? other.value);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return false; // it was kept from an exercise that has changed
    }
  });
  return known ? before : [...before, text].slice(0, MOST_TRIES);
}
