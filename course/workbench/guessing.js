// Meanings of the names in pasted code: which are coordinates, speeds, and parameters, and which are
// the accelerations that it computes. Guesses are shown, and can be changed.
import { UnreadableError } from "../boxes/tokens.js";
import { treeOf, withRates } from "./mechanism.js";
import { FUNCTION, PasteProblem, assignmentsIn, simple, typedName } from "./pasted.js";

// Other stems of names of coordinates, and words for parameters.
const STEMS = { theta: ["th", "angle", "q", "a", "phi"], phi: ["ph", "angle", "q", "theta", "a"], alpha: ["al", "phi", "angle", "q"] };
const WORDS = {
  m: ["mass", "mp", "masspole", "polemass", "bob"], M: ["masscart", "cartmass", "mc", "cart"], l: ["length", "polelength", "len", "L", "r"], L: ["length", "l"],
  g: ["gravity", "grav"], k: ["stiffness", "spring"], b: ["damping", "c", "friction"], c: ["damping", "b", "friction"], F: ["force", "f", "u"],
  I: ["inertia", "J"], J: ["inertia", "I"], R: ["radius", "r", "rb"], r: ["radius"], tau: ["torque", "u"], Omega: ["w", "omega"], omega: ["w"],
};
const SPEEDS = ["d{}", "{}dot", "dot{}", "{}d", "{}v", "v{}", "{}p", "om{}", "omega{}", "w{}", "z{}", "{}vel"];
const ACCELERATIONS = ["dd{}", "{}ddot", "{}dd", "{}a", "a{}", "{}acc", "dom{}", "domega{}", "dw{}", "z{}dot", "alpha{}", "d2{}", "acc{}", "{}dotdot"];

const plain = (name) => name.toLowerCase().replace(/[_\s]/g, "");
const spelled = (patterns, stem) => patterns.map((pattern) => plain(pattern.replace("{}", stem)));
const parted = (name) => /^([A-Za-z]+?)_?(\d*)$/.exec(name)?.slice(1) ?? [name, ""];

function stemsOf(name) {
  const [base, index] = parted(name);
  return [base, ...(STEMS[base] ?? [])].map((stem) => stem + index);
}

// Stems of its derivatives, which may have the index alone, as in w1; t is an angle's, as in v_t.
const stemsOfRates = (name) => [...stemsOf(name), parted(name)[1], ...(parted(name)[0] === "theta" ? ["t"] : [])];

const leavesOf = (tree) => (tree.type === "leaf" ? [tree.name] : tree.operands.flatMap(leavesOf));

// The tree of an assignment's right-hand side, with every word in it as a name.
function looseTree({ text, from }) {
  const words = [...new Set(text.match(/[A-Za-z_]\w*/g) ?? [])].filter((word) => word !== "pi" && !FUNCTION.test(word));
  try {
    return treeOf(text, { names: words, constants: words });
  } catch (error) {
    if (error instanceof UnreadableError) throw new PasteProblem(error.message, from + (error.position ?? 0));
    throw error;
  }
}

const ENTRY = /^(\w+)([[(]\d+[\])])$/; // of an array, as it is typed

