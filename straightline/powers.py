"""Exponential, logarithms, and powers, for floats and for unknown numbers.

The same operations run everywhere, so all computers get the same bits. The polynomials are those
of fdlibm :cite:p:`SunMicrosystems1993`.
"""

from __future__ import annotations

import math

from straightline.assignments import Number, where
from straightline.operations import (
    as_number,
    divide,
    exponent,
    floor,
    is_known,
    leading_bits,
    mantissa,
    nearest,
    polynomial,
    power_of_two,
    scaled,
    square_root,
)

_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_SMALLEST_NORMAL = 2.0**-1022


def reduced_exponential(x: Number) -> tuple[Number, Number]:
    """Return a number between 0.7 and 1.42 and the whole k with eˣ = number · 2ᵏ."""
    k = nearest(x * 1.44269504088896338700)
    high, low = x - k * _LN2_HIGH, k * _LN2_LOW
    r = high - low
    z = r * r
    z2 = z * z
    c = r - z * (
        (1.66666666666666019037e-01 - 2.77777777770155933842e-03 * z)
        + z2
        * (
            (6.61375632143793436117e-05 - 1.65339022054652515390e-06 * z)
            + z2 * 4.13813679705723846039e-08
        )
    )
    return 1.0 - ((low - divide(r * c, 2.0 - c)) - high), k


def exponential(x: Number) -> Number:
    """Return eˣ."""
    x = as_number(x)
    value, k = reduced_exponential(x)
    finite = where(x < -745.2, 0.0, scaled(value, k))
    extreme = where(x > 709.8, math.inf, finite)
    return where(abs(x) < 708.0, value * power_of_two(k), extreme)


def _exponent_and_mantissa(x: Number) -> tuple[Number, Number]:
    """Return e and 1 ≤ m < 2 of a positive x = m 2ᵉ, even if it is subnormal."""
    subnormal = x < _SMALLEST_NORMAL
    normal = where(subnormal, x * 2.0**54, x)
    return exponent(normal) - where(subnormal, 54.0, 0.0), mantissa(normal)


def _with_special_values(x: Number, value: Number) -> Number:
    """Return a logarithm for positive x, and its special values for all others."""
    special = where(x > 0.0, x, where(x >= 0.0, -math.inf, math.nan))
    return where((x > 0.0) & (x < math.inf), value, special)


def logarithm(x: Number) -> Number:
    """Return the natural logarithm; nan of a negative number."""
    x = as_number(x)
    e, m = _exponent_and_mantissa(x)
    large = m > 1.4142135623730951
    e, f = where(large, e + 1.0, e), where(large, m * 0.5, m) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    even = w * (
        3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01)
    )
    odd = z * (
        (6.666666666666735130e-01 + w * 2.857142874366239149e-01)
        + (w * w) * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)
    )
    half = 0.5 * f * f
    value = e * _LN2_HIGH - ((half - (s * (half + (even + odd)) + e * _LN2_LOW)) - f)
    return _with_special_values(x, value)


_LOGARITHM = (
    5.99999999999994648725e-01,
    4.28571428578550184252e-01,
    3.33333329818377432918e-01,
    2.72728123808534006489e-01,
    2.30660745775561754067e-01,
    2.06975017800338417784e-01,
)
_SCALE, _SCALE_HIGH, _SCALE_LOW = (
    0.9617966939259756,
    9.61796700954437255859e-01,
    -7.02846165095275826516e-09,
)


def _binary_logarithm(x: Number) -> tuple[Number, Number]:
    """Return the first 26 bits of the base-2 logarithm of a positive number, and the rest."""
    e, m = _exponent_and_mantissa(x)
    middle, large = m > 1.224744871391589, m > 1.7320508075688772
    e, m = where(large, e + 1.0, e), where(large, m * 0.5, m)

    def choose(value: float, otherwise: float) -> Number:
        return where(large, otherwise, where(middle, value, otherwise))

    base = choose(1.5, 1.0)
    u, v = m - base, 1.0 / (m + base)
    s = u * v
    s_high, bottom = leading_bits(s), leading_bits(m + base)
    s_low = v * ((u - s_high * bottom) - s_high * (m - (bottom - base)))
    z = s * s
    r = z * z * polynomial(_LOGARITHM, z) + s_low * (s_high + s)
    square = s_high * s_high
    t_high = leading_bits(3.0 + square + r)
    t_low = r - ((t_high - 3.0) - square)
    u, v = s_high * t_high, s_low * t_high + t_low * s
    p_high = leading_bits(u + v)
    p_low = v - (p_high - u)
    high = _SCALE_HIGH * p_high
    low = _SCALE_LOW * p_high + p_low * _SCALE + choose(1.35003920212974897128e-08, 0.0)
    offset = choose(5.84962487220764160156e-01, 0.0)
    first = leading_bits(((high + low) + offset) + e)
    return first, low - (((first - e) - offset) - high)


_EXPONENTIAL = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)


def _power_of_two(high: Number, low: Number) -> Number:
    """Return 2 to the power of a sum whose first term is a product of two 26-bit numbers."""
    total = high + low
    n = nearest(total)
    high = high - n
    t = leading_bits(high + low)
    u = t * 6.93147182464599609375e-01
    v = (low - (t - high)) * 6.93147180559945286227e-01 + t * -1.90465429995776804525e-09
    z = u + v
    w = v - (z - u)
    square = z * z
    t1 = z - square * polynomial(_EXPONENTIAL, square)
    value = 1.0 - ((divide(z * t1, t1 - 2.0) - (w + z * w)) - z)
    finite = where(total < -1080.0, 0.0, scaled(value, n))
    extreme = where(total > 1030.0, math.inf, finite)
    return where(abs(total) < 1020.0, value * power_of_two(n), extreme)


def general_power(x: Number, y: Number) -> Number:
    """Return x to any power y; nan where that is complex."""
    x, y = as_number(x), as_number(y)
    magnitude = abs(x)
    high, low = _binary_logarithm(magnitude)
    y_first = leading_bits(y)
    common = _power_of_two(y_first * high, (y - y_first) * high + y * low)
    at_zero = where(y > 0.0, 0.0, where(y < 0.0, math.inf, 1.0 + y))
    at_infinity = where(magnitude > 0.0, divide(1.0, at_zero), at_zero)
    value = where((magnitude > 0.0) & (magnitude < math.inf), common, at_infinity)
    signed = where(floor(0.5 * y) >= 0.5 * y, value, -value)
    return where(x < 0.0, where(floor(y) >= y, signed, math.nan), value)


def _whole_power(x: Number, n: int) -> Number:
    """Return x to a positive whole power, by repeated squaring."""
    result = None
    while n:
        if n % 2:
            result = x if result is None else result * x
        n //= 2
        if n:
            x = x * x
    return result  # type: ignore[return-value]  # n is positive


def _half_whole_power(x: Number, twice: int) -> Number:
    """Return x to a whole multiple of 1/2."""
    if twice < 0:
        return divide(1.0, _half_whole_power(x, -twice))
    whole = _whole_power(x, twice // 2)
    if twice % 2 == 0:
        return 1.0 if whole is None else whole
    return square_root(x) if whole is None else whole * square_root(x)


def power(x: Number, y: Number) -> Number:
    """Return x to the power y; nan where that is complex.

    A known y up to 16 in magnitude that is a multiple of 1/2 becomes products and a square root.
    """
    x, y = as_number(x), as_number(y)
    if is_known(y) and abs(y) <= 16 and (2 * y).is_integer():
        return _half_whole_power(x, round(2 * y))
    return general_power(x, y)
