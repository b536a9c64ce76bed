"""Hyperbolic functions, for floats and for unknown numbers.

The same operations run everywhere, so all computers get the same bits. The rational functions are
those of fdlibm :cite:p:`SunMicrosystems1993` and of Cephes :cite:p:`Moshier1989`.
"""

from __future__ import annotations

import math

from straightline.assignments import Number, where
from straightline.operations import (
    as_number,
    divide,
    polynomial,
    scaled,
)
from straightline.powers import exponential, reduced_exponential


def _half_exponential(x: Number) -> Number:
    """Return eˣ / 2 of a positive number, even where eˣ overflows."""
    value, k = reduced_exponential(where(x > 1000.0, 1000.0, x))
    return scaled(value, k - 1.0)


_SINE = tuple(1 / math.factorial(2 * k + 3) for k in range(9))


def hyperbolic_sine(x: Number) -> Number:
    """Return (eˣ - e⁻ˣ) / 2."""
    x = as_number(x)
    magnitude, square = abs(x), x * x
    half = _half_exponential(magnitude)
    far = half - 0.25 / half
    return where(
        magnitude < 1.0, x + x * square * polynomial(_SINE, square), where(x < 0.0, -far, far)
    )


def hyperbolic_cosine(x: Number) -> Number:
    """Return (eˣ + e⁻ˣ) / 2."""
    half = _half_exponential(abs(as_number(x)))
    return half + 0.25 / half


_TOP = (-1.61468768441708447952e3, -9.92877231001918586564e1, -9.64399179425052238628e-1)
_BOTTOM = (4.84406305325125486048e3, 2.23548839060100448583e3, 1.12811678491632931402e2, 1.0)


def hyperbolic_tangent(x: Number) -> Number:
    """Return the quotient of hyperbolic sine and cosine."""
    x = as_number(x)
    magnitude, square = abs(x), x * x
    near = x + x * square * divide(polynomial(_TOP, square), polynomial(_BOTTOM, square))
    far = 1.0 - 2.0 / (exponential(2.0 * magnitude) + 1.0)
    return where(magnitude < 0.625, near, where(x < 0.0, -far, far))
