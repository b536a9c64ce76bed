// The moving mechanism of the page: what live.js needs to show a mechanism that was typed.
import { LOOK } from "../../panels/drawing/drawing.js";
import { mount } from "../../panels/simulations/live.js";
import { anglesOf } from "./conventions.js";
import { machineOf } from "./machine.js";
import { random, valuesAt } from "./reference.js";
import { plain } from "./writing.js";

const DEGREES = 180 / Math.PI;
const SAMPLES = 80;

const letter = (name) => plain({ type: "leaf", name, operands: [] });

// Points to draw where none are given: a hand for each angle, a block on a line for each length.
function ownPoints({ table, q }, angles) {
  return q.flatMap((symbol, i) => {
    const x = table.number(1.6 * i);
    if (!angles[i]) return [[x, table.number(-0.8 * i)], [table.add(x, symbol), table.number(-0.8 * i)]];
    return [[x, table.zero], [table.add(x, table.call("sin", symbol)), table.negative(table.call("cos", symbol))]];
  });
}

// Pairs of numbers of points that rods connect: "1 2, 2 3"; by default each with the next.
function rodsOf(text, count, isOwn) {
  if (isOwn) return Array.from({ length: count / 2 }, (_, i) => [2 * i, 2 * i + 1]);
  if (!text.trim()) return count > 1 ? [Array.from({ length: count }, (_, i) => i)] : [];
  return text.split(/[,;\n]/).map((rod) => rod.match(/\d+/g)?.map((number) => Number(number) - 1) ?? [])
    .filter((rod) => rod.length > 1 && rod.every((k) => k >= 0 && k < count));
}

// Left, bottom, right, top of the points that the mechanism reaches [m].
function boxOf(reference, drawn, x0, angles) {
  const { table, coordinates, names, mechanism: { parameters } } = reference;
  const next = random(5);
  const states = Array.from({ length: SAMPLES }, (_, k) => ({ t: 0, ...Object.fromEntries(parameters),
    ...Object.fromEntries(coordinates.flatMap((name, i) => [[name, angles[i] && k ? 2 * Math.PI * next() : x0[i]], [`${name}'`, 0]])) }));
  const finite = (list) => [...list].filter(Number.isFinite);
  const [xs, ys] = [0, 1].map((axis) => finite(valuesAt(table, drawn.map((point) => point[axis]), names, states).flatMap((list) => [...list])));
  const ends = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const size = Math.max(ends[2] - ends[0], ends[3] - ends[1], 1e-6) || 1;
  const margin = 0.12 * size;
  const least = (low, high) => (high - low < size / 2 ? [(low + high) / 2 - size / 3, (low + high) / 2 + size / 3] : [low, high]);
  const [[left, right], [bottom, top]] = [least(ends[0], ends[2]), least(ends[1], ends[3])];
  return [left - margin, bottom - margin, right + margin, top + margin];
}

// Show a mechanism in `root`; `methods` are [{name, label, tableau}], `theirs` accelerations at a
// point, as a second motion. Returns
// {stop, machines, drawn, lines}.
export function stage(root, reference, { x0, rods = "", methods, method = "rk4", h = 0.005, theirs = null }) {
  const { mechanism, n, coordinates, table } = reference;
  const angles = anglesOf(reference);
  const given = mechanism.points.filter(Boolean);
  const isOwn = given.length === 0;
  const drawn = isOwn ? ownPoints(mechanism, angles) : given;
  const moves = drawn.map((point) => point.some((node) => table.needed([node]).some((x) => mechanism.q.includes(x))));
  const bodies = drawn.flatMap((_, k) => (moves[k] ? [k] : []));
  const tableaus = methods.map(({ name, tableau }) => tableau ?? name);
  const machines = [machineOf(mechanism, tableaus, drawn), ...(theirs ? [machineOf(mechanism, tableaus, drawn, theirs)] : [])];
  const states = [0, 1].flatMap((order) => coordinates.map((name, i) => ({
    name: name + (order ? "_dot" : ""), label: letter(name + "'".repeat(order)), meaning: "",
    unit: (angles[i] ? "°" : "") + (order && angles[i] ? "/s" : ""), scale: angles[i] ? DEGREES : 1,
  })));
  const parameters = [...mechanism.parameters].map(([name, value]) => ({ name, value }));
  const spec = {
    name: "workbench", inPage: true, title: "", hint: "",
    description: `The mechanism described below, with the coordinates ${coordinates.map(letter).join(", ")}.`,
    size: {
      coordinates: n, speeds: n, states: 2 * n, axes: 2, angles: angles.flatMap((is, i) => (is ? [i] : [])),
      holdable: bodies.length > 0, outputs: machines[0].layout, masses: [], arrows: {},
    },
    handles: bodies,
    skeleton: {
      lines: rodsOf(rods, drawn.length, isOwn), bodies, pivots: drawn.flatMap((_, k) => (moves[k] ? [] : [k])),
      thin: [], joints: [], faint: [], wheels: [], ceiling: false, radii: bodies.map(() => LOOK.radii.mass), reference: null,
    },
    guides: [], states, parameters, readouts: [], switches: [], bars: [], arrows: [], presets: [],
    sliders: parameters.map(({ name, value }, index) => sliderOf(letter(name), value, index)),
    runs: theirs ? [{ label: "ours", parameters: {}, state: {} }, { label: "yours", parameters: {}, state: {} }] : [{ label: "", parameters: {}, state: {} }],
    methods: methods.map(({ name, label }) => ({ name, label })), method, h,
    x0, box: boxOf(reference, drawn, x0, angles), conserved: true, push: 1, trace: false, portrait: false,
    measure: theirs ? { label: "energy that no work accounts for", error: true } : { label: "energy error of the method", error: true },
  };
  const panel = mount(root, spec, machines);
  return { ...panel, machines, drawn, lines: spec.skeleton.lines };
}

// A slider from nothing to twice the value.
function sliderOf(label, value, index) {
  const [low, high] = value === 0 ? [-1, 1] : value > 0 ? [0, 2 * value] : [2 * value, 0];
  const step = 10 ** Math.floor(Math.log10((high - low) / 100));
  return { label, meaning: "", unit: "", low: low || step, high, step, scale: 1, target: "p", index, keys: [] };
}
