// Numbers with units, names, and bounds as people type them, converted to plain numbers in the unit
// of an exercise.
import UNITS from "../../tutlib/units.json" with { type: "json" };
import { toldUnit } from "./judge_units.js";
import { reading } from "./reading.js";
import { MOST_LETTERS, UnreadableError } from "./tokens.js";

const DEGREE = Math.PI / 180;
// Units beyond those of mechanics: the size of each, and its kind.
const SIZES = {
  kg: [1, "kg"], g: [1e-3, "kg"], m: [1, "m"], s: [1, "s"], Hz: [1, "Hz"], W: [1, "W"], N: [1, "N"], J: [1, "J"],
  rad: [1, "1"], deg: [DEGREE, "1"], percent: [0.01, "1"], min: [60, "s"], h: [3600, "s"], hr: [3600, "s"],
  t: [1000, "kg"], turn: [2 * Math.PI, "1"], rev: [2 * Math.PI, "1"], thousand: [1000, "1"], million: [1e6, "1"],
  day: [86400, "s"], rpm: [Math.PI / 30, "Hz"], byte: [1, "1"], bit: [1 / 8, "1"], B: [1, "1"],
  Grad: [DEGREE, "1"], // German for degree, not gigaradian
};
const POWERS = { kg: [1, 0, 0], m: [0, 1, 0], s: [0, 0, 1], Hz: [0, 0, -1], W: [1, 2, -3], ...UNITS.derived };
const PREFIXES = { n: 1e-9, u: 1e-6, m: 1e-3, c: 0.01, d: 0.1, k: 1000, M: 1e6, G: 1e9 };
const PREFIXED = ["m", "g", "s", "Hz", "W", "N", "J", "rad", "B", "byte"];
const WORDS = {
  meter: "m", metre: "m", gram: "g", second: "s", sec: "s", newton: "N", joule: "J", watt: "W", radian: "rad",
  degree: "deg", minute: "min", hour: "h", day: "day", hertz: "Hz", tonne: "t", turn: "turn", revolution: "turn",
  byte: "byte", bit: "bit", percent: "percent", kilo: "k", milli: "m", centi: "c", micro: "u", mega: "M",
};
const SHORT = new RegExp(`^(${Object.keys(WORDS).join("|")})`);

// The symbol of a unit in words: kilometers is km.
function inSigns(word) {
  let [rest, signs] = [word.toLowerCase(), ""];
  for (let part = SHORT.exec(rest); part; part = SHORT.exec(rest)) {
    signs += WORDS[part[0]];
    rest = rest.slice(part[0].length);
  }
  return signs && (rest === "" || rest === "s") ? signs : word;
}

// The unit of a name, with its last symbol to a power; null if it is none. Nm consists of two.
function unitNamed(name, power = 1) {
  const [, stem, exponent] = /^(\D+)([2-4])$/.exec(name) ?? []; // m2
  if (stem && power === 1) return unitNamed(stem, Number(exponent));
  const plain = inSigns(name);
  if (plain.length > 20) return null;
  const unit = Object.hasOwn(SIZES, plain) && SIZES[plain];
  if (unit) return times(PURE, { size: unit[0], powers: POWERS[unit[1]] }, power);
  const base = plain.slice(1);
  if (PREFIXED.includes(base) && Object.hasOwn(PREFIXES, plain[0])) {
    return times(PURE, { size: PREFIXES[plain[0]] * SIZES[base][0], powers: POWERS[SIZES[base][1]] }, power);
  }
  for (let k = plain.length - 1; k > 0; k--) {
    if (!Object.hasOwn(SIZES, plain.slice(k))) continue;
    const [first, last] = [unitNamed(plain.slice(0, k)), unitNamed(plain.slice(k), power)];
    if (first && last) return times(first, last);
  }
  return null;
}

const PURE = { size: 1, powers: [0, 0, 0] };
const times = (a, b, power = 1) => ({
  size: a.size * b.size ** power, powers: a.powers.map((exponent, k) => exponent + power * b.powers[k]),
});
const isNoun = (name) => /^[a-z]{3,}$/.test(name);
const hasNames = (tree) => tree.type === "leaf" || tree.operands.some(hasNames);

// A tree as {number, unit}, a number or a list times a unit; null if it is no such product.
function split(tree, nouns) {
  if (!hasNames(tree)) return { number: tree, unit: PURE };
  const { type, operands, name } = tree;
  if (type === "leaf") {
    const unit = unitNamed(name) ?? (nouns && isNoun(name) ? PURE : null);
    return unit && { number: null, unit };
  }
  const factors = operands.map((part) => split(part, nouns));
  if (factors.includes(null)) return null;
  const [a, b] = factors;
  if (type === "negative") return a.number && { number: { ...tree, operands: [a.number] }, unit: a.unit };
  if (type === "^") {
    const power = tree.operands[1].type === "negative" ? -tree.operands[1].operands[0].value : tree.operands[1].value;
    const unit = operands[0].type === "leaf" && Number.isInteger(power) && unitNamed(operands[0].name, power);
    return unit ? { number: null, unit } : null;
  }
  if (type !== "*" && type !== "/") return null;
  if (b.number && (a.number || type === "/") && hasList(b.number)) return null;
  const unit = times(a.unit, b.unit, type === "*" ? 1 : -1);
  if (!b.number) return { number: a.number, unit };
  if (!a.number) return type === "*" ? { number: b.number, unit } : null;
  return { number: { ...tree, operands: [a.number, b.number] }, unit };
}

const hasList = (tree) => tree.type === "list" || tree.operands.some(hasList);

function scaled(tree, factor) {
  if (factor === 1) return tree;
  if (tree.type === "list") return { ...tree, operands: tree.operands.map((part) => scaled(part, factor)) };
  return { type: "*", operands: [tree, { type: "number", operands: [], value: factor }] };
}

