// Tokens of a formula as it is typed or pasted: names, numbers, and signs, each with its position.
// Greek letters, dots over letters, subscripts, and superscripts become plain letters.

import { BETWEEN, DOTS, LATIN, LOWERED, LOWERED_LETTERS, PRIMES, RAISED, RAISED_MINUS, SIGNS } from "./spellings.js";

export const MOST_LETTERS = 4000;

// Error with a sentence for the reader, and the position in the text where reading failed.
export class UnreadableError extends Error {
  constructor(sentence, position = null) {
    super(sentence);
    this.position = position;
  }
}

const isLetter = (letter) => /^[A-Za-z]$/.test(letter) || (LATIN.has(letter) && letter !== "π");
const isDigit = (letter) => letter >= "0" && letter <= "9";
const isLowered = (letter) => LOWERED.includes(letter) || letter in LOWERED_LETTERS;
const isSpace = (letter) => /[\s$]/.test(letter) || BETWEEN.test(letter);
const follows = (letter) => letter !== undefined && (isLetter(letter) || isDigit(letter)
  || isLowered(letter) || letter === "_" || letter in DOTS || letter in PRIMES);

// A fraction in one letter, such as ½, in several; undefined for another letter.
function fraction(letter) {
  const [, top, bottom] = /^(\d+)⁄(\d+)$/.exec(letter.normalize("NFKD")) ?? [];
  return top && `(${top}/${bottom})`;
}

// A digit of any script, or a full-width letter or sign, in ASCII.
export function inAscii(letter) {
  const code = letter.codePointAt(0);
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code < 128 || !/^\p{Nd}$/u.test(letter)) return letter;
  const plain = letter.normalize("NFKD");
  if (isDigit(plain)) return plain;
  const zero = /\p{Nd}/u.test(String.fromCodePoint(code & ~15)) ? 0 : 6; // first digit of a script
  return String((code & 15) - zero);
}

// The letters of a text, each with its position in it: similar signs are unified, and LaTeX's own
// signs are removed.
function spelled(text) {
  const letters = [];
  const unspaced = text.replace(/\\(?:text|mathrm|operatorname)\{([^}]*)\}/g, "  $1 ")
    .replace(/\\(d?dot)\{([^{}]*)\}(_\{?\w+\}?)/g, "\\$1{$2$3}") // \dot{q}_1
    .replace(/\\[tdc](?=frac)/g, " \\")
    .replace(/\\ell(?![A-Za-z])/g, "   l")
    .replace(/\\approx(?![A-Za-z])/g, "      =")
    .replace(/\\(?:[lr]?vert|mid)(?![A-Za-z])/g, (match) => "|".padStart(match.length))
    .replace(/\\var(?=phi|theta|epsilon|rho)/g, "   \\")
    .replace(/\{\s*(?:\\left)?\(\s*t\s*(?:\\right)?\)\s*\}/g, (match) => "".padEnd(match.length)) // θ{(t)}
    .replace(/\\frac\{d(\^\{2\})?\}\{d t(\^\{2\})?\}/g, (match) =>
      match.replace("d t", "dt").replaceAll("{2}", "2").padEnd(match.length));
  const plain = unspaced.replace(/\\(?:(left|right|cdot|times|quad)(?![A-Za-z])|[,;!:])/g, (match, name) =>
    (name === "cdot" || name === "times" ? "*" : "").padEnd(match.length))
    .replace(/\.(?=[*/^])/g, " ") // MATLAB's elementwise operators
    .replace(/(?<=\d\s*)[xX](?=\s*10\s*(?:\^|\*\*|[⁻⁰¹²³⁴-⁹]))/g, "*") // 1.9 x 10^3
    .replace(/\\frac([\dA-Za-z])([\dA-Za-z])/g, "\\frac{$1}{$2}");
  let position = 0;
  for (const letter of plain) {
    const part = fraction(letter);
    if (part && isDigit(plain[position - 1] ?? " ")) {
      const [number] = /\d+$/.exec(plain.slice(0, position));
      throw new UnreadableError(`Write ${number}${letter} as a sum, (${number} + ${part.slice(1, -1)}).`, position);
    }
    const alike = part ?? SIGNS[letter] ?? (letter === "\\" ? " " : inAscii(letter).normalize("NFD"));
    for (const part of alike) letters.push([part, position]);
    position += letter.length;
  }
  return letters;
}

