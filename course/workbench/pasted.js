// Code as people paste it, in the spelling of Python, C, JavaScript, or MATLAB: assignments only.
// Nothing is executed: their right-hand sides are read as formulas and put into one another.
import { UnreadableError } from "../boxes/tokens.js";
import { treeOf } from "./mechanism.js";

const MOST_LETTERS = 20_000;
const MOST_LINES = 200;

// A problem of pasted code, with its position.
export class PasteProblem extends Error {
  constructor(sentence, position = null) {
    super(sentence);
    this.position = position;
  }
}

const blank = (text) => text.replace(/[^\n]/g, " ");

// The code with spaces in place of the names of objects, as in env->x and rod.theta; an object is
// kept where another one has a member of the same name.
function withoutObjects(code) {
  const owners = new Map();
  const member = /\b([A-Za-z_]\w*)(?:\.|->)(?=([A-Za-z_]\w*))/g;
  for (const [, object, name] of code.matchAll(member)) owners.set(name, (owners.get(name) ?? new Set()).add(object));
  return code.replace(member, (whole, _, name) => (owners.get(name).size === 1 ? blank(whole) : whole));
}

// The code with spaces in place of comments, of the names of objects, and of other spellings, so
// that every position stays the same.
function plainCode(code) {
  return withoutObjects(code)
    .replace(/("""|''')[\s\S]*?\1|\/\*[\s\S]*?\*\//g, blank)
    .replace(/(?:\/\/|#).*$/gm, blank)
    .replace(/(^|;)(\s*%.*)$/gm, (_, sign, comment) => sign + blank(comment))
    .replace(/(?:\\|\.\.\.)[ \t]*\n/g, (end) => " ".repeat(end.length))
    .replace(/\b(?:this|self|np|numpy|math|Math|cmath|std|sp|sm|sympy|jnp|torch|params?|state)(?:\.|::)(?=[A-Za-z_])/g, blank)
    .replace(/\b(?:Sin|Cos|Tan|Sqrt|Exp|Abs)(?=\s*\()/g, (name) => name.toLowerCase()) // C#
    .replace(/\bpow(?=\s*\()/g, "Pow").replace(/\bM_PI\b/g, "pi  ").replace(/\bPI\b/g, "pi")
    .replace(/\b(sin|cos|tan|sqrt|fabs|pow)f\b/g, "$1 ").replace(/(\d\.?\d*)[fF]\b/g, "$1 ")
    .replace(/\b([A-Za-z_]\w*)([[(])\s*(\d+)\s*[\])]/g, (match, name) => (FUNCTION.test(name) ? match : match.replace(/\W/g, "_")));
}

// Functions, after which a number in parentheses is no index.
export const FUNCTION = /^(?:a?(?:sin|cos|tan)h?|arc(?:sin|cos|tan)|sqrt|exp|log|abs|sign|Pow|sec|csc|cot|Rational|array|zeros|float|double)$/;

// The statements of plain code: {text, from}.
function statements(code) {
  const found = [];
  let [start, depth] = [0, 0];
  const end = (at) => {
    const text = code.slice(start, at);
    const from = start + text.length - text.trimStart().length;
    if (text.trim()) found.push({ text: text.trim(), from });
    start = at + 1;
  };
  for (let at = 0; at <= code.length; at++) {
    const letter = code[at];
    if ("([".includes(letter ?? " ")) depth += 1;
    if (")]".includes(letter ?? " ")) depth -= 1;
    const continues = letter === "\n" && (/[-+*/=]\s*$/.test(code.slice(start, at)) || /^\s*[-+*/]/.test(code.slice(at, at + 80)));
    if (letter === undefined || (depth <= 0 && !continues && "\n;{}".includes(letter))) {
      end(at);
      depth = 0;
    }
  }
  return found;
}

const DECLARED = /^(?:(?:const|let|var|final|static|auto|double|float|real|local|public|private)\s+)+/;
const HEADS = /^(?:def\b|function\b|(?:[\w<>]+\s+)+\w+\s*\([^=]*\)$|end\b|pass$|global\b|import\b(?!.*\bos\b)|from\s+\S+\s+import\b|using\b|return(?:\s+\w+)?$|\w+\s*\([^=]*\)\s*$)/;
const REFUSED = /^(?:for|while|if|else|elif|switch|do|try|with|class|lambda|import|print|#include)\b/;
const EMPTY = /^\[\s*(?:None|0\.?0?)\s*\]\s*\*|^(?:new\s+)?(?:zeros|empty|zeros_like|ones|Float64Array|Array)\b/;

const assignment = /^(.*?[^=!<>+\-*/^%])\s*(\+|-|\*|\/)?=(?!=)(.*)$/s;

// Entries between commas at the top level, with their offsets: [text, offset].
function entries(text, separators = ",") {
  const found = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at] ?? separators;
    if ("([{".includes(letter)) depth += 1;
    else if (")]}".includes(letter)) depth -= 1;
    else if ((at === text.length || separators.includes(letter)) && depth === 0) {
      found.push([text.slice(start, at), start]);
      start = at + 1;
    }
  }
  return found;
}

// The assignments of code: {name, text, from} with the position of the right-hand side; what a
// function returns is assigned to return[0], return[1], ... Names that unpack a list, a, b = y, have
// an index and no text.
export function assignmentsIn(code) {
  if (code.length > MOST_LETTERS) throw new PasteProblem(`The code has more than ${MOST_LETTERS.toLocaleString("en-US")} characters.`);
  if (code.split("\n").length > MOST_LINES) throw new PasteProblem(`The code has more than ${MOST_LINES} lines.`);
  const found = [];
  for (const { text: statement, from } of statements(plainCode(code))) {
    const text = statement.replace(DECLARED, (words) => " ".repeat(words.length));
    const returned = /^\s*return\s+(?:(?:array|Matrix)\s*\(\s*)?[[({](.*?)[\])}]\s*\)?$/s.exec(text);
    if (returned) {
      const at = from + text.indexOf(returned[1]);
      entries(returned[1]).forEach(([entry, offset], i) => found.push({ name: `return[${i}]`, text: entry, from: at + offset }));
      continue;
    }
    if (REFUSED.test(statement) && !HEADS.test(statement)) {
      throw new PasteProblem(`Only assignments can be read here, not “${statement.split(/[^\w#]/)[0]}”. Paste the lines that compute the accelerations.`, from);
    }
    if (HEADS.test(statement)) continue;
    for (const [part, offset] of declarators(statement, text)) {
      const match = assignment.exec(part);
      if (!match) throw new PasteProblem("This is not an assignment such as a = b + c.", from + offset);
      found.push(...assigned(match, from + offset));
    }
  }
  return found.map((each) => ({ ...each, name: typedName(each.name, code) }));
}

// The assignments of a declaration, let a = 1, b = 2, with their offsets.
function declarators(statement, text) {
  const parts = DECLARED.test(statement) ? entries(text) : [];
  return parts.length > 1 ? parts.filter(([part]) => part.includes("=")) : [[text, 0]];
}

// A name that a list of derivatives has: dy, dydt, xdot.
const DERIVATIVES = /^(?:d[A-Za-z]\w*|[A-Za-z]\w*dot|derivs?|derivatives|rates)$/;

// An indexed name as it is typed in the code: y[2] or x(1) for y_2_ and x_1_.
export function typedName(name, code) {
  const inBrackets = name.replace(/_(\d+)_$/, "[$1]");
  return code.includes(inBrackets) ? inBrackets : name.replace(/_(\d+)_$/, "($1)");
}

function assigned([whole, left, operator, right], from) {
  const at = from + whole.length - right.length;
  if (EMPTY.test(right.trim())) return [];
  const names = left.trim().replace(/^[[(]|[\])]$/g, "").split(",").map((name) => name.trim());
  if (names.length === 1) {
    const [name] = names;
    const list = DERIVATIVES.test(name) && /^\s*(?:(?:array|Matrix)\s*\(\s*)?\[(.*)\]\s*\)?\s*['’]?\s*$/s.exec(right);
    if (list) return entries(list[1], ",;").map(([text, offset], i) => ({ name: `return[${i}]`, text, from: at + right.indexOf(list[1]) + offset }));
    return operator ? [{ name, text: right, from: at, added: operator }] : [{ name, text: right, from: at }];
  }
  const inside = /^\s*[[(](.*)[\])]\s*$/s.exec(right);
  const values = entries(inside ? inside[1] : right);
  if (values.length !== names.length) return names.map((name, i) => ({ name, text: null, index: i })); // a, b = y
  const first = inside ? right.indexOf(inside[1]) : 0;
  return names.map((name, i) => ({ name, text: values[i][0], from: at + first + values[i][1] }));
}

export const NUMBER = /^\s*[-+]?[\d.]+(?:e[-+]?\d+)?\s*$/i;

// Spelling of an indexed name inside of plain code: q[0] -> q_0_.
export const simple = (name) => name.replace(/[^A-Za-z0-9_]/g, "_");

// Return the trees of the outputs, and those of all assigned names: {trees, own: [{text, tree}]}.
// `meanings` maps names of the code to trees of our formulas. The name of a coordinate or a speed
// keeps its meaning, and so does a parameter that is set to a number.
export function programOf(code, { meanings, outputs, parameters = [] }) {
  const known = new Map([...meanings].map(([name, tree]) => [simple(name), tree]));
  const wanted = outputs.map((name) => (name.startsWith("return") ? name : simple(name)));
  const values = new Map();
  for (const { name: typed, text, from, added } of assignmentsIn(code).filter((each) => each.text !== null)) {
    const name = typed.startsWith("return[") ? typed : simple(typed);
    const isWanted = wanted.includes(name);
    const meaning = known.get(name);
    const keeps = meaning && (!parameters.includes(meaning.name) || NUMBER.test(text));
    if (!isWanted && (keeps || typed.startsWith("return["))) continue;
    const names = [...known.keys(), ...values.keys()];
    const read = shifted(readFormula(text, names, from), from);
    const tree = bound(read, known, values, new Map());
    const before = values.get(name);
    if (added && !before) throw new PasteProblem(`${typed} is changed before it has a value.`, from);
    const whole = added ? { type: added, operands: [before, tree], from: tree.from, to: tree.to } : tree;
    values.set(name, whole.operands.length ? { ...whole, assigned: typed } : whole);
  }
  const trees = wanted.map((name, i) => {
    if (!values.has(name)) throw new PasteProblem(`${outputs[i]} is never assigned.`);
    return values.get(name);
  });
  const own = [...values].filter(([name]) => !name.startsWith("return[")).map(([text, tree]) => ({ text, tree }));
  return { trees, own };
}

function readFormula(text, names, from) {
  try {
    return treeOf(text, { names, constants: names });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new PasteProblem(error.message, error.position === null ? from : from + error.position);
  }
}

// The tree with all of its positions moved.
export const shifted = (tree, by) => ({ ...tree, from: tree.from + by, to: tree.to + by, operands: tree.operands.map((part) => shifted(part, by)) });

// The tree with the values of assigned names and the meanings of the others.
function bound(tree, known, values, done) {
  if (done.has(tree)) return done.get(tree);
  const of = (part) => bound(part, known, values, done);
  let made = tree;
  if (tree.type === "leaf") {
    made = values.get(tree.name) ?? known.get(tree.name) ?? (tree.name === "t" ? tree : null);
    if (!made) throw new PasteProblem(`${tree.name} is used before it has a value.`, tree.from);
    if (!made.assigned) made = { ...made, from: tree.from, to: tree.to };
  } else if (tree.operands.length) made = { ...tree, operands: tree.operands.map(of) };
  done.set(tree, made);
  return made;
}
