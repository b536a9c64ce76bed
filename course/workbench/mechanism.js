// The mechanism that the fields of the page describe, as nodes of a table of expressions.
//
// Fields are texts: coordinates, definitions (a line each), T, V, forces (a line "θ: −b θ̇" each),
// parameters ("m = 1, l = 2 m"), points ("(x, y), (x, y)"), and constraint ("x² + y² = l²").
import { isCall } from "../boxes/functions.js";
import { reading } from "../boxes/reading.js";
import { plainText } from "../boxes/spellings.js";
import { UnreadableError } from "../boxes/tokens.js";
import { Expressions } from "./expressions.js";

export const MOST_LETTERS = 4000;
const MOST_COORDINATES = 8;
const MOST_LINES = 40;

// A problem of a field: its sentence, its line, and its position in the line, if it has one.
export class Problem extends Error {
  constructor(field, sentence, { line = 0, position = null } = {}) {
    super(sentence);
    Object.assign(this, { field, line, position });
  }
}

// The parts of a text between commas, semicolons, and ends of lines outside of all brackets, each
// with its line: {text, line}.
export function parts(text, separators = ",;\n") {
  const found = [{ text: "", line: 0 }];
  let [depth, line, before] = [0, 0, ""];
  for (const letter of text) {
    if ("([{".includes(letter)) depth += 1;
    if (")]}".includes(letter)) depth -= 1;
    if (letter === "\n") [depth, line] = [0, line + 1];
    const separates = separators.includes(letter) && depth <= 0 && before !== "\\"; // not LaTeX's \,
    if (separates) found.push({ text: "", line });
    else found.at(-1).text += letter;
    before = letter;
  }
  return found.filter((part) => part.text.trim());
}

const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/;

// Names with their derivatives: θ, θ', θ''.
export const withRates = (names, order) =>
  names.flatMap((name) => Array.from({ length: order + 1 }, (_, k) => name + "'".repeat(k)));

// The tree of a formula. Positions are those in the text as it was typed.
export function treeOf(typed, { names, constants }) {
  if (typed.length > MOST_LETTERS) throw new UnreadableError(`This formula has more than ${MOST_LETTERS.toLocaleString("en-US")} characters.`, 0);
  const turned = OVERRIDES.exec(typed);
  if (turned) throw new UnreadableError("An invisible character here reverses the direction of the text. Delete it.", turned.index);
  const odd = /(?<![\p{L}\p{N}_}₀-₉)\]])_+\w*/u.exec(typed);
  if (odd) throw new UnreadableError(`“${odd[0]}” is not a name. A name begins with a letter.`, odd.index);
  const { text, positions } = plainText(typed);
  try {
    return placed(reading(text, { names, constants }), positions);
  } catch (error) {
    if (error instanceof UnreadableError && error.position !== null) error.position = positions[error.position] ?? typed.length;
    throw error;
  }
}

function placed(tree, positions, done = new Map()) {
  if (!done.has(tree)) {
    const operands = tree.operands.map((part) => placed(part, positions, done));
    done.set(tree, { ...tree, operands, from: positions[tree.from] ?? 0, to: positions[tree.to] ?? positions.at(-1) });
  }
  return done.get(tree);
}

// The name that a text consists of, such as theta_1 of θ₁; null if it is not a single name.
export function nameIn(text, names = []) {
  try {
    const tree = treeOf(text, { names: [...names, text], constants: [] }); // I and e are names here
    return tree.type === "leaf" && /^[A-Za-z]/.test(tree.name) ? tree.name : null;
  } catch {
    return null;
  }
}

// Run `read`; make what it throws a problem of a field.
function inField(field, line, read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new Problem(field, error.message, { line, position: error.position });
  }
}

