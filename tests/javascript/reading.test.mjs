// What a student writes, as a tree; as MathML; and its values. Run by test_javascript.py.
import assert from "node:assert/strict";
import test from "node:test";

import { evaluator } from "../../course/boxes/evaluator.js";
import { mathml } from "../../course/boxes/formula.js";
import { CALLS } from "../../course/boxes/functions.js";
import { judged } from "../../course/boxes/judging.js";
import { reading } from "../../course/boxes/reading.js";
import { plainText } from "../../course/boxes/spellings.js";
import { labelOf } from "../../course/boxes/answer_sentences.js";
import { isReal, same, values } from "../../course/boxes/values.js";
import TEXTS from "../../course/judge/sentences.json" with { type: "json" };

const EXERCISE = {
  names: ["theta", "theta'", "theta''", "m", "l", "g", "q_1", "tau_1", "k_p", "x", "v_x", "v_x'"],
  constants: ["m", "l", "g", "k_p"],
  means: { "x'": "v_x", "x''": "v_x'" },
};
const SENTENCES = Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, text.page ?? text]));
const POINT = { theta: 0.3, "theta'": 0.7, "theta''": 1.1, m: 2, l: 3, g: 9.81, q_1: 0.5, tau_1: 4,
  k_p: 3, x: 0.2, v_x: 0.9, "v_x'": 1.7 };

// The tree as text, with every operation in parentheses.
function told({ type, operands, name, text }) {
  const [a, b] = operands.map(told);
  if (type === "number") return text;
  if (type === "leaf" || type === "constant") return name;
  if (type === "negative") return `(-${a})`;
  if (type === "call") return `${name}(${operands.map(told).join(", ")})`;
  return type === "list" ? `[${operands.map(told).join(", ")}]` : `(${a} ${type} ${b})`;
}

const READ = {
  "m*l*theta_dot**2": "((m * l) * (theta' ^ 2))",
  "sm.cos(theta) + np.pi": "(cos(theta) + pi)",
  "theta.diff() + theta.diff(t, 2)": "(theta' + theta'')",
  "Derivative(theta(t), (t, 2)) - sm.diff(theta, t)": "(theta'' - theta')",
  "theta_ddot*theta_dot": "(theta'' * theta')",
  "θ̇ + θ̈": "(theta' + theta'')",
  "theta' + θ″": "(theta' + theta'')",
  "q₁ + q_1 + q1": "((q_1 + q_1) + q_1)",
  "2 m g": "((2 * m) * g)",
  "2m(l + g)": "((2 * m) * (l + g))",
  "mgl sin θ": "(((m * g) * l) * sin(theta))",
  "mglsinθ": "(((m * g) * l) * sin(theta))",
  "m l² θ̇²/2": "(((m * (l ^ 2)) * (theta' ^ 2)) / 2)",
  "mθ̇^2": "(m * (theta' ^ 2))",
  "sin²(θ) + sin^2 θ": "((sin(theta) ^ 2) + (sin(theta) ^ 2))",
  "sin 2θ cos θ": "(sin((2 * theta)) * cos(theta))",
  "−m·l×g": "(-((m * l) * g))",
  "-m^2": "(-(m ^ 2))",
  "m**-2**2": "(m ^ (-(2 ^ 2)))",
  "Eq(m, l)": "(m = l)",
  "m = l": "(m = l)",
  "[m, l]": "[m, l]",
  "m, l": "[m, l]",
  "[[m, l], [g, 1]]": "[[m, l], [g, 1]]",
  "sm.Matrix([m, l]).T": "[[m, l]]",
  "sm.Rational(1, 3)*m": "((1 / 3) * m)",
  "1e-3 + .5": "(1e-3 + .5)",
  "\\frac{m}{l}\\cos\\theta \\cdot \\dot{\\theta}": "(((m / l) * cos(theta)) * theta')",
  "\\dot\\theta^2 \\sin\\theta": "((theta' ^ 2) * sin(theta))",
  "\\left(\\theta_{1}\\right)": "theta_1",
  "kp*theta": "(k_p * theta)",
  "x.diff() + x_ddot": "(v_x + v_x')",
  "(m*theta**2).diff(t)": "((0 * (theta ^ 2)) + (m * ((2 * (theta ^ (2 - 1))) * theta')))",
  "√(m) + √m": "(sqrt(m) + sqrt(m))",
  "½ m": "((1 / 2) * m)",
  "simplify(m + l)": "(m + l)",
  "(dθ/dt)^2 + d²θ/dt²": "((theta' ^ 2) + theta'')",
  "d^2 theta/dt^2 - dtheta/dt": "(theta'' - theta')",
  "m dq₁/dt": "(m * q_1')",
  "d/dt (m θ) + dx/dt": "(((0 * theta) + (m * theta')) + v_x)",
  "\\frac{d^2\\theta}{dt^2} + \\frac{d}{dt}\\theta": "(theta'' + theta')",
  "m⁻¹ + l⁻²": "((m ^ (-1)) + (l ^ (-2)))",
  "⅜m‑¼l": "(((3 / 8) * m) - ((1 / 4) * l))",
  "l sin θ θ̇ g": "(((l * sin(theta)) * theta') * g)",
  "l\\sin\\theta\\,\\dot\\theta": "((l * sin(theta)) * theta')",
  "sin 2θ theta.diff()": "(sin((2 * theta)) * theta')",
  "cos θ dθ/dt": "(cos(theta) * theta')",
  "sin θ̇ + sin k_p x": "(sin(theta') + sin((k_p * x)))",
  "m sen(θ) tg θ": "((m * sin(theta)) * tan(theta))",
  "m |l − g| θ": "((m * abs((l - g))) * theta)",
  "|m (l + |g|)| cos|θ|": "(abs((m * (l + abs(g)))) * cos(abs(theta)))",
  "sin(90° − θ)": "sin(((90 * (pi / 180)) - theta))",
  "m✕l — g": "((m * l) - g)",
  "m lˆ2 θ´": "((m * (l ^ 2)) * theta')",
  "1.9x10^3 m": "((1.9 * (10 ^ 3)) * m)",
  "1.9 10³ m": "((1.9 * (10 ^ 3)) * m)",
  "dz/dt = m": "(z' = m)",
};

