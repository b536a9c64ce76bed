// Several simulations in one panel, one at a time: a slider chooses among them.
//
// `choices` holds {label, specification, program} for each; see panels/simulations/live.py.
import { machines } from "./machine.js";
import { mount } from "./live.js";

function withoutChoice(address) {
  if (address === undefined) return undefined;
  const pairs = new URLSearchParams(address);
  pairs.delete("choice");
  return pairs.toString();
}

export async function mountOneOf(root, name, choices, first) {
  const made = await Promise.all(
    choices.map(({ specification, program }) => machines(program, specification)),
  );
  const labels = choices.map(({ label }) => label);
  const called = choices[first].specification.name;
  let [stop, shown] = [() => {}, null];

  // Settings carry over to a simulation chosen by hand; `address` comes from a link.
  function pick(index, address) {
    const byHand = shown !== null && address === undefined;
    const carried = byHand ? shown.setting.toAddress() : address;
    stop();
    const { specification } = choices[index];
    shown = { name, label: labels[index], labels, index, first, count: choices.length, pick };
    Object.assign(shown, { carried: withoutChoice(carried), byHand });
    ({ stop } = mount(root, { ...specification, name: called, choice: shown }, made[index]));
    if (byHand) root.querySelector(".choice input").focus();
  }
  pick(first);
}
