// Numbers with a comma for the point, such as 1,5, and with their digits in groups, such as 1 900 and
// 1,900.0: where no list is asked for.
import { UnreadableError, inAscii } from "./words.js";

// What takes several arguments, with commas between them.
const SEVERAL = ["atan2", "arctan2", "max", "min", "maximum", "minimum", "diff", "array"];
const separates = (word) => word?.type === "name"
  && (/^([A-Z]..|Eq$)/.test(word.text) || SEVERAL.includes(word.text));
const isSign = (word, ...signs) => word?.type === "sign" && signs.includes(word.text);
const isNumber = (word, pattern) => word?.type === "number" && pattern.test(word.text);

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

// Return a text without what parts the digits of its numbers, where that can mean nothing else.
export function ungrouped(text) {
  if (/[([{]/.test(text)) return text; // where commas may stand between numbers
  const plain = [...text].map((letter) => inAscii(letter)).join("");
  return GROUPS.reduce((joined, groups) => joined.replace(groups, (one) => one.replace(/\D/g, "")), plain);
}

// Return the words with such numbers in one; refuse 1,250, which may be a thousand and more.
export function withDecimals(words) {
  const [joined, lists] = [[], []];
  for (let i = 0; i < words.length; i++) {
    const [a, comma, b] = words.slice(i, i + 3);
    if (isSign(a, "(", "[", "{")) lists.push(isSign(a, "[") || separates(words[i - 1]));
    else if (isSign(a, ")", "]", "}")) lists.pop();
    if (lists.at(-1) || !isDecimal(a, comma, b)) {
      joined.push(a);
      continue;
    }
    if (/^[1-9]\d{0,2}$/.test(a.text) && /^\d{3}$/.test(b.text)) {
      const [whole, part] = [a.text + b.text, `${a.text}.${b.text}`];
      throw new UnreadableError(
        `${a.text},${b.text} can be read in two ways: write ${whole} or ${part}.`, a.place,
      );
    }
    joined.push({ ...a, text: `${a.text}.${b.text}` });
    i += 2;
  }
  return joined;
}
