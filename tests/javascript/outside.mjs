// Runs simulations that take an answer from the page, for the tests in Python: reads
// [{program, specification, functions}] from standard input, from the names of the functions that
// the page must give to the texts of what they return for the array a. Prints the states of all
// runs after a thousand steps.
import { machines } from "../../tutlib/live/machine.js";
import { Simulation } from "../../tutlib/live/simulation.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});

async function run({ program, specification, functions }) {
  const made = Object.fromEntries(Object.entries(functions).map(([name, body]) =>
    [name, new Function("a", `return ${body};`)]));
  const every = await machines(program, specification, (name, numbers) => made[name](numbers));
  return specification.runs.map(({ parameters }, i) => {
    const p = specification.parameters.map(({ value }, k) => parameters[k] ?? value);
    const start = { x0: specification.x0, p, h: specification.h, t: 0, method: 0 };
    const simulation = new Simulation(every[i], specification, start);
    simulation.step(200);
    return [...simulation.x.subarray(0, specification.size.states)];
  });
}

const done = [];
for (const job of JSON.parse(text)) done.push(await run(job));
process.stdout.write(JSON.stringify(done));
