"""What the names of a formula may mean: besides numbers, expressions, arrays and functions."""

import inspect
import re
from dataclasses import dataclass, field, replace

import numpy as np

from tests.notebooks.arithmetic import as_value, substituted
from tests.notebooks.latex import name_of
from tests.notebooks.latex_tokens import Name


class MovingNumber(float):
    """A value now, and a function of time."""

    def __new__(cls, function, now):
        found = super().__new__(cls, now)
        found.function = function
        return found

    def __call__(self, time):
        return self.function(float(time))


class Of:
    """An expression, and the function that it is of some symbols."""

    def __init__(self, expression, *symbols):
        self.expression, self.symbols = as_value(expression), symbols

    def __call__(self, *values):
        known = dict(zip(self.symbols, np.concatenate([np.ravel(value) for value in values])))
        return substituted(self.expression, known)


class At:
    """Numbers, and the symbols whose values they are where something is differentiated."""

    def __init__(self, symbols, numbers):
        self.symbols, self.numbers = np.array(list(symbols), dtype=object), np.array(numbers)


class Each:
    """The meaning of a name with an index: a function of the indices that it names."""

    def __init__(self, function, indices=()):
        self.function = function
        self.indices = [*indices] or list(inspect.signature(function).parameters)


@dataclass(frozen=True)
class Case:
    """Names with their meanings, whether the formula holds for these, and what is known so far."""

    names: dict
    holds: bool = True
    known: dict = field(default_factory=dict)


def case(*tables, holds=True):
    """Collect tables of meanings, later ones before earlier ones; their keys are LaTeX."""
    return Case({key_of(key): value for table in tables for key, value in table.items()}, holds)


def key_of(key):
    """Return a name; `\\leftarrow q` is the new value of q, and sums are known by their index."""
    if key.startswith("\\leftarrow"):
        return new_value(name_of(key.removeprefix("\\leftarrow")))
    if key in ("[", "="):  # a commutator's bracket, and what a term is worth
        return Name(key)
    return re.sub("[{}]", "", key) if key.startswith("\\sum") else name_of(key)


def new_value(name):
    return replace(name, accents=("\\leftarrow", *name.accents))
