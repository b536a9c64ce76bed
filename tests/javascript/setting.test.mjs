// The setting of a simulation: to the address and back, and as Python.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Setting } from "../../panels/simulations/setting.js";

const spec = {
  description: 'An "arm" swings.',
  parameters: [{ name: "g", value: 9.81 }, { name: "l", value: 1 }],
  states: [{ name: "theta" }, { name: "theta_dot" }],
  methods: [{ name: "euler" }, { name: "rk4" }, { name: "Kutta, order 3" }],
  x0: [1, 0],
  method: "rk4",
  h: 0.01,
  trace: false,
  portrait: true,
  arrows: [{ name: "velocity" }],
  runs: [{ label: "" }],
  size: { states: 2, coordinates: 1 },
  python: {
    cells: 'from panels import live\n\npanel = live(arm, [1, 0], \'An "arm" swings.\')',
    imports: ["import numpy as np"],
    names: {
      panel: "panel", model: "model_", start: "start", times: "times", trajectory: "trajectory",
    },
    parameters: ["l"],
    simulated: ["model_.compile()", "times", "start"],
    custom: ["Kutta, order 3"],
  },
};
const news = {
  p: { 1: 2.5 }, x0: { 0: -1e-3 }, method: "Kutta, order 3", h: 0.05, trace: true, portrait: false,
  velocity: true,
};

test("the defaults need no address", () => assert.equal(new Setting(spec).toAddress(), ""));

test("an address brings back what it was made of", () => {
  const [one, other] = [new Setting(spec), new Setting(spec)];
  one.merge(news);
  other.merge(other.fromAddress(one.toAddress()));
  assert.deepEqual(other.copy(), one.copy());
  assert.deepEqual(one.defaults, new Setting(spec).copy(), "the defaults stay as they were");
});

test("nonsense in an address is left alone", () => {
  const setting = new Setting(spec);
  setting.merge(setting.fromAddress("l=long&h=-1&h=0&method=magic&mass=3&g=&theta=Infinity&x"));
  assert.deepEqual(setting.copy(), setting.defaults);
});

test("Python gets what changed, and numbers that are floats", () => {
  const setting = new Setting(spec);
  assert.match(setting.toPython(), /^model_ = panel\.formulas\.model$/m);
  assert.doesNotMatch(setting.toPython(), /parameters/);
  setting.merge({ ...news, p: { 0: 0, 1: 2.5 } });
  assert.equal(setting.toPython(), `from panels import live

panel = live(arm, [1, 0], 'An "arm" swings.')

# Settings from the page:
import numpy as np
start = [-0.001, 0.0]
panel.parameters = {"g": 0.0, "l": 2.5}
panel.state, panel.method, panel.step_size = start, "Kutta, order 3", 0.05
model_ = panel.formulas.model.with_parameters({"l": 2.5})
times = np.linspace(0, 50.0, 1001)
trajectory = integrate(
    model_.compile(), times, start,
    method=panel.formulas.methods["Kutta, order 3"],
)
panel`);
});

test("in space no panel is set: its motion is that of the setting", () => {
  const inSpace = new Setting({ ...spec, size: { ...spec.size, axes: 3 } }).toPython();
  assert.match(inSpace, /^model_ = panel\.simulations\[0\]\.formulas\.model$/m);
  assert.doesNotMatch(inSpace, /panel\.state/);
});

test("many numbers are written in several lines", () => {
  const states = Array.from({ length: 20 }, (_, i) => ({ name: `q_${i}` }));
  const code = new Setting({ ...spec, states, x0: states.map((_, i) => i / 7) }).toPython();
  assert.match(code, /^start = \[\n( {4}.{10,84},\n){5,8}\]$/m);
});

