// Numbers with a comma for the point, such as 1,5: where no list is asked for.
import { UnreadableError } from "./words.js";

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

// Return the words with such numbers in one; refuse 1,250, which may be a thousand and more.
export function withDecimals(words) {
  const [found, lists] = [[], []];
  for (let i = 0; i < words.length; i++) {
    const [a, comma, b] = words.slice(i, i + 3);
    if (isSign(a, "(", "[", "{")) lists.push(isSign(a, "[") || separates(words[i - 1]));
    else if (isSign(a, ")", "]", "}")) lists.pop();
    if (lists.at(-1) || !isDecimal(a, comma, b)) {
      found.push(a);
      continue;
    }
    if (/^[1-9]\d{0,2}$/.test(a.text) && /^\d{3}$/.test(b.text)) {
      const [whole, part] = [a.text + b.text, `${a.text}.${b.text}`];
      throw new UnreadableError(
        `${a.text},${b.text} can be read in two ways: write ${whole} or ${part}.`, a.place,
      );
    }
    found.push({ ...a, text: `${a.text}.${b.text}` });
    i += 2;
  }
  return found;
}
