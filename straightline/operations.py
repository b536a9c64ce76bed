"""Operations that are written alike for floats and for unknown numbers.

The elementary functions and the solvers of linear equations are made of them, one text for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from straightline import ieee_floats as floats
from straightline.assignments import Number, Truth, Unknown, where

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_ROUND = 6755399441055744.0  # 1.5 · 2⁵²: adding it rounds to the nearest whole number


def known(value: Number) -> TypeIs[float]:
    """Return whether a number is known while a formula is written.

    Parameters
    ----------
    value : number

    Returns
    -------
    bool
    """
    return not isinstance(value, Unknown)


def number(value: Number) -> Number:
    """Return an unknown as it is, and any known number as a float.

    Parameters
    ----------
    value : number

    Returns
    -------
    float or Unknown
    """
    return value if isinstance(value, Unknown) else float(value)


def divide(a: Number, b: Number) -> Number:
    """Return a / b; infinite or nan where b is zero.

    Parameters
    ----------
    a, b : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return floats.divide(a, b) if known(a) and known(b) else a / b


def square_root(a: Number) -> Number:
    """Return √a; nan of a negative number.

    Parameters
    ----------
    a : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return floats.square_root(a) if known(a) else a.sqrt()


def floor(a: Number) -> Number:
    """Return the largest whole number that is not greater.

    Parameters
    ----------
    a : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return floats.floor(a) if known(a) else a.floor()


def nearest(a: Number) -> Number:
    """Return the nearest whole number, of two the even one, where ``|a| < 2⁵¹``.

    Parameters
    ----------
    a : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return (a + _ROUND) - _ROUND


def equal(a: Number, b: float) -> Truth:
    """Return whether a number equals a known one.

    Parameters
    ----------
    a : float or Unknown
    b : float

    Returns
    -------
    bool or Condition
    """
    return a == b if known(a) else a.condition("eq", b)


def _bits(operation: str, a: Number) -> Number:
    if known(a):
        value: float = getattr(floats, operation)(a)
        return value
    return a.assignments.unknown(operation, a.place)


def power_of_two(k: Number) -> Number:
    """Return 2ᵏ for a whole k from -1022 to 1023.

    Parameters
    ----------
    k : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return _bits("power_of_two", k)


def exponent(a: Number) -> Number:
    """Return the whole number e of ``|a| = m 2ᵉ`` with 1 ≤ m < 2.

    Parameters
    ----------
    a : float or Unknown
        Neither zero nor subnormal nor infinite.

    Returns
    -------
    float or Unknown
    """
    return _bits("exponent", a)


def mantissa(a: Number) -> Number:
    """Return m of ``|a| = m 2ᵉ`` with 1 ≤ m < 2.

    Parameters
    ----------
    a : float or Unknown
        Neither zero nor subnormal nor infinite.

    Returns
    -------
    float or Unknown
    """
    return _bits("mantissa", a)


def scaled(value: Number, k: Number) -> Number:
    """Return value · 2ᵏ, rounded once: in two steps, for neither 2¹⁰²⁴ nor 2⁻¹⁰⁷⁴ will do.

    Parameters
    ----------
    value : float or Unknown
    k : float or Unknown
        Whole, between -2044 and 2046.

    Returns
    -------
    float or Unknown
    """
    half = nearest(0.5 * k)
    return (value * power_of_two(half)) * power_of_two(k - half)


def first_half(a: Number) -> Number:
    """Return the first 26 bits of a number: products of two such are exact.

    Parameters
    ----------
    a : float or Unknown
        Below 10³⁰⁰ in size.

    Returns
    -------
    float or Unknown

    References
    ----------
    :cite:p:`Dekker1971`, section 5.
    """
    wide = a * 134217729.0
    return wide - (wide - a)


def remainder(x: Number, y: Number) -> Number:
    """Return what is left of x after a whole number of y, with the sign of y: Python's x % y.

    The whole number is that of a rounded quotient, and so may be one too large; what is left is
    computed without rounding, so that it shows. It is exact while x / y is below 2⁵².

    Parameters
    ----------
    x, y : float or Unknown
        Where Python raises, for y = 0, it is nan.

    Returns
    -------
    float or Unknown
    """
    x, y = number(x), number(y)
    larger, smaller = abs(x), abs(y)
    # products of halves neither overflow nor underflow between these bounds
    scale = where(larger > 1e290, 2.0**-60, where(larger < 1e-250, 2.0**150, 1.0))
    a, b = larger * scale, smaller * scale
    count = floor(divide(a, b))
    product, c, d = count * b, first_half(count), first_half(b)
    rest = count - c, b - d
    missing = ((c * d - product) + c * rest[1] + rest[0] * d) + rest[0] * rest[1]
    left = (a - product) - missing
    left = where(left < 0.0, left + b, where(left >= b, left - b, left))
    left = where(larger < smaller, larger, left * divide(1.0, scale))
    left = where(x < 0.0, -left, left)
    signed = where(y < 0.0, -0.0, 0.0)
    alike = ((left > 0.0) & (y > 0.0)) | ((left < 0.0) & (y < 0.0))
    return where(alike, left, where(equal(left, 0.0), signed, left + y))


def polynomial(coefficients: tuple[float, ...], x: Number) -> Number:
    """Return the sum of coefficients times powers of x.

    Two terms become one, and so on: no product waits for all those before it.

    Parameters
    ----------
    coefficients : tuple of float
        The constant one first.
    x : float or Unknown

    Returns
    -------
    float or Unknown
    """
    terms: list[Number] = list(coefficients)
    while len(terms) > 1:
        pairs = [a + b * x for a, b in zip(terms[::2], terms[1::2])]
        terms = pairs + terms[len(terms) - len(terms) % 2 :]
        x = x * x
    return terms[0]


def maximum(a: Number, b: Number) -> Number:
    """Return the larger of two numbers; nan if one is.

    Parameters
    ----------
    a, b : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return where(a >= b, a, where(a < b, b, a + b))


def minimum(a: Number, b: Number) -> Number:
    """Return the smaller of two numbers; nan if one is.

    Parameters
    ----------
    a, b : float or Unknown

    Returns
    -------
    float or Unknown
    """
    return where(a <= b, a, where(a > b, b, a + b))
