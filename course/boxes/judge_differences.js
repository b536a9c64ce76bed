// Differences between a wrong expression or equation and the right one, as found by
// course/judge/differences.py: a sign, a factor, a limit, a term, a missing symbol.
import RULES from "../judge/rules.json" with { type: "json" };
import { namesIn } from "./judge_numbers.js";
import { NO_CLUE } from "./judge_stages.js";
import { terms, toldUnit, unitOf } from "./judge_units.js";
import { listed } from "./answer_sentences.js";
import { divide, isFinite, isReal, isZero, minus, opposite, real, same, size, times, values } from "./values.js";

const BLOCK = 4;
const MOST_TERMS = RULES["most terms"];
// Relative accuracy of the right values in the page.
const WRITTEN = 1e-13;

export const asWritten = (list) => list.map((number) => {
  const [re, im] = Array.isArray(number) ? number : [number, 0];
  return [re ?? NaN, im ?? NaN, WRITTEN * Math.hypot(re, im)];
});

// The sample points as objects from names to numbers, with functions applied to some of the names.
export function pointsOf(exercise, changed = {}) {
  const names = Object.keys(exercise.points);
  const count = names.length ? exercise.points[names[0]].length : 12;
  return Array.from({ length: count }, (_, k) =>
    Object.fromEntries(names.map((name) => [name, changed[name]?.(exercise.points[name][k])
      ?? exercise.points[name][k]])));
}

const zero = () => 0;
const vanishing = (exercise, ...names) =>
  pointsOf(exercise, Object.fromEntries(names.map((name) => [name, zero])));

function shifted(exercise, name) {
  const more = exercise.names.find((symbol) => symbol.name === name).whole ? 1 : 0.37;
  return pointsOf(exercise, { [name]: (value) => value + more });
}

const ratios = (list, right) => list.map((a, k) => divide(a, right[k]));

// Whether a list equals another times a factor that is constant in each block.
function proportional(list, right) {
  const quotients = ratios(list, right);
  for (let k = 0; k < quotients.length; k += BLOCK) {
    const block = quotients.slice(k, k + BLOCK);
    const usable = isFinite(block[0]) && !isZero(block[0]);
    if (!usable || !same(block, block.map(() => block[0]))) return false;
  }
  return true;
}

// The same up to 1 % and one point of each block.
function nearlyProportional(list, right) {
  const quotients = ratios(list, right);
  if (!quotients.every(isFinite)) return false;
  return [0, 1, 2].every((k) => {
    const block = quotients.slice(BLOCK * k, BLOCK * (k + 1)).sort((a, b) => size(a) - size(b));
    const middle = block[BLOCK / 2];
    return block.filter((q) => size(minus(q, middle)) <= 0.01 * size(middle)).length >= BLOCK - 1;
  });
}

const isEquation = (exercise) => exercise.kind === "equation";
export const equal = (exercise) => (isEquation(exercise) ? proportional : same);

// The findings about entry k, the most specific first.
export function differences(exercise, answer, k, said) {
  const sentence = withoutValue(exercise, answer, k, said);
  if (sentence) return [["value", sentence]];
  const kinds = [
    ["units", units], ["sign and factor", ofTheWhole], ["sign and factor", ofATerm], ["limit", limits],
    ["part", part],
  ];
  const findings = kinds.map(([stage, kind]) => [stage, kind(exercise, answer, k, said)]);
  return [...findings.filter(([, sentence]) => sentence), [NO_CLUE, said("mind all")]];
}

