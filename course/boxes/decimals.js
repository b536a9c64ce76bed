// Numbers with a decimal comma, such as 1,5, and with grouped digits, such as 1 900 and 1,900.0, in
// answers that are not lists.
import { UnreadableError, inAscii } from "./tokens.js";

// Functions of several arguments, which are separated by commas.
const SEVERAL = ["atan2", "arctan2", "max", "min", "maximum", "minimum", "diff", "array"];
const separates = (token) => token?.type === "name"
  && (/^([A-Z]..|Eq$)/.test(token.text) || SEVERAL.includes(token.text));
const isSign = (token, ...signs) => token?.type === "sign" && signs.includes(token.text);
const isNumber = (token, pattern) => token?.type === "number" && pattern.test(token.text);

function isDecimal(a, comma, b) {
  return isNumber(a, /^\d+$/) && isSign(comma, ",") && !comma.spaced
    && isNumber(b, /^\d+([eE].*)?$/) && !b.spaced;
}

const GROUPS = [
  /(?<![\d.,])\d{1,3}(?:[\s’'٬_]\d{3})+(?!\d)/g, // 1 900, 1’900
  /(?<![\d.,])\d{1,3}(?:,\d{2,3})*,\d{3}(?=\.\d)/g, // 1,900.0
  /(?<![\d.,])\d{1,3}(?:,\d{2,3})+,\d{3}(?![\d,.])/g, // 1,900,000 and 19,00,000
  /(?<![\d.,])\d{1,3}(?:\.\d{3})+(?=,\d)/g, // 1.900,0
  /(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d,.])/g, // 1.900.000
];

// Return a text without the separators of grouped digits, where they have no other meaning.
export function ungrouped(text) {
  if (/[([{]/.test(text)) return text; // commas may separate numbers
  const plain = [...text].map((letter) => inAscii(letter)).join("");
  return GROUPS.reduce((joined, pattern) => joined.replace(pattern, (number) => number.replace(/\D/g, "")), plain);
}

// Return the tokens with decimal commas joined; reject 1,250, which may be a thousand or one.
export function withDecimals(tokens) {
  const [joined, lists] = [[], []];
  for (let i = 0; i < tokens.length; i++) {
    const [a, comma, b] = tokens.slice(i, i + 3);
    if (isSign(a, "(", "[", "{")) lists.push(isSign(a, "[") || separates(tokens[i - 1]));
    else if (isSign(a, ")", "]", "}")) lists.pop();
    if (lists.at(-1) || !isDecimal(a, comma, b)) {
      joined.push(a);
      continue;
    }
    if (/^[1-9]\d{0,2}$/.test(a.text) && /^\d{3}$/.test(b.text)) {
      const [whole, decimal] = [a.text + b.text, `${a.text}.${b.text}`];
      throw new UnreadableError(
        `${a.text},${b.text} can be read in two ways: write ${whole} or ${decimal}.`, a.position,
      );
    }
    joined.push({ ...a, text: `${a.text}.${b.text}` });
    i += 2;
  }
  return joined;
}
