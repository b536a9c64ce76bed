// Live simulation in a frame, whose second run uses the reader's answer from the surrounding page.
// It asks for that answer, and restarts with every new one. Settings of the panel are kept.
import { evaluators } from "./evaluator.js";
import { mount } from "../../panels/simulations/live.js";
import { machines } from "../../panels/simulations/machine.js";

export async function mountDriven(root, specification, program, { exercise, names }) {
  let [functions, panel] = [{}, null];
  const made = await machines(program, specification, (name, numbers) => functions[name](numbers));
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || data?.drives !== exercise) return;
    const compiled = evaluators(data.functions, Object.keys(program.outside), names);
    if (!compiled) return;
    functions = compiled;
    if (panel) panel.again();
    else panel = mount(root, specification, made);
  });
  parent.postMessage({ asks: exercise }, "*");
}
