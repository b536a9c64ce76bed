// A mechanism as Python, and its equations in LaTeX.
import { fewTerms } from "./terms.js";
import { latex, python, treeOfNode, treeOfTerms } from "./writing.js";

const quoted = (text) => JSON.stringify(text);
const number = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value));

// A cell that derives, verifies, and runs the mechanism in a notebook.
export function asPython(reference, { x0, drawn, lines }) {
  const { mechanism, coordinates, parameters, table } = reference;
  const { trees, definitions, forces, constraint } = mechanism;
  const written = (node) => python(treeOfNode(table, node));
  const tuple = (items) => `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
  const declared = (names, made) => (names.length ? [`${names.join(", ")} = ${made(quoted(names.join(" ")))}`] : []);
  const loads = forces.flatMap((force, i) => (force === table.zero ? [] : [`Load(${written(force)}, ${coordinates[i]})`]));
  const points = drawn.map((point) => `(${point.map(written).join(", ")})`);
  const values = [...mechanism.parameters].map(([name, value]) => `${quoted(name)}: ${number(value)}`).join(", ");
  const constrained = constraint !== null;
  return [
    "import sympy as sm",
    "import sympy.physics.mechanics as me",
    "",
    "from panels import live",
    `from tutlib.models import ${loads.length ? "Load, " : ""}Model, Skeleton`,
    "from verification import verify",
    "",
    "t = me.dynamicsymbols._t",
    ...declared(coordinates, (names) => `me.dynamicsymbols(${names})`),
    ...declared(parameters, (names) => `sm.symbols(${names}, real=True)`),
    "",
    ...[...definitions].map(([name, node]) => `${name} = ${written(node)}`),
    `T = ${python(trees.T)}`,
    `V = ${python(trees.V)}`,
    "",
    "# EquationsOfMotion.from_lagrangian derives the equations of this model",
    "model = Model.of(",
    `    T, V, [${coordinates.join(", ")}], {${values}}, bodies=(),`,
    ...(loads.length ? [`    loads=[${loads.join(", ")}],`] : []),
    ...(constrained ? [`    constraints=(${written(constraint)},),`] : []),
    `    skeleton=Skeleton(${tuple(points)}, ${tuple(lines.map((line) => tuple(line)))}),`,
    `)${constrained ? ".with_multipliers()" : ""}`,
    "print(verify(model))",
    `live(model, [${x0.map(number).join(", ")}], "My machine moves.")`,
  ].join("\n");
}

// The equations M q̈ = F, with the terms of each entry, in LaTeX.
export function asLatex(reference) {
  const { table, coordinates, equations: { M, F } } = reference;
  const entry = (node) => {
    const terms = fewTerms(table, node);
    if (!terms.length) return latex(treeOfNode(table, node));
    return latex(treeOfTerms(table, terms));
  };
  const matrix = (rows) => `\\begin{bmatrix} ${rows.join(" \\\\ ")} \\end{bmatrix}`;
  const accelerations = coordinates.map((name) => latex({ type: "leaf", name: `${name}''`, operands: [] }));
  return `${matrix(M.map((row) => row.map(entry).join(" & ")))} ${matrix(accelerations)} = ${matrix(F.map(entry))}`;
}

