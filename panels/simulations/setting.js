// The setting of a live simulation: values, start, method, step, views. It can be written as the
// end of an address and read from one, and as the Python that makes it again.
//
// An address holds pairs name=value, encoded as in a form:
// - a parameter, or a state of the start, by its name, such as l_1=2 or theta_1=0.5. One that is
//   called as a word of the panel is, is written p.h or x0.time;
// - method=euler, h=0.02; views by their names, 1 or 0, such as trace=1;
// - choice=6, of the simulations in one panel;
// - and in a copied link the present moment: see moment.js.
// Only what differs from the default settings is there, the numbers in full; what is unknown is left
// alone.
import { MOMENT, momentOf, momentPairs } from "./permalink.js";

const python = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
// A literal of JavaScript is one of Python too: no name can leave its quotes.
const quoted = (text) => JSON.stringify(text);

// Short items in one line, or as many in each as fit.
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

  // Take over what `news` holds; of p and x0 single entries, by index.
  merge(news) {
    for (const name of ["p", "x0"]) {
      for (const [i, value] of Object.entries(news[name] ?? {})) this[name][i] = value;
    }
    for (const name of ["method", "h", ...this.views]) {
      if (news[name] !== undefined) this[name] = news[name];
    }
  }

  // The keys of parameters or states in an address.
  keys(target) {
    const [list, others] = target === "p"
      ? [this.spec.parameters, []] : [this.spec.states, this.spec.parameters];
    const taken = [...WORDS, ...this.views, ...others.map(({ name }) => name)];
    const odd = (name) => taken.includes(name) || /^(p|x0)\./.test(name);
    return list.map(({ name }) => (odd(name) ? `${target}.${name}` : name));
  }

  // What differs from the defaults, as name=value pairs.
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

  // That, and the present moment: see momentPairs.
  toLink(moment) {
    const pairs = new URLSearchParams(this.toAddress());
    for (const [name, value] of momentPairs(moment)) pairs.set(name, value);
    return pairs.toString();
  }

  // The way back, as news to merge, with the moment where there is one.
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

  // What copies this setting, in an empty notebook: see panels/simulations/copied_code.py. The notebook's own
  // code makes the panel; below it the panel is set, if it can be, and moves in Python, too.
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
      "# As it is set in the page:",
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

  // Of several simulations in one place the one that is shown.
  whichOne() {
    const { choice, python: { names: { panel } } } = this.spec;
    if (!choice) return [];
    const said = `${choice.name}: ${choice.label}`.replace(/\s+/g, " ");
    return [`${panel} = ${panel}.simulations[${choice.index}]  # ${said}`];
  }
}
