// The workbench: a page that derives, runs, and checks the equations that a reader types.
import { element } from "../../panels/simulations/elements.js";
import { toClipboard } from "../../panels/simulations/connections.js";
import { mathml } from "../boxes/formula.js";
import { conserved, dependsOnTime, energyAgainstPower, frequencies, observedOrder, restNear, unitProblems } from "./checks.js";
import { fieldsIn, fragmentOf } from "./link.js";
import { Problem, parts, readMechanism, shownName, treeOf, withRates } from "./mechanism.js";
import { motionOf } from "./motions.js";
import { Reference } from "./reference.js";
import { soundness } from "./soundness.js";
import { stage } from "./stage.js";
import { asLatex, asPython } from "./take_along.js";
import { accelerationsOf, done } from "./task.js";
import { fewTerms } from "./terms.js";
import { plain, treeOfNode, treeOfTerms } from "./writing.js";

const [PAUSE, LONG_PAUSE] = [80, 400]; // between typing and reading a machine, or a derivation [ms]
const MOST_TERMS = 6; // of an entry that is set in full

// The fields, their labels, an example, and the number of rows of their boxes.
const FIELDS = [
  ["coordinates", "Coordinates", "θ1, θ2", 1],
  ["definitions", "Definitions (optional)", "x2 = l1 sin θ1 + l2 sin θ2", 3],
  ["T", "Kinetic energy T", "½ m l² θ̇²", 2],
  ["V", "Potential energy V", "−m g l cos θ", 2],
  ["forces", "Forces (optional): what each acts on, a colon, and the force", "θ: −b θ̇", 2],
  ["constraint", "Constraint: one rod or loop (optional)", "x² + y² = l²", 1],
  ["points", "Points to draw (optional)", "(0, 0), (l sin θ, −l cos θ)", 2],
  ["rods", "Rods between these points (optional)", "1 2, 2 3", 1],
  ["start", "Initial state", "θ1 = 2, θ2 = 2.5", 1],
];

const KEYS = ["θ", "φ", "˙", "²", "½", "·", "(", ")", "sin ", "cos ", "₁", "₂"];

// A formula as an element. Nothing in a parsed document is executed.
function math(tree) {
  const { body } = new DOMParser().parseFromString(mathml(tree), "text/html");
  return element("span", { class: "wb-math" }, ...body.childNodes);
}
const sentence = (pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : math(piece.tree)));
const leaf = (name) => ({ type: "leaf", name, operands: [] });
const equation = (left, right) => ({ type: "=", operands: [left, right] });

export class Workbench {
  constructor(root, { methods, gallery, worker }) {
    Object.assign(this, { root, methods, gallery, address: worker, boxes: {}, numbers: new Map(), waiting: null });
    this.panel = element("div", { class: "tutlib-panel wb-stage", role: "group", "aria-label": "The machine" });
    this.read = element("p", { class: "wb-read" });
    this.notice = element("p", { class: "wb-notice", role: "status" });
    this.build();
  }

  build() {
    const fields = FIELDS.map(([name, label, example, rows]) => this.field(name, label, example, rows));
    this.numberRow = element("div", { class: "wb-numbers", role: "group", "aria-label": "Numbers" });
    this.numberProblem = element("p", { class: "wb-problem", role: "status" });
    const part = (title, id, ...children) => element("details", { class: "wb-part", id }, element("summary", {}, title), ...children);
    this.equations = element("div", { class: "wb-equations" });
    this.checks = element("ul", { class: "wb-checks" });
    this.root.replaceChildren(
      this.panel, this.read, this.notice,
      part("Change it", "wb-change", element("button", { type: "button", class: "wb-check", onclick: () => this.empty() }, "New machine"), this.keyRow(), ...fields.slice(0, 6), element("h3", {}, "Numbers"), this.numberRow, this.numberProblem, ...fields.slice(6)),
      part("Gallery", "wb-gallery", this.galleryParts()),
      part("Its equations", "wb-its-equations", this.equations),
      part("Is yours the same?", "wb-compare", ...this.comparisonParts()),
      part("Where is my first mistake?", "wb-derivation", ...this.derivationParts()),
      part("Checks", "wb-checks", this.checks),
      part("Take it with you", "wb-take", this.takeParts()),
    );
    for (const details of this.root.querySelectorAll("details")) details.addEventListener("toggle", () => details.open && this.fill(details.id));
  }

