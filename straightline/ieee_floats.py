"""IEEE 754 operations that Python lacks or that raise: x / 0, √-1, exponents.

The elementary functions call them with known numbers.
"""

from __future__ import annotations

import math


def divide(a: float, b: float) -> float:
    """Return a / b by IEEE 754: infinite or nan where b is zero."""
    if b:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def square_root(a: float) -> float:
    """Return √a; nan of a negative number."""
    return math.nan if a < 0 else math.sqrt(a)


def floor(a: float) -> float:
    """Return the largest whole number that is not greater; infinities and nan unchanged."""
    return math.copysign(float(math.floor(a)), a) if abs(a) < 2.0**52 else a


def power_of_two(k: float) -> float:
    """Return 2ᵏ of a whole k from -1022 to 1023; otherwise the result is meaningless."""
    return math.ldexp(1.0, int(k)) if -1023 < k < 1024 else math.nan


def exponent(a: float) -> float:
    """Return the whole number e of ``|a| = m 2ᵉ`` with 1 ≤ m < 2, for normal a."""
    return float(math.frexp(a)[1] - 1)


def mantissa(a: float) -> float:
    """Return m of ``|a| = m 2ᵉ`` with 1 ≤ m < 2, for normal a."""
    return abs(2.0 * math.frexp(a)[0])
