// Units of answers with symbols, as in tutlib/units.py: a unit is a list of the powers of kilogram,
// meter, and second.
import UNITS from "../../tutlib/units.json" with { type: "json" };
const { base: BASE, named: NAMED } = UNITS;
const PURE = [0, 0, 0];
const OF_NUMBERS = [
  "sin", "cos", "tan", "sec", "csc", "cot", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log",
];

const superscript = (power) => String(power).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

function raised(name, power) {
  if (!Number.isInteger(power)) return `${name}^(${fraction(power)})`;
  return power === 1 ? name : name + superscript(power);
}

function fraction(power) {
  const denominator = [2, 3, 4, 5, 6, 7, 8].find((n) => Math.abs(power * n - Math.round(power * n)) < 1e-9);
  return denominator ? `${Math.round(power * denominator)}/${denominator}` : `${power}`;
}

export function toldUnit(unit) {
  if (NAMED[unit]) return NAMED[unit];
  const [over, under] = [1, -1].map((sign) =>
    BASE.flatMap((name, k) => (sign * unit[k] > 0 ? [raised(name, Math.abs(unit[k]))] : [])));
  const bottom = under.length > 1 ? `(${under.join("·")})` : under.join("");
  return (over.join("·") || "1") + (bottom && `/${bottom}`);
}

const near = (number) => Math.round(number * 840) / 840; // keeps fractions exact
const product = (unit, factor, power = 1) => unit.map((a, k) => near(a + power * factor[k]));

// The value of a tree of rational numbers; null if it contains a symbol, a root, or a function.
export function rational(tree) {
  if (tree.type === "number") return tree.value;
  const numbers = tree.operands.map(rational);
  if (!numbers.length || numbers.includes(null)) return null;
  const [a, b] = numbers;
  switch (tree.type) {
    case "+": return a + b;
    case "-": return a - b;
    case "*": return a * b;
    case "/": return a / b;
    case "^": return Number.isInteger(b) ? a ** b : null;
    case "negative": return -a;
    default: return null;
  }
}

const isRounded = (tree) => Boolean(tree.rounded) || tree.operands.some(isRounded);
const times = (part, factor) => ({ type: "*", operands: [factor, part] });

// The terms of a sum; a number before a sum multiplies each of its terms.
export function terms(tree) {
  const [a, b] = tree.operands;
  const each = (sum, change) => (sum.length > 1 ? sum.map(change) : [tree]);
  const negative = (part) => ({ type: "negative", operands: [part] });
  switch (tree.type) {
    case "+": return [...terms(a), ...terms(b)];
    case "-": return [...terms(a), ...terms(b).map(negative)];
    case "negative": return terms(a).map(negative);
    case "*":
      if (rational(a) !== null) return each(terms(b), (part) => times(part, a));
      return rational(b) !== null ? each(terms(a), (part) => times(part, b)) : [tree];
    case "/":
      if (rational(b) === null) return [tree];
      return each(terms(a), (part) => ({ type: "/", operands: [part, b] }));
    default: return [tree];
  }
}

// Return {unit, clashes} of a tree; the unit is null if it is unknown.
export function unitOf(tree, unitByName, said) {
  const clashes = [];
  const alike = (trees) => {
    const units = new Map(trees.map(read).filter(Boolean).map((unit) => [toldUnit(unit), unit]));
    const [first, second] = [...units.keys()].sort();
    if (units.size > 1) clashes.push(said("units added", { one: first, other: second }));
    return units.size === 1 ? units.get(first) : null;
  };
  const pure = (units) => {
    for (const unit of units) {
      if (unit && unit.some(Boolean)) clashes.push(said("unit inside", { unit: toldUnit(unit) }));
    }
    return PURE;
  };
  const power = (base, exponent) => {
    const size = rational(exponent);
    if (!base || !base.some(Boolean)) return base;
    return size === null ? null : product(PURE, base, size);
  };
  // 0 may have any unit, and 9.81 may be a quantity
  const number = (tree, value) => (value && (!isRounded(tree) || Number.isInteger(4 * value)) ? PURE : null);

  function read(tree) {
    if (tree.type === "leaf") return unitByName[tree.name] ?? null;
    if (tree.type === "constant") return PURE;
    const value = rational(tree);
    if (value !== null) return number(tree, value);
    const sum = terms(tree);
    if (sum.length > 1) return alike(sum);
    if (tree.type === "call") return called(tree);
    const units = tree.operands.map(read);
    if (tree.type === "negative") return units[0];
    if (tree.type === "^") {
      pure([units[1]]);
      return power(units[0], tree.operands[1]);
    }
    if (!["*", "/"].includes(tree.type) || units.includes(null)) return null;
    return product(...units, tree.type === "*" ? 1 : -1);
  }

  function called({ name, operands }) {
    if (["abs", "max", "min"].includes(name)) return alike(operands);
    if (["atan2", "sign"].includes(name)) {
      alike(operands);
      return PURE;
    }
    const units = operands.map(read);
    if (name === "sqrt") return units[0] && product(PURE, units[0], 0.5);
    return OF_NUMBERS.includes(name) ? pure(units) : null;
  }

  return { unit: read(tree), clashes: clashes.sort() };
}
