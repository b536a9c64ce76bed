// Sentences on the present motion, for readers who do not see it. Names and units are the model's. The
// side of an angle comes from the drawing: a line that rotates with the coordinate shows where it is zero.
import { measured } from "./numbers.js";
import { METHOD, gapInWords, work } from "./strip.js";
import { shown } from "../drawing/drawing.js";

// Maximum number of coordinates in the text; change of an angle to see which lines rotate [rad];
// tolerance for equal angles [rad]; smallest value that is mentioned, in its unit.
const [MOST, SMALL, ALIKE, NOTHING] = [6, 0.1, 1e-6, 1e-3];
const wrapped = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
const capital = (text) => (/^[a-z]{2}/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text);

// Value in its unit with two digits, or in whole degrees; "" if it is negligible.
function sized(value, unit) {
  if (!(Math.abs(value) >= NOTHING)) return "";
  const whole = unit.startsWith("°") && Math.abs(value) >= 1;
  return measured(whole ? `${Math.round(value)}`.replace("-", "−") : shown(value, 2), unit);
}
const quantity = (value, unit) => sized(value, unit) || measured("0", unit);

// Angles of the lines of the drawing, counterclockwise from straight down.
function directions({ simulation, spec }, x) {
  const points = simulation.points(x);
  return spec.skeleton.lines.flatMap((line) => line.slice(1).map((end, k) => {
    const [from, to] = [points[line[k]], points[end]];
    return Math.atan2(to[0] - from[0], from[1] - to[1]);
  }));
}

// Direction at angle zero of a line that rotates with an angle: 0 for down, π for up; null if there is no
// such line.
function zeroOf(run, x, i) {
  const turned = x.slice();
  turned[i] += SMALL;
  const [before, after] = [directions(run, x), directions(run, turned)];
  const fits = (angle, at) => Math.abs(wrapped(angle - at)) < ALIKE;
  return [0, Math.PI].find((zero) => before.some((angle, k) =>
    fits(angle, x[i] + zero) && fits(after[k], turned[i] + zero))) ?? null;
}

// "First link 31° left of down, swinging back at 69°/s".
function swinging({ meaning, label, unit, scale }, angle, rate) {
  const body = capital(meaning.replace(/^angle of (the )?/, "") || label);
  const above = Math.abs(angle) > Math.PI / 2;
  const [way, off] = above ? ["up", Math.PI - Math.abs(angle)] : ["down", Math.abs(angle)];
  const size = sized(off * scale, unit);
  const place = size ? `${size} ${angle > 0 ? "right" : "left"} of ${way}` : `straight ${way}`;
  const speed = sized(Math.abs(rate) * scale, `${unit}/s`);
  if (!speed) return `${body} ${place}, at rest`;
  const does = above ? ["falling", "rising"] : ["swinging back", "swinging out"];
  return `${body} ${place}, ${does[Number(angle * rate >= 0)]} at ${speed}`;
}

// "Place of the trolley 0.3 m, decreasing at 0.2 m/s".
function changing({ meaning, label, unit, scale }, value, rate) {
  const speed = sized(Math.abs(rate) * scale, `${unit}/s`);
  const does = speed ? `${rate > 0 ? "increasing" : "decreasing"} at ${speed}` : "at rest";
  return `${capital(meaning || label)} ${quantity(value * scale, unit)}, ${does}`;
}

// Sentences on the coordinates of a motion, at most so many.
function places(run, most = MOST) {
  const { simulation, spec, size } = run;
  const x = simulation.x.slice();
  const rates = simulation.rates().slice();
  const sentences = spec.states.slice(0, size.coordinates).flatMap((state, i) => {
    if (state.hidden) return [];
    const zero = state.scale !== 1 && size.axes === 2 ? zeroOf(run, x, i) : null;
    return [zero === null ? changing(state, x[i], rates[i])
      : swinging(state, wrapped(x[i] + zero), rates[i])];
  });
  const more = sentences.length - most;
  return more > 0 && most > 1 ? [...sentences.slice(0, most), `${more} more coordinates`] : sentences.slice(0, most);
}

// Position of the traced point, which represents the mechanism in space.
function placeInSpace({ simulation, spec: { skeleton, down } }) {
  const k = skeleton.traced ?? skeleton.bodies.at(-1);
  const { x, previous, h } = simulation;
  const [here, before] = [x, previous].map((state) => simulation.points(state)[k]);
  if (!here) return [];
  const [across, deep] = [here[0], down ? -here[1] : here[1]];
  const speed = Math.hypot(...here.map((value, i) => value - before[i])) / h;
  const moving = speed ? `, moving at ${quantity(speed, "m/s")}` : ""; // unknown before the first step
  return [`Traced point ${quantity(across, "m")} along e₁, ${quantity(deep, "m")} along e₂, ` +
    `${quantity(here[2], "m")} up${moving}`];
}

// "Energy error of the method 3 in a million", as part of the swing, or "Work of holding +6 kJ".
export function driftInWords(books, { label, error } = METHOD) {
  const name = capital(label);
  if (!error) return `${name} ${work(books)}`;
  const size = Math.abs(books.part);
  if (!Number.isFinite(size)) return `${name} not finite`;
  if (size < 1e-12) return `No ${label}`;
  if (size >= 0.01) {
    const much = size < 1 ? `${shown(100 * size, 2)}%` : `${shown(size, 2)} times the swing`;
    return `${name} ${much}, ${books.part < 0 ? "lost" : "invented"}`;
  }
  const [, many, group] = [[1e-3, 1e3, "thousand"], [1e-6, 1e6, "million"], [1e-9, 1e9, "billion"], [0, 1e12, "trillion"]]
    .find(([least]) => size >= least);
  return `${name} ${shown(many * size, 2)} in a ${group}`;
}

// Text on all motions of a panel: the first in full, the others in brief.
export function inSentences(runs, first, readouts, playing) {
  const { spec } = first;
  const time = `t = ${Number(first.simulation.t.toFixed(2))} s`;
  const labeled = (run, sentences) => {
    const all = spec.conserved === false ? sentences : [...sentences, driftInWords(run.books, spec.measure)];
    const [begin, ...rest] = all;
    return [run.label && begin ? `${capital(run.label)}: ${begin}` : begin, ...rest].filter(Boolean);
  };
  const spatial = first.size.axes === 3 ? placeInSpace(first) : [];
  const others = runs.filter((run) => run !== first).flatMap((run) =>
    labeled(run, run.size.states === spec.size.states ? places(run, 1) : []));
  const gap = "constraints" in spec.size.outputs
    ? [capital(gapInWords(Math.max(...runs.map(({ simulation }) => simulation.gap()))))] : [];
  const said = [playing ? time : `Paused at ${time}`, ...labeled(first, [...places(first), ...spatial, ...readouts.map(capital)]),
    ...others, ...gap];
  return `${said.join(". ")}.`;
}
