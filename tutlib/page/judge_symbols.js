// Judges expressions and equations by their values at sample points, as symbolic_answers.py and
// equations.py do: the points and the right values are those of Python.
import { entriesOf, namesIn, shapeOf } from "./judge_numbers.js";
import { nearest } from "./nearest.js";
import { reading } from "./reading.js";
import { agree, labelOf, listed, tuple } from "./saying.js";
import { divide, isFinite, isReal, isZero, minus, opposite, same, size, times, values } from "./values.js";
import { UnreadableError } from "./words.js";

const BLOCK = 4;
// Of a right value, as it is written in the page: relative.
const WRITTEN = 1e-13;

const asWritten = (list) => list.map((one) => {
  const [re, im] = Array.isArray(one) ? one : [one, 0];
  return [re ?? NaN, im ?? NaN, WRITTEN * Math.hypot(re, im)];
});

// The sample points as objects from names to numbers; some of the names at other values.
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
  const more = exercise.names.find((one) => one.name === name).whole ? 1 : 0.37;
  return pointsOf(exercise, { [name]: (value) => value + more });
}

const ratios = (one, other) => one.map((a, k) => divide(a, other[k]));

// Whether one list is the other times a factor, the same in each block.
function proportional(one, other) {
  const quotients = ratios(one, other);
  for (let k = 0; k < quotients.length; k += BLOCK) {
    const block = quotients.slice(k, k + BLOCK);
    const usable = isFinite(block[0]) && !isZero(block[0]);
    if (!usable || !same(block, block.map(() => block[0]))) return false;
  }
  return true;
}

const isRounded = (tree) => Boolean(tree.rounded) || tree.parts.some(isRounded);

function tree(exercise, text) {
  const constants = exercise.names.filter((one) => !one.changes).map((one) => one.name);
  const names = exercise.names.map((one) => one.name);
  return reading(text, { names, constants, means: exercise.means });
}

function read(exercise, text, said) {
  const names = exercise.names.map((one) => one.name);
  const found = tree(exercise, text);
  const whole = exercise.kind === "equation" ? difference(found) : oneSide(found, names, said);
  const trees = entries(exercise, whole, said).map((entry) =>
    (exercise.kind === "equation" ? difference(entry) : entry));
  for (const entry of trees) refuseStrangers(exercise, entry, said);
  const points = pointsOf(exercise);
  const rounded = trees.some(isRounded);
  return { tree: found, trees, rounded, values: trees.map((entry) => values(entry, points)) };
}

const difference = (tree) => (tree.type === "=" ? { type: "-", parts: tree.parts } : tree);

// What an equation such as S = m g says that a new name is.
function oneSide(tree, names, said) {
  if (tree.type !== "=") return tree;
  if (tree.parts.some((side) => side.type === "number" && side.value === 0)) {
    throw new UnreadableError(said("is zero"));
  }
  const [left, right] = tree.parts;
  const isNew = (side) => side.type === "leaf" && !names.includes(side.name);
  if (isNew(left)) return right;
  if (isNew(right)) return left;
  throw new UnreadableError(said("right side"));
}

function entries(exercise, tree, said) {
  const list = tree.type === "list";
  if (list && !exercise.shape) throw new UnreadableError(said("one expression"));
  const found = list ? shapeOf(tree) : [1];
  const wrong = !found || found.length > 2 || (exercise.kind !== "equation" && hasEquation(tree));
  if (wrong) throw new UnreadableError(said("no symbols", { type: "list" }));
  const shape = found.length === 1 ? [...found, 1] : found;
  const wanted = exercise.shape;
  const turned = shape.includes(1) && String(wanted) === String([...shape].reverse());
  if (wanted && String(shape) !== String(wanted) && !turned) {
    throw new UnreadableError(said("shape", { given: tuple(shape), shape: tuple(wanted) }));
  }
  return entriesOf(tree);
}

const hasEquation = (tree) => tree.type === "=" || tree.parts.some(hasEquation);

// Refuse what is not known; say what it may be called here.
function refuseStrangers(exercise, tree, said) {
  const names = exercise.names.map((one) => one.name);
  const strangers = namesIn(tree).filter((name) => !names.includes(name));
  if (!strangers.length) return;
  const plain = (name) => name.replaceAll("'", "");
  const known = [...new Set(names.map(plain))];
  const near = Object.fromEntries(strangers.map((name) => [name, nearest(plain(name), known)]));
  const advice = new Map(strangers.filter((name) => near[name]).map((name) => [plain(name), near[name]]));
  const labels = strangers.filter((name) => !near[name]).map(labelOf);
  const told = [];
  if (advice.size) {
    const given = [...advice.keys()];
    const better = listed([...advice].map(([name, one]) => `${one} for ${name}`));
    told.push(said("nearest", { names: listed(given), are: agree(given, "is", "are"), advice: better }));
  }
  if (labels.length) {
    const alone = exercise.expected.length ? "stranger" : "stranger among numbers";
    const parts = { names: listed(labels), do: agree(labels, "does", "do") };
    told.push(said(alone, { ...parts, known: listed(exercise.expected) }));
  }
  throw new UnreadableError(told.join(" "));
}

