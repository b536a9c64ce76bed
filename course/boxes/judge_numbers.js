// Judges of numbers, arrays, and choices, as in course/judge/answers.py.
import RULES from "../judge/rules.json" with { type: "json" };
import { NO_CLUE } from "./judge_stages.js";
import { quantity, quantityText } from "./judge_quantities.js";
import { agree, listed, placed, sized } from "./answer_sentences.js";
import { reading } from "./reading.js";
import { asTable } from "./tables.js";
import { isReal, values } from "./values.js";
import { UnreadableError } from "./tokens.js";

const { rounding: ROUNDING, multiples: MULTIPLES, measured: MEASURED, sizes: SIZES } = RULES;

// Which numbers differ from others, to a number of digits, rounded or truncated; a bound has one
// side.
function apart(list, right, { digits, atMost }) {
  const rounding = ROUNDING * Math.max(0, ...right.map(Math.abs));
  return list.map((number, k) => {
    const size = Math.abs(right[k]);
    const beyond = (number - right[k]) * (right[k] < 0 ? -1 : 1);
    const allowed = Math.max((digits ? 5 * 10 ** -digits : ROUNDING) * size, rounding);
    const unit = 10 ** (Math.floor(Math.log10(size || 1)) + 1 - digits);
    const cut = digits ? Math.floor(Number((size / unit).toFixed(6))) * unit : NaN;
    const away = beyond > (atMost ? rounding : allowed) || -beyond > allowed;
    return away && !(Math.abs(beyond + size - cut) <= rounding);
  });
}

// The names in a tree, sorted.
export function namesIn(tree, names = new Set()) {
  if (tree.type === "leaf") names.add(tree.name);
  for (const part of tree.operands) namesIn(part, names);
  return [...names].sort();
}

const isList = (tree) => tree.type === "list";

// The shape of a list, as of a NumPy array; null if its rows differ.
export function shapeOf(tree) {
  if (!isList(tree)) return [];
  const shapes = tree.operands.map(shapeOf);
  const alike = shapes.every((shape) => shape && String(shape) === String(shapes[0]));
  return alike ? [tree.operands.length, ...(shapes[0] ?? [])] : null;
}

export const entriesOf = (tree) => (isList(tree) ? tree.operands.flatMap(entriesOf) : [tree]);

function number(tree, said) {
  const [value] = values(tree, [{}]);
  if (Number.isFinite(value[0]) && !isReal(value)) throw new UnreadableError(said("complex"));
  return value[0];
}

function refuseEquations(tree, said, unit) {
  if (tree.type === "=") throw new UnreadableError(said("real number", { unit }));
  for (const part of tree.operands) refuseEquations(part, said, unit);
}

// The beginning of a chain of equations up to its last side: x = sqrt(4) = 2.
const STEPS = /^[^<>]*[=≈](?=[^=≈<>]+[=≈][^=≈<>]*$)/;

export const numbers = {
  tree: (exercise, text) =>
    reading(quantityText(text, exercise).replace(STEPS, ""), {
      decimals: true, bounds: Boolean(exercise.bound),
    }),

  read(exercise, text, said) {
    const unit = exercise.unit ? `, in ${exercise.unit}` : "";
    const tree = numbers.tree(exercise, text);
    const plain = quantity(tree, exercise, said);
    refuseEquations(plain, said, unit);
    const names = namesIn(plain);
    if (names.length) {
      const fields = { names: listed(names), have: agree(names, "has", "have"), unit };
      throw new UnreadableError(said("unvalued", fields));
    }
    const shape = shapeOf(plain);
    if (!shape) throw new UnreadableError(said("real number", { unit }));
    if (shape.length) throw new UnreadableError(said("one number", { unit, actual: sized(shape) }));
    const value = number(plain, said);
    if (!Number.isFinite(value)) throw new UnreadableError(said("lost", { number: `${value}`.toLowerCase() }));
    return { tree, value };
  },

  same(exercise, { value }, right) {
    const sized = exercise.eitherSign ? Math.abs : (number) => number;
    const atMost = exercise.atMost && right === exercise.value; // a mistake bounds nothing
    return !apart([sized(value)], [sized(right)], { ...exercise, atMost })[0];
  },

  findings(exercise, { value }, said) {
    const count = !exercise.digits && !exercise.unit && !Number.isInteger(value) ? [["value", said("count")]] : [];
    const near = nearby(exercise, value, said);
    if (near) return [...count, ["sign and factor", near]];
    const row = mistakes(exercise, said).find(([wrong]) => numbers.same(exercise, { value }, wrong));
    return [...count, ...(row ? [row.slice(1)] : sizes(exercise, value, said))];
  },
};

// Generic wrong numbers, each with a stage and a sentence.
function mistakes({ value, digits, unit }, said) {
  const wanted = unit ? `; give it in ${unit}` : "";
  const rows = [...MULTIPLES, ...(digits ? MEASURED : [])].flatMap(([factor, stage, name]) => {
    const sentence = said(name, { factor, wanted });
    return [[value * factor, stage, sentence], [value / factor, stage, sentence]];
  });
  return digits && value ? [...rows, [1 / value, "sign and factor", said("upside down")]] : rows;
}

