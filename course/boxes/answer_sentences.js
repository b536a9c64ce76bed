// Sentences about an answer, filled in as Python does it, and names as people write them.
import RULES from "../judge/rules.json" with { type: "json" };
import { GREEK_LETTER } from "./spellings.js";

// Return a function that fills in the sentences of sentences.json.
export const sayer = (sentences) => (name, fields = {}) =>
  sentences[name].replace(/\{(\w+)\}/g, (_, field) => fields[field]);

export const listed = (names, link = "and") =>
  [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(` ${link} `);

export const agree = (things, one, several) => (things.length === 1 ? one : several);

// A size in words, such as "two rows of three numbers".
export function sized(shape, thing = "number") {
  const sizes = shape.includes(1) ? [Math.max(...shape)] : [...shape];
  if (!sizes.length) sizes.push(1);
  const things = [...Array(sizes.length - 1).fill("row"), thing];
  return sizes.map((n, k) => `${RULES.numbers[n] ?? n} ${things[k]}${n === 1 ? "" : "s"}`).join(" of ");
}

// The position of an entry in words, such as "the second number" or "row 1, column 3".
export function placed(shape, k) {
  if (shape.length > 1 && !shape.includes(1)) {
    return `row ${Math.floor(k / shape[1]) + 1}, column ${(k % shape[1]) + 1}`;
  }
  return `the ${RULES.orders[k] ?? `${k + 1}th`} number`;
}

const DOTS = ["", "\u0307", "\u0308"];
const lowered = (digits) => digits.replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
const pretty = (name) => GREEK_LETTER[name] ?? name;

// A name with primes in Unicode, such as θ̇₁: Python's label_of.
export function labelOf(name) {
  const plain = name.replaceAll("'", "");
  const order = name.length - plain.length;
  const [, base, under, index] = /^([A-Za-z]+)(_?)(\w*)$/.exec(plain) ?? [null, plain, "", ""];
  const digits = /^\d+$/.test(index);
  const label = digits ? pretty(base) + lowered(index) : pretty(base + (under ? "" : index));
  const whole = digits || !under ? label : `${label}_${index}`;
  const dots = DOTS[order] ?? DOTS[1].repeat(order);
  return whole[0] + dots + whole.slice(1);
}
