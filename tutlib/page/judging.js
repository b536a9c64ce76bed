// Judges what a reader wrote, by the data of an exercise: in the same words as Python's check.
import { arrays, choices, numbers } from "./judge_numbers.js";
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

// Return {verdict, message, tree, trees, place}: the tree is what was read, the trees are its entries
// as they are compared, the place is where reading ended.
export function judged(exercise, text, sentences) {
  const said = sayer(sentences);
  const kind = KINDS[exercise.kind];
  let [answer, hint, place] = [null, "", null];
  try {
    answer = kind.read(exercise, text, said);
    if (kind.same(exercise, answer, valuesOf(exercise))) {
      const message = said("right", { lesson: exercise.lesson }).trim();
      return { verdict: "right", message, tree: answer.tree, trees: answer.trees, value: answer.value, place };
    }
    const known = exercise.misconceptions.find((one) => kind.same(exercise, answer, one.values ?? one.value));
    hint = known?.hint ?? kind.explain(exercise, answer, said);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    [hint, place] = [error.message, error.place];
  }
  const message = said("wrong", { hint, section: exercise.section });
  const { tree = null, trees, value } = answer ?? {};
  return { verdict: "wrong", message, tree, trees, value, place };
}
