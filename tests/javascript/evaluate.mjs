// Evaluates printed equations for the tests in Python: reads {equations, specification,
// tasks} from standard input.
import { Simulation } from "../../tutlib/page/numerics.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const { equations, specification, tasks } = JSON.parse(text);
const model = new Function(`return ${equations}`)();
const { size, methods, parameters } = specification;
const results = tasks.map((task) => {
  const simulation = new Simulation(model, size, {
    x0: task.x,
    p: task.p ?? parameters.map(({ value }) => value),
    h: task.h ?? 0.01,
    t: task.t ?? 0,
    method: methods.find(({ name }) => name === (task.method ?? "rk4")),
  });
  if (task.steps === undefined) {
    const dx = new Float64Array(size.states + 1);
    simulation.evaluate(simulation.t, simulation.x, dx);
    return { rates: [...dx], outputs: [...simulation.outputs()] };
  }
  const rows = [];
  for (let i = 0; i < task.steps; i++) {
    simulation.step();
    if ((i + 1) % (task.every ?? 1) === 0) rows.push([...simulation.x.subarray(0, size.states)]);
  }
  return { rows, drift: simulation.drift() };
});
process.stdout.write(JSON.stringify(results));
