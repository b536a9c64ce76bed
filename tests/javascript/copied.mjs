// What "Copy as Python" hands out, and how a page moves: for each {specification, news} of a job the
// code and the setting; with {program, start} the state after 20 steps, too.
import { machines } from "../../panels/simulations/machine.js";
import { Setting } from "../../panels/simulations/setting.js";
import { Simulation } from "../../panels/simulations/simulation.js";

let text = "";
for await (const part of process.stdin) text += part;
const found = [];
for (const { specification, news, program, start } of JSON.parse(text)) {
  const setting = new Setting(specification);
  setting.merge(news);
  found.push({ code: setting.toPython(), setting: setting.copy() });
  if (!start) continue;
  const [machine] = await machines(program, { runs: [{}] });
  const method = specification.methods.findIndex(({ name }) => name === setting.method);
  const simulation = new Simulation(machine, specification, { ...setting, x0: start, method });
  for (let k = 0; k < 20; k++) simulation.step();
  found.at(-1).state = [...simulation.x];
}
process.stdout.write(JSON.stringify(found));
