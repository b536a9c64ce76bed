"""Dimensions of a live simulation, inferred from the formulas that it takes to the page.

Terms that are added must have one dimension; sines take pure numbers; energies are joules, points
meters. So the formulas give each parameter a dimension, which its slider must show. They come as
statements: see `publishing.simulation_formulas`.
"""

import ast
import re
from dataclasses import dataclass, field
from fractions import Fraction

import sympy as sm

from tests.notebooks.units import without_brackets
from tutlib.units import unit_of

BASE = ("kg", "m", "s")
PURE_FUNCTIONS = {
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "tanh",
    "atan",
    "asin",
    "acos",
    "floor",
    "power_of_two",
    "exponent",
    "mantissa",
}
RATIOS = {"atan2", "sign", "Heaviside"}
SAME = {"Abs", "abs", "Max", "Min", "where"}


class DimensionError(Exception):
    """Two dimensions that must be one are two."""


@dataclass
class Dimensions:
    """Known and unknown dimensions; each is a mapping from names to powers."""

    solved: dict = field(default_factory=dict)
    unknowns: int = 0

    def fresh(self):
        """Return the dimension of a number that is read as it stands: any."""
        self.unknowns += 1
        return {f"?{self.unknowns}": Fraction(1)}

    def reduced(self, powers):
        """Return a dimension without the unknowns that are solved."""
        result = {}
        for name, power in powers.items():
            parts = {name: 1}
            if name in self.solved:
                parts = self.solved[name] = self.reduced(self.solved[name])
            for part, own in parts.items():
                result[part] = result.get(part, 0) + power * own
        return {name: power for name, power in result.items() if power}

    def equal(self, one, other):
        """Demand that two dimensions are one."""
        rest = self.reduced(product(one, other, -1))
        unknown = sorted(set(rest) - set(BASE), key=lambda name: (name[0] != "?", name))
        if unknown:
            power = rest.pop(unknown[0])
            self.solved[unknown[0]] = {name: -own / power for name, own in rest.items()}
        elif rest:
            raise DimensionError(f"{shown(self.reduced(one))} and {shown(self.reduced(other))}")


def product(one, other, power=1):
    """Return the dimension of a product with a power."""
    names = dict.fromkeys([*one, *other])
    powers = {name: one.get(name, 0) + power * other.get(name, 0) for name in names}
    return {name: own for name, own in powers.items() if own}


def shown(powers):
    """Return a dimension as text."""
    return "·".join(f"{name}^{power}" for name, power in sorted(powers.items())) or "1"


def of_unit(unit):
    """Return the dimension of a unit as a page shows it, such as N·m·s/rad; SI alone is known."""
    powers = zip(BASE, unit_of(without_brackets(unit or "1").replace("°", "rad")))
    return {name: power for name, power in powers if power}


@dataclass
class Reader:
    """Reads one function's statements, each a name and an expression."""

    dimensions: Dimensions
    names: dict

    def read(self, text):
        """Return the dimension of an expression."""
        return self.visit(ast.parse(text.strip(), mode="eval").body)

    def visit(self, node):
        match node:
            case ast.Constant():
                return self.number(node.value)
            case ast.Name("pi" | "E"):
                return {}
            case ast.Name("nan" | "inf"):
                return self.dimensions.fresh()
            case ast.Name() | ast.Subscript():
                return self.names[ast.unparse(node)]
            case ast.UnaryOp():
                return self.visit(node.operand)
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self.same([node.left, node.right])
            case ast.BinOp(op=ast.Mult()):
                return product(self.visit(node.left), self.visit(node.right))
            case ast.BinOp(op=ast.Div()):
                return product(self.visit(node.left), self.visit(node.right), -1)
            case ast.BinOp(op=ast.Pow()):
                return self.power(node.left, node.right)
            case ast.Call():
                return self.call(ast.unparse(node.func), node.args)
        raise NotImplementedError(ast.unparse(node))

    def number(self, value):
        """Whole numbers and simple parts are pure; any other may stand for a quantity."""
        pure = value != 0 and (value * 4) % 1 == 0
        return {} if pure else self.dimensions.fresh()

    def same(self, nodes):
        first, *others = [self.visit(node) for node in nodes]
        for other in others:
            self.dimensions.equal(first, other)
        return first

    def power(self, base, exponent):
        size = sm.Rational(ast.unparse(exponent))
        return product({}, self.visit(base), Fraction(int(size.p), int(size.q)))

    def call(self, name, arguments):
        if name == "sqrt":
            return product({}, self.visit(arguments[0]), Fraction(1, 2))
        if name in SAME:
            return self.same(arguments)
        if name in RATIOS:
            self.same(arguments if name == "atan2" else arguments[:1])
            return {}
        if name in PURE_FUNCTIONS:
            self.dimensions.equal(self.visit(arguments[0]), {})
            return {}
        raise NotImplementedError(name)


