// Judgment of a typed answer by the data of its exercise, in the same words as Python's check.
import { arrays, choices, numbers } from "./judge_numbers.js";
import { MOST_TRIES, response } from "./judge_stages.js";
import { symbols } from "./judge_symbols.js";
import { sayer } from "./answer_sentences.js";
import { plainText } from "./spellings.js";
import { UnreadableError } from "./tokens.js";

const KINDS = { number: numbers, array: arrays, choice: choices, expression: symbols, equation: symbols };

// The values that an answer is compared with.
const valuesOf = (exercise) => exercise.entries?.map((entry) => entry.values) ?? exercise.value;

// Words and signs around a formula: the box's own line, and LaTeX's brackets of a formula.
const AROUND = /^\s*Read as\s|(?<!\\)\\[[\]()]/g;

// What `read` makes of the letters that a text means; an error has its position in the text itself.
function spelledOut(typed, read) {
  const { text, positions } = plainText(typed);
  const own = text.replace(AROUND, (signs) => "".padEnd(signs.length));
  try {
    return read(own);
  } catch (error) {
    if (error instanceof UnreadableError) error.position = positions[error.position] ?? error.position;
    throw error;
  }
}

// What is read so far, {tree} or {sentence, position}, while a reader types.
export function understood(exercise, text) {
  try {
    return { tree: spelledOut(text, (plain) => KINDS[exercise.kind].tree(exercise, plain)) };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { sentence: error.message, position: error.position };
  }
}

// Return {verdict, message, tried, tree, trees, position}: `tried` are the different wrong answers so
// far, an argument of the next call; the tree is the parsed answer, the trees are its entries as
// compared, the position is where parsing failed. For a wrong answer, also the stage of the first
// finding, and the section if the message names it.
export function judged(exercise, text, sentences, before = []) {
  const said = sayer(sentences);
  const kind = KINDS[exercise.kind];
  const read = (typed) => spelledOut(typed, (plain) => kind.read(exercise, plain, said));
  const wrong = (findings, tried) => ({
    verdict: findings[0][0] === "reading" ? "unread" : "wrong", stage: findings[0][0], tried, ...response(findings, tried.length, exercise.section, said),
  });
  try {
    const answer = read(text);
    const parsed = { tree: answer.tree, trees: answer.trees, value: answer.value, position: null };
    if (kind.same(exercise, answer, valuesOf(exercise))) {
      const message = said("right", { lesson: exercise.lesson }).trim();
      return { verdict: "right", message, tried: [], ...parsed };
    }
    const misconception = exercise.misconceptions.find(({ value, values }) => kind.same(exercise, answer, values ?? value));
    const hints = misconception ? [["misconception", misconception.hint]] : [];
    // After a known wrong number, a factor that fits is an accident.
    const enough = misconception && ["number", "array"].includes(exercise.kind);
    const findings = [...hints, ...(enough ? [] : kind.findings(exercise, answer, said))].slice(0, 2);
    return { ...wrong(findings, withTry(exercise, before, answer, text, read)), ...parsed };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { ...wrong([["reading", error.message]], before), tree: null, position: error.position };
  }
}

// The different wrong answers, with the new one unless it repeats one of them.
function withTry(exercise, before, answer, text, read) {
  const kind = KINDS[exercise.kind];
  const repeated = before.some((earlier) => {
    try {
      const previous = read(earlier);
      return kind.same(exercise, answer, previous.values ?? previous.value);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return false; // from an earlier version of the exercise
    }
  });
  return repeated ? before : [...before, text].slice(0, MOST_TRIES);
}
