"""Exponential, logarithm, powers and what is made of them, as formulas for floats and unknowns.

Every machine that runs them finds the same bits. The polynomials are those of fdlibm.
"""

from __future__ import annotations

import math
from typing import Any

from tutlib.programs.assignments import where
from tutlib.programs.operations import (
    divide,
    exponent,
    known,
    mantissa,
    nearest,
    number,
    power_of_two,
    square_root,
)

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_LARGEST_EXPONENT, _SMALLEST_EXPONENT = 709.782712893384, -745.1332191019412


def scaled(value: Any, k: Any) -> Any:
    """Return value · 2ᵏ for whole k, rounded once: in two steps, for 2¹⁰²⁴ is no float.

    Parameters
    ----------
    value : float or Unknown
    k : float or Unknown
        Between -2044 and 2046.

    Returns
    -------
    float or Unknown
    """
    half = nearest(0.5 * k)
    return (value * power_of_two(half)) * power_of_two(k - half)


def exponential(x: Any) -> Any:
    """Return e to a power.

    Parameters
    ----------
    x : float or Unknown

    Returns
    -------
    float or Unknown
    """
    x = number(x)
    k = nearest(x * 1.44269504088896338700)
    high, low = x - k * _LN2_HIGH, k * _LN2_LOW
    r = high - low
    z = r * r
    c = r - z * (
        (1.66666666666666019037e-01 - 2.77777777770155933842e-03 * z)
        + (z * z)
        * (
            (6.61375632143793436117e-05 - 1.65339022054652515390e-06 * z)
            + (z * z) * 4.13813679705723846039e-08
        )
    )
    value = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    finite = where(x < _SMALLEST_EXPONENT, 0.0, scaled(value, k))
    extreme = where(x > _LARGEST_EXPONENT, math.inf, finite)
    return where(abs(x) < 708.0, value * power_of_two(k), extreme)


def logarithm(x: Any) -> Any:
    """Return the natural logarithm; nan of a negative number.

    Parameters
    ----------
    x : float or Unknown

    Returns
    -------
    float or Unknown
    """
    x = number(x)
    subnormal = x < 2.2250738585072014e-308
    normal = where(subnormal, x * 2.0**54, x)
    e, m = exponent(normal), mantissa(normal)
    large = m > 1.4142135623730951
    e = where(large, e + 1.0, e) - where(subnormal, 54.0, 0.0)
    f = where(large, m * 0.5, m) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    t1 = w * (
        3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01)
    )
    t2 = z * (
        (6.666666666666735130e-01 + w * 2.857142874366239149e-01)
        + (w * w) * (1.818357216161805012e-01 + w * 1.479819860518658591e-01)
    )
    half = 0.5 * f * f
    value = e * _LN2_HIGH - ((half - (s * (half + (t1 + t2)) + e * _LN2_LOW)) - f)
    special = where(x > 0.0, x, where(x >= 0.0, -math.inf, math.nan))
    return where((x > 0.0) & (x < math.inf), value, special)


def _whole_power(x: Any, n: int) -> Any:
    """Return x to a positive whole power, by repeated squaring."""
    result = None
    while True:
        if n % 2:
            result = x if result is None else result * x
        n //= 2
        if not n:
            return result
        x = x * x


def power(x: Any, y: Any) -> Any:
    """Return x to the power y; nan where that is complex.

    Parameters
    ----------
    x, y : float or Unknown

    Returns
    -------
    float or Unknown
        Of a known half-whole y up to 16 in size, made of products and a square root.
    """
    if known(y) and abs(y) <= 16 and float(2 * y).is_integer():
        if y == 0:
            return 1.0
        twice = round(abs(2 * y))
        root = square_root(x) if twice % 2 else None
        value = _whole_power(x, twice // 2) if twice > 1 else 1.0
        value = value if root is None else value * root if twice > 1 else root
        return value if y > 0 else divide(1.0, value)
    return exponential(y * logarithm(x))


def cube_root(x: Any) -> Any:
    """Return the real cube root.

    Parameters
    ----------
    x : float or Unknown

    Returns
    -------
    float or Unknown
    """
    x = number(x)
    first = exponential(logarithm(abs(x)) / 3.0)
    better = first - (first - divide(abs(x), first * first)) / 3.0
    return where((x > 0.0) & (x < math.inf), better, where((x < 0.0) & (x > -math.inf), -better, x))


def hyperbolic_sine(x: Any) -> Any:
    """Return sinh x."""
    e = exponential(number(x))
    return 0.5 * (e - divide(1.0, e))


def hyperbolic_cosine(x: Any) -> Any:
    """Return cosh x."""
    e = exponential(number(x))
    return 0.5 * (e + divide(1.0, e))


def hyperbolic_tangent(x: Any) -> Any:
    """Return tanh x."""
    x = number(x)
    e = exponential(2.0 * where(abs(x) < 20.0, x, where(x > 0.0, 20.0, -20.0)))
    return (e - 1.0) / (e + 1.0)
