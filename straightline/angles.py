"""Sine, cosine, and tangent, for floats and for unknown numbers.

The same operations run everywhere, so all computers get the same bits. The polynomials are those
of fdlibm :cite:p:`SunMicrosystems1993`.
"""

from __future__ import annotations

import math

from straightline.assignments import Number, where
from straightline.operations import (
    divide,
    floor,
    is_known,
    leading_bits,
    nearest,
)

#: The largest angle with a sine [rad]: floats of this magnitude are 0.1 rad apart.
LARGEST = 1e15
#: The largest angle [rad] that three constants reduce accurately by multiples of π/2.
NEAR = 4e5
# 2/π; its first 26 bits, and the rest
_TURNS, _TURNS_FIRST, _TURNS_REST = 0.6366197723675814, 0.6366197615861893, 1.0781392073056004e-08
# π/2 in parts of 35 bits, so that products with k of 18 bits are exact; and in parts of 26 bits
_NEAR_PARTS = 1.5707963267923333, 2.5633441515839558e-12, 1.0562999066987428e-23
_FAR_PARTS = (
    1.5707963109016418,
    1.5893254712295857e-08,
    6.123233601181349e-17,
    3.945554081778929e-24,
    8.478427566216846e-32,
    9.415205271428978e-40 + 1.1687494729364403e-47,
)


def _far_turns(angle: Number) -> Number:
    """Return the nearest multiple of π/2 in a large angle, from a product in two parts."""
    first = leading_bits(angle)
    product = first * _TURNS_FIRST
    whole = nearest(product)
    remainder = (angle - first) * _TURNS_FIRST + angle * _TURNS_REST
    return whole + nearest((product - whole) + remainder)


def _far_remainder(angle: Number, k: Number) -> Number:
    """Return angle - k π/2 of a large angle: k in two parts, π/2 in six, all products exact."""
    high = nearest(k * 2.0**-23) * 2.0**23
    low = k - high
    P = _FAR_PARTS
    first = (angle - high * P[0]) - (low * P[0] + high * P[1])
    part = low * P[1] + high * P[2]
    second = first - part
    error = (first - second) - part
    part = low * P[2] + high * P[3]
    third = second - part
    error = error + ((second - third) - part)
    return (third - ((low * P[3] + high * P[4]) - error)) - (low * P[4] + k * P[5])


def quarter_turns(angle: Number) -> tuple[Number, Number]:
    """Return the nearest whole number k of right angles in an angle, and angle - k π/2 [rad].

    The remainder is between -π/4 and π/4, and nan for angles beyond `LARGEST`.

    References
    ----------
    :cite:p:`CodyWaite1980`, chapter 8.
    """
    near, turns = abs(angle) < NEAR, nearest(angle * _TURNS)
    k = where(near, turns, _far_turns(angle))
    P = _NEAR_PARTS
    remainder = ((angle - turns * P[0]) - turns * P[1]) - turns * P[2]
    far = where(abs(angle) < LARGEST, _far_remainder(angle, k), math.nan)
    return k, where(near, remainder, far)


def sine_and_cosine(k: Number, remainder: Number) -> tuple[Number, Number]:
    """Return sine and cosine of k right angles plus a remainder between -π/4 and π/4 [rad]."""
    z = remainder * remainder
    z2 = z * z
    z4 = z2 * z2
    # terms in pairs, not Horner's rule, so that products do not wait for one another
    s = remainder + remainder * z * (
        (-1.66666666666666324348e-01 + 8.33333333332248946124e-03 * z)
        + z2 * (-1.98412698298579493134e-04 + 2.75573137070700676789e-06 * z)
        + z4 * (-2.50507602534068634195e-08 + 1.58969099521155010221e-10 * z)
    )
    half_square = 0.5 * z
    leading = 1.0 - half_square
    error = (1.0 - leading) - half_square
    c = leading + (
        error
        + z2
        * (
            (4.16666666666666019037e-02 - 1.38888888888741095749e-03 * z)
            + z2 * (2.48015872894767294178e-05 - 2.75573143513906633035e-07 * z)
            + z4 * (2.08757232129817482790e-09 - 1.13596475577881948265e-11 * z)
        )
    )
    half = floor(0.5 * k)
    odd = k - 2.0 * half > 0.5
    sign = 1.0 - 2.0 * (half - 2.0 * floor(0.5 * half))
    return where(odd, c, s) * sign, where(odd, -s, c) * sign


def sine(angle: Number) -> Number:
    """Return the sine of an angle [rad]; nan beyond `LARGEST`."""
    if is_known(angle):
        return sine_and_cosine(*quarter_turns(float(angle)))[0]
    return angle.assignments.unknown("sine", angle.node_index)


def cosine(angle: Number) -> Number:
    """Return the cosine of an angle [rad]; nan beyond `LARGEST`."""
    if is_known(angle):
        return sine_and_cosine(*quarter_turns(float(angle)))[1]
    return angle.assignments.unknown("cosine", angle.node_index)


def tangent(angle: Number) -> Number:
    """Return the tangent of an angle [rad]; nan beyond `LARGEST`."""
    return divide(sine(angle), cosine(angle))
