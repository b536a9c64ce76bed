// Score the workbench on a folder of cases: node tests/workbench/score.mjs FOLDER [-v]
//
// The folder has machines.json, slips.json, rewritings.json, codes.json, derivations.json, and
// hostile.json, or some of them. The totals of each file are printed; with -v, each failure.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, env } from "node:process";
import { compare } from "../../course/workbench/compare.js";
import { DerivationProblem, judged } from "../../course/workbench/derivations.js";
import { plain, treeOfTerm } from "../../course/workbench/writing.js";
import { Interpreter } from "../../course/workbench/interpreter.js";
import { fieldsIn } from "../../course/workbench/link.js";
import { machineOf } from "../../course/workbench/machine.js";
import { Simulation } from "../../panels/simulations/simulation.js";
import { soundness } from "../../course/workbench/soundness.js";
import { Problem, parts, readMechanism, treeOf, withRates } from "../../course/workbench/mechanism.js";
import { PasteProblem, programOf } from "../../course/workbench/pasted.js";
import { Reference } from "../../course/workbench/reference.js";
import { leafNode, replaced } from "../../course/workbench/differences.js";
import { fewTerms, nodeOf } from "../../course/workbench/terms.js";
import { evaluator } from "../../course/boxes/evaluator.js";

const verbose = argv.includes("-v");
const primed = (name) => name.replace(/ddot$/, "''").replace(/dot$/, "'");

export const fieldsOf = (machine, spelling = machine.typed[0]) => ({
  coordinates: machine.coordinates.join(", "),
  definitions: (spelling.definitions ?? []).join("\n"),
  T: spelling.T,
  V: spelling.V,
  forces: Object.entries(spelling.forces ?? {}).map(([name, force]) => `${name}: ${force}`).join("\n"),
  parameters: Object.entries(machine.parameters).map(([name, { value }]) => `${name} = ${value}`).join(", "),
  points: (machine.points ?? []).map((point) => `(${point.join(", ")})`).join(", "),
});

const stateOf = (machine, state) => Object.fromEntries([
  ...Object.entries(state).map(([name, value]) => [primed(name), value]),
  ...Object.entries(machine.parameters).map(([name, { value }]) => [name, value]),
]);

// A late() that is true after a second, or after LIMIT milliseconds on a busy machine.
function clock(milliseconds = Number(env.LIMIT ?? 1000)) {
  const end = performance.now() + milliseconds;
  return () => performance.now() > end;
}

class Score {
  constructor(title) {
    Object.assign(this, { title, right: 0, all: 0, slowest: 0, notes: {} });
  }

  count(id, isRight, why = "", milliseconds = 0) {
    this.all += 1;
    this.right += Number(isRight);
    this.slowest = Math.max(this.slowest, milliseconds);
    if (!isRight && verbose) console.log(`  ${this.title} ${id}: ${why}`);
  }

  note(name) {
    this.notes[name] = (this.notes[name] ?? 0) + 1;
  }

  print() {
    const notes = Object.entries(this.notes).map(([name, count]) => `; ${name} ${count}`).join("");
    console.log(`${this.title}: ${this.right} of ${this.all}${notes}; slowest ${this.slowest.toFixed(0)} ms`);
  }
}

function scoreMachines(machines) {
  const score = new Score("machines");
  let worst = 0;
  for (const machine of machines) {
    machine.typed.forEach((spelling) => {
      const start = performance.now();
      let error = Infinity;
      let why = "";
      try {
        const { mechanism } = readMechanism(fieldsOf(machine, spelling));
        const reference = new Reference(mechanism);
        const interpreter = new Interpreter(mechanism.table, reference.equations.a, reference.names);
        const errors = machine.states.flatMap((state, s) => interpreter.at(stateOf(machine, state)).map(
          (a, i) => Math.abs(a - machine.accelerations[s][i]) / Math.max(1, Math.abs(machine.accelerations[s][i]))));
        error = Math.max(...errors);
      } catch (problem) {
        why = problem.message;
      }
      worst = Math.max(worst, error);
      score.count(machine.id, error < 1e-12, `${spelling.style}: ${error} ${why}`, performance.now() - start);
    });
  }
  score.title += ` (spellings; worst error ${worst.toExponential(1)})`;
  return score;
}

