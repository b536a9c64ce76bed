"""What a processor does with floats and Python refuses or spells otherwise: x / 0, √-1, bits.

Printed programs and the elementary functions call these where they run in plain Python.
"""

from __future__ import annotations

import math


def divide(a: float, b: float) -> float:
    """Return a / b as IEEE 754 has it: infinite or nan where b is zero.

    Parameters
    ----------
    a, b : float

    Returns
    -------
    float
    """
    if b:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def square_root(a: float) -> float:
    """Return √a; nan of a negative number.

    Parameters
    ----------
    a : float

    Returns
    -------
    float
    """
    return math.nan if a < 0 else math.sqrt(a)


def floor(a: float) -> float:
    """Return the largest whole number that is not greater; infinities and nan as they are.

    Parameters
    ----------
    a : float

    Returns
    -------
    float
    """
    return math.copysign(float(math.floor(a)), a) if abs(a) < 2.0**52 else a


def power_of_two(k: float) -> float:
    """Return 2ᵏ.

    Parameters
    ----------
    k : float
        Whole, from -1022 to 1023; of any other the result has no meaning.

    Returns
    -------
    float
    """
    return math.ldexp(1.0, int(k)) if -1023 < k < 1024 else math.nan


def exponent(a: float) -> float:
    """Return the whole number e of ``|a| = m 2ᵉ`` with 1 ≤ m < 2.

    Parameters
    ----------
    a : float
        Neither zero nor subnormal nor infinite; of any other the result has no meaning.

    Returns
    -------
    float
    """
    return float(math.frexp(a)[1] - 1)


def mantissa(a: float) -> float:
    """Return m of ``|a| = m 2ᵉ`` with 1 ≤ m < 2.

    Parameters
    ----------
    a : float
        Neither zero nor subnormal nor infinite; of any other the result has no meaning.

    Returns
    -------
    float
    """
    return abs(2.0 * math.frexp(a)[0])
