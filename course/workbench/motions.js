// Runs in the background: when two motions part, and how far an energy drifts.
import { Simulation } from "../../panels/simulations/simulation.js";
import { anglesOf } from "./conventions.js";
import { machineOf } from "./machine.js";

const SECONDS = 10;
const APART = 0.01; // of a radian, or of the start's size

// The motion of a mechanism from the state x0, or of somebody's accelerations.
export function motionOf(reference, { x0, method, h, theirs = null }) {
  const { mechanism, n } = reference;
  const { layout, ...machine } = machineOf(mechanism, [method], [], theirs);
  const size = { coordinates: n, states: 2 * n, axes: 2, outputs: layout };
  return new Simulation(machine, { size, handles: [] }, { x0, p: [...mechanism.parameters.values()], method: 0, h });
}

// {t, degrees}: when a coordinate of theirs is a hundredth of a radian, or of the largest
// coordinate, away from ours; null if none is within ten seconds.
export function firstDifference(reference, theirs, start, late) {
  const { n } = reference;
  const angles = anglesOf(reference);
  const h = 0.005;
  const [a, b] = [null, theirs].map((accelerations) => motionOf(reference, { ...start, h, theirs: accelerations }));
  let size = 1e-9;
  for (let k = 0; k < SECONDS / h && !late(); k++) {
    if (!a.step() || !b.step()) return null;
    for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(a.x[i]));
    const apart = Array.from({ length: n }, (_, i) => Math.abs(a.x[i] - b.x[i]) / (angles[i] ? 1 : size));
    const i = apart.findIndex((distance) => distance > APART);
    if (i >= 0) return { t: Number(((k + 1) * h).toPrecision(2)), degrees: angles[i] ? "0.01 rad" : "1% of the largest coordinate" };
  }
  return null;
}

// The energy that nothing accounts for after ten seconds [J]; null if the motion blows up.
export function driftOf(reference, theirs, { start, method, h, late }) {
  const motion = motionOf(reference, { x0: start.x0, method, h, theirs });
  for (let k = 0; k < SECONDS / h; k += 10) {
    if (late()) break;
    if (motion.step(10) < 10) return null;
  }
  return motion.drift()[0];
}
