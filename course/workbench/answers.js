// Verdicts of comparisons and derivations in words. A sentence is a list of texts and formulas
// {tree}, so that it can be sent from a worker and set in the page.
import { conventionTexts } from "./conventions.js";
import { asFraction, plain, treeOfTerm } from "./writing.js";

const leaf = (name) => ({ type: "leaf", name, operands: [] });
const math = (tree) => ({ tree });
const readable = (text) => text.replace(/[A-Za-z_]\w*'*/g, (word) => plain(leaf(word)));

const PARTS = new Map([[0, "lacks"], [-1, "has the wrong sign in"], [1 / 2, "has only half of"], [2, "has twice"], [1 / 3, "has only a third of"], [3, "has three times"], [1 / 4, "has only a quarter of"], [4, "has four times"]]);

// A number as it is read aloud: 6/5, or 0.3712.
function numeral(value) {
  const fraction = asFraction(Math.round(Math.abs(value) * 1e9) / 1e9);
  const size = fraction ? (fraction[1] === 1 ? String(fraction[0]) : fraction.join("/")) : Math.abs(value).toPrecision(4);
  return `${value < 0 ? "−" : ""}${size}`;
}

// What theirs has of a term of ours.
function share(value) {
  const known = [...PARTS].find(([part]) => Math.abs(part - value) < 1e-6);
  return known ? known[1] : `has ${numeral(value)} times`;
}

const joined = (lists) => lists.flatMap((list, i) => (i === 0 ? list : [i < lists.length - 1 ? ", " : lists.length > 2 ? ", and " : " and ", ...list]));

// "lacks m₂ l₁ and has the wrong sign in ..." for terms with shares; equal shares are joined.
function lacking(table, terms) {
  const words = [...new Set(terms.map((each) => share(each.share)))];
  return joined(words.map((word) => [`${word} `, ...joined(terms.filter((each) => share(each.share) === word).map(({ term }) => [math(treeOfTerm(table, term))]))]));
}

function ofRows(reference, rows) {
  const { table, coordinates } = reference;
  return joined(rows.map(({ row, where = row, terms }) => {
    const place = typeof where === "string" ? [" in ", math(leaf(where))] : coordinates.length > 1 ? [" in the equation of ", math(leaf(coordinates[where]))] : [];
    return [...lacking(table, terms), ...place];
  }));
}

// The same equations as those of another machine: "in which T has no m l² θ̇²".
function earlierSentence(reference, earlier) {
  const { table, coordinates } = reference;
  const ofEach = earlier.map(({ where, term, share: part }) => {
    const place = typeof where === "string" ? [math(leaf(where))] : ["the force on ", math(leaf(coordinates[where]))];
    const has = Math.abs(part) < 1e-6 ? " has no " : ` ${share(part)} `;
    return [...place, has, math(treeOfTerm(table, term))];
  });
  return ["Your equations are right for a machine in which ", ...joined(ofEach), "."];
}

// The convention in words: θ₂ of ours as θ₁ + θ₂ of theirs.
function conventionSentence(reference, found) {
  const texts = conventionTexts(reference, found).map(({ name, terms, offset }) => {
    const sum = terms.map(([factor, other], k) => {
      const sign = factor < 0 ? (k ? " − " : "−") : k ? " + " : "";
      return [sign, math(leaf(other))];
    }).flat();
    const shift = offset ? [offset.startsWith("−") ? ` − ${offset.slice(1)}` : ` + ${offset}`] : [];
    return ["our ", math(leaf(name)), " is your ", ...sum, ...shift];
  });
  const swap = found.exchange ? [", with the indices of the bodies swapped"] : [];
  return ["Equal if ", ...joined(texts), ...swap, "."];
}

// Return {verdict, sentences, marks: [{from, to, text, fix}]} for a result of compare.js.
// `source(k)` is the line that operation k was read from, and its start in the whole text;
// `namesOf` turns our names into theirs, or into readable ones.
export function answerTo(reference, result, source, namesOf = readable) {
  if (result.verdict === "equal") {
    return { verdict: "right", sentences: [["Equal: your accelerations and ours agree at every state tried, with new values of the parameters each time."]], marks: [] };
  }
  if (result.verdict === "convention") {
    return { verdict: "right", sentences: [conventionSentence(reference, result.convention)], marks: [] };
  }
  const { rows, earlier, change, edits, form } = result;
  const sentences = [];
  const count = (rows ?? []).reduce((sum, { terms }) => sum + terms.length, 0);
  if (earlier && (!count || earlier.length < count)) sentences.push(earlierSentence(reference, earlier));
  if (change) sentences.push(["Your equations are right for a machine whose ", math(leaf(change.where)), " has ", math(change.to), " where ours has ", math(change.from), "."]);
  if (count) sentences.push([sentences.length ? "Compared with ours, yours " : "Yours ", ...ofRows(reference, rows), "."]);
  const marks = edits.flatMap(({ k, fix, inside, what }) => {
    const tree = form.sheet.trees[k];
    if (tree.from === undefined) return [];
    const { line, start } = source(k);
    const isWhole = form.sheet.roots.includes(k); // a right-hand side, not its name
    const text = (isWhole ? undefined : tree.assigned) ?? line.slice(tree.from, tree.to);
    const better = inside ? insideFix(what, line, tree) : fix(text, namesOf);
    return [{ from: start + tree.from, to: start + tree.to, text, fix: better }];
  });
  if (marks.length) {
    const kinds = marks.map(({ text, fix }) => [`“${fix}” in place of “${text}”`]);
    const isPart = edits.length === 1 && !edits[0].complete; // another part stays wrong
    const subject = isPart ? "one part, but not all, would be right with " : "it would be right with ";
    sentences.push([sentences.length ? `In your text, ${subject}` : subject[0].toUpperCase() + subject.slice(1), ...joined(kinds), "."]);
  }
  if (!sentences.length) sentences.push(["Different, and no single change explains the difference, so there may be more than one mistake. Compare your terms with those under “Its equations”, or enter your derivation line by line below."]);
  return { verdict: "wrong", sentences, marks };
}

// A changed operator between two operands: the text of both, with the other operator; or one of them.
function insideFix(what, text, { type, operands, from, to }) {
  const other = { "+": "−", "-": "+", "*": "/", "/": "·" }[type];
  const [a, b] = operands.map((part) => part.assigned ?? text.slice(part.from, part.to));
  if (what === "first only") return a;
  if (what === "second only") return type === "-" ? `−(${b})` : b;
  return text.slice(from, to).includes("=") ? `${a} = −(${b})` : `${a} ${other} ${b}`;
}

const REASONS = {
  sign: "A sign is wrong", factor: "A factor is wrong", name: "A name is wrong", function: "A function is wrong", square: "A square is missing",
  root: "A square root is missing", exponent: "An exponent is wrong", "lost factor": "A factor is missing", "extra factor": "There is an extra factor",
  "lost term": "A term is missing", "first only": "There is an extra term", "second only": "There is an extra term",
  quotient: "A product should be a quotient", product: "A quotient should be a product", inverse: "A fraction is upside down", number: "A number is wrong",
};

// Why a line of a derivation is false, as a sentence.
export function reasonOf({ table }, reason, line) {
  if (!reason) return ["This line is false, and no single change makes it true."];
  if (reason.missing) {
    const terms = reason.missing.map(({ term, factor }) => {
      const size = Math.abs(Math.abs(factor) - 1) < 1e-6 ? "" : `${numeral(Math.abs(factor))} × `;
      return [`${factor < 0 ? "−" : "+"} ${size}`, math(treeOfTerm(table, term))];
    });
    return ["Missing: ", ...joined(terms), "."];
  }
  const { edit: { k, fix, inside, what }, sheet } = reason;
  const tree = sheet.trees[k];
  const text = line.slice(tree.from, tree.to);
  const better = inside ? insideFix(what, line, tree) : fix(text, readable);
  return [`${REASONS[what]}: the line would be true with “${better}” in place of “${text}”.`];
}