const referenceOf = (machine) => new Reference(readMechanism(fieldsOf(machine)).mechanism);

// The trees of somebody's formulas in the form of a case.
export function typedTrees(reference, { form, typed }) {
  const names = { names: withRates(reference.coordinates, 2).concat(reference.parameters), constants: reference.parameters };
  const tree = (text) => treeOf(text, names);
  const side = (text) => {
    const read = tree(text);
    return read.type === "=" && form !== "equations" ? read.operands[1] : read;
  };
  if (form === "energies") return [tree(typed.T), tree(typed.V), ...reference.coordinates.map((name) => tree(typed.forces?.[name] ?? "0"))];
  if (form === "M and F") return [...typed.M.flat(), ...typed.F].map(tree);
  return typed.map(side);
}

// Whether a list of numbers is a multiple of another.
function isProportional(numbers, wanted) {
  const factor = numbers.reduce((sum, x, i) => sum + x * wanted[i], 0) / wanted.reduce((sum, x) => sum + x * x, 0);
  const size = Math.max(...numbers.map(Math.abs));
  return size > 1e-12 && Number.isFinite(factor) && factor !== 0 && numbers.every((x, i) => Math.abs(x - factor * wanted[i]) < 1e-6 * size);
}

// Whether an answer names a term, up to a factor; a part of the term that is a product of it and
// parameters counts, too.
function names(reference, result, termText) {
  const { states, allNames, table } = reference;
  const points = reference.withAccelerations(states.map((_, s) => reference.coordinates.map((__, i) => Math.sin(3 * s + i) + 0.2)));
  const known = { names: withRates(reference.coordinates, 2).concat(reference.parameters), constants: reference.parameters };
  const numbers = (tree) => points.map((point) => evaluator(tree, allNames)(allNames.map((name) => point[name])));
  const wanted = numbers(treeOf(termText, known));
  const free = [...reference.parameters];
  const fits = (list) => isProportional(list, wanted) || free.some((name) => [1, -1].some((power) => isProportional(list.map((x, s) => x * points[s][name] ** power), wanted)));
  const fitsTree = (tree) => {
    try {
      return fits(numbers(tree));
    } catch {
      return false;
    }
  };
  const interpreterOf = (node) => new Interpreter(table, [node], allNames);
  const ofTerm = ({ term }) => fits(points.map((point) => interpreterOf(nodeOf(table, term)).at(point)[0]));
  // a term of T or V shows in the equations as its derivatives
  const inEquations = ({ where, term }) => {
    const node = nodeOf(table, term);
    const { q, v } = reference.mechanism;
    const slopes = [...q, ...v].map((symbol) => table.partial(symbol)(node));
    return where !== undefined && slopes.some((slope) => fits(points.map((point) => interpreterOf(slope).at(point)[0])));
  };
  const terms = [...(result.rows ?? []).flatMap(({ terms }) => terms), ...(result.earlier ?? [])];
  if (terms.some(ofTerm) || (result.earlier ?? []).some(inEquations)) return "term";
  const sum = (list) => list.reduce((total, { term, share }) => table.add(total, table.multiply(
    table.number((1 - share) * Math.sign(term.coefficient)), nodeOf(table, term))), table.zero);
  const sums = [...(result.rows ?? []), ...(result.earlier ? [{ terms: result.earlier }] : [])].map(({ terms: list }) => sum(list));
  const slopes = (node) => [...reference.mechanism.q, ...reference.mechanism.v].map((symbol) => table.partial(symbol)(node));
  const fitsNode = (node) => fits(points.map((point) => interpreterOf(node).at(point)[0]));
  if (sums.some(fitsNode)) return "sum";
  if (result.change) {
    const { where, from, to } = result.change;
    const tree = reference.mechanism.trees[where];
    const nodeIn = (whole) => table.fromTree(whole, (name) => leafNode(reference.mechanism, table, name));
    const difference = table.subtract(nodeIn(replaced(tree, from, to)), nodeIn(tree));
    const touched = fewTerms(table, nodeIn(tree)).filter((term) => !fewTerms(table, nodeIn(replaced(tree, from, to))).some((other) => same(term, other)));
    const nodes = [difference, ...touched.map((term) => nodeOf(table, term))];
    if ([...nodes, ...nodes.flatMap(slopes)].some(fitsNode)) return "change";
  }
  for (const edit of result.edits ?? []) if (editNames(reference, result.form, edit, treeOf(termText, known))) return "edit";
  if (result.change) return "change?";
  return result.edits?.length ? "edit?" : "";
}