const equal = (exercise) => (exercise.kind === "equation" ? proportional : same);

function sameAs(exercise, answer, lists) {
  return answer.values.every((list, k) => equal(exercise)(list, asWritten(lists[k])));
}

function explain(exercise, answer, said) {
  const right = exercise.entries.map((entry) => asWritten(entry.values));
  const wrong = right.flatMap((list, k) => (equal(exercise)(answer.values[k], list) ? [] : [k]));
  const entry = exercise.kind === "equation" ? explainEquation : explainEntry;
  if (right.length === 1) return entry(exercise, answer, 0, said);
  const columns = exercise.shape[1];
  const places = wrong.map((k) => `[${Math.floor(k / columns)}, ${k % columns}]`);
  const told = said("entries", { entries: agree(places, "entry", "entries"), places: listed(places) });
  return wrong.length === 1 ? `${told} ${entry(exercise, answer, wrong[0], said)}` : told;
}

function explainEntry(exercise, answer, k, said) {
  const [a, b] = [answer.values[k], asWritten(exercise.entries[k].values)];
  if (!a.every(isReal)) return said("not real");
  if (a.every(isZero)) return said("zero");
  const close = a.every((x, i) => size(minus(x, b[i])) <= 0.01 * size(b[i]));
  if (answer.rounded && close) return said("rounded");
  if (same(a.map(opposite), b)) return said("sign of the whole");
  const place = b.findIndex((y) => !isZero(y));
  const factor = place < 0 ? [0, 0, 0] : divide(a[place], b[place]);
  if (same(a, b.map((y) => times(factor, y)))) return said("constant factor");
  return missing(exercise, answer, k, said) || term(exercise, answer, k, said)
    || dependence(exercise, answer, k, said) || said("mind all");
}

const labels = (exercise, names) => exercise.names.filter((one) => names.includes(one.name))
  .map((one) => one.label).sort();

function missing(exercise, answer, k, said) {
  const given = namesIn(answer.trees[k]);
  const names = labels(exercise, exercise.entries[k].needs.filter((name) => !given.includes(name)));
  return names.length ? said("independent", { names: listed(names) }) : "";
}

// Which symbols the difference hangs on: those without which there is none.
function term(exercise, answer, k, said, factor = null) {
  const found = exercise.names.filter(({ name }) => {
    const b = asWritten(exercise.entries[k].vanishing[name]);
    const own = values(answer.trees[k], vanishing(exercise, name));
    const factors = factor?.(name);
    const a = factors ? own.map((value, i) => times(value, factors[i])) : own;
    return b.some((y) => !isZero(y)) && same(a, b);
  });
  const names = found.map((one) => one.label).sort();
  return names.length ? said("term", { any: listed(names, "or"), all: listed(names) }) : "";
}

// What the quotient of both depends on, if that is not everything.
function dependence(exercise, answer, k, said) {
  const { values: right, shifted: after, leaves: wanted } = exercise.entries[k];
  const own = new Set([...wanted, ...namesIn(answer.trees[k])]);
  const before = ratios(answer.values[k], asWritten(right));
  const found = [...own].filter((name) => {
    const here = values(answer.trees[k], shifted(exercise, name));
    return !same(before, ratios(here, asWritten(after[name])));
  });
  const fine = wanted.filter((name) => !found.includes(name));
  if (!found.length || !fine.length) return "";
  const told = [fine, found].map((names) => listed(labels(exercise, names)));
  return said("dependence", { fine: told[0], wrong: told[1] });
}

function explainEquation(exercise, answer, k, said) {
  const list = answer.values[k];
  if (!list.every(isReal)) return said("not real");
  if (list.every(isZero)) return said("zero equation");
  return missing(exercise, answer, k, said) || scaledTerm(exercise, answer, k, said) || said("mind all");
}

const differences = (one, other) => one.map((a, i) => minus(a, other[i]));

// Scale the answer so that the terms with one symbol are right; then look for the rest.
function scaledTerm(exercise, answer, k, said) {
  const { values: right, vanishing: without, without: both } = exercise.entries[k];
  const rest = (...names) => values(answer.trees[k], vanishing(exercise, ...names));
  for (const anchor of Object.keys(both)) {
    const own = differences(answer.values[k], rest(anchor));
    const wanted = differences(asWritten(right), asWritten(without[anchor]));
    if (!proportional(own, wanted)) continue;
    const factor = (name) => (name === anchor ? ratios(wanted, own) : ratios(
      differences(asWritten(without[name]), asWritten(both[anchor][name])),
      differences(rest(name), rest(name, anchor)),
    ));
    const told = term(exercise, answer, k, said, factor);
    if (told) return told;
  }
  return "";
}

export const symbols = { tree, read, same: sameAs, explain };
