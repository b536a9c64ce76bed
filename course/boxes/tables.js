// Lists and matrices as people type them, in the brackets and commas that grammar.js reads: 4 2 3, [0; 1],
// 1 0; 0 1, 79,6; 29,8, and those of LaTeX.

const OPEN = "([{";
const CLOSE = ")]}";
const NUMBER = /^[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:\/\d+)?$/;

// Split a text where a pattern stands outside of all brackets.
function splitAt(text, pattern) {
  const found = [""];
  let depth = 0;
  for (let k = 0; k < text.length; k++) {
    if (OPEN.includes(text[k])) depth += 1;
    if (CLOSE.includes(text[k])) depth -= 1;
    const [sign] = (depth === 0 && pattern.exec(text.slice(k))) || [];
    if (!sign) found[found.length - 1] += text[k];
    else {
      found.push("");
      k += sign.length - 1;
    }
  }
  return found.map((part) => part.trim()).filter(Boolean);
}

const COMMA = /^,/;
const BLANK = /^\s+/;
const ROW = /^(?:;|\\\\|\n)/;

// The text in a pair of brackets that goes around all of it.
function unwrapped(text) {
  const plain = text.trim(); // and again, where LaTeX has two pairs
  if (!OPEN.includes(plain[0]) || !CLOSE.includes(plain.at(-1))) return plain;
  let depth = 0;
  for (let k = 0; k < plain.length - 1; k++) {
    depth += OPEN.includes(plain[k]) - CLOSE.includes(plain[k]);
    if (depth === 0) return plain;
  }
  return unwrapped(plain.slice(1, -1));
}

// What stands in a row: between commas, or between blanks where each part is a number, or where there are
// just as many as a row needs.
function cellsOf(row, columns) {
  const cells = splitAt(row, COMMA);
  if (cells.length > 1 || row.includes(",")) {
    return cells.flatMap((cell) => (areNumbers(splitAt(cell, BLANK)) ? splitAt(cell, BLANK) : [cell]));
  }
  const parts = splitAt(row, BLANK);
  return areNumbers(parts) || (columns > 1 && parts.length === columns && !/[-+*/=^]\s|\s[-+*/=^]\s/.test(row))
    ? parts : [row];
}

const areNumbers = (parts) => parts.length > 1 && parts.every((part) => NUMBER.test(part.replace(/°$/, "")));

// LaTeX's matrices with semicolons and commas.
function fromLatex(text) {
  return text.replace(/\\left|\\right(?!arrow)/g, "")
    .replace(/\\begin\{(\w*matrix|array)\*?\}(?:\{[^}]*\})?(.*?)\\end\{\1\*?\}/gs, (_, kind, body) =>
      `[${body.replace(/\\\\(\[[^\]]*\])?/g, ";").replace(/&/g, ",").replace(/;\s*$/, "")}]`);
}

const inBrackets = (cells) => `[${cells.join(", ")}]`;

// Return the text of a list or a matrix of this shape; numbers may have a comma for the point.
export function asTable(text, shape, numeric = false) {
  const latex = fromLatex(text).replace(/(?:\^\{?(?:T|\\top)\}?|ᵀ)\s*$/, "");
  const words = latex.replace(/[,;]?\s+(?:and|und|&)\s+/g, "; ");
  const outer = unwrapped(words);
  const inner = outer.replace(/[\])}]\s*[,;]?\s*[[({](?=[^()]*$|[^[\](){}]*[\])}])/g, (sign) =>
    (sign[0] === "]" || numeric ? ";" : sign));
  const plain = inner === outer ? outer : inner.replace(/^[[({]+|[\])}]+$/g, "");
  const [count, columns] = [shape.reduce((a, b) => a * b, 1), shape[1] ?? 1];
  const readings = numeric ? [plain, plain.replace(/(\d),(\d)/g, "$1.$2")] : [plain];
  for (const one of readings) {
    const rows = splitAt(one, ROW).map((row) => cellsOf(row, columns));
    const cells = rows.flat();
    const fits = rows.length === 1 ? outer === words.trim() || columns === 1
      : rows.every((row) => row.length === columns) || columns === 1;
    if (cells.length !== count || count === 1 || !fits) continue;
    if (columns === 1) return inBrackets(cells);
    const wanted = Array.from({ length: shape[0] }, (_, k) => cells.slice(k * columns, (k + 1) * columns));
    return inBrackets(wanted.map(inBrackets));
  }
  const numbers = splitAt(plain, /^[;\s]+/);
  return numeric && areNumbers(numbers) ? inBrackets(numbers) : latex;
}
