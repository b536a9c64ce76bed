// The derivative of a tree with respect to time.
import { UnreadableError } from "./tokens.js";

const number = (node, value) => node("number", [], { text: String(value), value });

const OUTER = {
  sin: (node, x) => node("call", [x], { name: "cos" }),
  cos: (node, x) => node("negative", [node("call", [x], { name: "sin" })]),
  tan: (node, x) => node("^", [node("call", [x], { name: "cos" }), number(node, -2)]),
  exp: (node, x) => node("call", [x], { name: "exp" }),
  log: (node, x) => node("/", [number(node, 1), x]),
  sqrt: (node, x) => node("/", [number(node, 0.5), node("call", [x], { name: "sqrt" })]),
  sinh: (node, x) => node("call", [x], { name: "cosh" }),
  cosh: (node, x) => node("call", [x], { name: "sinh" }),
};

const PRODUCTS = {
  "*": (node, [a, b], [da, db]) => node("+", [node("*", [da, b]), node("*", [a, db])]),
  "/": (node, [a, b], [da, db]) => node("/", [
    node("-", [node("*", [da, b]), node("*", [a, db])]), node("^", [b, number(node, 2)]),
  ]),
};

// Return it; `node` makes nodes and counts them, `constants` is the set of names that do not depend
// on time.
export function derivative(tree, constants, node) {
  const inner = (part) => derivative(part, constants, node);
  const { type, operands, name } = tree;
  if (type === "number" || type === "constant") return number(node, 0);
  if (type === "leaf") {
    if (name === "t") return number(node, 1);
    return constants.has(name) ? number(node, 0) : node("leaf", [], { name: `${name}'` });
  }
  if (type === "^") {
    const [base, exponent] = operands;
    const lower = node("^", [base, node("-", [exponent, number(node, 1)])]);
    const first = node("*", [node("*", [exponent, lower]), inner(base)]);
    if (exponent.type === "number") return first;
    const log = node("call", [base], { name: "log" });
    return node("+", [first, node("*", [node("*", [tree, log]), inner(exponent)])]);
  }
  if (type === "call") {
    const outer = OUTER[name];
    const within = operands.map(inner);
    if (within.every((part) => part.type === "number" && part.value === 0)) return number(node, 0);
    if (!outer) throw new UnreadableError(`The derivative of ${name} cannot be used here. Write it out.`);
    return node("*", [outer(node, operands[0]), within[0]]);
  }
  const product = PRODUCTS[type];
  return product ? product(node, operands, operands.map(inner)) : node(type, operands.map(inner));
}