// Triples of coordinate, speed, and acceleration that the code's own structure shows: x += v dt and
// v += a dt; a, b = y with a returned list; dx(1) = x(2) or F(1) = x(2).
function triplesOf(assignments) {
  const rates = new Map(); // name -> name of its derivative
  const size = assignments.filter(({ index }) => index !== undefined).length;
  const states = assignments.filter(({ index }) => index !== undefined).map(({ name }) => name);
  const arrays = new Map(); // array of derivatives -> array of states
  for (const { name, text } of assignments.filter(({ text }) => text !== null)) {
    const [entry, state] = [ENTRY.exec(name), /^\s*(\w+?)_\d+_\s*$/.exec(text)]; // y_3_ is y(3)
    if (entry && state && entry[1] !== state[1]) arrays.set(entry[1], state[1]);
  }
  for (const each of assignments.filter(({ text }) => text !== null)) {
    const { name, added, text } = each;
    const update = added === "+" && /^\s*\(?\s*([\w[\]()]+?)\s*\)?\s*\*\s*(?:dt|h|delta_?t|timestep|step)\s*$/i.exec(text);
    if (update) rates.set(name, update[1]);
    const returned = /^return\[(\d+)\]$/.exec(name);
    if (returned && states[returned[1]] && size) rates.set(states[returned[1]], /^\s*\w+\s*$/.test(text) ? text.trim() : name);
    const entry = ENTRY.exec(name);
    if (entry && arrays.has(entry[1])) rates.set(arrays.get(entry[1]) + entry[2], /^\s*\w+\s*$/.test(text) ? text.trim() : name);
  }
  return [...rates].flatMap(([name, speed]) => {
    const known = [...rates.keys()].find((other) => simple(other) === simple(speed));
    return known && known !== name ? [{ coordinate: name, speed: known, acceleration: rates.get(known) }] : [];
  });
}

// Return {meanings, outputs, chips}: trees of our formulas by name of the code, the names of the
// accelerations in our order, and the guesses [{name, means}]. `chosen` overrides guesses.
export function guessed(code, reference, chosen = {}) {
  const assignments = assignmentsIn(code);
  const free = freeNames(assignments, code);
  const chips = new Map(Object.entries(chosen).filter(([, means]) => means));
  const isTaken = (means) => [...chips.values()].includes(means);
  const open = () => free.filter((name) => !chips.has(name));
  const take = (name, means) => !chips.has(name) && !isTaken(means) && chips.set(name, means);
  const match = (means, candidates) => {
    const found = candidates.map((candidate) => open().find((name) => plain(name) === candidate)).find(Boolean);
    if (found) take(found, means);
  };
  const { coordinates, parameters } = reference;
  const triples = sorted(triplesOf(assignments), coordinates);
  const outputs = new Map();
  coordinates.forEach((name, i) => {
    if (!triples[i]) return;
    take(triples[i].coordinate, name);
    take(triples[i].speed, `${name}'`);
    outputs.set(name, triples[i].acceleration);
  });
  for (const name of parameters) if (open().includes(name)) take(name, name);
  for (const name of coordinates) match(name, stemsOf(name).map(plain));
  for (const name of coordinates) match(`${name}'`, stemsOfRates(name).flatMap((stem) => spelled(SPEEDS, stem)));
  for (const name of parameters) {
    const [base, index] = parted(name);
    match(name, [plain(name), ...(WORDS[base] ?? []).map((word) => plain(word + index))]);
  }
  entriesOfArrays(open(), coordinates, /[[(]\s*0\s*[\])]/.test(code)).forEach(([name, means]) => take(name, means));
  const rest = withRates(coordinates, 1).filter((means) => !isTaken(means));
  if (open().length === 1 && rest.length === 1) take(open()[0], rest[0]);
  const meanings = new Map([...chips].filter(([, means]) => !means.endsWith("''")).map(([name, means]) => [name, { type: "leaf", name: means, operands: [] }]));
  const assigned = [...new Set(assignments.map(({ name }) => name))];
  const used = new Set(assignments.filter(({ text }) => text !== null).flatMap((each) => leavesOf(looseTree(each))));
  const last = assigned.filter((name) => !used.has(simple(name)) && !chips.has(name));
  const found = outputsOf(coordinates, assigned, outputs, { chips, last });
  const needed = neededBy(found, assignments, chips);
  const unknown = open().filter((name) => needed.has(simple(name)));
  const all = [...[...chips].map(([name, means]) => ({ name, means })), ...unknown.map((name) => ({ name, means: "" }))];
  return { meanings, outputs: found, chips: all };
}

