"""Run a list of assignments with floats, one node after the other."""

import math
import operator

import numpy as np

from straightline import ieee_floats as floats
from straightline.angles import cosine, sine
from straightline.assignments import Assignments

OPERATIONS = {
    **{
        name: getattr(operator, name)
        for name in ("add", "sub", "mul", "neg", "abs", "lt", "le", "gt", "ge", "eq")
    },
    **{name: getattr(floats, name) for name in ("floor", "power_of_two", "exponent", "mantissa")},
    "div": floats.divide,
    "sqrt": floats.square_root,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "select": lambda condition, this, that: this if condition else that,
    "sine": sine,
    "cosine": cosine,
}


def run(assignments, roots, inputs):
    """Return the values of roots, given the values of the inputs by name."""
    values = []
    for operation, *arguments in assignments.nodes:
        if operation == "constant":
            values.append(float.fromhex(arguments[0]))
        elif operation == "input":
            values.append(float(inputs[arguments[0]][arguments[1]]))
        else:
            values.append(OPERATIONS[operation](*(values[a] for a in arguments)))
    return [values[assignments.index_of(root)] for root in roots]


def followed(function, count):
    """Return a function of floats that runs what a function of unknowns wrote down."""
    assignments = Assignments()
    found = function(*assignments.inputs("x", count))
    roots = list(found) if isinstance(found, tuple | list | np.ndarray) else [found]
    for root in roots:
        assignments.index_of(root)  # a constant becomes a node before the list is run
    return lambda *x: run(assignments, roots, {"x": x})


def same(a, b):
    """Return whether two floats have the same bits; any nan is like another."""
    return (math.isnan(a) and math.isnan(b)) or a.hex() == b.hex()
