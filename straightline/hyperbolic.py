"""Hyperbolic functions, eˣ - 1, and the error function, for floats and for unknown numbers.

The same operations run everywhere, so all computers get the same bits. The rational functions are
those of fdlibm :cite:p:`SunMicrosystems1993` and of Cephes :cite:p:`Moshier1989`.
"""

from __future__ import annotations

import math

from straightline.assignments import Number, where
from straightline.operations import (
    as_number,
    divide,
    nearest,
    polynomial,
    power_of_two,
    scaled,
    square_root,
)
from straightline.powers import exponential, logarithm, logarithm_of_one_plus, reduced_exponential

_LOGARITHM_OF_2 = math.log(2.0)

_EXCESS = (
    1.0,
    -3.33333333333331316428e-02,
    1.58730158725481460165e-03,
    -7.93650757867487942473e-05,
    4.00821782732936239552e-06,
    -2.01099218183624371326e-07,
)


def exponential_minus_one(x: Number) -> Number:
    """Return eˣ - 1, accurate for small x."""
    x = as_number(x)
    k = nearest(x * 1.44269504088896338700)
    high, low = x - k * 6.93147180369123816490e-01, k * 1.90821492927058770002e-10
    r = high - low
    c = (high - r) - low
    half = 0.5 * r
    square = r * half
    r1 = polynomial(_EXCESS, square)
    t = 3.0 - r1 * half
    e = square * divide(r1 - t, 6.0 - r * t)
    e = (r * (e - c) - c) - square
    near = power_of_two(k) * ((1.0 - power_of_two(-k)) - (e - r))
    far = where(x < 0.0, -1.0, exponential(x))
    return where(abs(x) < 40.0, near, far)


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


def inverse_hyperbolic_sine(x: Number) -> Number:
    """Return the number whose hyperbolic sine is x."""
    x = as_number(x)
    magnitude, square = abs(x), x * x
    near = logarithm_of_one_plus(magnitude + square / (1.0 + square_root(square + 1.0)))
    inverse = where(magnitude < 1e150, near, logarithm(magnitude) + _LOGARITHM_OF_2)
    return where(magnitude < 1e-8, x, where(x < 0.0, -inverse, inverse))


def inverse_hyperbolic_cosine(x: Number) -> Number:
    """Return the nonnegative number whose hyperbolic cosine is x; nan below 1."""
    x = as_number(x)
    above = x - 1.0
    near = logarithm_of_one_plus(above + square_root(above * (x + 1.0)))
    return where(x < 1.0, math.nan, where(x < 1e150, near, logarithm(x) + _LOGARITHM_OF_2))


def inverse_hyperbolic_tangent(x: Number) -> Number:
    """Return the number whose hyperbolic tangent is x; infinite for ±1, nan beyond."""
    x = as_number(x)
    magnitude = abs(x)
    half = 0.5 * logarithm_of_one_plus(divide(2.0 * magnitude, 1.0 - magnitude))
    return where(magnitude < 1e-8, x, where(x < 0.0, -half, half))


def error_function(x: Number) -> Number:
    """Return 2/√π times the integral of exp(−s²) from 0 to x, by Kummer's series, to 2e-15."""
    x = as_number(x)
    within = where(abs(x) < 6.0, x, 0.0)
    twice = 2.0 * within * within
    total: Number = 1.0
    for n in range(150, 0, -1):
        total = 1.0 + twice * total * (1.0 / (2 * n + 1))
    near = 2.0 / math.sqrt(math.pi) * within * exponential(-0.5 * twice) * total
    return where(abs(x) < 6.0, near, where(x < 0.0, -1.0, where(x > 0.0, 1.0, x)))