// Names on which outputs depend, in simple spelling; those with a meaning are not followed further.
function neededBy(outputs, assignments, chips) {
  const keyOf = (name) => (name.startsWith("return[") ? name : simple(name));
  const sources = new Map();
  for (const each of assignments.filter(({ text }) => text !== null)) {
    const key = keyOf(each.name);
    sources.set(key, [...(sources.get(key) ?? []), ...leavesOf(looseTree(each))]);
  }
  const known = new Set([...chips.keys()].map(simple));
  const found = new Set(outputs.map(keyOf));
  for (const name of found) if (!known.has(name)) for (const leaf of sources.get(name) ?? []) found.add(leaf);
  return found;
}

// Triples in the order of our coordinates: by name, and the others as they come.
function sorted(triples, coordinates) {
  const open = [...triples];
  const place = (test) => {
    const at = open.findIndex(test);
    return at < 0 ? null : open.splice(at, 1)[0];
  };
  const byName = coordinates.map((name) => {
    const stems = stemsOf(name).map(plain);
    return place(({ coordinate }) => plain(coordinate) === stems[0]) ?? place(({ coordinate }) => stems.includes(plain(coordinate)));
  });
  const byOrder = (triple) => triple ?? open.shift();
  return byName.map(byOrder);
}

// Entries of arrays as coordinates and speeds: y[0], y[1], ...; q(1), q(2) with dq(1), dq(2). In a
// code with an index 0, all indices begin there.
function entriesOfArrays(names, coordinates, fromZero) {
  const entries = names.flatMap((name) => {
    const match = /^(.*?)[[(](\d+)[\])]$/.exec(name);
    return match ? [{ name, array: match[1], index: Number(match[2]) }] : [];
  });
  const arrays = [...new Set(entries.map(({ array }) => array))];
  const n = coordinates.length;
  return entries.map(({ name, array, index }) => {
    const at = index - (fromZero ? 0 : 1);
    const isSpeed = arrays.length > 1 && arrays.some((other) => other !== array && other.length < array.length);
    return [name, isSpeed ? `${coordinates[at]}'` : at < n ? coordinates[at] : `${coordinates[at - n]}'`];
  });
}

// The names of the accelerations: chosen, shown by the structure or the spelling, returned, or those
// that the code does not use itself.
function outputsOf(coordinates, assigned, known, { chips, last }) {
  const returned = assigned.filter((name) => name.startsWith("return["));
  const n = coordinates.length;
  return coordinates.map((name, i) => {
    const own = [...chips].find(([, means]) => means === `${name}''`)?.[0];
    const candidates = stemsOfRates(name).flatMap((stem) => spelled(ACCELERATIONS, stem));
    const bySpelling = assigned.find((each) => candidates.includes(plain(each)));
    const byIndex = n > 1 && assigned.find((each) => new RegExp(`^[A-Za-z]+(?:\\[${i}\\]|\\(${i + 1}\\))$`).test(each));
    const byReturn = returned.length === 2 * n ? `return[${n + i}]` : returned.length === n ? `return[${i}]` : null;
    const found = own ?? known.get(name) ?? bySpelling ?? (byIndex || byReturn) ?? (last.length === n ? last[i] : n === 1 ? assigned.at(-1) : null);
    if (!found) throw new PasteProblem(`It is not clear which name is the acceleration of ${name}. Call it ${name}ddot.`);
    return found;
  });
}

// Names that are used before they have a value, as they are typed: y[2] and x(1), not y_2_.
function freeNames(assignments, code) {
  const known = new Set();
  const found = new Set();
  const states = [];
  for (const each of assignments) {
    const { name, text } = each;
    if (text === null) {
      states.push(name);
      continue;
    }
    for (const leaf of leavesOf(looseTree(each))) if (!known.has(leaf)) found.add(leaf);
    if (each.added && !known.has(simple(name))) found.add(simple(name));
    else known.add(name.startsWith("return") ? name : simple(name));
  }
  const shown = (name) => typedName(name, code);
  return [...new Set([...states.filter((name) => found.has(simple(name))), ...[...found].filter((name) => name !== "t").map(shown)])];
}