function withoutValue(exercise, answer, k, said) {
  const [a, b] = [answer.values[k], asWritten(exercise.entries[k].values)];
  if (!a.every(isReal)) return said("not real");
  const nothing = b.every((y) => size(y) === 0);
  if (nothing && !isEquation(exercise)) return said("nothing there");
  if (a.every(isZero)) {
    if (isEquation(exercise)) return said("zero equation");
    return said(exercise.entries[k].leaves.length ? "zero" : "something there");
  }
  const close = isEquation(exercise) ? nearlyProportional(a, b)
    : a.every((x, i) => size(minus(x, b[i])) <= 0.01 * size(b[i]));
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

const ofTheWhole = (exercise, answer, k, said) => (isEquation(exercise) ? ""
  : wholeOf(answer.values[k], asWritten(exercise.entries[k].values), said));

// Whether a list of values equals another times -1, or times another constant.
export function wholeOf(a, b, said) {
  if (same(a.map(opposite), b)) return said("sign of the whole");
  const index = b.findIndex((y) => !isZero(y));
  const factor = index < 0 ? [0, 0, 0] : divide(a[index], b[index]);
  const scaled = !isZero(factor) && same(a, b.map((y) => times(factor, y)));
  return scaled ? said("constant factor") : "";
}

// Whether the answer is right up to the sign or factor of one term.
function ofATerm(exercise, answer, k, said) {
  const sum = terms(answer.trees[k]);
  if (sum.length < 2 || sum.length > MOST_TERMS) return "";
  const [a, b] = [answer.values[k], asWritten(exercise.entries[k].values)];
  const lists = sum.map((term) => values(term, pointsOf(exercise)));
  for (const [share, name] of [[2, "sign of a term"], [1, "term too many"]]) {
    const rest = (list) => a.map((x, i) => minus(x, times(real(share), list[i])));
    const fits = (list) => list.every(isReal) && equal(exercise)(list, b);
    if (lists.map(rest).some(fits)) return said(name);
  }
  const shares = lists.map((list) => ratios(differencesOf(a, b), list));
  const constant = (list) => list.every(isReal) && same(list, list.map(() => list[0]));
  return !isEquation(exercise) && shares.some(constant) ? said("factor of a term") : "";
}

// Symbols for which the right answer vanishes and this one does not, or the reverse.
function limits(exercise, answer, k, said) {
  if (isEquation(exercise)) return atRest(exercise, answer, k, said);
  if (asWritten(exercise.entries[k].values).every((y) => size(y) === 0)) return "";
  const cases = { "must vanish": [], "must stay": [] };
  for (const { name, label } of exercise.names) {
    const actual = values(answer.trees[k], vanishing(exercise, name));
    const right = asWritten(exercise.entries[k].vanishing[name]);
    if (![...actual, ...right].every(isReal)) continue;
    const [vanishes, mustVanish] = [actual.every(isZero), right.every((y) => size(y) === 0)];
    if (vanishes !== mustVanish) cases[mustVanish ? "must vanish" : "must stay"].push(`${label} = 0`);
  }
  const [kind, names] = Object.entries(cases).find(([, limits]) => limits.length) ?? [];
  return kind ? said(kind, { names: listed(names.sort(), "or") }) : "";
}

// Whether the right equation holds at rest, and this one does not.
function atRest(exercise, answer, k, said) {
  const moving = exercise.names.filter(({ name, changes }) => changes || name === "t");
  const actual = values(answer.trees[k], vanishing(exercise, ...moving.map(({ name }) => name)));
  if (!exercise.entries[k].rests || !actual.every(isReal) || actual.every(isZero)) return "";
  return said("must hold", { names: listed(moving.map(({ label }) => `${label} = 0`).sort()) });
}

const labels = (exercise, names) => exercise.names.filter(({ name }) => names.includes(name))
  .map(({ label }) => label).sort();

function part(exercise, answer, k, said) {
  const find = isEquation(exercise) ? scaledTerm : term;
  return missing(exercise, answer, k, said) || find(exercise, answer, k, said)
    || (isEquation(exercise) ? "" : dependence(exercise, answer, k, said));
}

function missing(exercise, answer, k, said) {
  const used = namesIn(answer.trees[k]);
  const names = labels(exercise, exercise.entries[k].needs.filter((name) => !used.includes(name)));
  return names.length ? said("independent", { names: listed(names) }) : "";
}

// Symbols without which there is no difference.
function term(exercise, answer, k, said, factor = null) {
  const decisive = exercise.names.filter(({ name }) => {
    const b = asWritten(exercise.entries[k].vanishing[name]);
    const actual = values(answer.trees[k], vanishing(exercise, name));
    const factors = factor?.(name);
    const a = factors ? actual.map((value, i) => times(value, factors[i])) : actual;
    return b.some((y) => !isZero(y)) && same(a, b);
  });
  const names = decisive.map(({ label }) => label).sort();
  return names.length ? said("term", { any: listed(names, "or"), all: listed(names) }) : "";
}

// Symbols on which the quotient of answer and right value depends, if some have no effect.
function dependence(exercise, answer, k, said) {
  const { values: right, shifted: after, leaves: wanted } = exercise.entries[k];
  const candidates = new Set([...wanted, ...namesIn(answer.trees[k])]);
  const before = ratios(answer.values[k], asWritten(right));
  const wrong = [...candidates].filter((name) => {
    const here = values(answer.trees[k], shifted(exercise, name));
    return !same(before, ratios(here, asWritten(after[name])));
  });
  const fine = wanted.filter((name) => !wrong.includes(name));
  if (!wrong.length || !fine.length) return "";
  const text = (names) => listed(labels(exercise, names));
  return said("dependence", { fine: text(fine), wrong: text(wrong) });
}

const differencesOf = (list, right) => list.map((a, i) => minus(a, right[i]));

// The term that differs once the answer is scaled so that the terms with one symbol are right.
function scaledTerm(exercise, answer, k, said) {
  const { values: right, vanishing: without, without: both } = exercise.entries[k];
  const rest = (...names) => values(answer.trees[k], vanishing(exercise, ...names));
  for (const anchor of Object.keys(both)) {
    const actual = differencesOf(answer.values[k], rest(anchor));
    const wanted = differencesOf(asWritten(right), asWritten(without[anchor]));
    if (!proportional(actual, wanted)) continue;
    const factor = (name) => (name === anchor ? ratios(wanted, actual) : ratios(
      differencesOf(asWritten(without[name]), asWritten(both[anchor][name])),
      differencesOf(rest(name), rest(name, anchor)),
    ));
    const sentence = term(exercise, answer, k, said, factor);
    if (sentence) return sentence;
  }
  return "";
}
