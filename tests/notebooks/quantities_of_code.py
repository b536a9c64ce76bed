"""The numbers that stand in code or in checked outputs, each with the units known of it."""

import ast
import io
import math
import operator
import re
import tokenize
from dataclasses import dataclass
from typing import Any

from tests.notebooks.units import unit_at, whole_unit

# Numbers that only arrange a picture or a print say nothing of a result.
COSMETIC = {"figsize", "fontsize", "lw", "ms", "alpha", "zorder", "linewidth", "linewidths"}
COSMETIC |= {"markersize", "ncols", "nrows", "dpi", "color", "width", "height", "labelpad", "pad"}
COSMETIC_CALLS = {"text", "annotate"}
CONSTANTS = {"pi": math.pi, "e": math.e}
FUNCTIONS = {"sqrt": math.sqrt, "deg2rad": math.radians, "radians": math.radians}
# The course's notation: what a name's first part says of the numbers it is bound to.
UNIT_OF_NAME = {"t": "s", "times": "s", "instants": "s", "h": "s", "theta": "rad"}
UNIT_OF_NAME |= {"m": "kg", "l": "m", "g": "m/s²"}
INTEGRATORS = {"integrate", "integrate_adaptive", "observed_order", "solve_ivp"}
TIMES = {"times", "instants"}
DEGREES = {"deg2rad", "radians", "rad2deg", "degrees"}


@dataclass(frozen=True)
class Number:
    """A number of code, and the units it is known to have."""

    value: float
    units: frozenset[str]
    printed: bool = False


def folded(node: ast.AST) -> float | None:
    """Return the value of arithmetic on constants, or nothing."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            value = folded(inner)
            return None if value is None else -value
        case ast.Attribute(value=ast.Name(id="np" | "sm" | "math"), attr=name):
            return CONSTANTS.get(name)
        case ast.Call(func=ast.Attribute(attr="Rational"), args=[above, below]):
            return arithmetic(ast.Div(), folded(above), folded(below))
        case ast.Call(func=ast.Attribute(attr=name), args=[inner]) if name in FUNCTIONS:
            value = folded(inner)
            return None if value is None or value < 0 else FUNCTIONS[name](value)
        case ast.BinOp(left=left, op=op, right=right):
            return arithmetic(op, folded(left), folded(right))
    return None


OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def arithmetic(op: ast.operator, left: float | None, right: float | None) -> float | None:
    """Return left op right, if both are known."""
    if left is None or right is None or type(op) not in OPERATIONS:
        return None
    try:
        return float(OPERATIONS[type(op)](left, right))
    except (ArithmeticError, TypeError):
        return None


def called(node: ast.AST) -> str:
    """Return the name of what is called."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def comments(source: str) -> dict[int, str]:
    """Return a cell's comments, line by line."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}


def units_of_comment(comment: str, value: float) -> frozenset[str]:
    """Return what a comment says of a number: ``# s``, ``# [J]``, ``# s, rad`` or ``# 2 m``."""
    own = re.findall(rf"(?<![\w.]){re.escape(f'{value:g}')} (\S+?)(?:,|;|$| )", comment)
    parts = [*re.findall(r"\[([^\]]+)\]", comment), *re.split(r", ?| and |; ?|: ", comment)]
    return frozenset(unit for part in [*own, *parts] if (unit := whole_unit(part)))


class Reader(ast.NodeVisitor):
    """Collect a cell's numbers on a walk through its syntax."""

    def __init__(self, source: str) -> None:
        self.comments = comments(source)
        self.units: list[frozenset[str]] = [frozenset()]
        self.found: list[Number] = []
        self.visit(ast.parse(source))

    def note(self, node: ast.expr, value: float | None) -> None:
        if value is not None:
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            said = "; ".join(self.comments.get(line, "") for line in lines)
            units = units_of_comment(said, value) or self.units[-1]
            self.found.append(Number(value, units))

    def within(self, node: ast.AST, units: frozenset[str], visit: Any = None) -> None:
        self.units.append(units or self.units[-1])
        (visit or self.visit)(node)
        self.units.pop()

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.expr):
            self.note(node, folded(node))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and folded(node) is None:
            below = folded(node.right)
            self.note(node, 1 / below if below else None)
        super().generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Pow) and folded(node) is None:
            self.visit(node.left)
        else:
            self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        value = folded(node)
        if value is None:
            self.generic_visit(node)
        else:
            self.note(node, value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if any(isinstance(part, ast.Compare) for part in ast.walk(node.slice)):
            self.visit(node.slice)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in COSMETIC:
            self.named(node.arg or "", node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if called(node) in COSMETIC_CALLS:
            return
        if called(node) in DEGREES:
            self.note(node, folded(node))
            for argument in node.args:
                self.within(argument, frozenset(["deg"]))
            return
        if called(node) == "range" and len(node.args) == 2 and (end := folded(node.args[1])):
            self.note(node.args.pop(), end - 1)
        if called(node) == "linspace" and len(node.args) > 2 and (count := folded(node.args[2])):
            self.note(node.args.pop(2), count - 1)
        if called(node) in INTEGRATORS and len(node.args) > 1:
            self.within(node.args.pop(1), frozenset(["s"]))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        calls = {called(part) for part in ast.walk(node)}
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        times = any(name.partition("_")[0] == "t" or name in TIMES for name in names)
        units = frozenset(["deg"] * bool(DEGREES & calls) + ["s"] * times)
        self.within(node, units, self.generic_visit)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        values = [each.value for each in node.elts if isinstance(each, ast.Constant)]
        words = [value for value in values if isinstance(value, str)]
        self.within(node, frozenset(filter(None, map(unit_at, words))), self.generic_visit)

    def visit_Assign(self, node: ast.Assign) -> None:
        (target, *_) = node.targets
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts))
        for name, value in pairs:
            self.named(name.id if isinstance(name, ast.Name) else "", value)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values):
            name = key.value if isinstance(key, ast.Constant) else getattr(key, "id", "")
            self.named(str(name), value)

    def named(self, name: str, value: ast.expr) -> None:
        unit = UNIT_OF_NAME.get(name.partition("_")[0])
        self.within(value, frozenset(filter(None, [unit])))


def numbers_of_code(source: str) -> list[Number]:
    """Return the numbers that stand in a cell's code, and what arithmetic on them amounts to."""
    return Reader(source).found


PRINTED = re.compile(
    r"(?!1/s)(?<![\w.])(-?\d+(?:,\d{3})*(?:\.\d*)?(?:e[-+]?\d+)?)(?:/(\d+))?(?![\w.]*\d)"
)


def numbers_of_output(text: str) -> list[Number]:
    """Return the numbers that a checked output shows, each with the unit behind it."""
    found = []
    for number in PRINTED.finditer(text):
        value = float(number[1].replace(",", "")) / float(number[2] or 1)
        after = number.end() + len(text[number.end() :]) - len(text[number.end() :].lstrip(" "))
        line = text[text.rfind("\n", 0, number.start()) + 1 : number.start()]
        bracket = re.findall(r"\[([^\]]+)\]", line)
        unit = unit_at(text, after) or (whole_unit(bracket[-1]) if bracket else None)
        found.append(Number(value, frozenset([unit] if unit else []), True))
    return found
