// The setting of a live simulation: values, start, method, step, views. It can be written as the
// end of an address and read from one, and as the Python that makes it again.

// What may be shown or not; arrows on request follow.
const VIEWS = ["trace", "portrait"];
const python = (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
// A literal of JavaScript is one of Python too: no name can leave its quotes.
const quoted = (text) => JSON.stringify(text);

export class Setting {
  constructor(spec) {
    this.spec = spec;
    this.p = spec.parameters.map(({ value }) => value);
    this.x0 = [...spec.x0];
    this.views = [...VIEWS, ...(spec.arrows ?? []).map(({ name }) => name)];
    for (const name of ["method", "h"]) this[name] = spec[name];
    for (const name of this.views) this[name] = Boolean(spec[name]);
    this.defaults = { ...this.copy() };
  }

  copy() {
    const { p, x0, method, h, views } = this;
    const seen = Object.fromEntries(views.map((name) => [name, this[name]]));
    return { p: [...p], x0: [...x0], method, h, ...seen };
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

  // What differs from the defaults, as name=value pairs.
  toAddress() {
    const { spec, defaults } = this;
    const pairs = new URLSearchParams();
    const keep = (list, before, named) => list.forEach((value, i) => {
      if (value !== before[i]) pairs.set(named[i].name, value);
    });
    keep(this.p, defaults.p, spec.parameters);
    keep(this.x0, defaults.x0, spec.states);
    for (const name of ["method", "h"]) if (this[name] !== defaults[name]) pairs.set(name, this[name]);
    for (const name of this.views) if (this[name] !== defaults[name]) pairs.set(name, Number(this[name]));
    return pairs.toString();
  }

  // The way back, as news to merge. What is unknown, or no number, is left alone.
  fromAddress(text) {
    const { parameters, states, methods } = this.spec;
    const news = { p: {}, x0: {} };
    for (const [name, value] of new URLSearchParams(text)) {
      const number = Number(value);
      const parameter = parameters.findIndex((item) => item.name === name);
      const state = states.findIndex((item) => item.name === name);
      if (name === "method" && methods.some((method) => method.name === value)) news.method = value;
      else if (value === "" || !Number.isFinite(number)) continue;
      else if (parameter >= 0) news.p[parameter] = number;
      else if (state >= 0) news.x0[state] = number;
      else if (name === "h" && number > 0) news.h = number;
      else if (this.views.includes(name)) news[name] = Boolean(number);
    }
    return news;
  }

  // The call that makes this setting again, in a notebook where the model has its name.
  toPython() {
    const { spec, defaults, p, x0, method, h } = this;
    const values = spec.parameters
      .map(({ name }, i) => (p[i] === defaults.p[i] ? "" : `${quoted(name)}: ${python(p[i])}`))
      .filter(Boolean);
    const changed = values.length ? `.with_parameters({${values.join(", ")}})` : "";
    const views = VIEWS.filter((name) => this[name]).map((name) => `${name}=True,`);
    return [
      "import numpy as np",
      ...(spec.python.model.includes("sm.") ? ["import sympy as sm"] : []),
      "from tutlib import integrate, live",
      "",
      `model = ${spec.python.model}${changed}`,
      `start = [${x0.map(python).join(", ")}]`,
      "live(",
      "    model,",
      "    start,",
      `    ${quoted(spec.description)},`,
      `    method=${quoted(method)},`,
      `    h=${h},`,
      ...[...spec.python.arguments, ...views].map((line) => `    ${line}`),
      ")",
      `times = np.linspace(0, ${python(1000 * h)}, 1001)`,
      `trajectory = integrate(model.compile(), times, start, method=${quoted(method)})`,
    ].join("\n");
  }
}