  field(name, label, example, rows) {
    const id = `wb-${name}`;
    const box = element("textarea", {
      id, rows, placeholder: example, autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", dir: "ltr",
      "aria-describedby": `${id}-problem`, oninput: () => this.later(),
    });
    const problem = element("p", { class: "wb-problem", id: `${id}-problem`, role: "status" });
    this.boxes[name] = { box, problem };
    box.addEventListener("focus", () => (this.focused = box));
    return element("div", { class: "wb-field" }, element("label", { for: id }, label), box, problem);
  }

  // Signs that a phone's keyboard lacks.
  keyRow() {
    const insert = (text) => {
      const box = this.focused ?? this.boxes.T.box;
      const { selectionStart: start, selectionEnd: end } = box;
      box.setRangeText(text === "˙" ? "\u0307" : text, start, end, "end");
      box.focus();
      box.dispatchEvent(new Event("input"));
    };
    return element("div", { class: "wb-keys", role: "group", "aria-label": "Symbols" }, ...KEYS.map((text) => {
      const key = element("button", { type: "button", tabindex: "-1", "aria-label": text === "˙" ? "dot" : text.trim(), onclick: () => insert(text) }, text.trim());
      key.addEventListener("pointerdown", (event) => event.preventDefault());
      return key;
    }));
  }

  // ---- reading

