// Keyboard shortcuts of a live simulation.
import { CONTROLS } from "./panel.js";
import { arrows } from "../drawing/drawing.js";

const flip = (box) => box.click();

// Listen at `listener`. `acts` are the actions of the buttons, `panel` comes from panel.js, and `move`
// moves the body by fractions of the picture's width. Returns a function that stops listening.
export function listenToKeys(listener, spec, panel, setting, acts, move) {
  const { canvas, rows, boxes, code } = panel;
  const holdable = spec.size.holdable !== false;

  function nudge({ item }, direction) {
    const step = Math.max(item.step, (item.high - item.low) / 40);
    const now = setting[item.target][item.index] * item.scale;
    const value = Math.min(item.high, Math.max(item.low, now + direction * step));
    acts.change({ [item.target]: { [item.index]: value / item.scale } });
  }

  const byName = {
    step: acts.step, reset: acts.reset, say: acts.say,
    ...(holdable && { pushLeft: () => acts.push(-1), pushRight: () => acts.push(1) }),
    trace: () => flip(boxes.trace),
    ...(!spec.states[0].hidden && { portrait: () => flip(boxes.portrait) }),
  };
  const actions = {};
  Object.entries(byName).forEach(([name, act]) => (actions[CONTROLS[name].key] = act));
  spec.methods.slice(0, 10).forEach(({ name }, i) => {
    actions[i] = () => acts.change({ method: name });
  });
  spec.switches.forEach((item, i) => item.key && (actions[item.key] = () => flip(boxes.switches[i])));
  rows.forEach((row) => {
    const [down, up] = row.item.keys;
    if (down) Object.assign(actions, { [down]: () => nudge(row, -1), [up]: () => nudge(row, 1) });
  });

  function onKey(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target === code) return;
    const arrow = holdable && target === canvas && arrows[event.key];
    if (arrow) {
      const part = event.shiftKey ? 1 / 10 : 1 / 40;
      move(arrow.map((way) => way * part));
    } else if (event.key === " " && !target.matches("button, summary, select, [type=checkbox]")) {
      acts.play();
    } else if (actions[event.key] && !target.matches("select")) {
      actions[event.key]();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  listener.addEventListener("keydown", onKey);
  return () => listener.removeEventListener("keydown", onKey);
}
