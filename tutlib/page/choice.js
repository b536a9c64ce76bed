// Several simulations in one place, one at a time: a slider in the panel chooses.
//
// `choices` holds {label, specification, equations} for each; see tutlib/page/live.py.
import { mount } from "./live.js";

export function mountOneOf(root, name, choices, first) {
  let stop = () => {};
  function pick(index, byHand = true) {
    stop();
    const { label, specification, equations } = choices[index];
    const choice = { name, label, index, count: choices.length, pick };
    stop = mount(root, { ...specification, choice }, equations);
    if (byHand) root.querySelector(".choice input").focus();
  }
  pick(first, false);
}