// The magnitude of the error, if the number is neither near nor off by a known factor.
function sizes({ value: right }, value, said) {
  const direction = [[NO_CLUE, said(Math.abs(value) < Math.abs(right) ? "small" : "large")]];
  if (!value || !right) return direction;
  const off = Math.exp(Math.abs(Math.log(Math.abs(value / right))));
  return [...direction, ["sign and factor", said(SIZES.find(([most]) => off <= most)?.[1] ?? "off by much")]];
}

function nearby({ value: right, digits, atMost }, value, said) {
  const off = Math.abs(value - right) / Math.abs(right);
  if (!digits || !(off <= 0.05)) return "";
  if (off > 0.01) return said("near");
  return atMost && value > right ? said("beyond") : said("digits", { digits: sized([digits], "digit") });
}

const sorted = (list) => [...list].sort((a, b) => a - b);

// Which entries differ by more than a relative tolerance.
function away(list, right, tolerance) {
  const rounding = ROUNDING * Math.max(0, ...right.map(Math.abs));
  return list.map((a, k) => Math.abs(a - right[k]) > tolerance * Math.abs(right[k]) + rounding);
}

export const arrays = {
  shape: (value) => (Array.isArray(value) ? [value.length, ...arrays.shape(value[0])] : []),

  tree(exercise, text) {
    const table = asTable(quantityText(text), arrays.shape(exercise.value), true);
    return reading(table, { bounds: Boolean(exercise.bound) });
  },

  read(exercise, text, said) {
    const tree = arrays.tree(exercise, text);
    const plain = quantity(tree, exercise, said);
    refuseEquations(plain, said, "");
    let shape = shapeOf(plain);
    if (!shape || namesIn(plain).length) throw new UnreadableError(said("array"));
    const wanted = arrays.shape(exercise.value);
    const flat = wanted.length === 1 && shape.length === 2 && shape.includes(1);
    if (flat) shape = [Math.max(...shape)];
    if (String(shape) !== String(wanted)) {
      throw new UnreadableError(said("size", { wanted: sized(wanted), actual: sized(shape) }));
    }
    const value = entriesOf(plain).map((entry) => number(entry, said));
    const lost = value.findIndex((number) => !Number.isFinite(number));
    if (lost >= 0) throw new UnreadableError(said("not finite", { place: placed(shape, lost) }));
    return { tree, value };
  },

  same: (exercise, { value }, right) => !apart(value, right.flat(), exercise).includes(true),

  findings(exercise, { value }, said) {
    const right = exercise.value.flat();
    const off = apart(value, right, exercise);
    const place = placed(arrays.shape(exercise.value), off.indexOf(true));
    const entry = { ...exercise, value: right[off.indexOf(true)] };
    const [[stage, sentence]] = numbers.findings(entry, { value: value[off.indexOf(true)] }, said);
    const single = off.filter(Boolean).length === 1;
    const which = single ? `${said("entries", { places: place })} ${sentence}` : said("entry first", { place, sentence });
    const first = [stage === NO_CLUE ? "part" : stage, which];
    return [ofAll(exercise, value, off, said), first].filter(Boolean);
  },
};

function ofAll(exercise, value, off, said) {
  const right = exercise.value.flat();
  const shape = arrays.shape(exercise.value);
  const wrong = off.flatMap((isOff, k) => (isOff ? [placed(shape, k)] : []));
  if (!apart(sorted(value), sorted(right), exercise).includes(true)) return ["part", said("another order")];
  if (!apart(value.map((number) => -number), right, exercise).includes(true)) {
    return ["sign and factor", said("sign of the whole")];
  }
  const places = listed([...wrong.slice(0, 4), ...(wrong.length > 4 ? ["more"] : [])]);
  const sentence = said("entries", { places });
  if (exercise.digits && !away(value, right, 0.01).includes(true)) {
    return ["sign and factor", `${said("array digits", { digits: sized([exercise.digits], "digit") })} ${sentence}`];
  }
  if (wrong.length === 1) return null; // the finding about this entry says more
  return wrong.length < right.length ? ["part", sentence] : [NO_CLUE, said("no entry")];
}

export const choices = {
  tree: () => null,

  read(exercise, text, said) {
    const value = text.trim().replace(/^[().]+|[().]+$/g, "").toLowerCase();
    const letters = Object.keys(exercise.options);
    if (letters.includes(value)) return { tree: null, value };
    throw new UnreadableError(
      said("choose", { letters: listed(letters.map((letter) => `"${letter}"`), "or") }),
    );
  },

  same: (exercise, { value }, right) => value === right,

  findings: (exercise, { value }, said) => [[NO_CLUE, said("option", { option: exercise.options[value] })]],
};
