// Checks of a mechanism in the page, in the words of `verify`: energy against power, small motions,
// the order of the method, conserved quantities.
import { toldUnit, unitOf } from "../boxes/judge_units.js";
import { anglesOf } from "./conventions.js";
import { Interpreter } from "./interpreter.js";
import { timeDerivative } from "./lagrange.js";
import { eigen, solve } from "./linear.js";
import { treeOf } from "./mechanism.js";
import { agree, largest, valuesAt } from "./reference.js";
import { treeOfNode } from "./writing.js";

const [PURE, METER, ENERGY] = [[0, 0, 0], [0, 1, 0], [1, 2, -2]];
const UNITS = {
  kg: [1, 0, 0], g: [1, 0, 0], m: METER, s: [0, 0, 1], rad: PURE, N: [1, 1, -2], J: ENERGY, W: [1, 2, -3], Hz: [0, 0, -1],
};
const MISMATCHES = {
  "units added": ({ one, other }) => `${one} is added to ${other}`,
  "unit inside": ({ unit }) => `a function or an exponent has the unit ${unit}`,
};

// Mismatches of units in T and V, as sentences; null if a parameter has no unit. Coordinates that
// are not angles are lengths.
export function unitProblems(reference) {
  const { mechanism: { units, parameters, coordinates, definitions, trees, table } } = reference;
  if (!units.size || [...parameters.keys()].some((name) => !units.has(name))) return null;
  const said = (kind, fields) => MISMATCHES[kind](fields);
  const isAngle = anglesOf(reference);
  const known = Object.fromEntries([...units].map(([name, text]) => [name, unitIn(text)]));
  const withRate = (name, unit) => Object.assign(known, unit && { [name]: unit, [`${name}'`]: [unit[0], unit[1], unit[2] - 1] });
  coordinates.forEach((name, i) => withRate(name, isAngle[i] ? PURE : METER));
  known.t = UNITS.s;
  for (const [name, node] of definitions) withRate(name, unitOf(treeOfNode(table, node), known, said).unit);
  return ["T", "V"].flatMap((name) => {
    const { unit, clashes } = unitOf(trees[name], known, said);
    const odd = unit && String(unit) !== String(ENERGY) && toldUnit(unit) !== toldUnit(PURE);
    return [...clashes.map((clash) => `in ${name}, ${clash}`), ...(odd ? [`${name} has the unit ${toldUnit(unit)}`] : [])];
  });
}

// The powers of kilogram, meter, and second of a unit such as m/s²; null if it is not known.
function unitIn(text) {
  try {
    return unitOf(treeOf(text, { names: Object.keys(UNITS), constants: [] }), UNITS, () => "").unit;
  } catch {
    return null;
  }
}

// Names of the coordinates that L does not contain, and whether the energy is conserved.
export function conserved(reference) {
  const { table, mechanism: { forces, t, constraint }, equations: { slopes, L }, coordinates } = reference;
  const cyclic = coordinates.filter((_, i) => slopes[i] === table.zero && forces[i] === table.zero && constraint === null);
  const isAutonomous = table.partial(t)(L) === table.zero;
  return { cyclic, energy: isAutonomous && forces.every((force) => force === table.zero) };
}

// Whether d/dt (Σ pᵢ q̇ᵢ − L) equals the power Σ Qᵢ q̇ᵢ − ∂L/∂t at all states: {isTrue, worst}.
export function energyAgainstPower(reference) {
  const { table, mechanism, equations: { a, L, momenta }, names, states } = reference;
  const { v, forces, t } = mechanism;
  const times = (list) => list.reduce((sum, x, i) => table.add(sum, table.multiply(x, v[i])), table.zero);
  const energy = table.subtract(times(momenta), L);
  const power = table.subtract(times(forces), table.partial(t)(L));
  const [left, right, size] = valuesAt(table, [timeDerivative(table, mechanism, a)(energy), power, energy], names, states);
  const scale = Math.max(largest([...size]), largest([...right]));
  return { isTrue: left.every((value, s) => Math.abs(value - right[s]) <= 1e-8 * scale), worst: largest([...left.map((value, s) => value - right[s])]) };
}

// Whether the time occurs explicitly in the equations.
export function dependsOnTime({ table, mechanism: { t }, equations: { M, F } }) {
  return table.needed([...M.flat(), ...F]).includes(t);
}

// A state of rest near q, by Newton's method on F = 0 at rest: an array, or null.
export function restNear(reference, start) {
  const { table, mechanism, equations: { F }, coordinates, names } = reference;
  const n = coordinates.length;
  const slopes = F.flatMap((force) => mechanism.q.map((symbol) => table.partial(symbol)(force)));
  const interpreter = new Interpreter(table, [...F, ...slopes], names);
  const parameters = Object.fromEntries(mechanism.parameters);
  let q = [...start];
  for (let k = 0; k < 60; k++) {
    const point = { t: 0, ...parameters, ...Object.fromEntries(coordinates.flatMap((name, i) => [[name, q[i]], [`${name}'`, 0]])) };
    const values = interpreter.at(point);
    if (!values.every(Number.isFinite)) return null;
    const force = values.slice(0, n);
    const J = coordinates.map((_, i) => values.slice(n + i * n, n + (i + 1) * n));
    const move = solve(J, force.map((x) => -x));
    if (!move.every(Number.isFinite)) return null;
    const longest = Math.max(...move.map(Math.abs));
    q = q.map((x, i) => x + move[i] * Math.min(1, 0.5 / longest));
    if (longest < 1e-12) return q;
  }
  return null;
}

// Small motions about a rest: squares of the angular frequencies ω² [rad²/s²], the smallest first.
// Only for forces that depend on the coordinates alone.
export function frequencies(reference, rest) {
  const { table, mechanism, equations: { M, F }, coordinates, names } = reference;
  const n = coordinates.length;
  const stiffness = F.flatMap((force) => mechanism.q.map((symbol) => table.negative(table.partial(symbol)(force))));
  const interpreter = new Interpreter(table, [...M.flat(), ...stiffness], names);
  const point = { t: 0, ...Object.fromEntries(mechanism.parameters), ...Object.fromEntries(coordinates.flatMap((name, i) => [[name, rest[i]], [`${name}'`, 0]])) };
  const values = interpreter.at(point);
  const matrix = (from) => coordinates.map((_, i) => values.slice(from + i * n, from + (i + 1) * n));
  const [mass, K] = [matrix(0), matrix(n * n)];
  const symmetric = K.every((row, i) => row.every((x, j) => agree(x, K[j][i], largest(K.flat()))));
  const scaled = eigen(mass);
  if (!symmetric || scaled.some(([value]) => !(value > 0))) return null;
  // W = M^(-1/2)
  const W = mass.map((_, i) => mass.map((__, j) => scaled.reduce((sum, [value, vector]) => sum + vector[i] * vector[j] / Math.sqrt(value), 0)));
  const product = (A, B) => A.map((row) => B[0].map((_, j) => row.reduce((sum, x, k) => sum + x * B[k][j], 0)));
  return eigen(product(product(W, K), W)).map(([value]) => value);
}

// The observed order of a method: the error's exponent when the step is halved twice. `motionOf(h)`
// returns the state after the same time.
export function observedOrder(motionOf, h) {
  const [a, b, c] = [h, h / 2, h / 4].map(motionOf);
  const distance = (x, y) => Math.hypot(...x.map((value, i) => value - y[i]));
  return Math.log2(distance(a, b) / distance(b, c));
}