const same = (term, other) => term.coefficient === other.coefficient && term.powers.size === other.powers.size
  && [...term.powers].every(([node, exponent]) => other.powers.get(node) === exponent);

// Whether what an edit changes, before or after the change, is a multiple of a term.
function editNames(reference, { sheet, points }, { k, at }, term) {
  const { allNames, parameters } = reference;
  const evaluate = evaluator(term, allNames);
  const wanted = points.map((point) => evaluate(allNames.map((name) => point[name] ?? 0)));
  const fits = (list) => isProportional(list, wanted) || [...parameters, ...reference.accelerationNames].some((name) =>
    [1, -1, 2, -2].some((power) => isProportional(list.map((x, s) => x * points[s][name] ** power), wanted)));
  const values = sheet.values(points);
  const around = sheet.trees.indexOf(sheet.termAround(k));
  const now = new Map([[k, Float64Array.from(points, (_, s) => at(s))]]);
  for (const j of sheet.after(k).filter((j) => j <= around)) {
    const [a, b] = sheet.operands[j].map((part) => now.get(part) ?? values[part]);
    now.set(j, sheet.apply(j, a, b, new Float64Array(points.length)));
  }
  return [...now.keys()].some((j) => fits([...values[j]]) || fits([...now.get(j)]));
}

function scoreSlips(machines, slips) {
  const score = new Score("slips");
  for (const slip of slips) {
    const start = performance.now();
    const reference = referenceOf(machines.get(slip.machine));
    const result = compare(reference, { kind: slip.form, trees: typedTrees(reference, slip) }, { late: clock() });
    const named = result.verdict === "different" ? names(reference, result, slip.term) : "";
    score.note(result.verdict === "different" ? named || "nothing" : result.verdict);
    const why = `${slip.slip} [${slip.term}] ${result.verdict} ${named} ${describe(result)}`;
    if (argv.includes("-t")) console.log(slip.id, (performance.now() - start).toFixed(0));
    score.count(slip.id, Boolean(named) && !named.endsWith("?"), why, performance.now() - start);
  }
  return score;
}

function describe({ edits = [], change, earlier, rows }) {
  const where = (edits ?? []).map(({ what, cost }) => `${what} (${cost.toFixed(1)})`).join(", ");
  return `edits: ${where}; change: ${change?.what ?? "-"}; earlier: ${earlier?.length ?? 0}; rows: ${rows?.length ?? 0}`;
}

function scoreRewritings(machines, rewritings) {
  const score = new Score("rewritings");
  for (const rewriting of rewritings) {
    const start = performance.now();
    const reference = referenceOf(machines.get(rewriting.machine));
    const { verdict } = compare(reference, { kind: rewriting.form, trees: typedTrees(reference, rewriting) }, { late: clock() });
    score.count(rewriting.id, verdict === "equal", verdict, performance.now() - start);
  }
  return score;
}

