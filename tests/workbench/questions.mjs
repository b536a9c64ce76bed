// Judge public questions as the page does: node tests/workbench/questions.mjs [FILE] [-v]
//
// Each question has the fields of its machine, the asker's text, and the expected answer. Printed
// are each verdict, with -v its sentences, and the totals: verdicts that are right, and mistakes for
// which the answer names the term or a change of the text.
import { readFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { evaluator } from "../../course/boxes/evaluator.js";
import { readMechanism, treeOf, withRates } from "../../course/workbench/mechanism.js";
import { Reference } from "../../course/workbench/reference.js";
import { done } from "../../course/workbench/task.js";
import { plain } from "../../course/workbench/writing.js";

const RK4 = { A: [[], [1 / 2], [0, 1 / 2], [0, 0, 1]], b: [1 / 6, 1 / 3, 1 / 3, 1 / 6], c: [0, 1 / 2, 1 / 2, 1] };

const shown = (sentence) => sentence.map((piece) => (typeof piece === "string" ? piece : plain(piece.tree))).join("");

// Whether two formulas are proportional, perhaps after multiplication by a parameter or its inverse.
function areAlike(reference, tree, term) {
  const { coordinates, parameters, states, accelerationNames, allNames } = reference;
  const points = states.map((state, s) => ({ ...state, ...Object.fromEntries(accelerationNames.map((name, i) => [name, Math.sin(3 * s + i) + 0.2])) }));
  const names = { names: [...withRates(coordinates, 2), ...parameters], constants: parameters };
  const numbers = (each) => points.map((point) => evaluator(each, allNames)(allNames.map((name) => point[name] ?? 0)));
  const ratios = (a, b) => a.map((x, s) => x / b[s]);
  try {
    const found = ratios(numbers(tree), numbers(treeOf(term, names)));
    const factors = [() => 1, ...parameters.flatMap((name) => [-2, -1, 1, 2].map((power) => (s) => points[s][name] ** power))];
    return factors.some((factor) => found.every((x, s) => Math.abs(x * factor(s) / (found[0] * factor(0)) - 1) < 1e-6));
  } catch {
    return false;
  }
}

const trees = (tree) => [tree, ...tree.operands.flatMap(trees)];

// {verdict, sentences, named, asked} of a question; `asked` are names whose meaning had to be chosen.
export function judged({ kind, fields, text, names, term }) {
  const { mechanism } = readMechanism(fields);
  if (kind === "derivation") {
    const { problem, lines, first } = done({ kind, fields, lines: text.split("\n") });
    if (problem) return { verdict: "unread", sentences: [problem] };
    return { verdict: first === null ? null : first + 1, sentences: lines.map(({ state, sentence }, i) => `${i + 1} ${state} ${shown(sentence)}`) };
  }
  const start = { x0: mechanism.coordinates.flatMap(() => 1).concat(mechanism.coordinates.map(() => 0)), method: RK4 };
  const task = { kind: "comparison", fields, text, start };
  let answer = done(task);
  const asked = (answer.chips ?? []).filter(({ means }) => !means).map(({ name }) => name);
  if (answer.problem && answer.chips && names) answer = done({ ...task, names });
  if (answer.problem) return { verdict: "unread", sentences: [answer.problem], asked };
  const sentences = answer.sentences.map(shown);
  const verdict = answer.verdict === "wrong" ? "different" : sentences[0].startsWith("Equal if") ? "convention" : "equal";
  const formulas = answer.sentences.flat().filter((piece) => typeof piece !== "string").flatMap(({ tree }) => trees(tree));
  const reference = new Reference(mechanism);
  const isNamed = [term ?? []].flat().some((each) => formulas.some((tree) => areAlike(reference, tree, each)));
  const named = isNamed ? "term" : answer.marks.length ? "change" : "";
  return { verdict, sentences, named, asked };
}

function report(questions) {
  let [right, mistakes] = [0, 0];
  const counts = { term: 0, change: 0 };
  for (const question of questions) {
    const { id, about, expected, says } = question;
    let found;
    try {
      found = judged(question);
    } catch (error) {
      found = { verdict: "exception", sentences: [error.stack] };
    }
    const isRight = found.verdict === expected;
    right += Number(isRight);
    if (expected === "different") {
      mistakes += 1;
      if (isRight && found.named) counts[found.named] += 1;
    }
    console.log(`${isRight ? "✓" : "✗"} ${id} ${found.verdict}${isRight ? "" : ` for ${expected}`}${found.named ? `, named: ${found.named}` : ""}${found.asked?.length ? `, asked for ${found.asked.join(" ")}` : ""}`);
    if (argv.includes("-v")) console.log([about, ...found.sentences.map((sentence) => `> ${sentence}`), `should say: ${says}`].map((line) => `    ${line}`).join("\n"));
  }
  console.log(`verdicts: ${right} of ${questions.length}; of ${mistakes} mistakes, named by a term ${counts.term}, by a change ${counts.change}`);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const file = argv.slice(2).find((word) => !word.startsWith("-")) ?? new URL("questions/questions.json", import.meta.url);
  report(JSON.parse(readFileSync(file, "utf8")));
}
