"""Arctangent, arcsine and arccosine as formulas: one text for floats and unknown numbers.

Every machine that runs them finds the same bits. The polynomials are those of
fdlibm :cite:p:`SunMicrosystems1993`.
"""

from __future__ import annotations

import math

from straightline.assignments import Number, where
from straightline.operations import divide, first_half, number, polynomial, square_root

_PI_LOW = 1.2246467991473532e-16  # what is missing to π
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


def _of_tangent(a: Number) -> Number:
    """Return the angle between 0 and π/2 with a given tangent, by that to one of five angles."""
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
    rests = 0.0, 2.26987774529616870924e-17, _PI_LOW / 4, 1.39033110312309984516e-17, _PI_LOW / 2
    return choose(*angles) - ((r * (z * even + w * odd) - choose(*rests)) - r)


def arctangent(x: Number) -> Number:
    """Return the angle between -π/2 and π/2 with a given tangent.

    Parameters
    ----------
    x : float or Unknown

    Returns
    -------
    float or Unknown
        [rad]
    """
    x = number(x)
    angle = _of_tangent(abs(x))
    return where(x < 0.0, -angle, where(x > 0.0, angle, x))


def _on_an_axis(y: Number, x: Number) -> Number:
    """Return the angle of a point where y is zero or both are infinite; zeros have signs."""
    left, below = (x < 0.0) | (divide(1.0, x) < 0.0), (y < 0.0) | (divide(1.0, y) < 0.0)
    flat = where(left, math.pi, where(x >= 0.0, 0.0, math.nan))
    diagonal = where(left, 0.75 * math.pi, where(x > 0.0, 0.25 * math.pi, math.nan))
    angle = where(abs(y) > 0.0, diagonal, where(y >= 0.0, flat, math.nan))
    return where(below, -angle, angle)


def arctangent2(y: Number, x: Number) -> Number:
    """Return the angle from the x axis to the point (x, y), between -π and π.

    Parameters
    ----------
    y, x : float or Unknown

    Returns
    -------
    float or Unknown
        [rad]
    """
    y, x = number(y), number(x)
    angle = _of_tangent(abs(divide(y, x)))
    turned = where(x < 0.0, math.pi - (angle - _PI_LOW), angle)
    common = (abs(y) > 0.0) & ((abs(y) < math.inf) | (abs(x) < math.inf))
    return where(common, where(y < 0.0, -turned, turned), _on_an_axis(y, x))


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


def _arcsine_parts(size: Number) -> tuple[Number, Number, Number]:
    """Return r of arcsin a = a + a r for small a; of large a, that of s and s in two parts.

    Where a is above 1/2, arcsin a = π/2 - 2 arcsin s with s = √((1 - a) / 2).
    """
    square = where(size < 0.5, size * size, (1.0 - size) * 0.5)
    r = square * polynomial(_TOP, square) / polynomial(_BOTTOM, square)
    root = square_root(square)
    first = first_half(root)
    rest = (square - first * first) / where(root > 0.0, root + first, 1.0)
    return r, first, rest + root * r


def arcsine(x: Number) -> Number:
    """Return the angle between -π/2 and π/2 with a given sine.

    Parameters
    ----------
    x : float or Unknown

    Returns
    -------
    float or Unknown
        [rad]; nan beyond 1.
    """
    x = number(x)
    r, first, rest = _arcsine_parts(abs(x))
    large = math.pi / 4 - ((2.0 * rest - 0.5 * _PI_LOW) - (math.pi / 4 - 2.0 * first))
    return where(abs(x) < 0.5, x + x * r, where(x < 0.0, -large, large))


def arccosine(x: Number) -> Number:
    """Return the angle between 0 and π with a given cosine.

    Parameters
    ----------
    x : float or Unknown

    Returns
    -------
    float or Unknown
        [rad]; nan beyond 1.
    """
    x = number(x)
    r, first, rest = _arcsine_parts(abs(x))
    small = math.pi / 2 - (x - (0.5 * _PI_LOW - x * r))
    half = first + where(x < 0.0, rest - 0.5 * _PI_LOW, rest)
    return where(abs(x) < 0.5, small, where(x < 0.0, math.pi - 2.0 * half, 2.0 * half))
