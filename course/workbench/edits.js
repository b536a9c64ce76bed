// One change of somebody's own formulas that makes them right: a sign, a factor, a name, a square.
import { isEqual } from "./forms.js";

const NUMBERS = [2, 1 / 2, 3, 1 / 3, 4, 1 / 4, 3 / 2, 2 / 3, 5, 6];
const bare = (name) => name.replaceAll("'", "");
const EXPONENTS = [1, -1, 1 / 2, -1 / 2];
const kindOf = (name, parameters) => (parameters.includes(name) ? "parameter" : `derivative ${name.length - name.replaceAll("'", "").length}`);

// Names and functions that may have been forgotten or mistaken, with their values at points.
export function libraryOf(reference, points, withAccelerations, own = []) {
  const { coordinates, parameters } = reference;
  const names = ["", "'", ...(withAccelerations ? ["''"] : [])].flatMap((prime) => coordinates.map((name) => name + prime));
  const values = (f) => Float64Array.from(points, f);
  const leaves = [...parameters, ...names].map((name) => (
    { text: name, size: 1, kind: kindOf(name, parameters), values: values((point) => point[name]) }));
  const waves = coordinates.flatMap((name) => ["sin", "cos"].map((f) => (
    { text: `${f}(${name})`, size: 1.5, values: values((point) => Math[f](point[name])) })));
  return { leaves, factors: [...leaves, ...waves, ...own], kindOf: (name) => kindOf(name, parameters) };
}

// The changes of operation k: {cost, what, at: s -> value, fix: text -> text}.
function* changes(sheet, k, values, { leaves, factors, kindOf: kind }) {
  const { type, name } = sheet.trees[k];
  const v = values[k];
  const [a, b] = sheet.operands[k].map((part) => values[part]);
  if (type === "leaf") {
    for (const leaf of leaves) {
      const isAlike = leaf.kind === kind(name) || bare(leaf.text) === bare(name); // such as θ for θ̇
      if (leaf.text !== name && isAlike) yield { cost: leaf.kind === kind(name) ? 1 : 1.8, what: "name", at: (s) => leaf.values[s], fix: (text, named) => named(leaf.text) };
    }
  }
  if (type === "call" && (name === "sin" || name === "cos")) {
    const other = name === "sin" ? "cos" : "sin";
    yield { cost: 1, what: "function", at: (s) => Math[other](a[s]), fix: (text) => text.replace(name, other) };
    yield { cost: 2, what: "function", at: (s) => Math.tan(a[s]), fix: (text) => text.replace(name, "tan") };
  }
  if (type === "call" && name === "tan") yield { cost: 1, what: "inverse", at: (s) => 1 / v[s], fix: (text) => `1/${text}` };
  if (type === "+") yield { cost: 1, what: "sign", inside: true, at: (s) => a[s] - b[s], fix: (text) => text };
  if (type === "-") yield { cost: 1, what: "sign", inside: true, at: (s) => a[s] + b[s], fix: (text) => text };
  if (type === "+" || type === "-") {
    yield { cost: 2.5, what: "first only", inside: true, at: (s) => a[s], fix: (text) => text };
    yield { cost: 2.5, what: "second only", inside: true, at: (s) => (type === "+" ? b[s] : -b[s]), fix: (text) => text };
  }
  if (type === "*") yield { cost: 2, what: "quotient", inside: true, at: (s) => a[s] / b[s], fix: (text) => text };
  if (type === "/") {
    yield { cost: 2, what: "product", inside: true, at: (s) => a[s] * b[s], fix: (text) => text };
    yield { cost: 1, what: "inverse", at: (s) => 1 / v[s], fix: (text) => `1/(${text})` };
  }
  if (type === "^") {
    for (const more of EXPONENTS) yield { cost: 2, what: "exponent", at: (s) => a[s] ** (b[s] + more), fix: (text) => powerText(text, b[0] + more) };
  }
  yield { cost: type === "negative" ? 3 : 1.5, what: "sign", at: (s) => -v[s], fix: (text) => `−(${text})` };
  for (const factor of NUMBERS) {
    const [above, below] = factor < 1 ? [1, Math.round(1 / factor)] : [factor, 1];
    const shown = factor === 2 / 3 ? "2/3 " : factor === 3 / 2 ? "3/2 " : below > 1 ? `1/${below} ` : `${above} `;
    yield { cost: factor === 2 || factor === 0.5 ? 2 : 3, what: "factor", at: (s) => factor * v[s], fix: (text) => shown + (/^[-−]/.test(text) ? `(${text})` : text) };
  }
  if (type === "number") {
    for (const more of [1, -1]) yield { cost: 2, what: "number", at: (s) => v[s] + more, fix: () => String(v[0] + more) };
  } else {
    yield { cost: 1.2, what: "square", at: (s) => v[s] * v[s], fix: (text) => `(${text})^2` };
    yield { cost: 2, what: "root", at: (s) => Math.sqrt(v[s]), fix: (text) => `sqrt(${text})` };
    yield { cost: 3, what: "exponent", at: (s) => v[s] ** 1.5, fix: (text) => `(${text})^(3/2)` };
  }
  for (const { text: factor, values: f, size } of factors) {
    yield { cost: 3 + size, what: "lost factor", at: (s) => v[s] * f[s], fix: (text, named) => `${named(factor)} ${text}` };
    yield { cost: 3 + size, what: "extra factor", at: (s) => v[s] / f[s], fix: (text, named) => `${text}/${named(factor)}` };
    yield { cost: 3.2 + size, what: "lost term", at: (s) => v[s] + f[s], fix: (text, named) => `(${text} + ${named(factor)})` };
    yield { cost: 3.2 + size, what: "lost term", at: (s) => v[s] - f[s], fix: (text, named) => `(${text} − ${named(factor)})` };
  }
}

