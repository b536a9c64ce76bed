// Accelerations of machines that come as JSON, {fields, states}, one for each line of the input.
import { readFileSync } from "node:fs";
import { Interpreter } from "../../course/workbench/interpreter.js";
import { lagrange } from "../../course/workbench/lagrange.js";
import { readMechanism } from "../../course/workbench/mechanism.js";

const answers = JSON.parse(readFileSync(0)).map(({ fields, states }) => {
  const { mechanism } = readMechanism(fields);
  const { table, coordinates, parameters } = mechanism;
  const names = ["t", ...coordinates, ...coordinates.map((name) => `${name}'`), ...parameters.keys()];
  const interpreter = new Interpreter(table, lagrange(table, mechanism).a, names);
  return states.map((state) => interpreter.at(Object.fromEntries(names.map((name, i) => [name, [0, ...state, ...parameters.values()][i]]))));
});
console.log(JSON.stringify(answers));
