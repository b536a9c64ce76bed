// Whether a mechanism can move at all: its mass matrix M must be finite, and positive definite.
import { Interpreter } from "./interpreter.js";
import { lagrange } from "./lagrange.js";
import { eigen } from "./linear.js";
import { Problem, listed, shownName } from "./mechanism.js";
import { random } from "./reference.js";
import { plain } from "./writing.js";

const STATES = 8;
const SINGULAR = 1e-11; // smallest eigenvalue of M with unit diagonal

const shown = (name) => plain({ type: "leaf", name, operands: [] });

// M with ones on its diagonal: lengths and masses have different sizes.
function scaled(M) {
  const sizes = M.map((row, i) => Math.sqrt(Math.abs(row[i])) || 1);
  return [M.map((row, i) => row.map((x, j) => x / sizes[i] / sizes[j])), sizes];
}

// Return the warnings about a mechanism; throw a Problem if it cannot move.
export function soundness(mechanism) {
  const { table, coordinates, parameters, constraint } = mechanism;
  const { M, F } = lagrange(table, mechanism);
  const idle = coordinates.filter((_, i) => M[i].every((entry) => entry === table.zero));
  if (idle.length && !constraint) {
    throw new Problem("T", `T does not depend on the velocity of ${listed(idle)}, so ${idle.length > 1 ? "they have" : "it has"} no inertia.`);
  }
  const names = ["t", ...coordinates, ...coordinates.map((name) => `${name}'`), ...parameters.keys()];
  const interpreter = new Interpreter(table, [...M.flat(), ...F], names);
  const n = coordinates.length;
  const massesAt = (state) => {
    const all = interpreter.at(state);
    return all.every(Number.isFinite) ? Array.from({ length: n }, (_, i) => all.slice(i * n, (i + 1) * n)) : null;
  };
  const next = random(11);
  const states = Array.from({ length: STATES }, () => ({
    t: next(),
    ...Object.fromEntries(coordinates.flatMap((name) => [[name, 0.2 + 1.2 * next()], [`${name}'`, next() - 0.5]])),
  }));
  const given = (state) => ({ ...state, ...Object.fromEntries(parameters) });
  const varied = (state) => ({ ...state, ...Object.fromEntries([...parameters].map(([name, value]) => [name, (value || 1) * (0.7 + 0.6 * next())])) });
  const masses = states.map((state) => massesAt(given(state))).filter(Boolean);
  if (!masses.length) throw new Problem("T", "M or F has no finite value at any of the states tried. Is there a division by zero, or a very large number?");
  if (constraint) return [];
  const lowest = masses.map((matrix) => {
    const [inUnits, sizes] = scaled(matrix);
    const [[value, vector]] = eigen(inUnits);
    return { value, vector: vector.map((x, i) => x / sizes[i]) };
  });
  if (lowest.every(({ value }) => Math.abs(value) < SINGULAR)) {
    const always = states.map((state) => massesAt(varied(state))).filter(Boolean).every((matrix) => Math.abs(eigen(scaled(matrix)[0])[0][0]) < SINGULAR);
    if (!always) throw new Problem("parameters", "With these numbers, the mass matrix M is singular at all states tried. Is a mass or a length zero?");
    throw new Problem("T", `The mass matrix M is singular at all states tried: T is zero for ${speeds(coordinates, lowest[0].vector)}.`);
  }
  const warnings = [];
  const negative = lowest.find(({ value }) => value < -SINGULAR);
  if (negative) warnings.push(new Problem("T", `The mass matrix M is not positive definite: T is negative for ${speeds(coordinates, negative.vector)}. Is a sign or a mass wrong?`));
  const atZero = massesAt(given({ t: 0, ...Object.fromEntries(coordinates.flatMap((name) => [[name, 0], [`${name}'`, 0]])) }));
  if (atZero && !negative && Math.abs(eigen(scaled(atZero)[0])[0][0]) < SINGULAR) {
    warnings.push(new Problem("T", `The mass matrix M is singular where ${listed(coordinates.map(shown))} ${n > 1 ? "are" : "is"} 0. A motion stops there.`));
  }
  return warnings;
}

// Speeds in words: θ̇₁ = 1, θ̇₂ = −1, in proportion to the largest.
function speeds(coordinates, vector) {
  const most = vector.reduce((top, x) => (Math.abs(x) > Math.abs(top) ? x : top), 0);
  return listed(coordinates.map((name, i) => `${shownName(`${name}'`)} = ${String(Number((vector[i] / most).toFixed(2))).replace("-", "−")}`));
}
