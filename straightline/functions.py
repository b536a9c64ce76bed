"""Elementary functions by NumPy's names, for floats and for unknown numbers.

NumPy's functions look them up for arrays of unknowns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from straightline.angles import cosine, sine, tangent
from straightline.assignments import FORMULAS, Number, where
from straightline.hyperbolic import (
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
)
from straightline.inverse_angles import arccosine, arcsine, arctangent, arctangent2
from straightline.operations import (
    as_number,
    divide,
    equal,
    floor,
    maximum,
    minimum,
    nearest,
    remainder,
    square_root,
)
from straightline.powers import (
    exponential,
    logarithm,
    power,
)


def sign(x: Number) -> Number:
    """Return the sign of a number, 1, 0, or -1; nan for nan."""
    x = as_number(x)
    return where(x > 0.0, 1.0, where(x < 0.0, -1.0, x))


def hypotenuse(x: Number, y: Number) -> Number:
    """Return √(x² + y²), even where the squares overflow or underflow."""
    x, y = abs(as_number(x)), abs(as_number(y))
    larger = where(x > y, x, y)
    scale = where(larger > 1.0, 2.0**-600, 2.0**600)
    a, b = x * scale, y * scale
    infinite = equal(x, math.inf) | equal(y, math.inf)
    extreme = where(infinite, math.inf, square_root(a * a + b * b) / scale)
    return where((larger < 1e150) & (larger > 1e-140), square_root(x * x + y * y), extreme)


#: The functions by NumPy's names.
BY_NAME: dict[str, Callable[..., Any]] = {
    "sin": sine,
    "cos": cosine,
    "tan": tangent,
    "arcsin": arcsine,
    "arccos": arccosine,
    "arctan": arctangent,
    "arctan2": arctangent2,
    "hypot": hypotenuse,
    "degrees": lambda x: x * (180 / math.pi),
    "rad2deg": lambda x: x * (180 / math.pi),
    "radians": lambda x: x * (math.pi / 180),
    "deg2rad": lambda x: x * (math.pi / 180),
    "exp": exponential,
    "log": logarithm,
    "sinh": hyperbolic_sine,
    "cosh": hyperbolic_cosine,
    "tanh": hyperbolic_tangent,
    "power": power,
    "sqrt": square_root,
    "square": lambda x: x * x,
    "absolute": abs,
    "fabs": abs,
    "sign": sign,
    "floor": floor,
    "ceil": lambda x: -floor(-x),
    "rint": lambda x: where(abs(x) < 2.0**51, nearest(x), x),
    "maximum": maximum,
    "minimum": minimum,
    "remainder": remainder,
    "mod": remainder,
    "floor_divide": lambda x, y: nearest(divide(x - remainder(x, y), as_number(y))),
}
FORMULAS.update(BY_NAME)
