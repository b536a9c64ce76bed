// Whether somebody's accelerations are right in other coordinates: q = A q' + b, found by trying
// signs, offsets, relative and absolute coordinates, and the order of the bodies.
import { dot, inverse } from "./linear.js";
import { agree, largest } from "./reference.js";

const MOST = 20_000;
const LENGTH = /^[lLrRad](?:_?[0-9])?$/;

const identity = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => Number(i === j)));

// Orders of the coordinates: all for three or fewer, then the reversed one.
function orders(n) {
  if (n > 3) return [[...Array(n).keys()], [...Array(n).keys()].reverse()];
  const all = n === 1 ? [[0]] : orders(n - 1).flatMap((order) => order.concat(n - 1).map((_, at) => order.toSpliced(at, 0, n - 1)));
  return all.sort((a, b) => moved(a) - moved(b));
}

const moved = (order) => order.filter((x, i) => x !== i).length;

// Our coordinates in theirs: the same, the sums of relative ones, the differences of absolute ones.
function relations(n) {
  const same = identity(n);
  if (n === 1) return [["", same]];
  return [
    ["", same],
    ["relative", same.map((row, i) => row.map((_, j) => Number(j <= i)))],
    ["absolute", same.map((row, i) => row.map((_, j) => (i === j ? 1 : -Number(j === i - 1))))],
  ];
}

function* tuples(lists) {
  if (!lists.length) yield [];
  else for (const first of lists[0]) for (const rest of tuples(lists.slice(1))) yield [first, ...rest];
}

const signsOf = (n) => [...tuples(Array(n).fill([1, -1]))];

// The parameters of body 1 exchanged with those of body 2.
function exchanged(parameters) {
  const partner = (name) => name.replace(/[12]$/, (digit) => String(3 - digit));
  return Object.fromEntries(parameters.map((name) => [name, parameters.includes(partner(name)) ? partner(name) : name]));
}

// Offsets of a coordinate: right angles for an angle, lengths for others; [name or number, text].
function offsetsOf(isAngle, lengths) {
  const angles = [[0, ""], [Math.PI, "π"], [Math.PI / 2, "π/2"], [-Math.PI / 2, "−π/2"]];
  return isAngle ? angles : [[0, ""], ...lengths.flatMap((name) => [[name, name], [`-${name}`, `−${name}`]])];
}

// Return {A, offsets, order, relation, exchange} with the fewest changes; null if there is none.
// `accelerationsAt(point)` are theirs.
export function convention(reference, accelerationsAt, late) {
  const { n, coordinates, parameters, states, values } = reference;
  const lengths = parameters.filter((name) => LENGTH.test(name));
  const angles = anglesOf(reference);
  const offsets = coordinates.map((_, i) => offsetsOf(angles[i], lengths));
  let best = null;
  let tried = 0;
  for (const order of orders(n)) {
    const exchanges = moved(order) ? [null, exchanged(parameters)] : [null];
    for (const exchange of exchanges) for (const [relation, R] of relations(n)) for (const signs of signsOf(n)) {
      const A = R.map((row) => order.map((j) => row[j] * signs[j]));
      const B = inverse(A);
      for (const offset of tuples(offsets)) {
        tried += 1;
        if (tried > MOST || late()) return best;
        const cost = 2 * moved(order) + (relation ? 2 : 0) + signs.filter((sign) => sign < 0).length + offset.filter(([, text]) => text).length;
        if (!cost || (best && cost >= best.cost)) continue;
        const candidate = { A, B, offset, exchange };
        const fits = (state, s) => agrees(reference, candidate, accelerationsAt, state, values[s].a);
        if (states.slice(0, 4).every(fits)) best = { ...candidate, cost, order, relation };
      }
    }
  }
  return best;
}

// Their point for one of our states, and whether their accelerations are ours there.
function agrees({ coordinates, parameters }, { A, B, offset, exchange }, accelerationsAt, state, a) {
  const number = (entry) => (typeof entry === "number" ? entry : entry.startsWith("-") ? -state[entry.slice(1)] : state[entry]);
  const q = coordinates.map((name, i) => state[name] - number(offset[i][0]));
  const v = coordinates.map((name) => state[`${name}'`]);
  const point = { ...state };
  if (exchange) for (const name of parameters) point[name] = state[exchange[name]];
  coordinates.forEach((name, i) => {
    point[name] = dot(B[i], q);
    point[`${name}'`] = dot(B[i], v);
  });
  const theirs = accelerationsAt(point);
  return a.every((wanted, i) => agree(dot(A[i], theirs), wanted, largest(a)));
}

// Whether each coordinate is an angle: it occurs in sines and cosines, or only as a speed.
export function anglesOf({ table, mechanism: { q, T, V, forces, definitions, constraint } }) {
  const roots = [T, V, ...forces, ...definitions.values(), ...(constraint === null ? [] : [constraint])];
  const inWaves = new Set();
  const elsewhere = new Set();
  const visit = (x, wave, seen = new Set()) => {
    if (seen.has(`${x} ${wave}`)) return;
    seen.add(`${x} ${wave}`);
    if (table.kind[x] === "symbol") (wave ? inWaves : elsewhere).add(x);
    const isWave = table.kind[x] === "call" && ["sin", "cos", "tan"].includes(table.name[x]);
    table.operands(x).forEach((part) => visit(part, wave || isWave, seen));
  };
  const seen = new Set();
  roots.forEach((x) => visit(x, false, seen));
  return q.map((symbol) => inWaves.has(symbol) && !elsewhere.has(symbol));
}

// The convention in words: "θ = θ' + π" for each coordinate that differs, as [name, text] pairs.
export function conventionTexts({ coordinates }, { A, offset }) {
  return coordinates.flatMap((name, i) => {
    const terms = A[i].flatMap((factor, j) => (factor ? [[factor, coordinates[j]]] : []));
    const isSame = terms.length === 1 && terms[0][0] === 1 && terms[0][1] === name && !offset[i][1];
    return isSame ? [] : [{ name, terms, offset: offset[i][1] }];
  });
}
