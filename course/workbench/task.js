// Tasks of the worker: compare somebody's formulas or code with a mechanism, and judge a derivation.
import { UnreadableError } from "../boxes/tokens.js";
import { answerTo, reasonOf } from "./answers.js";
import { compare } from "./compare.js";
import { DerivationProblem, judged } from "./derivations.js";
import { Problem, listed, readMechanism, treeOf, withRates } from "./mechanism.js";
import { NUMBER, PasteProblem, assignmentsIn, programOf } from "./pasted.js";
import { accelerationsAt, formOf, isEqual } from "./forms.js";
import { guessed } from "./guessing.js";
import { timeDerivative } from "./lagrange.js";
import { driftOf, firstDifference } from "./motions.js";
import { plain, treeOfNode } from "./writing.js";
import { Reference, agree, largest, valuesAt } from "./reference.js";

const LIMIT = 1000; // of a comparison [ms]

function clock(milliseconds = LIMIT) {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
}

// The tree with the formulas of defined names, such as x2 or ẋ2, in place of the names.
function resolved(tree, reference) {
  const { mechanism, table, accelerationNames } = reference;
  const total = timeDerivative(table, mechanism, accelerationNames.map((name) => table.symbol(name)));
  const replace = (node) => {
    if (node.type !== "leaf") return node.operands.length ? { ...node, operands: node.operands.map(replace) } : node;
    const plain = node.name.replaceAll("'", "");
    if (!mechanism.definitions.has(plain)) return node;
    const value = [...node.name.slice(plain.length)].reduce((x) => total(x), mechanism.definitions.get(plain));
    return { ...treeOfNode(table, value), from: node.from, to: node.to, assigned: node.name };
  };
  return replace(tree);
}