for (const [text, tree] of Object.entries(READ)) {
  test(`it reads ${text}`, () => assert.equal(told(reading(text, EXERCISE)), tree));
}

const REFUSED = {
  "": [/nothing to read/, 0],
  "m*(l+": [/missing at the end/, 5],
  "m)": [/one “\)” too many/, 1],
  "(m": [/“\)” is missing before the end/, 2],
  "m # 2": [/character “#” cannot be used/, 2],
  "m <= 2": [/comparison/, 2],
  "foo(m)": [/foo is not a function/, 0],
  "sinn(m)": [/Write sin\./, 0],
  "Cos(m)": [/Write cos\./, 0],
  "theta.subs(m, 2)": [/“\.subs” cannot be used/, 6],
  "k_p*theta.diff(m)": [/with respect to time/, null],
  "m l 2": [/operator is missing before “2”/, 4],
  "atan2(m)": [/two arguments/, 0],
  "m = l = g": [/two equals signs/, 6],
  "m*()": [/nothing in the parentheses/, 2],
  "oo": [/not an expression with a value/, 0],
  "1e999": [/too large/, 0],
  "dθ/dt^2": [/Write \(dθ\/dt\)\^2 for a square/, null],
  "m + 2½": [/Write 2½ as a sum, \(2 \+ 1\/2\)/, 5],
};

for (const [text, [sentence, position]] of Object.entries(REFUSED)) {
  test(`it refuses ${text || "nothing"}`, () => assert.throws(() => reading(text, EXERCISE), (error) => {
    assert.equal(error.name === "Error" && /[.?]$/.test(error.message), true, error.message);
    assert.match(error.message, sentence);
    if (position !== null) assert.equal(error.position, position);
    return true;
  }));
}

test("a name with a unit is a factor behind an argument without one", () => {
  const units = { theta: [0, 0, 0], l: [0, 1, 0], m: [1, 0, 0], v_x: [0, 1, -1] };
  const one = (text) => told(reading(text, { ...EXERCISE, units }));
  assert.equal(one("m sin θ v_x"), "((m * sin(theta)) * v_x)");
  assert.equal(one("sin x/l"), "(sin(x) / l)");
  assert.equal(one("cos k_p v_x"), "cos((k_p * v_x))");
});

