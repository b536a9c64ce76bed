// Sentences about an answer, filled in as Python fills them in; names for people.
import { GREEK_LETTER } from "./words.js";

// A sayer of the sentences of sentences.json.
export const sayer = (sentences) => (name, parts = {}) =>
  sentences[name].replace(/\{(\w+)\}/g, (_, part) => parts[part]);

export const listed = (names, link = "and") =>
  [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(` ${link} `);

export const agree = (things, one, several) => (things.length === 1 ? one : several);

// A shape as Python writes a tuple.
export const tuple = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

const DOTS = ["", "\u0307", "\u0308"];
const lowered = (digits) => digits.replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
const pretty = (name) => GREEK_LETTER[name] ?? name;

// A name with its primes for people, such as θ̇₁: Python's label_of.
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
