"""Operations on floats and unknown numbers alike.

The elementary functions and the linear solvers are written in terms of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from straightline import ieee_floats as floats
from straightline.assignments import Number, Truth, Unknown, where

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_ROUND = 6755399441055744.0  # 1.5 · 2⁵²: adding it rounds to the nearest whole number


def is_known(value: Number) -> TypeIs[float]:
    """Whether a number is known during tracing."""
    return not isinstance(value, Unknown)


def as_number(value: Number) -> Number:
    """Return an unknown unchanged, and a known number as a float."""
    return value if isinstance(value, Unknown) else float(value)


def divide(a: Number, b: Number) -> Number:
    """Return a / b; infinite or nan where b is zero."""
    return floats.divide(a, b) if is_known(a) and is_known(b) else a / b


def square_root(a: Number) -> Number:
    """Return √a; nan of a negative number."""
    return floats.square_root(a) if is_known(a) else a.sqrt()


def floor(a: Number) -> Number:
    """Return the largest whole number that is not greater."""
    return floats.floor(a) if is_known(a) else a.floor()


def nearest(a: Number) -> Number:
    """Return the nearest whole number, ties to even, for ``|a| < 2⁵¹``."""
    return (a + _ROUND) - _ROUND


def equal(a: Number, b: float) -> Truth:
    """Return whether a number equals a known one, as a bool or a Condition."""
    return a == b if is_known(a) else a.condition("eq", b)


def _bit_operation(operation: str, a: Number) -> Number:
    """Return the result of an operation on a float's bits."""
    if is_known(a):
        value: float = getattr(floats, operation)(a)
        return value
    return a.assignments.unknown(operation, a.node_index)


def power_of_two(k: Number) -> Number:
    """Return 2ᵏ of a whole k from -1022 to 1023."""
    return _bit_operation("power_of_two", k)


def exponent(a: Number) -> Number:
    """Return the whole number e of ``|a| = m 2ᵉ`` with 1 ≤ m < 2, for normal a."""
    return _bit_operation("exponent", a)


def mantissa(a: Number) -> Number:
    """Return m of ``|a| = m 2ᵉ`` with 1 ≤ m < 2, for normal a."""
    return _bit_operation("mantissa", a)


def scaled(value: Number, k: Number) -> Number:
    """Return value · 2ᵏ, rounded once, for whole k from -2044 to 2046."""
    half = nearest(0.5 * k)  # in two steps, because 2¹⁰²⁴ and 2⁻¹⁰⁷⁴ are not normal floats
    return (value * power_of_two(half)) * power_of_two(k - half)


def leading_bits(a: Number) -> Number:
    """Return the first 26 bits of a number of magnitude below 10³⁰⁰; their products are exact.

    References
    ----------
    :cite:p:`Dekker1971`, section 5.
    """
    wide = a * 134217729.0
    return wide - (wide - a)


def remainder(x: Number, y: Number) -> Number:
    """Return Python's x % y, with the sign of y; nan for y = 0.

    The quotient is rounded, so its floor may be one too large; the remainder is computed exactly,
    which reveals that. The result is exact while x / y is below 2⁵².
    """
    x, y = as_number(x), as_number(y)
    larger, smaller = abs(x), abs(y)
    # between these bounds, partial products neither overflow nor underflow
    scale = where(larger > 1e290, 2.0**-60, where(larger < 1e-250, 2.0**150, 1.0))
    a, b = larger * scale, smaller * scale
    count = floor(divide(a, b))
    product, c, d = count * b, leading_bits(count), leading_bits(b)
    low_parts = count - c, b - d
    error = ((c * d - product) + c * low_parts[1] + low_parts[0] * d) + low_parts[0] * low_parts[1]
    result = (a - product) - error
    result = where(result < 0.0, result + b, where(result >= b, result - b, result))
    result = where(larger < smaller, larger, result * divide(1.0, scale))
    result = where(x < 0.0, -result, result)
    signed = where(y < 0.0, -0.0, 0.0)
    same_sign = ((result > 0.0) & (y > 0.0)) | ((result < 0.0) & (y < 0.0))
    return where(same_sign, result, where(equal(result, 0.0), signed, result + y))


def polynomial(coefficients: tuple[float, ...], x: Number) -> Number:
    """Return a polynomial, constant coefficient first, by pairs of terms (Estrin's scheme)."""
    terms: list[Number] = list(coefficients)
    while len(terms) > 1:
        pairs = [a + b * x for a, b in zip(terms[::2], terms[1::2])]
        terms = pairs + terms[len(terms) - len(terms) % 2 :]
        x = x * x
    return terms[0]


def maximum(a: Number, b: Number) -> Number:
    """Return the larger of two numbers; nan if either is nan."""
    return where(a >= b, a, where(a < b, b, a + b))


def minimum(a: Number, b: Number) -> Number:
    """Return the smaller of two numbers; nan if either is nan."""
    return where(a <= b, a, where(a > b, b, a + b))