@dataclass
class Panel:
    """A live simulation and the dimensions that its formulas give."""

    data: dict
    code: dict

    def quantities(self):
        """Return the dimension of time and of each parameter and state: unknown ones by name."""
        names = {"t": {"s": Fraction(1)}}
        for i, parameter in enumerate(self.data["parameters"]):
            names[f"p[{i}]"] = {f"p {parameter['name']}": Fraction(1)}
        for i, state in enumerate(self.data["states"]):
            given = not state.get("hidden") and state["unit"]
            names[f"x[{i}]"] = of_unit(state["unit"]) if given else {f"x[{i}]": Fraction(1)}
        return names

    def infer(self, leave_out=()):
        """Read all equations; return what they say of all dimensions, sliders included."""
        dimensions, names = Dimensions(), self.quantities()
        for slider in self.data["sliders"]:
            if slider["label"] not in leave_out:
                dimensions.equal(names[place(slider)], of_unit(slider["unit"]))
        for switch in self.data["switches"]:
            dimensions.equal(names[f"p[{switch['index']}]"], {})
        read = in_space if "field" in self.code else in_the_plane
        read(self, dimensions, names)
        return dimensions, names


def place(slider):
    """Return where the value of a slider stands in the equations."""
    return f"{'p' if slider['target'] == 'p' else 'x'}[{slider['index']}]"


def run(statements, dimensions, names):
    """Read a function's statements in order; return the dimensions of all that it names."""
    reader = Reader(dimensions, dict(names))
    for target, text in statements:
        bare = re.fullmatch(r"\(?[-\d.e]+\)?", text)  # such as a point's coordinate
        reader.names[target] = dimensions.reduced(dimensions.fresh() if bare else reader.read(text))
    return reader.names


def read_outputs(panel, dimensions, names):
    """Energies are joules, points are meters, and readouts are what they say."""
    found = run(panel.code["outputs"], dimensions, names)
    readouts = [readout["unit"] for readout in panel.data["readouts"]]
    for kind, (start, count) in panel.data["size"]["outputs"].items():
        units = {"energies": ["J"] * count, "points": ["m"] * count, "readouts": readouts}
        for i, unit in enumerate(units.get(kind, ()), start):
            dimensions.equal(found[f"out[{i}]"], of_unit(unit))


def in_the_plane(panel, dimensions, names):
    """Demand M u' = F and the kinematics row by row, the outputs, and shares of projections."""
    size = panel.data["size"]
    n, q, states = size["speeds"], size["coordinates"], range(size["states"])
    rates = {f"dx[{i}]": product(names[f"x[{i}]"], names["t"], -1) for i in states}
    found = run(panel.code["equations"], dimensions, names)
    for i in range(n * n):
        term = product(found[f"M[{i}]"], rates[f"dx[{q + i % n}]"])
        dimensions.equal(term, found[f"F[{i // n}]"])
    for target in set(found) & set(rates):
        dimensions.equal(found[target], rates[target])
    read_outputs(panel, dimensions, names | rates)
    if "shares" in panel.code:
        shares = run(panel.code["shares"], dimensions, names)
        for name in ("projected", "evaluated"):
            dimensions.equal(shares[name], {})
    power = run(panel.code["energyRate"], dimensions, names | rates)["return"]
    dimensions.equal(power, of_unit("J/s"))


def in_space(panel, dimensions, names):
    """Demand that the flow along the field for a time leads from states to states."""
    found = run(panel.code["field"], dimensions, names)
    steps = {
        out.replace("out", "xi"): product(found[out], names["t"])
        for out, _ in panel.code["field"]
        if out.startswith("out[")
    }
    moved = run(panel.code["flow"], dimensions, names | steps)
    for i in range(panel.data["size"]["states"]):
        dimensions.equal(moved[f"out[{i}]"], names[f"x[{i}]"])
    read_outputs(panel, dimensions, names)


def has_numbers_of_its_own(code):
    """Whether masses, lengths and gains went in as numbers: then they have no dimension to read."""
    masses = [text for name, text in code.get("equations", []) if name.startswith("M[")]
    texts = [*masses, *(text for _, text in code.get("field", []))]
    numbers = re.findall(r"\d+\.\d+", " ".join(texts))
    return any(float(number) * 4 % 1 for number in numbers)


def faults(data, code):
    """Name sliders whose unit is not the dimension of what they change, and other conflicts."""
    conflict = _conflict(data, code)
    labels = [slider["label"] for slider in data["sliders"]] if conflict else []
    suspects = [label for label in labels if not _conflict(data, code, (label,))]
    return [f"{data['name']}: {conflict}; look at {suspects or 'readouts'}"] if conflict else []


def _conflict(data, code, leave_out=()):
    try:
        Panel(data, code).infer(leave_out)
    except (DimensionError, KeyError, ValueError) as error:
        return str(error)
    return ""


def undetermined(data, code):
    """Name sliders whose dimension the formulas leave open: their unit is not tested."""
    panel = Panel(data, code)
    found = []
    for slider in data["sliders"]:
        dimensions, names = panel.infer(leave_out=(slider["label"],))
        if set(dimensions.reduced(names[place(slider)])) - set(BASE):
            found.append(slider["label"])
    return found