test("invisible marks and the letters of other programs mean what they show", () => {
  const plain = (text) => plainText(text).text;
  assert.equal(plain("\u200em\u00ad l\u2060 \u2066θ\u2069"), "m l θ");
  assert.equal(plain("𝑚𝑙𝜃̇² + ℎ"), "mlθ̇² + h");
  assert.equal(plain("θ˙₁ + ˙θ + 2¨x"), "θ\u0307₁ + θ\u0307 + 2x\u0308");
  assert.deepEqual(plainText("\u200e𝑚)").positions, [1, 3, 4]);
});

test("a comma is a decimal point where no list is asked for", () => {
  const one = (text) => told(reading(text, { ...EXERCISE, decimals: true }));
  assert.equal(one("1,5*m + 0,125"), "((1.5 * m) + 0.125)");
  assert.equal(one("m*(0,5 + l)*sin(2,5e3)"), "((m * (0.5 + l)) * sin(2.5e3))");
  assert.equal(one("max(1,5)*atan2(1,2)"), "(max(1, 5) * atan2(1, 2))");
  assert.equal(one("sm.Rational(1,3)"), "(1 / 3)");
  for (const [text, list] of [["1, 5", "[1, 5]"], ["[1,5]", "[1, 5]"], ["m,5", "[m, 5]"]]) assert.equal(one(text), list);
  assert.throws(() => one("m + 1,250"), ({ message, position }) =>
    message === "1,250 can be read in two ways: write 1250 or 1.250." && position === 4);
  assert.equal(told(reading("1,5", EXERCISE)), "[1, 5]");
});

test("digits may stand in groups, and be those of any script", () => {
  const one = (text) => told(reading(text, { names: [], decimals: true }));
  for (const text of ["1900", "１９００", "١٩٠٠", "१९००", "𝟏𝟗𝟎𝟎", "1 900", "1\u202f900", "1\u00a0900",
    "1\u2009900", "1’900", "1'900", "1_900"]) assert.equal(one(text), "1900", text);
  for (const text of ["1,900.0", "1.900,0", "1 900,0", "١٬٩٠٠٫٠"]) assert.equal(one(text), "1900.0", text);
  for (const text of ["1,900,000", "1.900.000", "19,00,000"]) assert.equal(one(text), "1900000", text);
  assert.equal(one("-12 345,5 + 3"), "((-12345.5) + 3)");
  for (const text of ["1900 5", "1 90", "1,900"]) assert.throws(() => one(text));
  assert.equal(told(reading("m＊l＋ｇ（θ）", EXERCISE)), told(reading("m*l+g(θ)", EXERCISE)));
});

test("a rate may be written without a dot above it", () => {
  const one = (text, names = EXERCISE.names) => told(reading(text, { ...EXERCISE, names }));
  for (const text of ["thetadot", "theta_dot", "dtheta", "d_theta", "thetad", "theta_d", "dtheta_dt", "dthetadt"]) {
    assert.equal(one(`m*${text}^2`), "(m * (theta' ^ 2))", text);
  }
  for (const text of ["thetadd", "theta_dd", "thetaddot"]) assert.equal(one(text), "theta''", text);
  assert.equal(one("dtheta", ["theta"]), "dtheta"); // where no rate is known
  assert.equal(one("md", ["m", "d", "m'"]), "(m * d)");
});

test("functions of complex numbers are those of real ones, where the number is real", () => {
  const POINTS = [-2.3, -0.7, 0.4, 0.9, 1.7];
  for (const [name, f] of Object.entries(CALLS)) {
    for (const x of POINTS) {
      const arguments_ = [x, 0.6].slice(0, f.length);
      const leaves = ["a", "b"].slice(0, f.length).map((one) => ({ type: "leaf", name: one, operands: [] }));
      const tree = { type: "call", name, operands: leaves };
      const [[re, im]] = values(tree, [{ a: x, b: 0.6 }]);
      const wanted = f(...arguments_);
      if (Number.isNaN(wanted)) assert.notEqual(im, 0, `${name}(${x})`);
      else assert.ok(Math.abs(re - wanted) < 1e-14 * Math.max(1, Math.abs(wanted)) && im === 0, `${name}(${x})`);
      assert.deepEqual(evaluator(tree, ["a", "b"])([x, 0.6]), wanted);
    }
  }
});

