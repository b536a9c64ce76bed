// Judges of expressions and equations by their values at sample points, as in symbolic_answers.py
// and equations.py: Python has computed the points and the right values.
import { asWritten, equal, findingsOf, pointsOf, wholeOf } from "./judge_mistakes.js";
import { entriesOf, namesIn, shapeOf } from "./judge_numbers.js";
import { nearest } from "./nearest.js";
import { reading } from "./reading.js";
import { bounded } from "./judge_quantities.js";
import { agree, labelOf, listed, placed, sized } from "./answer_sentences.js";
import { asTable } from "./tables.js";
import { values } from "./values.js";
import { UnreadableError } from "./tokens.js";

const isRounded = (tree) => Boolean(tree.rounded) || tree.operands.some(isRounded);

// A name or description of the answer before it: |q| =, d(θ) =, F_1^* =, det M =.
const LABEL = /^\s*(?:\|[^|=]+\||det\s*\(?\w+\)?|Δ\w+|[A-Za-z]\w*\^?\{?\*\}?|(?!a?(?:sin|cos|tan)\b)[\wα-ωΑ-Ω]+\(\p{L}\))\s*=(?!=)/u;

// The remainder of a series at its end: + O(θ⁴).
const REST = /\+\s*(?:O|\\mathcal\s*\{?O\}?)\s*(?:\\left)?\([^()]*\)\s*\$*$/;

// The end of a sentence.
const END = /(?<=[\p{L}\p{M}\d)\]}²³|])\s*[.;,]\s*$/u;

function tree(exercise, typed) {
  const whole = typed.replace(END, "");
  const text = exercise.kind === "expression" ? whole.replace(LABEL, "").replace(REST, "") : whole;
  const constants = exercise.names.filter(({ changes }) => !changes).map(({ name }) => name);
  const names = exercise.names.map(({ name }) => name);
  const bounds = Boolean(exercise.bound);
  const table = exercise.shape ? asTable(text, exercise.shape) : text;
  const { means, units } = exercise;
  return reading(table, { names, constants, means, units, decimals: !exercise.shape, bounds });
}

function read(exercise, text, said) {
  const names = exercise.names.map(({ name }) => name);
  const parsed = tree(exercise, text);
  const isNew = (side) => side.type === "leaf" && !names.includes(side.name);
  const plain = bounded(parsed, exercise.bound, isNew, said);
  const whole = exercise.kind === "equation" ? difference(plain) : oneSide(plain, isNew, said);
  const trees = entries(exercise, whole, isNew, said).map((entry) =>
    (exercise.kind === "equation" ? difference(entry) : entry));
  for (const entry of trees) refuseStrangers(exercise, entry, said);
  const points = pointsOf(exercise);
  const rounded = trees.some(isRounded);
  return { tree: parsed, trees, rounded, values: trees.map((entry) => values(entry, points)) };
}

const difference = (tree) => (tree.type === "=" ? { type: "-", operands: tree.operands } : tree);

// The side of an equation such as S = m g that is not a new name.
function oneSide(tree, isNew, said) {
  if (tree.type !== "=") return tree;
  if (tree.operands.some((side) => side.type === "number" && side.value === 0)) {
    throw new UnreadableError(said("is zero"));
  }
  const [left, right] = tree.operands;
  if (isNew(left)) return right;
  if (isNew(right)) return left;
  throw new UnreadableError(said("right side"));
}

function entries(exercise, whole, isNew, said) {
  const list = whole.type === "list";
  const side = (part) => (part.type === "list" ? { ...part, operands: part.operands.map(side) }
    : part.type === "=" && isNew(part.operands[0]) ? part.operands[1] : oneSide(part, isNew, said));
  const tree = list && exercise.kind !== "equation" ? side(whole) : whole;
  if (list && !exercise.shape) throw new UnreadableError(said("one expression"));
  const dimensions = list ? shapeOf(tree) : [1];
  const wrong = !dimensions || dimensions.length > 2 || (exercise.kind !== "equation" && hasEquation(tree));
  if (wrong) throw new UnreadableError(said("no symbols", { type: "list" }));
  const shape = dimensions.length === 1 ? [...dimensions, 1] : dimensions;
  const wanted = exercise.shape;
  const turned = shape.includes(1) && String(wanted) === String([...shape].reverse());
  if (wanted && String(shape) !== String(wanted) && !turned) {
    const [asked, actual] = [wanted, shape].map((sizes) => sized(sizes, "expression"));
    throw new UnreadableError(said("size", { wanted: asked, actual }));
  }
  return entriesOf(tree);
}

const hasEquation = (tree) => tree.type === "=" || tree.operands.some(hasEquation);

// Reject unknown names, with advice on known ones.
function refuseStrangers(exercise, tree, said) {
  const names = exercise.names.map(({ name }) => name);
  const strangers = namesIn(tree).filter((name) => !names.includes(name));
  if (!strangers.length) return;
  const plain = (name) => name.replaceAll("'", "");
  const candidates = [...new Set(names.map(plain))];
  const near = Object.fromEntries(strangers.map((name) => [name, nearest(plain(name), candidates)]));
  const advice = new Map(strangers.filter((name) => near[name]).map((name) => [plain(name), near[name]]));
  const labels = strangers.filter((name) => !near[name]).map(labelOf);
  const sentences = [];
  if (advice.size) {
    const unknown = [...advice.keys()];
    const better = listed([...advice].map(([name, replacement]) => `${replacement} for ${name}`));
    sentences.push(said("nearest", { names: listed(unknown), are: agree(unknown, "is", "are"), advice: better }));
  }
  if (labels.length) {
    const alone = exercise.expected.length ? "stranger" : "stranger among numbers";
    const fields = { names: listed(labels), do: agree(labels, "does", "do") };
    sentences.push(said(alone, { ...fields, known: listed(exercise.expected) }));
  }
  throw new UnreadableError(sentences.join(" "));
}

function sameAs(exercise, answer, lists) {
  return answer.values.every((list, k) => equal(exercise)(list, asWritten(lists[k])));
}

// The findings about a wrong answer, the most specific first.
function findings(exercise, answer, said) {
  const right = exercise.entries.map((entry) => asWritten(entry.values));
  const wrong = right.flatMap((list, k) => (equal(exercise)(answer.values[k], list) ? [] : [k]));
  const clues = findingsOf(exercise, answer, wrong[0], said);
  if (right.length === 1) return clues;
  const places = wrong.map((k) => placed(exercise.shape, k));
  const shown = places.length < 4 ? places : [...places.slice(0, 2), "more"];
  const where = said("entries", { places: listed(shown) });
  const [[stage, first], ...others] = clues;
  if (wrong.length === 1) return [[stage, `${where} ${first}`], ...others];
  const withEntry = ([kind, sentence]) => [kind, said("entry first", { place: places[0], sentence })];
  const whole = wholeOf(answer.values.flat(), right.flat(), said);
  return whole ? [["sign and factor", whole]] : [["part", where], ...clues.map(withEntry)];
}

export const symbols = { tree, read, same: sameAs, findings };