function readCoordinates(text) {
  const names = parts(text, ",; \t\n").map(({ text: part }) => {
    const plain = part.trim();
    if (plain === "t") throw new Problem("coordinates", "t is time, so it cannot be a coordinate.");
    if (isCall(plain)) throw new Problem("coordinates", `${plain} is a function, so it cannot be a coordinate.`);
    const name = nameIn(plain);
    if (!name || name.includes("'")) throw new Problem("coordinates", `“${plain}” is not a name. A name is a letter or a word, perhaps with an index: θ, x_1.`);
    return name;
  });
  if (!names.length) throw new Problem("coordinates", "Give at least one coordinate.");
  if (names.length > MOST_COORDINATES) throw new Problem("coordinates", `This page handles at most ${MOST_COORDINATES} coordinates.`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new Problem("coordinates", `${twice} is listed twice.`);
  return names;
}

// The sides of an assignment in a text: [left, right]; null without a sign between them.
function sides(text, signs) {
  const at = [...text].findIndex((letter) => signs.includes(letter));
  return at < 0 ? null : [text.slice(0, at), text.slice(at + 1)];
}

// Values of the parameters: Map(name -> number). A value may be a formula of other parameters.
export function readParameters(text, coordinates) {
  const trees = new Map();
  const units = new Map();
  const entries = parts(text).map((part) => ({ ...part, sides: sides(part.text, "=") }));
  const named = entries.map((entry) => {
    const name = entry.sides && nameIn(entry.sides[0].trim());
    if (!name) throw new Problem("parameters", `Write a name and its value, such as m = 1, instead of “${entry.text.trim()}”.`, entry);
    if (coordinates.includes(name)) throw new Problem("parameters", `${name} is a coordinate, so it cannot also be a parameter.`, entry);
    if (name === "t") throw new Problem("parameters", "t is time, so it cannot be a parameter.", entry);
    return name;
  });
  entries.forEach((entry, k) => {
    const name = named[k];
    if (trees.has(name)) throw new Problem("parameters", `${name} is given twice.`, entry);
    const [, value, unit] = /^\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s+([A-Za-zµΩ°][^=]*)$/.exec(entry.sides[1]) ?? [null, entry.sides[1], ""];
    if (/^(?:deg|degrees?|°)$/.test(unit.trim())) {
      trees.set(name, inField("parameters", entry.line, () => treeOf(entry.sides[1], { names: named, constants: named })));
      return;
    }
    if (unit) units.set(name, unit.trim());
    trees.set(name, inField("parameters", entry.line, () => treeOf(value, { names: named, constants: named })));
  });
  return { values: valuesOf(trees), units };
}

function valuesOf(trees) {
  const table = new Expressions();
  const nodes = new Map();
  const open = [];
  const nodeOf = (name) => {
    if (nodes.has(name)) return nodes.get(name);
    if (!trees.has(name)) throw new Problem("parameters", `Give a number for ${name}.`);
    if (open.includes(name)) {
      const sentence = open.length === 1 ? `${name} is defined in terms of itself. Give it a number.` : `${open.join(" and ")} are defined in terms of each other. Give one of them a number.`;
      throw new Problem("parameters", sentence);
    }
    open.push(name);
    const node = inField("parameters", 0, () => table.fromTree(trees.get(name), nodeOf));
    open.pop();
    nodes.set(name, node);
    return node;
  };
  return new Map([...trees.keys()].map((name) => [name, table.value[nodeOf(name)]]));
}

// Reader of the formulas of a mechanism: the names that they may contain become nodes.
class Formulas {
  constructor(coordinates, parameters) {
    this.table = new Expressions();
    this.parameters = parameters;
    this.definitions = new Map();
    this.missing = new Set(); // names that have no value
    this.coordinates = coordinates;
    this.q = coordinates.map((name) => this.table.symbol(name));
    this.v = coordinates.map((name) => this.table.symbol(`${name}'`));
    this.t = this.table.symbol("t");
    const slopes = [[this.t, this.table.one], ...this.q.map((symbol, i) => [symbol, this.v[i]])];
    this.flow = this.table.differentiator(new Map(slopes));
  }

  get names() {
    const { coordinates, definitions, parameters } = this;
    return { names: [...withRates([...coordinates, ...definitions.keys()], 2), ...parameters.keys()], constants: [...parameters.keys()] };
  }

  tree(text, label) {
    const tree = treeOf(text, this.names);
    const named = tree.type === "=" && tree.operands[0].type === "leaf" && tree.operands[0].name === label;
    return named ? tree.operands[1] : tree;
  }

  node(tree) {
    return this.table.fromTree(tree, (name, from) => this.leaf(name, from));
  }

  leaf(name, from) {
    const plain = name.replaceAll("'", "");
    const order = name.length - plain.length;
    const known = this.definitions.get(plain);
    if (known !== undefined && order < 2) return order ? this.flow(known) : known;
    if (known === undefined && !this.coordinates.includes(plain) && order) {
      throw new UnreadableError(`${shownName(plain)} is not a coordinate, so it has no derivative.`, from);
    }
    if (order > 1) throw new UnreadableError(`${shownName(name)} is an acceleration. Energies and forces cannot contain accelerations.`, from);
    if (!order && name !== "t" && !this.coordinates.includes(name) && !this.parameters.has(name)) {
      this.missing.add(name);
    }
    return this.table.symbol(name);
  }
}

// A name as it is typed without Greek letters and dots: thetadot.
export const shownName = (name) => name.replaceAll("'", "") + ["", "dot", "ddot"][Math.min(name.length - name.replaceAll("'", "").length, 2)];

// Return {mechanism, warnings}; throw a Problem for what cannot be read.
export function readMechanism(fields) {
  const coordinates = readCoordinates(fields.coordinates ?? "");
  const { values, units } = readParameters(fields.parameters ?? "", coordinates);
  const formulas = new Formulas(coordinates, values);
  const { table } = formulas;
  const warnings = [];
  readDefinitions(formulas, fields.definitions ?? "");
  const energies = ["T", "V"].map((field) => inField(field, 0, () => {
    const text = fields[field] ?? "";
    const tree = field === "V" && !text.trim() ? { type: "number", value: 0, operands: [], from: 0, to: 0 } : formulas.tree(text, field);
    return { tree, node: formulas.node(tree) };
  }));
  const forces = readForces(formulas, fields.forces ?? "");
  const constraint = readConstraint(formulas, fields.constraint ?? "");
  const points = readPoints(formulas, fields.points ?? "", warnings);
  if (formulas.missing.size) {
    const names = [...formulas.missing].map(shownName);
    const problem = new Problem("parameters", `Give ${names.length > 1 ? "numbers" : "a number"} for ${listed(names)}.`);
    throw Object.assign(problem, { missing: names });
  }
  const [T, V] = energies.map(({ node }) => node);
  const { q, v, t, flow, definitions } = formulas;
  const trees = { T: energies[0].tree, V: energies[1].tree };
  return { mechanism: { table, coordinates, parameters: values, units, definitions, q, v, t, T, V, trees, forces, constraint, points, flow }, warnings };
}

export const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${names.length > 2 ? "," : ""} and ${names.at(-1)}`);

function readDefinitions(formulas, text) {
  const lines = parts(text, "\n;");
  if (lines.length > MOST_LINES) throw new Problem("definitions", `This field takes at most ${MOST_LINES} lines.`);
  for (const entry of lines) {
    const { line } = entry;
    const both = sides(entry.text, "=");
    const name = both && nameIn(both[0].trim());
    if (!name || name.includes("'")) throw new Problem("definitions", `Write a new name and its formula, such as x2 = x1 + l2 sin θ2, instead of “${entry.text.trim()}”.`, { line });
    if (formulas.coordinates.includes(name) || formulas.parameters.has(name) || formulas.definitions.has(name) || name === "t") {
      throw new Problem("definitions", `${name} already has a meaning. Use another name here.`, { line });
    }
    const shift = both[0].length + 1;
    try {
      const tree = treeOf(both[1], formulas.names);
      formulas.definitions.set(name, formulas.node(tree));
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      throw new Problem("definitions", error.message, { line, position: error.position === null ? null : error.position + shift });
    }
  }
}

// Generalized forces Q. A line "x₂: F" is a force F along x₂, a coordinate or a defined name: its
// power is F ẋ₂, so Qᵢ = F ∂ẋ₂/∂q̇ᵢ.
function readForces(formulas, text) {
  const { table, v, coordinates } = formulas;
  const Q = v.map(() => table.zero);
  for (const { text: entry, line } of parts(text, "\n;,")) {
    const both = sides(entry, ":=");
    if (!both) throw new Problem("forces", "Write what the force acts on, a colon, and the force, such as θ: −b θ̇.", { line });
    const name = nameIn(both[0].trim(), [...coordinates, ...formulas.definitions.keys()]);
    const at = coordinates.indexOf(name);
    const along = at >= 0 ? formulas.q[at] : formulas.definitions.get(name);
    if (along === undefined) throw new Problem("forces", `${both[0].trim()} is neither a coordinate nor a defined name.`, { line });
    const force = inField("forces", line, () => formulas.node(formulas.tree(both[1])));
    v.forEach((speed, i) => {
      Q[i] = table.add(Q[i], table.multiply(force, table.partial(speed)(formulas.flow(along))));
    });
  }
  return Q;
}

function readConstraint(formulas, text) {
  const lines = parts(text, "\n;");
  if (!lines.length) return null;
  if (lines.length > 1) throw new Problem("constraint", "This page handles only one rod or loop.", lines[1]);
  return inField("constraint", 0, () => {
    const tree = formulas.tree(lines[0].text);
    const whole = tree.type === "=" ? { ...tree, type: "-" } : tree;
    const node = formulas.node(whole);
    if (formulas.v.some((speed) => formulas.table.partial(speed)(node) !== formulas.table.zero)) {
      throw new UnreadableError("A constraint can contain coordinates, but no velocities.");
    }
    return node;
  });
}

// Positions to draw, [x, y] as nodes; null for a point that has none.
function readPoints(formulas, text, warnings) {
  return parts(text, ",;\n").map(({ text: entry, line }, k) => {
    try {
      const tree = formulas.tree(entry);
      if (tree.type !== "list" || tree.operands.length !== 2) throw new UnreadableError("Write a point as (x, y).");
      return tree.operands.map((part) => formulas.node(part));
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      warnings.push(new Problem("points", `Point ${k + 1} is not drawn: ${error.message}`, { line, position: error.position }));
      return null;
    }
  });
}