  later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.update(), PAUSE);
  }

  get fields() {
    const texts = Object.fromEntries(Object.entries(this.boxes).map(([name, { box }]) => [name, box.value]));
    const given = [...this.numbers].filter(([, { shown }]) => shown).map(([name, { text }]) => `${name} = ${text}`);
    return { ...texts, parameters: given.join(", ") };
  }

  setFields(fields) {
    for (const [name, { box }] of Object.entries(this.boxes)) box.value = fields[name] ?? "";
    this.numbers = new Map(parts(fields.parameters ?? "").map(({ text }) => {
      const [name, value] = text.split("=").map((side) => side.trim());
      return [name, { text: value, shown: true }];
    }));
    this.showNumbers();
    this.update();
  }

  // Empty fields for a machine of the reader's own; the last one keeps moving.
  empty() {
    for (const { box, problem } of Object.values(this.boxes)) {
      box.value = "";
      problem.replaceChildren();
    }
    this.numbers = new Map();
    this.showNumbers();
    this.boxes.coordinates.box.focus();
  }

  // Read the fields; while they cannot be read, the last good machine keeps moving.
  update() {
    for (const { box, problem } of Object.values(this.boxes)) {
      problem.replaceChildren();
      box.removeAttribute("aria-invalid");
    }
    this.numberProblem.replaceChildren();
    this.notice.replaceChildren();
    this.forget();
    try {
      const { mechanism, warnings } = this.readFields();
      const all = [...warnings, ...soundness(mechanism)];
      this.reference = new Reference(mechanism);
      this.x0 = this.startOf(mechanism);
      this.indefinite = all.some(({ message }) => message.includes("not positive definite"));
      all.forEach((warning) => this.tell(warning));
      this.show();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.tell(problem);
      if (this.reference) this.notice.append("The machine above is the last one that could be read.");
    }
  }

  // Remove verdicts on a machine that has changed.
  forget() {
    for (const part of this.root.querySelectorAll(".wb-answer, .wb-chips, .wb-lines")) {
      part.replaceChildren();
      delete part.dataset.verdict;
    }
  }

  // The mechanism; a new name gets a field, with the number 1.
  readFields() {
    for (let tries = 0; ; tries++) {
      try {
        const found = readMechanism(this.fields);
        this.hideUnused(found.mechanism);
        return found;
      } catch (problem) {
        if (!problem.missing || tries > 20) throw problem;
        for (const name of problem.missing) this.numbers.set(name, { text: this.numbers.get(name)?.text ?? "1", shown: true });
        this.showNumbers();
      }
    }
  }

  hideUnused({ table, T, V, forces, points, constraint, definitions, parameters }) {
    const roots = [T, V, ...forces, ...points.flat().filter((node) => node !== null), ...(constraint === null ? [] : [constraint]), ...definitions.values()];
    const used = new Set(table.needed(roots).filter((x) => table.kind[x] === "symbol").map((x) => table.name[x]));
    const unused = [...parameters.keys()].filter((name) => !used.has(name));
    for (const name of unused) if (this.numbers.has(name)) this.numbers.get(name).shown = false;
    if (unused.length) this.showNumbers();
  }

  showNumbers() {
    const active = document.activeElement?.dataset?.number;
    const shown = [...this.numbers].filter(([, { shown }]) => shown);
    this.numberRow.replaceChildren(...shown.map(([name, entry]) => {
      const input = element("input", { type: "text", inputmode: "decimal", value: entry.text, "data-number": name, size: 6, oninput: () => {
        entry.text = input.value.replace(/(\d),(\d)/, "$1.$2"); // a decimal comma
        this.later();
      } });
      return element("label", {}, math(leaf(name)), " = ", input);
    }));
    if (active) this.numberRow.querySelector(`[data-number="${CSS.escape(active)}"]`)?.focus();
  }

  startOf({ coordinates, table }) {
    const names = withRates(coordinates, 1);
    const given = new Map();
    for (const { text, line } of parts(this.boxes.start.box.value)) {
      const [left, right] = text.split("=");
      let tree;
      try {
        tree = treeOf(left.trim(), { names, constants: [] });
        if (!names.includes(tree.name) || right === undefined) throw new Problem("start", `Write a coordinate or its derivative, and its value, such as ${shownName(coordinates[0])} = 1.`, { line });
        const node = table.fromTree(treeOf(right, { names, constants: names }), (name) => table.symbol(name));
        if (!table.isNumber(node)) throw new Problem("start", `${right.trim()} is not a number.`, { line });
        given.set(tree.name, table.value[node]);
      } catch (error) {
        if (error instanceof Problem) throw error;
        throw new Problem("start", error.message, { line });
      }
    }
    return [...coordinates.map((name) => given.get(name) ?? 1), ...coordinates.map((name) => given.get(`${name}'`) ?? 0)];
  }

  tell(problem) {
    const { field, position, line } = problem;
    const at = this.boxes[field];
    if (!at) return this.numberProblem.append(problem.message);
    at.box.setAttribute("aria-invalid", "true");
    const text = at.box.value.split("\n")[line] ?? "";
    const place = position === null || !text ? [] : [element("code", { class: "wb-place" }, text.slice(0, position), element("mark", {}, text.slice(position, position + 1) || "⌃"), text.slice(position + 1)), " "];
    at.problem.append(element("span", {}, ...place, problem.message));
    return at;
  }

  // ---- showing

  show(theirs = null) {
    this.shown?.stop();
    const { mechanism } = this.reference;
    this.shown = stage(this.panel, this.reference, { x0: this.x0, rods: this.boxes.rods.box.value, methods: this.methods, theirs });
    this.read.replaceChildren(...["T", "V"].map((name) => math(equation(leaf(name), mechanism.trees[name]))));
    for (const details of this.root.querySelectorAll("details[open]")) this.fill(details.id);
  }

  fill(id) {
    if (!this.reference) return;
    const fillers = { "wb-its-equations": () => this.fillEquations(), "wb-checks": () => this.fillChecks(), "wb-take": () => this.fillTake() };
    fillers[id]?.();
  }

  // A node as a sum of terms, or the number of its terms.
  entry(node) {
    const { table } = this.reference;
    const terms = fewTerms(table, node);
    if (!terms.length) return table.isNumber(node) ? math(treeOfNode(table, node)) : element("span", {}, `${table.needed([node]).length} operations`);
    if (terms.length > MOST_TERMS) return element("span", {}, `${terms.length} terms`);
    return math(treeOfTerms(table, terms));
  }

  fillEquations() {
    const { table, coordinates, n, mechanism: { forces }, equations: { momenta, M, F, slopes, flow, a } } = this.reference;
    const row = (left, node) => element("p", {}, math(left), " = ", this.entry(node));
    const sub = (letter, i, j = "") => leaf(`${letter}_${i + 1}${j === "" ? "" : j + 1}`);
    const chosen = this.step ?? 0;
    const i = Math.min(chosen, n - 1);
    const choose = element("select", { "aria-label": "coordinate", onchange: () => {
      this.step = Number(choose.value);
      this.fillEquations();
    } }, ...coordinates.map((name, k) => element("option", { value: k, selected: k === i }, plain(leaf(name)))));
    const text = (words) => element("span", { class: "wb-left" }, words);
    const name = plain(leaf(coordinates[i]));
    const rate = plain(leaf(`${coordinates[i]}'`));
    const total = M[i].reduce((sum, entry, j) => table.add(sum, table.multiply(entry, table.symbol(`${coordinates[j]}''`))), flow(momenta[i]));
    const steps = [[`p = ∂L/∂${rate}`, momenta[i]], [`dp/dt`, total], [`∂L/∂${name}`, slopes[i]], ["Q", forces[i]]];
    const operations = table.needed(a).filter((x) => !["number", "symbol"].includes(table.kind[x])).length;
    const { cyclic, energy } = conserved(this.reference);
    const kept = [...cyclic.map((each) => `the momentum of ${plain(leaf(each))}, because L does not contain ${plain(leaf(each))}`), ...(energy ? ["the energy"] : [])];
    this.equations.replaceChildren(
      element("h3", {}, "Lagrange’s recipe for ", choose),
      ...steps.map(([words, node]) => element("p", {}, text(words), " = ", this.entry(node))),
      element("p", {}, "The equation: ", text(`dp/dt − ∂L/∂${name} = Q`), "."),
      element("h3", {}, "All equations, ", text("M q̈ = F")),
      ...M.flatMap((entries, k) => entries.flatMap((node, j) => (j < k || (j > k && node === table.zero) ? [] : [row(sub("M", k, j), node)]))),
      ...F.map((node, k) => row(sub("F", k), node)),
      element("p", {}, `The accelerations take ${operations} operations.`),
      element("p", {}, kept.length ? `Conserved: ${kept.join(", and ")}.` : "Neither the energy nor a momentum is conserved."),
    );
  }

  fillChecks() {
    const { reference, x0 } = this;
    const { coordinates, n } = reference;
    const item = (passed, text) => element("li", { "data-passed": passed === null ? "none" : String(passed) }, element("span", { "aria-hidden": "true" }, passed === null ? "– " : passed ? "✓ " : "✗ "), text);
    const power = energyAgainstPower(reference);
    const isTimed = dependsOnTime(reference);
    const rest = reference.mechanism.constraint === null && !isTimed ? restNear(reference, x0.slice(0, n)) : null;
    const squares = rest && frequencies(reference, rest);
    const at = rest && coordinates.map((name, i) => `${plain(leaf(name))} = ${shortly(rest[i])}`).join(", ");
    const small = isTimed ? item(null, "Small motions: there is no equilibrium, because the time occurs in the equations.")
      : !rest ? item(null, "Small motions: no equilibrium was found near the initial state.")
      : !squares ? item(null, `Small motions: at the equilibrium ${at}, the forces have no potential, or M is not positive definite.`)
        : item(true, `Small motions about the equilibrium ${at}: ${squares.map((square) => (square > 0 ? `${shortly(Math.sqrt(square) / 2 / Math.PI)} Hz` : `growth at a rate of ${shortly(Math.sqrt(-square))}/s`)).join(", ")}.`);
    this.checks.replaceChildren(
      item(!this.indefinite, "Definiteness: the mass matrix M is positive definite at the states tried."),
      item(power.isTrue, "Energy and power: the time derivative of the energy equals the power of the forces."),
      ...this.unitItems(item),
      small,
      this.orderItem(item),
    );
  }

  unitItems(item) {
    const problems = unitProblems(this.reference);
    if (problems === null) return [item(null, "Units: not checked. Give every number a unit, such as 9.81 m/s^2.")];
    return [problems.length ? item(false, `Units: ${problems.join("; ")}.`) : item(true, "Units: T and V are energies, and all terms that are added have the same unit.")];
  }

  // The order of rk4, observed in this motion.
  orderItem(item) {
    const motion = (h) => {
      const run = motionOf(this.reference, { x0: this.x0, method: this.tableau("rk4"), h });
      run.step(Math.round(0.4 / h));
      return run.x;
    };
    const order = observedOrder(motion, 0.02);
    return Number.isFinite(order) ? item(Math.abs(order - 4) < 0.7 ? true : null, `Order of the classical Runge–Kutta method in this motion: ${order.toFixed(2)}.`) : item(null, "Order of the method: the error is too small to be measured here.");
  }

  // ---- comparisons and derivations

  comparisonParts() {
    const box = element("textarea", { rows: 8, "aria-label": "Your equations or code", spellcheck: "false", autocapitalize: "off", autocorrect: "off", placeholder: "Energies, equations, accelerations, or code, one per line.\nθ̈ = −g/l sin θ" });
    const answer = element("div", { class: "wb-answer", role: "status" });
    const chips = element("div", { class: "wb-chips" });
    const names = {};
    const task = (kind) => ({ kind, fields: this.fields, text: box.value, names, start: { x0: this.x0, method: this.tableau("rk4") } });
    const ask = () => this.ask(task("comparison"), (reply) => this.showAnswer(reply, { answer, chips, box, names, ask }), answer);
    const check = element("button", { type: "button", class: "wb-check", onclick: ask }, "Compare");
    const both = element("button", { type: "button", class: "wb-check", onclick: () => this.showBoth(task("comparison"), answer) }, "Show both motions");
    const method = element("select", { "aria-label": "method" }, ...this.methods.map(({ name, label }) => element("option", { value: name, selected: name === "semi_implicit_euler" }, label)));
    const h = element("input", { type: "text", inputmode: "decimal", value: "0.01", size: 5, "aria-label": "step size in seconds" });
    const step = element("button", { type: "button", class: "wb-check", onclick: () => this.ask(
      { ...task("equationOrStep"), method: this.tableau(method.value), h: Number(h.value) || 0.01 },
      (reply) => answer.append(element("p", {}, ...sentence(reply.sentences?.[0] ?? [reply.problem]))), answer) }, "Equation or step?");
    const row = element("div", { class: "wb-row" }, check, both);
    const steps = element("div", { class: "wb-row" }, step, element("label", {}, "with ", method), element("label", {}, "h = ", h, " s"));
    this.theirText = box;
    return [
      element("p", {}, "Paste your energies T and V, your equations, your accelerations, or code in Python, C, JavaScript, or MATLAB. The code is read as formulas and is never run."),
      box, row, answer, chips, steps,
    ];
  }

  tableau(name) {
    const found = this.methods.find((method) => method.name === name);
    return found.tableau ?? found.name;
  }

  // Move theirs beside ours, on one clock.
  showBoth(task, answer) {
    try {
      this.show(accelerationsOf(task));
      this.panel.scrollIntoView();
    } catch (error) {
      answer.append(element("p", {}, error.message));
    }
  }

  showAnswer(reply, { answer, chips, box, names, ask }) {
    chips.replaceChildren(...(reply.chips ?? []).map(({ name, means }) => this.chip(name, means, names, ask)));
    if (reply.problem) {
      answer.dataset.verdict = "unread";
      answer.replaceChildren(element("p", {}, reply.problem));
      if (reply.position !== null && reply.position !== undefined) box.setSelectionRange(reply.position, reply.position + 1);
      return;
    }
    answer.dataset.verdict = reply.verdict;
    const marked = reply.marks.filter(({ from, to }) => to > from).slice(0, 1).map(({ from, to }) => {
      const lines = box.value;
      return element("pre", { class: "wb-marked" }, lines.slice(0, from), element("mark", {}, lines.slice(from, to)), lines.slice(to));
    });
    answer.replaceChildren(...reply.sentences.map((pieces) => element("p", {}, ...sentence(pieces))), ...marked);
  }

  // The meaning of a name in somebody's code, which can be changed.
  chip(name, means, names, ask) {
    const { coordinates, parameters } = this.reference;
    const choices = ["", ...withRates(coordinates, 2), ...parameters];
    const select = element("select", { "aria-label": `meaning of ${name}`, onchange: () => {
      names[name] = select.value;
      ask();
    } }, ...choices.map((choice) => element("option", { value: choice, selected: choice === means }, choice ? plain(leaf(choice)) : "?")));
    return element("label", { class: "wb-chip" }, element("code", {}, name), " is ", select);
  }

  derivationParts() {
    const box = element("textarea", { rows: 10, "aria-label": "Your derivation, one line per step", spellcheck: "false", autocapitalize: "off", autocorrect: "off", placeholder: "T = ½ m l² θ̇²\nV = −m g l cos θ\nL = ½ m l² θ̇² + m g l cos θ\n∂L/∂θ̇ = m l² θ̇" });
    const list = element("ol", { class: "wb-lines", role: "status" });
    const judge = () => {
      const lines = box.value.split("\n");
      this.ask({ kind: "derivation", fields: this.fields, lines }, (reply) => this.showLines(reply, lines, list), list);
    };
    let waiting = null;
    box.addEventListener("input", () => {
      clearTimeout(waiting);
      if (box.value.trim()) waiting = setTimeout(judge, LONG_PAUSE);
      else list.replaceChildren();
    });
    this.lines = box;
    return [element("p", {}, "Enter a derivation for the machine above, one line per step: T, V, L, the partial derivatives, the equation of motion, and the acceleration. Newton’s law with a rod force and the energy method work, too. The first false line is marked, with a reason."), box, list];
  }

  showLines(reply, lines, list) {
    if (reply.problem) return list.replaceChildren(element("li", {}, reply.problem));
    const SIGNS = { true: "✓", false: "✗", taken: "✓", unread: "?", skipped: "–", unjudged: "–" };
    const WORDS = { true: "true", false: "false", taken: "accepted as a definition", unread: "not understood", skipped: "not checked", unjudged: "not judged" };
    return list.replaceChildren(...reply.lines.flatMap(({ state, sentence: said }, i) => (lines[i].trim() ? [
      element("li", { "data-state": state }, element("span", { class: "wb-sign", title: WORDS[state], "aria-label": WORDS[state] }, SIGNS[state]), " ", element("code", {}, lines[i]), ...(said.length ? [element("p", {}, ...sentence(said))] : [])),
    ] : [])));
  }

  // Ask the worker, or compute here where a page has none, as one that is opened from a disk.
  ask(task, then, busy) {
    busy.setAttribute("aria-busy", "true");
    const finish = (reply) => {
      busy.removeAttribute("aria-busy");
      then(reply);
    };
    this.task = (this.task ?? 0) + 1;
    const id = this.task;
    try {
      this.worker?.terminate();
      this.worker = new Worker(this.address);
      this.worker.onmessage = ({ data: { id: of, first, answer } }) => {
        if (of !== id) return;
        if (first) busy.replaceChildren(element("p", {}, "Different. Looking for the reason …"));
        else finish(answer);
      };
      this.worker.onerror = () => finish(done(task));
      this.worker.postMessage({ id, ...task });
    } catch {
      setTimeout(() => finish(done(task)));
    }
  }

  // ---- links, code, gallery

  takeParts() {
    this.copied = element("p", { role: "status" });
    this.code = element("textarea", { readonly: true, rows: 10, "aria-label": "Python code" });
    const press = (label, text) => element("button", { type: "button", onclick: async () => {
      await toClipboard(await text());
      this.copied.textContent = `${label.replace("Copy ", "").replace("as ", "")} copied.`.replace(/^l/, "L");
    } }, label);
    return element("div", { class: "wb-take" },
      press("Copy link", async () => location.href.split("#")[0] + await fragmentOf({ ...this.fields, theirs: this.theirText.value, derivation: this.lines.value })),
      press("Copy as Python", () => this.code.value),
      press("Copy as LaTeX", () => asLatex(this.reference)),
      this.copied, this.code);
  }

  fillTake() {
    this.code.value = asPython(this.reference, { x0: this.x0, ...this.shown });
  }

  galleryParts() {
    const groups = [...new Set(this.gallery.map(({ group }) => group))];
    return element("div", {}, ...groups.flatMap((group) => [
      element("h3", {}, group),
      element("ul", {}, ...this.gallery.filter((each) => each.group === group).map(({ name, title, note, source }) => element("li", {},
        element("a", { href: `#m=${name}` }, title), note ? `: ${note}` : "", ...(source ? [" (", element("a", { href: source }, "source"), ")"] : [])))),
    ]));
  }

  open(fields) {
    this.setFields(fields);
    for (const [box, text, id] of [[this.theirText, fields.theirs, "wb-compare"], [this.lines, fields.derivation, "wb-derivation"]]) {
      box.value = text ?? "";
      if (text) this.root.querySelector(`#${id}`).open = true;
      box.dispatchEvent(new Event("input"));
    }
  }
}

const shortly = (value) => String(Number(value.toPrecision(4))).replace("-", "−");

// Show the workbench in the page, with the machine of its address or the example.
export async function workbench(root, data) {
  const bench = new Workbench(root, data);
  const tellTheme = () => postMessage({ theme: document.documentElement.dataset.theme }, "*");
  new MutationObserver(tellTheme).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const open = async () => {
    let damaged = "";
    const named = data.gallery.find(({ name }) => location.hash === `#m=${name}`);
    const fields = named?.fields ?? await fieldsIn(location.hash).catch((error) => {
      damaged = error.message;
      return null;
    });
    if (fields || !bench.reference) bench.open(fields ?? data.gallery[0].fields);
    if (damaged) bench.notice.append(damaged);
    tellTheme();
  };
  addEventListener("hashchange", async () => {
    await open();
    bench.panel.scrollIntoView();
  });
  await open();
  return bench;
}