// Trees of the code's names in our formulas.
function meaningsOf(reference, code) {
  const names = { names: withRates(reference.coordinates, 2).concat(reference.parameters), constants: reference.parameters };
  const leaves = Object.entries(code.names).map(([name, ours]) => [name, { type: "leaf", name: primed(ours), operands: [] }]);
  const formulas = Object.entries(code.parameters ?? {}).map(([name, text]) => [name, treeOf(text, names)]);
  const rest = reference.parameters.map((name) => [name, { type: "leaf", name, operands: [] }]);
  const given = new Set([...leaves, ...formulas].map(([name]) => name));
  return new Map([...rest.filter(([name]) => !given.has(name)), ...leaves, ...formulas]);
}

// Whether a convention is one that a case names: the same map of coordinates at every state.
function isMap(reference, { A, offset }, map) {
  const { coordinates, allNames, states, parameters } = reference;
  const names = { names: withRates(coordinates, 2).concat(parameters), constants: parameters };
  return states.every((state) => coordinates.every((name, i) => {
    const wanted = map[name] === undefined ? state[name] : evaluator(treeOf(map[name], names), allNames)(allNames.map((each) => state[each] ?? 0));
    const [shift] = offset[i];
    const number = typeof shift === "number" ? shift : shift.startsWith("-") ? -state[shift.slice(1)] : state[shift];
    return Math.abs(A[i].reduce((sum, x, j) => sum + x * state[coordinates[j]], number) - wanted) % (2 * Math.PI) < 1e-9;
  }));
}

function scoreCodes(machines, codes) {
  const score = new Score("codes");
  for (const code of codes) {
    const start = performance.now();
    const reference = referenceOf(machines.get(code.machine));
    let [good, why] = [false, ""];
    try {
      const { trees, own } = programOf(code.code, { meanings: meaningsOf(reference, code), outputs: code.outputs, parameters: reference.parameters });
      const result = compare(reference, { kind: "accelerations", trees, own }, { late: clock() });
      const accepted = [code.verdict, code.also_accept?.verdict ?? code.also_accept].map((verdict) => (
        { right: "equal", slip: "different", convention: "convention" })[verdict]);
      good = accepted.includes(result.verdict);
      why = result.verdict;
      if (good && result.verdict === "different") {
        const named = names(reference, result, code.term);
        good = Boolean(named);
        why = `${code.term} ${named} ${describe(result)}`;
        score.note(named || "nothing");
      }
      if (good && result.verdict === "convention" && code.map) score.note(isMap(reference, result.convention, code.map) ? "same map" : `other map (${code.id})`);
    } catch (problem) {
      why = problem.message;
    }
    score.count(code.id, good, `${code.verdict}: ${why}`, performance.now() - start);
  }
  return score;
}

function scoreDerivations(machines, derivations) {
  const score = new Score("derivations");
  for (const { id, machine, lines, first_false: wanted, why, also_accept: also } of derivations) {
    const start = performance.now();
    const reference = referenceOf(machines.get(machine));
    const { first, reason, lines: found } = judged(reference, lines, clock());
    const marked = first === null ? null : first + 1;
    const good = marked === wanted || [also].flat().includes(marked);
    if (first !== null) score.note(reason?.missing ? "missing terms" : reason?.edit ? "edit" : "no reason");
    const states = found.map(({ state, sentence }) => state[0] + (sentence ? `(${sentence})` : "")).join("");
    score.count(id, good, `${marked} for ${wanted} (${why}) ${states}`, performance.now() - start);
    if (verbose && first !== null) console.log(`    ${id} ${why} -> ${shownReason(reference, reason)}`);
  }
  return score;
}

function shownReason({ table }, reason) {
  if (reason?.missing) return reason.missing.map(({ term, factor }) => `${factor.toFixed(3)} × ${plain(treeOfTerm(table, term))}`).join(" and ");
  return reason?.edit ? `${reason.edit.what} at ${plain(reason.sheet.termAround(reason.edit.k))}` : "-";
}

const HOSTILE = { code: checkCode, derivation: checkDerivation, link: checkLink };

