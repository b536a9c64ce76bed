// Sines of angles, and motions of a machine by methods that come as JSON: {angles, fields, x0, h,
// steps, methods}.
import { readFileSync } from "node:fs";
import { cosine, sine } from "../../course/workbench/elementary.js";
import { machineOf } from "../../course/workbench/machine.js";
import { readMechanism } from "../../course/workbench/mechanism.js";
import { Simulation } from "../../panels/simulations/simulation.js";

const { angles, fields, x0, h, steps, methods } = JSON.parse(readFileSync(0));
const { mechanism } = readMechanism(fields);
const { coordinates, parameters } = mechanism;
const motions = methods.map(({ name, tableau }) => {
  const { layout, ...machine } = machineOf(mechanism, [tableau ?? name], []);
  const size = { coordinates: coordinates.length, states: x0.length, axes: 2, outputs: layout };
  const motion = new Simulation(machine, { size, handles: [] }, { x0, p: [...parameters.values()], method: 0, h });
  motion.step(steps);
  return [...motion.x];
});
console.log(JSON.stringify({ sines: angles.map((angle) => [sine(angle), cosine(angle)]), motions }));