// The name that begins here: its plain letters, and the number of derivatives. A Greek letter ends
// the letters before it, as in mθ, and begins a name, except in subscripts.
function nameAt(letters, start) {
  let [i, plain, order] = [start, "", 0];
  for (; follows(letters[i]) || (letters[i] === "{" && plain.endsWith("_")); i++) {
    const letter = letters[i];
    const inside = i > start && !plain.includes("_");
    if (letter in DOTS || letter in PRIMES) order += DOTS[letter] ?? PRIMES[letter];
    else if (letter === "{") {
      const end = letters.indexOf("}", i);
      if (end < 0 || end > i + 20) break;
      plain += letters.slice(i + 1, end).filter((character) => /\w/.test(character)).join("");
      i = end;
    } else if (isLowered(letter)) {
      const under = LOWERED_LETTERS[letter] ?? LOWERED.indexOf(letter);
      plain += isLowered(letters[i - 1] ?? "") ? under : `_${under}`;
    } else if (inside && isLetter(letter) && (LATIN.has(letter) || order || LATIN.has(letters[i - 1]))) {
      break;
    } else if (isLetter(letter) && i > start && isLowered(letters[i - 1])) {
      break; // θ₁cos
    } else plain += LATIN.get(letter) ?? letter;
  }
  return { type: "name", text: plain, order, position: start, end: i };
}

function numberAt(letters, start) {
  const text = letters.slice(start, start + 60).join("");
  const [number] = /^(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/.exec(text);
  return { type: "number", text: number, position: start, end: start + number.length };
}

function raisedAt(letters, start) {
  const negative = letters[start] === RAISED_MINUS;
  let [end, text] = [start + Number(negative), negative ? "-" : ""];
  for (; RAISED.includes(letters[end] ?? " "); end++) text += RAISED.indexOf(letters[end]);
  return { type: "raised", text, position: start, end };
}

function signAt(letters, start) {
  const two = letters.slice(start, start + 2).join("");
  const known = ["**", "==", "<=", ">=", "!="].includes(two) ? two : letters[start];
  if (known.length === 1 && !"+-*/^()[]{}|,=<>.".includes(known)) {
    const alike = /\p{Script=Cyrillic}/u.test(known) ? " It is a Cyrillic letter, even if it looks like a Latin one." : "";
    throw new UnreadableError(`The character “${known}” cannot be used here.${alike}`, start);
  }
  return { type: "sign", text: known === "**" ? "^" : known, position: start, end: start + known.length };
}

function tokenAt(letters, i) {
  const digit = letters[i] === RAISED_MINUS ? letters[i + 1] ?? " " : letters[i];
  if (RAISED.includes(digit)) return raisedAt(letters, i);
  if (isDigit(letters[i]) || (letters[i] === "." && isDigit(letters[i + 1] ?? " "))) {
    return numberAt(letters, i);
  }
  if (letters[i] === "π") return { type: "name", text: "pi", order: 0, position: i, end: i + 1 };
  return isLetter(letters[i]) ? nameAt(letters, i) : signAt(letters, i);
}

// Return the tokens of a text; reject unknown signs, and texts of great length.
export function tokenize(text) {
  if (text.length > MOST_LETTERS) {
    throw new UnreadableError(
      `Your answer has more than ${MOST_LETTERS} characters, but a far shorter one exists.`,
    );
  }
  const spelling = spelled(text);
  const letters = spelling.map(([letter]) => letter);
  const tokens = [];
  let [i, spaced] = [0, false];
  while (i < letters.length) {
    if (isSpace(letters[i])) {
      [i, spaced] = [i + 1, true];
      continue;
    }
    const token = tokenAt(letters, i);
    [i, token.spaced, spaced] = [token.end, spaced, false];
    tokens.push(token);
  }
  for (const token of tokens) {
    const [, last] = spelling[Math.min(token.end, spelling.length) - 1];
    token.to = last + (text.codePointAt(last) > 0xffff ? 2 : 1);
    token.position = spelling[token.position][1];
  }
  return tokens;
}
