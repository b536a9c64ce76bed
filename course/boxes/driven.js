// A live simulation in a frame, whose second body is driven by what a reader has typed in the page
// around: it asks for that, and begins anew with every answer. What the reader has set stays.
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
