// Several simulations in one place, one at a time: a slider in the panel chooses.
//
// `choices` holds {label, specification, program} for each; see tutlib/page/live.py.
import { machines } from "./machine.js";
import { mount } from "./live.js";

export function mountOneOf(root, name, choices, first) {
  let [stop, chosen] = [() => {}, first];
  async function pick(index, byHand = true) {
    chosen = index;
    const { label, specification, program } = choices[index];
    const made = await machines(program, specification);
    if (chosen !== index) return; // the slider went on
    stop();
    const choice = { name, label, index, count: choices.length, pick };
    stop = mount(root, { ...specification, choice }, made);
    if (byHand) root.querySelector(".choice input").focus();
  }
  return pick(first, false);
}
