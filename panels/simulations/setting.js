// Setting of a live simulation: values, start, method, step size, views. It is written to an address
// and read from it, and is written as the Python code that makes it again.
//
// An address holds pairs name=value, encoded as in a form:
// - a parameter, or a state of the start, by its name, such as l_1=2 or theta_1=0.5. If a word of the
//   panel has the same name, it is written p.h or x0.time;
// - method=euler, h=0.02; views by their names, 1 or 0, such as trace=1;
// - choice=6, the simulation in a panel with several;
// - in a copied link, the present moment: see permalink.js.
// An address holds only differences from the default settings, with all digits; unknown names are
// ignored.
import { MOMENT, momentOf, momentPairs } from "./permalink.js";

const python = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
// A JSON string is also a Python literal, so no name can end its quotes.
const quoted = (text) => JSON.stringify(text);

// Items in one line if they fit, else as many per line as fit.
function listed(begin, items, end) {
  const line = begin + items.join(", ") + end;
  if (line.length <= 88) return [line];
  const rows = [];
  for (const item of items) {
    if (rows.length && rows.at(-1).length + item.length < 80) rows.push(`${rows.pop()} ${item},`);
    else rows.push(`    ${item},`);
  }
  return [begin, ...rows, end];
}

const WORDS = ["method", "h", "choice", "preset", ...MOMENT];

export class Setting {
  constructor(spec) {
    this.spec = spec;
    this.views = ["trace", "portrait", ...(spec.arrows ?? []).map(({ name }) => name)];
    this.p = spec.parameters.map(({ value }) => value);
    this.x0 = [...spec.x0];
    for (const name of ["method", "h"]) this[name] = spec[name];
    for (const name of this.views) this[name] = Boolean(spec[name]);
    this.defaults = this.copy();
  }

  copy() {
    const views = this.views.map((name) => [name, this[name]]);
    const { p, x0, method, h } = this;
    return { p: [...p], x0: [...x0], method, h, ...Object.fromEntries(views) };
  }

  // Apply the changes in `news`; p and x0 change single entries, by index.
  merge(news) {
    for (const name of ["p", "x0"]) {
      for (const [i, value] of Object.entries(news[name] ?? {})) this[name][i] = value;
    }
    for (const name of ["method", "h", ...this.views]) {
      if (news[name] !== undefined) this[name] = news[name];
    }
  }

  // Names of parameters or states in an address.
  keys(target) {
    const [list, others] = target === "p"
      ? [this.spec.parameters, []] : [this.spec.states, this.spec.parameters];
    const taken = [...WORDS, ...this.views, ...others.map(({ name }) => name)];
    const odd = (name) => taken.includes(name) || /^(p|x0)\./.test(name);
    return list.map(({ name }) => (odd(name) ? `${target}.${name}` : name));
  }

  // Differences from the defaults as name=value pairs.
  toAddress() {
    const { defaults, spec: { choice } } = this;
    const pairs = new URLSearchParams();
    for (const target of ["p", "x0"]) {
      this.keys(target).forEach((key, i) => {
        if (this[target][i] !== defaults[target][i]) pairs.set(key, this[target][i]);
      });
    }
    for (const name of ["method", "h"]) if (this[name] !== defaults[name]) pairs.set(name, this[name]);
    for (const name of this.views) {
      if (this[name] !== defaults[name]) pairs.set(name, Number(this[name]));
    }
    if (choice && choice.index !== choice.first) pairs.set("choice", choice.label);
    return pairs.toString();
  }

  // Address with the present moment: see momentPairs.
  toLink(moment) {
    const pairs = new URLSearchParams(this.toAddress());
    for (const [name, value] of momentPairs(moment)) pairs.set(name, value);
    return pairs.toString();
  }

  // Changes to merge, read from an address, with the moment if it has one.
  fromAddress(text) {
    const news = { p: {}, x0: {}, ...momentOf(text, this.spec) };
    const [p, x0] = ["p", "x0"].map((target) => this.keys(target));
    for (const [name, value] of new URLSearchParams(text)) {
      const number = Number(value);
      const { methods } = this.spec;
      if (name === "method" && methods.some((method) => method.name === value)) news.method = value;
      else if (name === "choice") news.choice = value;
      else if (value === "" || !Number.isFinite(number)) continue;
      else if (p.includes(name)) news.p[p.indexOf(name)] = number;
      else if (x0.includes(name)) news.x0[x0.indexOf(name)] = number;
      else if (name === "h" && number > 0) news.h = number;
      else if (this.views.includes(name)) news[name] = Boolean(number);
    }
    return news;
  }

  // Python code that makes this setting in an empty notebook: see panels/simulations/copied_code.py. The
  // notebook's own code makes the panel; the lines below set it, if possible, and compute its motion.
  toPython() {
    const { spec, defaults, p, x0, method, h } = this;
    const { cells, imports, names, parameters, simulated, custom } = spec.python;
    const { panel, model, start, times, trajectory } = names;
    const inSpace = spec.size.axes === 3;
    const formulas = `${panel}${inSpace ? ".simulations[0]" : ""}.formulas`;
    const changed = (known) => spec.parameters.flatMap(({ name }, i) =>
      p[i] === defaults.p[i] || !known(name) ? [] : [`${quoted(name)}: ${python(p[i])}`]);
    const [all, its] = [changed(() => true), changed((name) => parameters.includes(name))];
    const step = custom.includes(method)
      ? `${formulas}.methods[${quoted(method)}]` : quoted(method);
    return [
      cells,
      "",
      "# Settings from the page:",
      ...imports,
      ...this.whichOne(),
      ...listed(`${start} = [`, x0.map(python), "]"),
      ...(inSpace ? [] : [
        ...(all.length ? listed(`${panel}.parameters = {`, all, "}") : []),
        `${panel}.state, ${panel}.method, ${panel}.step_size = ${start}, ${quoted(method)}, ${h}`,
      ]),
      ...(its.length ? listed(`${model} = ${formulas}.model.with_parameters({`, its, "})")
        : [`${model} = ${formulas}.model`]),
      `${times} = np.linspace(0, ${python(1000 * h)}, 1001)`,
      ...listed(`${trajectory} = integrate(`, [...simulated, `method=${step}`], ")"),
      panel,
    ].join("\n");
  }

  // Line that selects the visible one of several simulations.
  whichOne() {
    const { choice, python: { names: { panel } } } = this.spec;
    if (!choice) return [];
    const said = `${choice.name}: ${choice.label}`.replace(/\s+/g, " ");
    return [`${panel} = ${panel}.simulations[${choice.index}]  # ${said}`];
  }
}
