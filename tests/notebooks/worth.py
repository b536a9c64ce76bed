"""What a formula is worth, once its names mean something.

Every statement is evaluated as it stands: products are those of matrices, a dot is a derivative
with respect to time unless the dotted name has a meaning of its own, and so on. Symbols that are
left at the end are given numbers at random.
"""

from fractions import Fraction

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from scipy.integrate import quad

from tests.notebooks.arithmetic import (
    as_value,
    divided,
    exponential,
    hat,
    plus,
    power,
    size_of,
    slope,
    substituted,
    times,
)
from tests.notebooks.latex_tokens import Name
from tests.notebooks.meanings import At, Each, Of, new_value
from tutlib.spaces import lie

#: How far two sides may be apart, relative to their size; and to first order only.
EXACT, FIRST_ORDER = 1e-9, 1e-4
NUMBERS = (int, float, complex, Fraction, np.number, np.ndarray, sm.Basic)
SYMPY = {"sin", "cos", "tan", "cot", "ln"}
DEFAULTS = {
    **{f"\\{name}": getattr(sm, name) for name in SYMPY},
    "\\arctan": sm.atan,
    "\\exp": exponential,
    "\\operatorname{tr}": np.trace,
    "\\operatorname{Re}": np.vectorize(sm.re),
    "\\det": lambda a: np.linalg.det(np.array(a, dtype=float)),
    "\\pi": sm.pi,
    "\\mathrm{i}": sm.I,
    "t": me.dynamicsymbols._t,
}


def all_hold(statements, one):
    """Return whether all statements are true in a case."""
    return all(holds_here(statement, one) for statement in statements)


def holds_here(statement, one):
    worth = Worth(one.names, one.known)
    relations, rng = statement[1::2], np.random.default_rng(1)
    if relations == ["\\leftarrow"]:
        statement = [("name", new_value(statement[0][1])), "=", statement[2]]
        relations = ["="]
    sides = [worth.of(side) for side in statement[::2]]
    return all(
        compare(left, relation, right, rng)
        for left, relation, right in zip(sides, relations, sides[1:])
    )


def compare(left, relation, right, rng):
    if not isinstance(left, NUMBERS):  # such as a product of spaces
        return relation == "=" and left == right
    gap = np.ravel(plus(left, times(-1, right)))
    sizes = np.ravel(left) if np.size(left) >= np.size(right) else np.ravel(right)
    known = {}
    distance = np.array([number(entry, known, rng) for entry in gap])
    size = np.array([number(entry, known, rng) for entry in sizes])
    if relation in ("=", "\\approx"):
        allowed = EXACT if relation == "=" else FIRST_ORDER
        return bool(np.abs(distance).max() <= allowed * max(np.abs(size).max(), 1e-3))
    return bool({"<": distance < 0, ">": distance > 0, "\\le": distance <= 0}[relation].all())


def number(value, known, rng):
    """Return a number, with random ones in place of whatever has none."""
    if not isinstance(value, sm.Basic):
        return complex(value) if isinstance(value, complex) else float(value)
    unknown = value.atoms(sm.Derivative, sm.core.function.AppliedUndef) | value.free_symbols
    for symbol in sorted(unknown - set(known), key=sm.default_sort_key):
        known[symbol] = sm.Float(rng.uniform(0.3, 1.7))
    found = complex(value.xreplace(known).evalf())  # from above: a rate before its function
    return found if found.imag else found.real