// What typed lines are: energies, accelerations, or equations, as {kind, trees, lines}; null for code.
function formulasIn(text, reference) {
  const { coordinates, parameters, mechanism: { definitions } } = reference;
  const names = { names: [...withRates([...coordinates, ...definitions.keys()], 2), ...parameters], constants: parameters };
  const typed = text.split("\n").flatMap((line, number) => (line.trim() ? [{ line, number }] : []));
  try {
    for (const each of typed) each.tree = treeOf(each.line.replace(/[;,]\s*$/, ""), names);
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
  const known = new Set([...names.names, "t"]);
  const isOurs = (tree) => (tree.type === "leaf" ? known.has(tree.name) : tree.operands.every(isOurs));
  const left = ({ tree }) => (tree.type === "=" && tree.operands[0].type === "leaf" ? tree.operands[0].name : "");
  const right = ({ tree }) => tree.operands[1];
  const made = (kind, lines, side) => ({ kind, trees: lines.map((each) => (each ? resolved(side(each), reference) : ZERO)), lines: lines.map((each) => each?.number ?? 0) });
  const named = (name) => typed.find((each) => left(each) === name);
  const accelerations = coordinates.map((name) => named(`${name}''`));
  if (accelerations.every((each) => each && isOurs(right(each))) && typed.length === coordinates.length) return made("accelerations", accelerations, right);
  const energies = ["T", "V"].map(named);
  if (energies.every((each) => each && isOurs(right(each)))) {
    return made("energies", [...energies, ...coordinates.map((name) => named(`Q_${name}`))], right);
  }
  const areEquations = typed.every(({ tree }) => tree.type === "=" && isOurs(tree));
  return areEquations && typed.length === coordinates.length ? made("equations", typed, ({ tree }) => tree) : null;
}

const ZERO = { type: "number", value: 0, text: "0", operands: [], from: 0, to: 0 };

// The names of a code that have no meaning yet.
class UnknownNames extends Error {
  constructor(chips) {
    const names = chips.filter(({ means }) => !means).map(({ name }) => name);
    super(`Choose what ${listed(names)} ${names.length > 1 ? "mean" : "means"}.`);
    this.chips = chips;
  }
}

// Somebody's text as {reference, kind, trees, own, source, chips, named}.
function typedBy({ fields, text, names = {} }) {
  const reference = new Reference(readMechanism(fields).mechanism);
  if (!text.trim()) throw new PasteProblem("There is nothing to compare yet.");
  const formulas = formulasIn(text, reference);
  if (formulas) {
    const rows = text.split("\n");
    const source = (sheet) => (k) => {
      const number = formulas.lines[sheet.roots.findIndex((root) => root === k || sheet.after(k).includes(root))] ?? 0;
      return { line: rows[number], start: rows.slice(0, number).join("\n").length + Math.min(number, 1) };
    };
    return { reference, ...formulas, own: [], source, chips: [] };
  }
  const { meanings, outputs, chips } = guessed(text, reference, names);
  if (chips.some(({ means }) => !means)) throw new UnknownNames(chips);
  const { trees, own } = programOf(text, { meanings, outputs, parameters: reference.parameters });
  const theirs = new Map(chips.map(({ name, means }) => [means, name]));
  const named = (name) => name.replace(/[A-Za-z_]\w*'*/g, (word) => theirs.get(word) ?? word);
  return { reference, kind: "accelerations", code: true, trees, own, source: () => () => ({ line: text, start: 0 }), chips, named };
}

// Their accelerations as a function of a point {name: number}.
export function accelerationsOf(task) {
  const { reference, kind, trees } = typedBy(task);
  const form = formOf(reference, kind, trees);
  return (point) => accelerationsAt(form, point);
}

// Whether a text is right for the values of the parameters that it does not contain, as it may have
// numbers instead: {isEqual, sentence}; null if it is not. Where all of them are 1, they may have been forgotten.
function numbersIn(own, { kind, trees }) {
  const { mechanism, parameters, states, values } = own;
  const parts = new Set(trees);
  for (const tree of parts) tree.operands.forEach((part) => parts.add(part));
  const used = new Set([...parts].filter(({ type }) => type === "leaf").map(({ name }) => name));
  const matters = (name) => {
    const moved = valuesAt(own.table, own.equations.a, own.names, states.map((state) => ({ ...state, [name]: 1.3 * state[name] })));
    return moved.some((list, i) => list.some((x, s) => !agree(x, values[s].a[i], largest(values[s].a))));
  };
  const absent = parameters.filter((name) => !used.has(name) && matters(name));
  if (!absent.length || kind === "energies") return null;
  const reference = new Reference(mechanism, absent);
  const form = formOf(reference, kind, trees);
  const all = form.sheet.values(form.points);
  if (!isEqual(form, form.sheet.roots.map((root) => all[root]))) return null;
  const list = listed(absent.map((name) => plain({ type: "leaf", name, operands: [] })));
  const isCertain = absent.some((name) => Math.abs(mechanism.parameters.get(name)) !== 1);
  return isCertain ? { isEqual: true, sentence: [`Equal with the numbers above, which your text has in place of ${list}.`] }
    : { isEqual: false, sentence: [`With the numbers above, yours and ours agree, but yours does not contain ${list}.`] };
}

// Compare a text with a mechanism. `names` are the meanings of a code's names that were chosen, and
// `start` is the state from which both motions are compared.
function comparison(task, first = () => {}) {
  const typed = typedBy(task);
  const { reference, kind, chips, code = false } = typed;
  const result = compare(reference, typed, { late: clock(), first });
  const answer = answerTo(reference, result, typed.source(result.form.sheet), typed.named);
  const numbers = result.verdict === "different" ? numbersIn(reference, typed) : null;
  if (numbers?.isEqual) return { verdict: "right", sentences: [numbers.sentence], marks: [], kind, code, chips };
  if (numbers) answer.sentences.push(numbers.sentence);
  const others = result.verdict === "different" && code ? otherNumbers(task, reference) : null;
  if (others) return { ...others, kind, code, chips };
  if (result.verdict === "different" && task.start) {
    const time = firstDifference(reference, (point) => accelerationsAt(result.form, point), task.start, clock(500));
    if (time !== null) answer.sentences.push([`From this initial state, the two motions differ by ${time.degrees} after ${time.t} s.`]);
  }
  return { ...answer, kind, code, chips };
}

// The answer to code that sets parameters to other numbers than the page, and is right apart from
// them; null for other code.
function otherNumbers(task, { mechanism }) {
  const set = assignmentsIn(task.text).filter(({ name, text }) => mechanism.parameters.has(name) && text !== null && NUMBER.test(text));
  const differ = set.filter(({ name, text }) => Number(text) !== mechanism.parameters.get(name));
  if (!differ.length) return null;
  const typed = typedBy({ ...task, names: { ...task.names, ...Object.fromEntries(set.map(({ name }) => [name, name])) } });
  const result = compare(typed.reference, typed, { late: clock(300) });
  if (result.verdict === "different") return null;
  const answer = answerTo(typed.reference, result, typed.source(result.form.sheet), typed.named);
  const list = listed(differ.map(({ name, text }) => `your ${plain({ type: "leaf", name, operands: [] })} is ${text.trim()} and ours is ${mechanism.parameters.get(name)}`));
  return { ...answer, sentences: [...answer.sentences, [`Apart from the numbers: ${list}.`]] };
}

// Whether a drift of the energy comes from the equations or from the step: the energy that no force
// accounts for after ten seconds, with the step h and with a tenth of it.
function equationOrStep({ start, method, h, ...task }) {
  const { reference } = typedBy(task);
  const theirs = accelerationsOf(task);
  const [coarse, fine] = [h, h / 10].map((step) => driftOf(reference, theirs, { start, method, h: step, late: clock(2000) }));
  if (coarse === null) return { sentences: [["The motion blows up. Choose a smaller step, and check the equations."]] };
  const [before, after] = [coarse, fine ?? NaN].map((drift) => `${Number(drift.toPrecision(2))}`.replace("-", "−"));
  const ratio = Math.abs(coarse) / Math.max(Math.abs(fine), 1e-300);
  const verdict = ratio > 3 ? "It is the step" : "It is the equations, not the step";
  return { sentences: [[`${verdict}. The energy that no work accounts for after 10 s is ${before} J with this step and ${after} J with a tenth of it.`]] };
}

// Judge a derivation: {lines: [{state, sentence}], first}.
function derivation({ fields, lines }) {
  const reference = new Reference(readMechanism(fields).mechanism);
  const { lines: found, first, reason } = judged(reference, lines, clock());
  const said = found.map(({ state, sentence }, i) => ({ state, sentence: sentence ? [sentence] : i === first ? reasonOf(reference, reason, lines[i]) : [] }));
  return { lines: said, first };
}

// What a task returns, or the sentence of its problem: {problem, position}.
export function done(task, first) {
  try {
    return { comparison, derivation, equationOrStep }[task.kind](task, first);
  } catch (error) {
    const known = [Problem, PasteProblem, UnreadableError, DerivationProblem, UnknownNames].some((kind) => error instanceof kind);
    if (!known) throw error;
    return { problem: error.message, position: error.position ?? null, chips: error.chips };
  }
}