test("of several simulations Python makes the one that is shown", () => {
  const choice = { name: "links", label: "6", labels: ["4", "6"], index: 1, first: 0 };
  const setting = new Setting({ ...spec, choice });
  assert.match(setting.toPython(), /^panel = panel\.simulations\[1\]  # links: 6$/m);
  assert.equal(setting.toAddress(), "choice=6");
  assert.equal(setting.fromAddress("choice=6").choice, "6");
  assert.equal(new Setting({ ...spec, choice: { ...choice, index: 0 } }).toAddress(), "");
});

test("a link carries the present moment to the last bit", () => {
  const runs = [{ label: "one" }, { label: "other", size: { states: 3, coordinates: 1 } }];
  const [one, other] = [new Setting({ ...spec, runs }), new Setting({ ...spec, runs })];
  one.merge(news);
  const motions = [
    { time: 1.1, state: [0.1 + 0.2, -1e-17], books: [0.5, 1 / 3, 0, 1e-9, 0] },
    { time: 1.2, state: [1 / 3, -0, 1e21], begun: [-0.7], books: [-2, 1, -0.1, 3, 3] },
  ];
  const moment = {
    motions, camera: [0.5, -1 / 3], view: [-1, -1, 2.5, 1e-3], speed: 0.25, paused: true,
  };
  const found = other.fromAddress(one.toLink(moment));
  const { p, x0, ...rest } = other.fromAddress(new URLSearchParams(one.toAddress()));
  assert.deepEqual(found, { p, x0, ...rest, ...moment });
  other.merge(found);
  assert.deepEqual(other.copy(), one.copy());
  const alike = one.toLink({ motions: motions.map((motion) => ({ ...motion, time: 1.1 })) });
  assert.match(alike, /(^|&)time=1.1(&|$)/);
  assert.deepEqual(other.fromAddress(alike).motions.map(({ time }) => time), [1.1, 1.1]);
});

test("a motion that blew up has no moment", () => {
  const link = new Setting(spec).toLink({ motions: [{ time: 1, state: [NaN, 0], books: [0] }] });
  assert.equal(link, "");
});

test("a moment of another simulation is left alone", () => {
  const setting = new Setting(spec);
  for (const text of [
    "time=1", "state=1_2", "time=1&state=1", "time=1&state=1_2_3", "time=1&state=1_2*3_4",
    "time=1&state=1_", "time=1&state=a_b", "time=1*2&state=1_2", "time=&state=1_2", "camera=1_x",
    "view=1_2_3", "view=1_1_0_2", "speed=-1", "speed=x", "paused=0", "begun=1", "books=1_2_3_4_5",
  ]) assert.deepEqual(setting.fromAddress(text), { p: {}, x0: {} }, text);
  const motions = [{ time: 1, state: [1, 2] }];
  for (const more of ["", "&begun=1_2", "&begun=x", "&books=1", "&books=1_2_3_4_x"]) {
    assert.deepEqual(setting.fromAddress(`time=1&state=1_2${more}`).motions, motions, more);
  }
});

test("names of every kind come back, those that are words of the panel, too", () => {
  const names = ["h", "time", "trace", "a.b", "θ", "a&b=c", "p.h", "velocity"];
  const own = {
    ...spec, parameters: names.map((name) => ({ name, value: 0 })),
    states: [{ name: "h" }, { name: "state" }],
  };
  const [one, other] = [new Setting(own), new Setting(own)];
  one.merge({ p: names.map((_, i) => i + 1), x0: [5, 6], h: 0.02, trace: true });
  const address = one.toAddress();
  assert.match(address, /^[\x21-\x7e]*$/);
  other.merge(other.fromAddress(address));
  assert.deepEqual(other.copy(), one.copy());
});

// Names and texts that would leave their quotes, their line or their comment.
const hostile = ['a"b', "a'b", "one\ntwo", "a\\", "*/ f() /*", "</script>", '": 1}) + f()  # '];

test("no name becomes Python", () => {
  const literal = /"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"/g; // of JSON, and of Python
  const lines = (name) => {
    const setting = new Setting({
      ...spec, python: { ...spec.python, parameters: [name] }, parameters: [{ name, value: 1 }],
      methods: [{ name }, { name: "rk4" }],
    });
    setting.merge({ p: { 0: 2 }, method: name });
    return setting.toPython();
  };
  const usual = lines("name");
  for (const name of hostile) {
    const code = lines(name);
    assert.equal(code.match(literal).filter((text) => JSON.parse(text) === name).length, 4);
    assert.equal(code.replace(literal, '""'), usual.replace(literal, '""'));
  }
});
