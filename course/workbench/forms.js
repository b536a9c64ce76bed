// Somebody's formulas in one of four forms, beside a reference: as accelerations, as equations of
// motion, as M and F, or as energies and forces.
import { lagrange } from "./lagrange.js";
import { solve } from "./linear.js";
import { agree, largest, valuesAt } from "./reference.js";
import { Sheet } from "./sheet.js";

// A form has the sheet of its trees; `expand(states)`, the points at which the sheet is evaluated,
// `block` of them for each state, and `points`, those of the reference's states; `rows`, the parts
// that can be right or wrong by themselves, each with the indices of its `roots`, and with
// `agrees(roots, s)` for the values of all roots; and `accelerations(roots, s)`.

export function formOf(reference, kind, trees) {
  const made = { accelerations, equations, "M and F": masses, energies }[kind](reference, trees);
  return { kind, reference, sheet: new Sheet(made.trees ?? trees), points: made.expand(reference.states), ...made };
}

// The accelerations that a form gives at one point, in its own coordinates.
export function accelerationsAt({ sheet, expand, accelerations: solved }, point) {
  const values = sheet.values(expand([point]));
  return solved(sheet.roots.map((root) => values[root]), 0);
}

const indices = (n) => Array.from({ length: n }, (_, i) => i);

function accelerations(reference) {
  const { coordinates, values } = reference;
  const rows = coordinates.map((name, i) => ({
    label: `${name}''`,
    roots: [i],
    agrees: (roots, s) => agree(roots[i][s], values[s].a[i], largest(values[s].a)),
  }));
  return { expand: (list) => list, block: 1, rows, accelerations: (roots, s) => roots.slice(0, coordinates.length).map((list) => list[s]) };
}

// Rows [M | F]: `rowOf(roots, i, s)` returns n + 1 numbers. A row may have any factor, and the rows
// any order: `ours` has for each of their rows the number of ours.
function rowsOf(reference, rootsOf, rowOf) {
  const { n, values } = reference;
  const wanted = (i, s) => [...values[s].M[i], values[s].F[i]];
  const rows = indices(n).map((i) => ({
    label: "",
    ours: i,
    roots: rootsOf(i),
    agrees: (roots, s) => proportional(rowOf(roots, i, s), wanted(rows[i].ours, s)),
  }));
  const solved = (roots, s) => {
    const all = indices(n).map((i) => rowOf(roots, i, s));
    return solve(all.map((row) => row.slice(0, n)), all.map((row) => row[n]));
  };
  const sort = (roots) => {
    const open = new Set(indices(n));
    const all = (i, k) => values.every((_, s) => proportional(rowOf(roots, i, s), wanted(k, s)));
    const found = rows.map((_, i) => [...open].find((k) => all(i, k) && open.delete(k)));
    rows.forEach((row, i) => {
      const own = open.has(i) ? i : [...open][0];
      row.ours = found[i] ?? own;
      if (found[i] === undefined) open.delete(row.ours);
    });
  };
  return { rows, accelerations: solved, sort };
}

function proportional(row, wanted) {
  const factor = row.reduce((sum, x, i) => sum + x * wanted[i], 0) / wanted.reduce((sum, x) => sum + x * x, 0);
  const size = largest(wanted) * Math.abs(factor);
  return size > 0 && row.every((x, i) => agree(x, factor * wanted[i], size));
}

function masses(reference) {
  const { n } = reference;
  const rowOf = (roots, i, s) => [...roots.slice(i * n, (i + 1) * n), roots[n * n + i]].map((list) => list[s]);
  return { expand: (list) => list, block: 1, ...rowsOf(reference, (i) => [...indices(n).map((j) => i * n + j), n * n + i], rowOf) };
}

// Equations are linear in the accelerations: each state comes without any, and with each alone.
function equations(reference) {
  const { n } = reference;
  const units = [-1, ...indices(n)].map((k) => indices(n).map((i) => Number(i === k)));
  const expand = (list) => list.flatMap((state) => units.map((unit) => (
    { ...state, ...Object.fromEntries(reference.accelerationNames.map((name, i) => [name, unit[i]])) })));
  const rowOf = (roots, i, s) => {
    const [still, ...moved] = indices(n + 1).map((k) => roots[i][s * (n + 1) + k]);
    return [...moved.map((value) => value - still), -still];
  };
  return { expand, block: n + 1, ...rowsOf(reference, (i) => [i], rowOf) };
}

// Energies: T itself, V up to a constant (its differences between two positions), and the forces.
function energies(reference, [T, V, ...forces]) {
  const { mechanism, table, states, names, n, coordinates } = reference;
  const expand = (list) => list.flatMap((state) => [state, shifted(state, coordinates)]);
  const points = expand(states);
  const zero = { type: "number", value: 0, text: "0", operands: [], from: 0, to: 0 };
  const trees = [T, V, ...indices(n).map((i) => forces[i] ?? zero)];
  const ours = valuesAt(table, [mechanism.T, mechanism.V, ...mechanism.forces], names, points);
  const sizes = ours.map(largest);
  const rows = ["T", "V", ...coordinates.map((name) => `the force on ${name}`)].map((label, i) => ({
    label,
    roots: [i],
    agrees: (roots, s) => {
      const [here, there] = [roots, ours].map((lists) => (i === 1 ? lists[1][2 * s] - lists[1][2 * s + 1] : lists[i][2 * s]));
      return agree(here, there, sizes[i]);
    },
  }));
  const nodes = trees.map((tree) => table.fromTree(tree, (name) => table.symbol(name)));
  const { a } = lagrange(table, { ...mechanism, T: nodes[0], V: nodes[1], forces: nodes.slice(2) });
  const theirs = valuesAt(table, a, names, states);
  return { trees, nodes, expand, block: 2, rows, accelerations: (roots, s) => theirs.map((list) => list[s]) };
}

function shifted(state, coordinates) {
  const moved = coordinates.flatMap((name, i) => [[name, 0.83 * state[name] + 0.11 * (i + 1)], [`${name}'`, 0.71 * state[`${name}'`] - 0.13]]);
  return { ...state, ...Object.fromEntries(moved) };
}

// Whether the formulas give the accelerations of the reference at every state.
export function isEqual(form, roots) {
  const { values } = form.reference;
  return values.every(({ a }, s) => form.accelerations(roots, s).every((x, i) => agree(x, a[i], largest(a))));
}
