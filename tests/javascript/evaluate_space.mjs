// Takes steps on curved spaces for the tests in Python: reads {equations, size, tasks}.
import { SpaceSimulation, coefficientFunctions } from "../../tutlib/page/space.js";

const text = await new Promise((resolve) => {
  let all = "";
  process.stdin.on("data", (part) => (all += part)).on("end", () => resolve(all));
});
const { equations, size, tasks } = JSON.parse(text);
const model = new Function("coefficientFunctions", `return ${equations}`)(coefficientFunctions);
const results = tasks.map(({ x, p, h, method, steps }) => {
  const simulation = new SpaceSimulation(model, size, { x0: x, p, h, method });
  const outputs = [...simulation.outputs()];
  for (let i = 0; i < steps; i++) simulation.step();
  return { x: [...simulation.x], outputs, drift: simulation.drift() };
});
process.stdout.write(JSON.stringify(results));