// A power with another exponent.
function powerText(text, exponent) {
  const base = text.replace(/(?:\^|\*\*)[^^*]*$|[⁰¹²³⁴-⁹]+$/, "");
  return exponent === 1 ? base : `${base}^${Number.isInteger(exponent) && exponent > 0 ? exponent : `(${exponent})`}`;
}

// Return the best change {k, what, fix, rows}: one that makes everything right, or else the best for
// each row that can be made right by itself. `values` are the sheet's.
export function findEdits(form, values, library, late) {
  const { sheet, rows, points, block, reference: { states } } = form;
  const roots = sheet.roots.map((root) => values[root]);
  const every = states.map((_, s) => s);
  const isRight = (row, now) => every.every((s) => row.agrees(now, s));
  const wrong = rows.filter((row) => !isRight(row, roots));
  const found = [];
  const exponents = new Set(sheet.operands.flatMap(([, b], k) => (sheet.trees[k].type === "^" ? [b] : [])));
  for (let k = 0; k < sheet.trees.length && !late(); k++) {
    const after = sheet.after(k);
    const touched = new Set([k, ...after]);
    if (!wrong.some((row) => row.roots.some((i) => touched.has(sheet.roots[i])))) continue;
    for (const change of changes(sheet, k, values, library)) {
      if (exponents.has(k) && change.what !== "number") continue;
      if (found.some(({ complete, cost }) => complete && change.cost > cost + 1.5)) continue;
      const first = Float64Array.from({ length: block }, (_, s) => change.at(s));
      const now = sheet.edited(values, k, after, first);
      const hopeful = wrong.length ? wrong.filter((row) => row.agrees(now, 0)) : [];
      if (!hopeful.length && !(form.kind !== "energies" && wrong.length === rows.length && isNear(form, now))) continue;
      const whole = sheet.edited(values, k, after, Float64Array.from(points, (_, s) => change.at(s)));
      const mended = wrong.filter((row) => isRight(row, whole));
      const complete = form.kind === "energies" ? mended.length === wrong.length : isEqual(form, whole);
      const broken = rows.some((row) => !wrong.includes(row) && !isRight(row, whole));
      if (complete || (mended.length && !broken)) found.push({ ...change, k, rows: mended, complete, cost: change.cost + 0.001 * after.length });
    }
  }
  found.sort((x, y) => x.cost - y.cost);
  const complete = found.find((change) => change.complete);
  if (complete) return [complete];
  return wrong.flatMap((row) => found.find((change) => change.rows.includes(row)) ?? []);
}

// Whether the accelerations are right at the first state.
function isNear(form, roots) {
  const { a } = form.reference.values[0];
  return form.accelerations(roots, 0).every((x, i) => Math.abs(x - a[i]) <= 1e-7 * (1 + Math.abs(a[i])));
}
