// Lists and matrices as people type them, such as 4 2 3, [0; 1], 1 0; 0 1, 79,6; 29,8, or in LaTeX,
// converted to the brackets and commas that grammar.js reads.

import RULES from "../judge/rules.json" with { type: "json" };
import { withoutWords } from "./judge_quantities.js";
import { MOST_LETTERS } from "./tokens.js";

const OPEN = "([{";
const CLOSE = ")]}";
const QUANTITY = /^[-+−]?\.?\d[^,;=<>]*$/;
const NUMBER = /^[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\/\d+)?$/;

// Split a text at a pattern outside of all brackets.
function splitAt(text, pattern) {
  const pieces = [""];
  let depth = 0;
  for (let k = 0; k < text.length; k++) {
    if (OPEN.includes(text[k])) depth += 1;
    if (CLOSE.includes(text[k])) depth -= 1;
    const [sign] = (depth === 0 && pattern.exec(text.slice(k))) || [];
    if (!sign) pieces[pieces.length - 1] += text[k];
    else {
      pieces.push("");
      k += sign.length - 1;
    }
  }
  return pieces.map((part) => part.trim()).filter(Boolean);
}

const COMMA = /^,/;
const BLANK = /^\s+/;
const ROW = /^(?:;|\\\\|\n)/;

// The text inside a pair of brackets that encloses all of it.
function unwrapped(text) {
  const plain = text.trim(); // recursively, because LaTeX may have two pairs
  if (!OPEN.includes(plain[0]) || !CLOSE.includes(plain.at(-1))) return plain;
  let depth = 0;
  for (let k = 0; k < plain.length - 1; k++) {
    depth += OPEN.includes(plain[k]) - CLOSE.includes(plain[k]);
    if (depth === 0) return plain;
  }
  return unwrapped(plain.slice(1, -1));
}

// The cells of a row: separated by commas, or by blanks if all are numbers, or if their number
// fits.
function cellsOf(row, counts, numeric) {
  const plain = numeric ? withoutWords(row.replace(LABEL, "")) : row;
  const cells = splitAt(plain, COMMA).map((cell) => (numeric ? withoutWords(cell.replace(LABEL, "")) : cell));
  if (cells.length > 1 || row.includes(",")) {
    return cells.flatMap((cell) => (areNumbers(splitAt(cell, BLANK)) ? splitAt(cell, BLANK) : [cell]));
  }
  const words = splitAt(plain, BLANK);
  const fits = !numeric && counts.includes(words.length) && !/[-+−*/=^·]\s|\s[*/=^·]/.test(plain);
  return areNumbers(words) || (fits && words.length > 1) ? words : [plain];
}

const LABEL = /^\s*\p{L}[\p{L}\d_]*\s*:\s*/u;
const areNumbers = (texts) => texts.length > 1 && texts.every((part) => NUMBER.test(part.replace(/°$/, "")));

// LaTeX matrices with semicolons and commas instead.
function fromLatex(text) {
  return text.replace(/\\left|\\right(?!arrow)/g, "")
    .replace(/\\begin\{(\w*matrix|array)\*?\}(?:\{[^}]*\})?(.*?)\\end\{\1\*?\}/gs, (_, kind, body) =>
      `[${body.replace(/\\\\(\[[^\]]*\])?/g, ";").replace(/&/g, ",").replace(/;\s*$/, "")}]`);
}

const inBrackets = (cells) => `[${cells.join(", ")}]`;

// The rows of a table: separated by semicolons, or each in its own brackets.
function rowsOf(text) {
  const rows = splitAt(text, ROW);
  const blocks = rows.length > 1 ? rows : splitAt(text, /^,|^\s+|^(?=[[(])/);
  const wrapped = blocks.length > 1 && blocks.every((part) => unwrapped(part) !== part);
  return wrapped ? blocks.map(unwrapped) : rows;
}

// Signs that separate numbers where they have no other meaning: 4 | 2 | 3, 357…424.
const BETWEEN = [/\s*(?:\||…|\.\.+|\b(?:to|bis)\b)\s*/, /\s*[/:]\s*/, /\s*[-–—]\s*/];

function betweenSigns(text, count) {
  const parted = BETWEEN.map((sign, k) => (k === 1 && count < 3 ? [] : text.split(sign)));
  return parted.find((texts, k) => texts.length === count
    && texts.slice(0, -1).every((part) => (k ? NUMBER : QUANTITY).test(part)) // 1 m to 2 m
    && /^\d/.test(texts.at(-1)));
}

const WORDS = new RegExp(`\\b(?:${RULES.numbers.join("|")})\\b`, "gi");

// A text with unified separators: semicolons between rows, commas between cells.
function inOwnSigns(text, columns, numeric) {
  const digits = numeric ? text.replace(WORDS, (word) => RULES.numbers.indexOf(word.toLowerCase())) : text;
  const plain = digits.replace(NAME, "").replace(/\\\\/g, ";").replace(/&/g, ",");
  const bars = numeric && columns === 1 ? plain : plain.replace(/(?<!^|\|)\|(?!\||$)/g, ";");
  return bars.replace(/[,;]?\s+(?:and|und)\s+/g, "; ");
}

const NAME = /^\s*[\p{L}_][\p{L}\d_]*\s*(?:[=≈∈]|\\in\b)\s*(?=[[({])(?=.*[\])}]$)/u;
const BEHIND = /^([[({].*[\])}])(\s*[^\d\s[\](){},;][^[\](){},;]*)$/;

// Return the text of a list or a matrix of this shape; numbers may have decimal commas.
export function asTable(text, shape, numeric = false) {
  if (text.length > MOST_LETTERS) return text; // is rejected later
  const latex = fromLatex(text).replace(/(?:\^\{?(?:T|\\top)\}?|ᵀ)\s*$/, "");
  const [, list, unit] = (numeric && BEHIND.exec(latex)) || [null, latex, ""];
  const [count, columns] = [shape.reduce((a, b) => a * b, 1), shape[1] ?? 1];
  const words = inOwnSigns(list, columns, numeric);
  const plain = unwrapped(words);
  const pointed = plain.replace(/(\d),(\d)/g, "$1.$2");
  const signs = numeric && betweenSigns(withoutWords(pointed), count);
  for (const candidate of numeric ? [plain, pointed, ...(signs ? [signs.join("; ")] : [])] : [plain]) {
    const texts = rowsOf(candidate);
    const rows = texts.map((row) => cellsOf(row, texts.length > 1 ? [columns] : [columns, count], numeric));
    const cells = rows.flat();
    const fits = columns === 1 || (rows.length === 1 ? plain === words.trim()
      : rows.every((row) => row.length === columns));
    if (cells.length !== count || count === 1 || !fits) continue;
    if (columns === 1) return inBrackets(cells) + unit;
    const wanted = Array.from({ length: shape[0] }, (_, k) => cells.slice(k * columns, (k + 1) * columns));
    return inBrackets(wanted.map(inBrackets)) + unit;
  }
  const numbers = splitAt(plain, /^[;\s]+/);
  return numeric && areNumbers(numbers) ? inBrackets(numbers) : latex;
}