// The relevant side of an inequality: the bound that is asked for.
export function bounded(tree, bound, isName, said) {
  if (tree.type !== "<") return tree;
  const { operands } = tree;
  const sound = { least: isName(operands[1]), most: isName(operands.at(-2)), between: operands.length === 3 && isName(operands[1]) };
  if (!sound[bound]) {
    const example = { least: "x > 2", most: "x < 2", between: "1 < x < 2" }[bound];
    throw new UnreadableError(said("bound", { example }));
  }
  if (bound === "between") return { type: "list", operands: [operands[0], operands[2]] };
  return bound === "least" ? operands[0] : operands.at(-1);
}

const unitAsked = (unit) => (unit ? split(reading(quantityText(unit)), true).unit : null);

// Whether a tree is nested more deeply than any quantity.
const isDeep = (tree, level = 0) => level > 100 || tree.operands.some((part) => isDeep(part, level + 1));

// A tree of names, units, and numbers as a tree of numbers in the unit of an exercise.
export function quantity(tree, exercise, said) {
  if (isDeep(tree)) return tree;
  const inner = (part) => quantity(part, exercise, said);
  const isName = (part) => part.type === "leaf" || (part.type === "*" && part.operands.every(isName));
  if (tree.type === "<") return inner(bounded(tree, exercise.bound, isName, said));
  if (tree.type === "list") return { ...tree, operands: tree.operands.map(inner) };
  if (tree.type === "=" && (tree.operands.some(isName) || !hasNames(tree.operands[0]) // x = 2, 9 · 8 = 72, k/m = 2
    || split(tree.operands[1], !exercise.unit)?.number)) {
    return inner(tree.operands[isName(tree.operands[1]) ? 0 : 1]);
  }
  if (!hasNames(tree)) return tree;
  const measured = split(tree, !exercise.unit);
  if (!measured?.number) return tree;
  const asked = unitAsked(exercise.unit);
  const { size, powers } = asked ?? { size: 1, powers: measured.unit.powers };
  const pure = !exercise.digits || exercise.kind === "number";
  if (!asked && pure && powers.some(Boolean)) throw new UnreadableError(said("no unit"));
  if (String(powers) !== String(measured.unit.powers)) {
    throw new UnreadableError(said("other kind", { actual: toldUnit(measured.unit.powers), unit: exercise.unit }));
  }
  return scaled(measured.number, measured.unit.size / size);
}

const MEANT = /^(?:a?(?:sin|cos|tan|log|exp)|arc\w+|sqrt|abs|ln|max|min|pi|e|np|sm|math|array|matrix)$/i;
const WORD = /^(?:\p{L}[\p{L}\d_]*|\p{L}{2,}\d*:)\s+(?=[\p{L}\d.−+-])/u;

// A text without the words before its number, such as: a factor of 10.
export function withoutWords(text) {
  let rest = text;
  for (let [word] = WORD.exec(rest) ?? []; word && !MEANT.test(word.trim()); [word] = WORD.exec(rest) ?? []) {
    rest = rest.slice(word.length);
  }
  return /^[-+−]?\.?\d/.test(rest) ? rest : text;
}

const MINUS = /\b(?<![\d)\]]\s*)(?:minus|negative)\s+(?=[.\d])/gi;
const FUNCTIONS = { min: "minutes", sec: "seconds" }; // also names of functions

// The signs of units as the grammar reads them: s^-1 for s-1, N*m for N.m, also inside kg.m2/s2.
function unitSigns(text) {
  const isUnit = (word) => unitNamed(word) !== null;
  return text
    .replace(/ms(?=\s*\^?[\s({]*[-−⁻–][\s{]*[12¹²])/g, "m s") // a millisecond has no such power
    .replace(/(\p{L}+)\s+(squared|cubed)/gu, (all, word, power) => (isUnit(word) ? `${word}^${power === "cubed" ? 3 : 2}` : all))
    .replace(/(?<=\d.*?)(\p{L}+)[-−⁻–]([1-4])(?![\d.,]|\s*\p{L})/gu, (all, word, power) => (isUnit(word) ? `${word}^(-${power})` : all))
    .replace(/(\p{L}+)(\d?)\.(?=(\p{L}+))/gu, (all, word, power, next) => (isUnit(word) && isUnit(next) ? `${word}${power}*` : all));
}

// A text without what people write around a number, with units that the grammar can read.
export function quantityText(text, { eitherSign = false, bound = "" } = {}) {
  if (text.length > MOST_LETTERS) return text; // is rejected later
  return unitSigns(withoutWords(text.trim().replace(MINUS, "-").replace(/(?<=\d)\s*(?:…|\.{3})$/, "")))
    .replace(/^(?:approx\.|ca\.|~|≈|=)\s*/i, "")
    .replace(eitherSign ? /^(?:±|\+\/-)/ : /^$/, "")
    .replace({ most: /^(?:<=?|≤)/, least: /^(?:>=?|≥)/ }[bound] ?? /^$/, "")
    .replace(/(?<=\b(?:sin|cos|tan)\s*\(?)(\d+\.?\d*)\s*(?:°|deg\b)/g, "($1*pi/180)")
    .replace(/\bper cent\b/g, "percent")
    .replace(/\^\{?\\circ\}?|\\degree/g, "°")
    .replace(/\\%/g, "%")
    .replace(/\bper\b/g, "/")
    .replace(/(?<=[\d°)\]\s/])(min|sec)\b(?!\s*\()/g, (name) => FUNCTIONS[name])
    .replace(/(?<=[\d)\]])\s+1\/(?=[A-Za-z])/g, "/")
    .replace(/(?<=[\p{L})]|\d\s*)[.!]$/u, "");
}
