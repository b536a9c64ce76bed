"""Arctangent, arcsine, and arccosine, for floats and for unknown numbers.

The same operations run everywhere, so all computers get the same bits. The polynomials are those
of fdlibm :cite:p:`SunMicrosystems1993`.
"""

from __future__ import annotations

import math

from straightline.assignments import Number, where
from straightline.operations import as_number, divide, leading_bits, polynomial, square_root

_PI_LOW = 1.2246467991473532e-16  # π minus the float π
_ARCTANGENT = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)


def _angle_of_tangent(a: Number) -> Number:
    """Return the angle between 0 and π/2 with a given tangent, relative to one of five angles."""
    first, second, third, last = a < 0.4375, a < 0.6875, a < 1.1875, a >= 2.4375

    def choose(*values: Number) -> Number:
        beyond = where(third, values[2], where(last, values[4], values[3]))
        return where(first, values[0], where(second, values[1], beyond))

    top = choose(a, 2.0 * a - 1.0, a - 1.0, a - 1.5, -1.0)
    r = top / choose(1.0, 2.0 + a, a + 1.0, 1.0 + 1.5 * a, a)
    z = r * r
    w = z * z
    odd, even = polynomial(_ARCTANGENT[1::2], w), polynomial(_ARCTANGENT[::2], w)
    angles = 0.0, 0.4636476090008061, math.pi / 4, 0.982793723247329, math.pi / 2
    low_parts = (
        0.0,
        2.26987774529616870924e-17,
        _PI_LOW / 4,
        1.39033110312309984516e-17,
        _PI_LOW / 2,
    )
    return choose(*angles) - ((r * (z * even + w * odd) - choose(*low_parts)) - r)


def arctangent(x: Number) -> Number:
    """Return the angle between -π/2 and π/2 [rad] with a given tangent."""
    x = as_number(x)
    angle = _angle_of_tangent(abs(x))
    return where(x < 0.0, -angle, where(x > 0.0, angle, x))


def _special_angle(y: Number, x: Number) -> Number:
    """Return the angle of a point with y = 0 or two infinite coordinates; zeros have signs."""
    left, below = (x < 0.0) | (divide(1.0, x) < 0.0), (y < 0.0) | (divide(1.0, y) < 0.0)
    flat = where(left, math.pi, where(x >= 0.0, 0.0, math.nan))
    diagonal = where(left, 0.75 * math.pi, where(x > 0.0, 0.25 * math.pi, math.nan))
    angle = where(abs(y) > 0.0, diagonal, where(y >= 0.0, flat, math.nan))
    return where(below, -angle, angle)


def arctangent2(y: Number, x: Number) -> Number:
    """Return the angle from the x axis to the point (x, y), between -π and π [rad]."""
    y, x = as_number(y), as_number(x)
    angle = _angle_of_tangent(abs(divide(y, x)))
    upper_angle = where(x < 0.0, math.pi - (angle - _PI_LOW), angle)
    common = (abs(y) > 0.0) & ((abs(y) < math.inf) | (abs(x) < math.inf))
    return where(common, where(y < 0.0, -upper_angle, upper_angle), _special_angle(y, x))


_TOP = (
    1.66666666666666657415e-01,
    -3.25565818622400915405e-01,
    2.01212532134862925881e-01,
    -4.00555345006794114027e-02,
    7.91534994289814532176e-04,
    3.47933107596021167570e-05,
)
_BOTTOM = (
    1.0,
    -2.40339491173441421878e00,
    2.02094576023350569471e00,
    -6.88283971605453293030e-01,
    7.70381505559019352791e-02,
)


def _arcsine_parts(magnitude: Number) -> tuple[Number, Number, Number]:
    """Return r of arcsin a = a + a r for small a; for large a, arcsin s and s in two parts.

    For a above 1/2, arcsin a = π/2 - 2 arcsin s with s = √((1 - a) / 2).
    """
    square = where(magnitude < 0.5, magnitude * magnitude, (1.0 - magnitude) * 0.5)
    r = square * polynomial(_TOP, square) / polynomial(_BOTTOM, square)
    root = square_root(square)
    high = leading_bits(root)
    low = (square - high * high) / where(root > 0.0, root + high, 1.0)
    return r, high, low + root * r


def arcsine(x: Number) -> Number:
    """Return the angle between -π/2 and π/2 [rad] with a given sine; nan beyond 1."""
    x = as_number(x)
    r, high, low = _arcsine_parts(abs(x))
    large = math.pi / 4 - ((2.0 * low - 0.5 * _PI_LOW) - (math.pi / 4 - 2.0 * high))
    return where(abs(x) < 0.5, x + x * r, where(x < 0.0, -large, large))


def arccosine(x: Number) -> Number:
    """Return the angle between 0 and π [rad] with a given cosine; nan beyond 1."""
    x = as_number(x)
    r, high, low = _arcsine_parts(abs(x))
    small = math.pi / 2 - (x - (0.5 * _PI_LOW - x * r))
    half = high + where(x < 0.0, low - 0.5 * _PI_LOW, low)
    return where(abs(x) < 0.5, small, where(x < 0.0, math.pi - 2.0 * half, 2.0 * half))