test("a unit may stand behind a number", () => {
  const seconds = { kind: "number", unit: "seconds", value: 2, digits: 3, misconceptions: [],
    section: "", lesson: "" };
  const sentences = { ...SENTENCES, right: "Right. {lesson}", unread: "{explanation}", unvalued: "{names} {have} no value.",
    "other kind": "{actual}, not {unit}.", wrong: "{explanation}", "power of ten": "Ten." };
  const of = (text, more = {}) => judged({ ...seconds, ...more }, text, sentences);
  for (const text of ["2", "2 s", "2s", "2 seconds", "(1 + 1) s", "4/2 s", "2000 ms", "1/30 min", "T = 2 s", "≈ 2 sec"]) {
    assert.equal(of(text).verdict, "right", text);
  }
  const others = [["newton meters per radian", "2 N·m/rad"], ["newton meters per radian", "2 Nm"],
    ["rad/s", "114.6 deg/s"], ["rad/s", "2 1/s"], ["meters", "200 cm"], ["kilograms", "2000 g"], ["percent", "2 %"],
    ["kg·m²", "2 kg m^2"], ["°/h", "2 deg/hour"], ["degrees", "2^\\circ"], ["", "2 bytes"], ["", "2 flights"],
    ["m/s²", "2 m/s2"], ["m/s²", "2 m s-2"], ["m/s²", "2 m.s−2"], ["m/s²", "2 ms-2"], ["m/s²", "2 meters per second squared"],
    ["rad/s", "2 s-1"], ["kg·m²", "2 kg.m2"], ["s", "2…"], ["", "5-3"]];
  for (const [unit, text] of others) assert.equal(of(text, { unit }).verdict, "right", text);
  assert.deepEqual([of("2 N").verdict, of("2 N").message], ["unread", "N, not seconds."]);
  assert.equal(of("s").message, "s has no value.");
  assert.equal(of("2 x").message, "x has no value.");
  assert.deepEqual([of("2 ms").verdict, of("2 ms").message], ["wrong", "Ten."]);
});

test("whatever comes, it ends soon with a tree or a sentence", () => {
  const long = ["(".repeat(5000), "(".repeat(3000), "m*".repeat(1900), "sin ".repeat(900), "m^".repeat(1500),
    "[".repeat(3000), "-".repeat(3999), "mg".repeat(1999), "m.diff()".repeat(400), "'".repeat(2000),
    `theta${".diff()".repeat(500)}`, `${"sin(".repeat(50)}theta^theta${")".repeat(50)}.diff(t, 4)`,
    "9".repeat(3999), "1e".repeat(1900), "\u0307".repeat(100), "a_{".repeat(1000), "💥", "m\u0000"];
  long.push("kg".repeat(1999), "m ".repeat(1999), "a; ".repeat(1300), "1,1;".repeat(999), "1 ".repeat(1999), "[1".repeat(1999),
    "1;".repeat(1e5), "of ".repeat(1300), "\\\\begin{matrix}".repeat(250), "(".repeat(1999) + ")".repeat(1999), "|1".repeat(1999));
  const kinds = [["number", 2], ["array", [1, 2, 3]], ["array", [[1, 2], [3, 4]]]].map(([kind, value]) =>
    ({ kind, value, unit: "kg·m²", digits: 3, bound: "most", misconceptions: [], section: "", lesson: "" }));
  for (const text of long) {
    for (const kind of kinds) assert.notEqual(judged(kind, text, SENTENCES).verdict, "right");
    try {
      values(reading(text, EXERCISE), [POINT]);
    } catch (error) {
      assert.equal(error.constructor.name, "UnreadableError", `${text.slice(0, 20)}: ${error.stack}`);
    }
  }
});

