// Runs simulations of pages for the tests in Python: reads {program, specification, tasks} from
// standard input.
import { machines } from "../../panels/simulations/machine.js";
import { Simulation } from "../../panels/simulations/simulation.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const { program, specification, tasks } = JSON.parse(text);
const made = await machines(program, { runs: tasks });
const results = tasks.map((task, number) => {
  const simulation = new Simulation(made[number], specification, {
    x0: task.x,
    p: task.p ?? specification.parameters.map(({ value }) => value),
    h: task.h ?? 0.01,
    t: task.t ?? 0,
    method: specification.methods.findIndex(({ name }) => name === (task.method ?? "rk4")),
  });
  const states = () => [...simulation.x];
  const outputs = [...simulation.outputs()];
  for (const [name, ...rest] of task.does ?? []) simulation[name](...rest);
  const rates = simulation.hasRates() && [...simulation.arrays.dx];
  const rows = [];
  let taken = 0;
  for (let i = 0; i < (task.steps ?? 0); i += task.every ?? 1) {
    taken += simulation.step(task.every ?? 1);
    rows.push(states());
  }
  return { rates, outputs, rows, taken, x: states(), t: simulation.t, drift: simulation.drift() };
});
process.stdout.write(JSON.stringify(results));
