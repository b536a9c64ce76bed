"""sin and cos without a branch or a call, for compiled right-hand sides.

A compiler computes several of them at once, and those of one angle together; the library's own it
must call one by one. Chapters 2 and 3 owe their speed to it in part.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from numba import njit

#: A float of this size is 0.1 rad from the next one: it has no sine worth the name.
LARGEST = 1e15
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to the nearest whole number

_inlined: Callable[[Any], Any] = njit(fastmath={"contract"})


@_inlined
def _nearest(a: Any) -> Any:  # pragma: no cover
    return (a + _ROUND) - _ROUND


@_inlined
def _quarter_turns(a: Any) -> Any:  # pragma: no cover
    """Return sin and cos of what is left of the nearest multiple of π/2, its parity and its sign.

    The polynomials are those of fdlibm, good to one unit in the last place on [-π/4, π/4].
    """
    a = a if abs(a) < LARGEST else math.nan
    k = _nearest(a * 0.6366197723675814)
    # π/2 in parts of 33 bits, so that k times a part is exact for |a| < 10⁶
    r = ((a - k * 1.5707963267341256) - k * 6.077100506303966e-11) - k * 2.0222662487111665e-21
    z = r * r
    z2 = z * z
    # in pairs rather than by Horner's rule: no product waits for all those before it
    sine_of_rest = r + r * z * (
        (-1.66666666666666324348e-01 + 8.33333333332248946124e-03 * z)
        + z2 * (-1.98412698298579493134e-04 + 2.75573137070700676789e-06 * z)
        + z2 * z2 * (-2.50507602534068634195e-08 + 1.58969099521155010221e-10 * z)
    )
    cosine_of_rest = (1.0 - 0.5 * z) + z2 * (
        (4.16666666666666019037e-02 - 1.38888888888741095749e-03 * z)
        + z2 * (2.48015872894767294178e-05 - 2.75573143513906633035e-07 * z)
        + z2 * z2 * (2.08757232129817482790e-09 - 1.13596475577881948265e-11 * z)
    )
    half = _nearest(0.5 * k - 0.25)
    odd = k - 2.0 * half
    sign = 1.0 - 2.0 * (half - 2.0 * _nearest(0.5 * half - 0.25))
    return sine_of_rest, cosine_of_rest, odd, sign


@_inlined
def sine(a: Any) -> Any:  # pragma: no cover
    """Return sin a, nan beyond `LARGEST`.

    Parameters
    ----------
    a : float
        Angle [rad].

    Returns
    -------
    float
        Right to one unit in the last place of 1, or of a where that is more.
    """
    s, c, odd, sign = _quarter_turns(a)
    return (s + odd * (c - s)) * sign


@_inlined
def cosine(a: Any) -> Any:  # pragma: no cover
    """Return cos a, nan beyond `LARGEST`.

    Parameters
    ----------
    a : float
        Angle [rad].

    Returns
    -------
    float
        Right to one unit in the last place of 1, or of a where that is more.
    """
    s, c, odd, sign = _quarter_turns(a)
    return (c + odd * (s - c)) * sign * (1.0 - 2.0 * odd)