function checkCode(text, reference) {
  programOf(text, { meanings: meaningsOf(reference, { names: {} }), outputs: ["thetaddot"], parameters: reference.parameters });
}

function checkDerivation(text, reference) {
  const lines = text.trim().split("\n");
  judged(reference, lines);
}

async function checkLink(text) {
  await fieldsIn(text);
}

// The verdict on a hostile case, and everything that is said: [verdict, sentences].
async function verdictOn(base, { field, text, build, verdict: _, good, names: __, only, id, ...others }) {
  const typed = text ?? build.map(([piece, times]) => piece.repeat(times)).join("");
  // a case with other coordinates has no V of the base's own
  let fields = { points: "", ...base, ...(field === "coordinates" || others.coordinates ? { V: "" } : {}), ...others, [field]: typed };
  if (field === "parameters" && !only) {
    const given = parts(typed).map((part) => part.text.split("=")[0].trim());
    const rest = parts(base.parameters).map((part) => part.text).filter((part) => !given.includes(part.split("=")[0].trim()));
    fields = { ...fields, parameters: [...rest, typed].join(", ") };
  }
  const said = [];
  try {
    if (HOSTILE[field]) {
      await HOSTILE[field](typed, new Reference(readMechanism(base).mechanism));
      return ["reads", said];
    }
    const { mechanism, warnings } = readMechanism(fields);
    said.push(...[...warnings, ...soundness(mechanism)].map((problem) => problem.message));
    if (said.length) return ["warns", said];
    return [stops(mechanism) ? "stops" : "reads", said];
  } catch (error) {
    if (!(error instanceof Problem || error instanceof PasteProblem || error instanceof DerivationProblem || field === "link")) return [`exception ${error.stack}`, said];
    return ["refuse", [error.message, ...(error.missing ?? [])]];
  }
}

const RK4 = { A: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]], b: [1 / 6, 1 / 3, 1 / 3, 1 / 6], c: [0, 1 / 2, 1 / 2, 1] };

// Whether a motion from some state ends before a number that is not finite.
function stops(mechanism) {
  return [0.5, -0.5].some((speed) => {
    const { layout, ...machine } = machineOf(mechanism, [RK4], []);
    const n = mechanism.coordinates.length;
    const size = { coordinates: n, states: 2 * n, axes: 2, outputs: layout };
    const x0 = [...mechanism.coordinates.map(() => speed), ...mechanism.coordinates.map(() => -2 * speed)];
    const motion = new Simulation(machine, { size, handles: [] }, { x0, p: [...mechanism.parameters.values()], method: 0, h: 0.001 });
    motion.step(4000);
    return motion.failed && motion.x.every(Number.isFinite);
  });
}

async function scoreHostile({ base, cases = [] }) {
  const score = new Score("hostile");
  for (const hostile of cases) {
    const start = performance.now();
    const [verdict, said] = await verdictOn(base, hostile);
    const isNamed = (hostile.names ?? []).every((name) => said.join(" ").includes(name));
    score.count(hostile.id, verdict === hostile.verdict && isNamed, `${verdict} for ${hostile.verdict} (${hostile.good}): ${said.join(" ")}`.slice(0, 300), performance.now() - start);
    if (argv.includes("-vv")) console.log(`    ${hostile.id} ${hostile.good} -> ${said.join(" ")}`);
  }
  return score;
}

const folder = argv[2];
if (folder) {
  const load = (name) => (existsSync(join(folder, name)) ? JSON.parse(readFileSync(join(folder, name))) : []);
  const list = load("machines.json");
  const machines = new Map(list.map((machine) => [machine.id, machine]));
  scoreMachines(list).print();
  scoreRewritings(machines, load("rewritings.json")).print();
  scoreSlips(machines, load("slips.json")).print();
  scoreCodes(machines, load("codes.json")).print();
  scoreDerivations(machines, load("derivations.json")).print();
  (await scoreHostile(load("hostile.json"))).print();
}
