// Several simulations in one place, one at a time: a slider in the panel chooses.
//
// `choices` holds {label, specification, program} for each; see tutlib/page/live.py.
import { machines } from "./machine.js";
import { mount } from "./live.js";

export async function mountOneOf(root, name, choices, first) {
  const made = await Promise.all(
    choices.map(({ specification, program }) => machines(program, specification)),
  );
  let stop = () => {};
  function pick(index, byHand = true) {
    stop();
    const { label, specification } = choices[index];
    const choice = { name, label, index, count: choices.length, pick };
    stop = mount(root, { ...specification, choice }, made[index]);
    if (byHand) root.querySelector(".choice input").focus();
  }
  pick(first, false);
}