class Worth:
    """Evaluates trees, with the meanings of names and the indices of sums; each tree once."""

    def __init__(self, names, known, indices=()):
        self.names, self.known, self.indices = names, known, dict(indices)

    def of(self, node):
        key = node, *self.indices.items()
        if key not in self.known:
            self.known[key] = as_value(getattr(self, node[0].replace("-", "_"))(*node[1:]))
        return self.known[key]

    def index(self, letter):
        return self.indices[letter] if letter in self.indices else self.names[Name(letter)]

    def number(self, value):
        return value

    def name(self, name):
        if name in self.names:
            meaning = self.names[name]
            if isinstance(meaning, Each):
                return meaning.function(*[self.index(i) for i in meaning.indices])
            if isinstance(meaning, At):
                return meaning.numbers
            return meaning.expression if isinstance(meaning, Of) else meaning
        if name.accents and name.accents[0] in (r"\dot", r"\ddot", r"\hat"):
            inner = as_value(self.name(Name(name.base, name.accents[1:], name.subscript)))
            if name.accents[0] == r"\hat":
                return hat(inner)
            for _ in range(len(name.accents[0]) - 3):
                inner = slope(inner, me.dynamicsymbols._t)
            return inner
        if str(name) in self.indices:
            return self.indices[str(name)]
        if str(name) in DEFAULTS:
            return DEFAULTS[str(name)]
        raise KeyError(f"{name} has no meaning")

    def add(self, a, b):
        return plus(self.of(a), self.of(b))

    def sub(self, a, b):
        return plus(self.of(a), times(-1, self.of(b)))

    def neg(self, a):
        return times(-1, self.of(a))

    def plus_minus(self, a, b):
        return plus(self.of(a), times(self.name(Name(r"\pm")), self.of(b)))

    def minus_plus(self, a, b):
        return plus(self.of(a), times(-self.name(Name(r"\pm")), self.of(b)))

    def degrees(self, a):
        return self.of(a) * sm.pi / 180

    def mul(self, a, b):
        return times(self.of(a), self.of(b))

    def div(self, a, b):
        return divided(self.of(a), self.of(b))

    def pow(self, a, n):
        if a == ("name", Name("e")) and Name("e") not in self.names:
            return self.name(Name(r"\exp"))(self.of(n))
        return power(self.of(a), self.of(n))

    def dot(self, a, b):
        a, b = self.of(a), self.of(b)
        return a @ b if np.ndim(a) == np.ndim(b) == 1 else times(a, b)

    def cross(self, a, b):
        a, b = self.of(a), self.of(b)
        return hat(a) @ b if np.ndim(a) else a @ b

    def call(self, name, arguments):
        values = [self.of(argument) for argument in arguments]
        meaning = self.names.get(name[1])
        function = meaning if isinstance(meaning, Of) else self.of(name)
        if callable(function):
            return function(*values)
        if len(values) > 1:
            raise TypeError(f"{name} is no function")
        return times(function, values[0])

    def list(self, entries):
        values = [self.of(entry) for entry in entries]
        if Name("[") in self.names and len(values) == 2:  # a commutator
            return self.names[Name("[")](*values)
        if len({np.shape(value) for value in values}) > 1:  # one below the other
            return np.concatenate([np.ravel(value) for value in values])
        return np.stack(values, axis=-1) if np.ndim(values[0]) else np.array(values)

    def block(self, entries, columns):
        """A matrix of matrices, in which a number fills its place."""
        values, n = np.empty(len(entries), dtype=object), self.of(columns)
        values[:] = [self.of(entry) for entry in entries]
        rows = values.reshape(-1, n)
        shapes = [[np.shape(value) for value in row] for row in rows]
        high = [max((shape[0] for shape in row if shape), default=1) for row in shapes]
        wide = [max((shape[1] for shape in col if shape), default=1) for col in zip(*shapes)]
        filled = [
            [value if np.ndim(value) else np.full((h, w), value) for value, w in zip(row, wide)]
            for row, h in zip(rows, high)
        ]
        return np.block(filled)

    def abs(self, a):
        return size_of(self.of(a))

    def transpose(self, a):
        value = self.of(a)
        return value[None, :] if np.ndim(value) == 1 else value.T

    def vee(self, a):
        return lie.vee(self.of(a))

    def hat(self, a):
        return hat(self.of(a))

    def slope(self, a, by):
        value = self.of(a)
        for differential in by:
            point = self.names.get(differential[1])
            if isinstance(point, At):
                known = dict(zip(point.symbols, point.numbers))
                value = substituted(slope(value, point.symbols), known)
            else:
                value = slope(value, self.of(differential))
        return value

    def sum(self, index, body):
        total = 0
        key = f"\\sum_{index}" if index else "\\sum"
        for value in self.names[key]:
            bound = value if isinstance(value, dict) else {index[0]: value}
            total = plus(total, Worth(self.names, self.known, self.indices | bound).of(body))
        return total

    def integral(self, body, by, ends):
        def integrand(value):
            return float(Worth(self.names | {by[1]: value}, {}, self.indices).of(body))

        if not ends:
            return sm.integrate(self.of(body), self.of(by))
        return quad(integrand, *(float(self.of(end)) for end in ends), epsabs=1e-12)[0]
