// The setting of a simulation: to the address and back, and as Python.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Setting } from "../../tutlib/page/setting.js";

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
  python: { model: "arm", arguments: ["sliders={'l': (0, 1, 'm')},"] },
};
const news = {
  p: { 1: 2.5 }, x0: { 0: -1e-3 }, method: "Kutta, order 3", h: 0.05, trace: true, portrait: false,
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
  assert.match(setting.toPython(), /^model = arm$/m);
  setting.merge(news);
  const code = setting.toPython();
  assert.match(code, /^model = arm\.with_parameters\(\{"l": 2\.5\}\)$/m);
  assert.match(code, /^start = \[-0\.001, 0\.0\]$/m);
  assert.match(code, /"An \\"arm\\" swings\."/);
  assert.match(code, /trace=True/);
  assert.doesNotMatch(code, /portrait=True/);
  assert.match(code, /sliders=\{'l': \(0, 1, 'm'\)\},/);
});

// Names and texts that would leave their quotes, their line or their comment.
const hostile = ['a"b', "a'b", "one\ntwo", "a\\", "*/ f() /*", "</script>", '": 1}) + f()  # '];

test("no name becomes Python", () => {
  const literal = /"(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"/g; // of JSON, and of Python
  const lines = (name) => {
    const setting = new Setting({
      ...spec, description: name, parameters: [{ name, value: 1 }],
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
