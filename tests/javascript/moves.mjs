// Sets answers in motion for the tests in Python, as a box and its frame do together: reads
// {sentences, jobs} from standard input, each job with an exercise's data, the text of an answer and
// the panels {program, specification} that wait for it and, maybe, that Python made of it. Prints for
// each {driven, own}: time and states of all runs after two seconds, or before one of the
// numbers is large: where a mistake makes energy without end, rounding grows without end as well.
import { drivenBy } from "../../course/boxes/motion_frame.js";
import { evaluators } from "../../course/boxes/evaluator.js";
import { judged } from "../../course/boxes/judging.js";
import { machines } from "../../panels/simulations/machine.js";
import { sayer } from "../../course/boxes/answer_sentences.js";
import { Simulation } from "../../panels/simulations/simulation.js";

const FAR = 100;
const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});

async function run({ program, specification }, functions = {}) {
  const every = await machines(program, specification, (name, numbers) => functions[name](numbers));
  return specification.runs.map(({ parameters }, i) => {
    const p = specification.parameters.map(({ value }, k) => parameters[k] ?? value);
    const start = { x0: specification.x0, p, h: specification.h, t: 0, method: 0 };
    const simulation = new Simulation(every[i], specification, start);
    const now = () => [simulation.t, ...simulation.x];
    let found = now();
    for (let k = Math.round(2 / specification.h); k; k--) {
      simulation.step();
      if (!now().every((value) => Math.abs(value) < FAR)) break;
      found = now();
    }
    return found;
  });
}

async function move(job, sentences) {
  const { trees } = judged(job.exercise, job.text, sentences);
  const { functions } = drivenBy(job.exercise, trees, sayer(sentences));
  const arrived = evaluators(
    structuredClone(functions), Object.keys(job.waiting.program.outside), job.exercise.moves.names,
  );
  return { driven: await run(job.waiting, arrived), own: job.own && await run(job.own) };
}

const { sentences, jobs } = JSON.parse(text);
const done = [];
for (const job of jobs) done.push(await move(job, sentences));
process.stdout.write(JSON.stringify(done));
