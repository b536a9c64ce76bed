// Findings about a wrong expression or equation: units, factors, missing symbols, and the first
// matching rows of course/judge/generic_mistakes.py, which Python has computed.
import RULES from "../judge/rules.json" with { type: "json" };
import { listed } from "./answer_sentences.js";
import { namesIn } from "./judge_numbers.js";
import { NO_CLUE } from "./judge_stages.js";
import { toldUnit, unitOf } from "./judge_units.js";
import { divide, isFinite, isReal, isZero, same, size, minus, times, values } from "./values.js";

const STAGES = RULES.stages;
const BLOCK = 4;
// Relative accuracy of the right values in the page, and of those of mistakes.
const WRITTEN = 1e-13;
const COARSE = 1e-9;

export const asWritten = (list, accuracy = WRITTEN) => list.map((number) => {
  const [re, im] = Array.isArray(number) ? number : [number, 0];
  return [re ?? NaN, im ?? NaN, accuracy * Math.hypot(re, im)];
});

// The sample points, all or those with some indices, as objects from names to numbers.
export function pointsOf(exercise, indices = null, zero = []) {
  const names = Object.keys(exercise.points);
  const count = names.length ? exercise.points[names[0]].length : 12;
  return (indices ?? [...Array(count).keys()]).map((k) =>
    Object.fromEntries(names.map((name) => [name, zero.includes(name) ? 0 : exercise.points[name][k]])));
}

const isEquation = (exercise) => exercise.kind === "equation";
const near = (list, right) => list.every((a, k) => size(minus(a, right[k])) <= 0.01 * Math.max(size(a), size(right[k])));

// Whether a list equals another times a factor that is constant in each block.
function proportional(list, right, alike = same) {
  const quotients = list.map((a, k) => divide(a, right[k]));
  for (let k = 0; k < quotients.length; k += BLOCK) {
    const block = quotients.slice(k, k + BLOCK);
    const usable = isFinite(block[0]) && !isZero(block[0]);
    if (!usable || !alike(block, block.map(() => block[0]))) return false;
  }
  return true;
}

export const equal = (exercise) => (isEquation(exercise) ? proportional : same);

// The findings about entry k, the most specific first.
export function findingsOf(exercise, answer, k, said) {
  const [entry, tree] = [exercise.entries[k], answer.trees[k]];
  const sentence = withoutValue(exercise, answer, k, said);
  if (sentence) return [["value", sentence]];
  const used = namesIn(tree);
  const missing = exercise.names.filter(({ name }) => entry.needs.includes(name) && !used.includes(name));
  const names = listed(missing.map(({ label }) => label).sort());
  return [
    ["units", units(exercise, answer, k, said)],
    ["sign and factor", isEquation(exercise) ? "" : wholeOf(answer.values[k], asWritten(entry.values), said)],
    ["part", names && said("independent", { names })],
    ...matching(exercise, tree, entry.mistakes),
    [NO_CLUE, said("mind all")],
  ].filter(([, text]) => text).sort(([a], [b]) => STAGES.indexOf(a) - STAGES.indexOf(b));
}

// For each stage, the finding of the first row that a tree matches.
function matching(exercise, tree, mistakes) {
  const found = new Map();
  const at = (zero) => values(tree, pointsOf(exercise, exercise.few, zero));
  for (const [stage, sentence, zero, differs, ...rows] of mistakes) {
    const actual = found.has(stage) ? [] : at(zero);
    if (!actual.length || !actual.every(isReal)) continue;
    const isAlike = (row) => (row.length ? equal(exercise)(actual, asWritten(row, COARSE)) : actual.every(isZero));
    if (rows.some(isAlike) !== Boolean(differs)) found.set(stage, sentence);
  }
  return [...found];
}

function withoutValue(exercise, answer, k, said) {
  const [list, right] = [answer.values[k], asWritten(exercise.entries[k].values)];
  if (!list.every(isReal)) return said("not real");
  if (isEquation(exercise) && list.every(isZero)) return said("zero equation");
  if (right.every((y) => size(y) === 0)) return said("nothing there");
  if (list.every(isZero)) return said(exercise.entries[k].needs.length ? "zero" : "something there");
  const close = isEquation(exercise) ? proportional(list, right, near) : near(list, right);
  return answer.rounded && close ? said("rounded") : "";
}

// Terms of inconsistent units, or a wrong unit of the whole.
function units(exercise, answer, k, said) {
  if (!exercise.units) return "";
  const { unit, clashes } = unitOf(answer.trees[k], exercise.units, said);
  if (clashes.length) return clashes[0];
  const right = exercise.entries[k].unit;
  if (isEquation(exercise) || !unit || !right || String(unit) === String(right)) return "";
  return said("unit", { unit: toldUnit(unit), right: toldUnit(right) });
}

// Whether a list of values equals another times -1, or times another constant.
export function wholeOf(list, right, said) {
  const index = right.findIndex((y) => !isZero(y));
  const factor = index < 0 ? [0, 0, 0] : divide(list[index], right[index]);
  if (isZero(factor) || !same(list, right.map((y) => times(factor, y)))) return "";
  return said(same([factor], [[-1, 0, 0]]) ? "sign of the whole" : "constant factor");
}