test("names for people are Python's", () => {
  assert.deepEqual(["theta''", "q_1'", "k_p", "F_x", "tau_12", "x1", "zeta"].map(labelOf),
    ["θ̈", "q̇₁", "k_p", "F_x", "τ₁₂", "x₁", "ζ"]);
});

test("what was read is set as MathML", () => {
  const set = (text) => mathml(reading(text, EXERCISE));
  assert.equal(set("theta_dot"), '<math displaystyle="true"><mover accent="true"><mi>θ</mi><mo>˙</mo></mover></math>');
  assert.match(set("m/l"), /<mfrac><mi>m<\/mi><mi>l<\/mi><\/mfrac>/);
  assert.match(set("(m + l)*g"), /<mo>\(<\/mo>.*<mo>\+<\/mo>.*<mo>\)<\/mo>/);
  assert.doesNotMatch(set("m*l + g"), /\(/);
  assert.match(set("2*3"), /<mo>·<\/mo>/);
  for (const text of Object.keys(READ)) {
    const open = [...set(text).matchAll(/<(\w+)/g)].map(([, tag]) => tag);
    const closed = [...set(text).matchAll(/<\/(\w+)/g)].map(([, tag]) => tag);
    assert.deepEqual(open.sort(), closed.sort());
  }
});

const valueOf = (text) => values(reading(text, EXERCISE), [POINT])[0];

test("values are complex where they must be", () => {
  const near = (text, re, im) => {
    const found = valueOf(text);
    assert.ok(Math.abs(found[0] - re) < 1e-14 && Math.abs(found[1] - im) < 1e-14, `${text}: ${found}`);
  };
  near("sqrt(-4)", 0, 2);
  near("log(-1)", 0, Math.PI);
  near("(-8)^(1/3)", 1, Math.sqrt(3));
  near("exp(I*pi)", -1, 0);
  near("cos(I)", Math.cosh(1), 0);
  near("sin(2 + I)", Math.sin(2) * Math.cosh(1), Math.cos(2) * Math.sinh(1));
  near("-acos(2)*I", Math.log(2 + Math.sqrt(3)), 0);
  near("atan(1)*4", Math.PI, 0);
  near("tanh(1)", Math.tanh(1), 0);
  near("(-2)^3", -8, 0);
  near("abs(3 + 4*I)", 5, 0);
  assert.ok(!isReal(valueOf("sqrt(-4)")));
  assert.ok(isReal(valueOf("sqrt(-4)^2")));
});

test("where there is no value, it is not a number", () => {
  for (const text of ["1/0", "0^(-1)", "log(0)", "tan(1)/(m - m)", "max(I, 2)"]) {
    assert.ok(Number.isNaN(valueOf(text)[0]), text);
  }
});

test("rounding is not taken for a difference, nor a difference for rounding", () => {
  const list = (text) => [valueOf(text)];
  assert.ok(same(list("(m + 1e8)^2 - 1e16 - 2e8*m"), list("m^2")));
  assert.ok(same(list("sin(pi)"), list("m - m")));
  assert.ok(!same(list("m*(1 + 1e-8)"), list("m")));
  assert.ok(!same(list("1e20*(m - m) + l"), list("m")));
  assert.ok(!same(list("1e20*(theta - (theta + 1) + 1) + l"), list("m")));
  assert.ok(!same(list("1/0"), list("1/0")));
});

test("a function's name with a prime, and names that every object has, are answered by a sentence", () => {
  for (const text of ["sin'", "cos'(theta)", "pi'", "exp'(t)", "m sin'", "msin'"]) {
    assert.throws(() => reading(text, EXERCISE), /prime cannot differentiate/);
  }
  for (const name of ["toString", "valueOf", "constructor", "hasOwnProperty"]) {
    const tree = reading(`m ${name}`, EXERCISE);
    assert.equal(told(tree).includes(name), true);
    assert.equal(isReal(values(tree, [POINT])[0]), false);
    assert.equal(typeof labelOf(name), "string");
    assert.match(mathml(tree), new RegExp(name));
    assert.throws(() => reading(`${name}(m, l)`, EXERCISE), /not a function that is known here/);
  }
});
