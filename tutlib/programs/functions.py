"""The elementary functions by NumPy's names, as formulas for floats and unknown numbers.

What NumPy applies to the entries of an array of unknowns is found here. Chapter 1 is the first
whose formulas need it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tutlib.programs.angles import (
    arccosine,
    arcsine,
    arctangent,
    arctangent2,
    cosine,
    quarter_turns,
    sine,
    sine_and_cosine,
    tangent,
)
from tutlib.programs.assignments import where
from tutlib.programs.operations import divide, floor, maximum, minimum, nearest, square_root
from tutlib.programs.powers import (
    cube_root,
    exponential,
    hyperbolic_cosine,
    hyperbolic_sine,
    hyperbolic_tangent,
    logarithm,
    power,
)

__all__ = [
    "BY_NAME",
    "arccosine",
    "arcsine",
    "arctangent",
    "arctangent2",
    "cosine",
    "cube_root",
    "divide",
    "exponential",
    "floor",
    "hyperbolic_cosine",
    "hyperbolic_sine",
    "hyperbolic_tangent",
    "logarithm",
    "maximum",
    "minimum",
    "nearest",
    "power",
    "quarter_turns",
    "sign",
    "sine",
    "sine_and_cosine",
    "square_root",
    "tangent",
]


def sign(x: Any) -> Any:
    """Return 1, 0 or -1, the sign of a number; nan of nan.

    Parameters
    ----------
    x : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return where(x > 0.0, 1.0, where(x < 0.0, -1.0, x))


#: The functions by NumPy's names.
BY_NAME: dict[str, Callable[..., Any]] = {
    "sin": sine,
    "cos": cosine,
    "tan": tangent,
    "arcsin": arcsine,
    "arccos": arccosine,
    "arctan": arctangent,
    "arctan2": arctangent2,
    "exp": exponential,
    "log": logarithm,
    "sinh": hyperbolic_sine,
    "cosh": hyperbolic_cosine,
    "tanh": hyperbolic_tangent,
    "cbrt": cube_root,
    "power": power,
    "float_power": power,
    "sqrt": square_root,
    "floor": floor,
    "rint": nearest,
    "maximum": maximum,
    "minimum": minimum,
    "absolute": abs,
    "fabs": abs,
    "square": lambda x: x * x,
    "reciprocal": lambda x: divide(1.0, x),
    "degrees": lambda x: x * (180 / math.pi),
    "radians": lambda x: x * (math.pi / 180),
    "sign": sign,
}
