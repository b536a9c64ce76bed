"""The functions of an angle that stand in exp, dexp and dexp⁻¹, accurate to rounding.

Plain formulas, compiled as they stand; ``lie`` puts them together, and chapter 8 plots what happens
without the series.
"""

from __future__ import annotations

import math
from fractions import Fraction

#: Below this angle [rad] differences of nearly equal numbers give way to power series.
SMALL = 1.0
_TERMS = 12


def _factorial_series(first: int) -> tuple[float, ...]:
    """Return the coefficients of Σ (-1)^k θ^2k / (2k + first)! in powers of θ²."""
    return tuple((-1) ** k / math.factorial(2 * k + first) for k in range(_TERMS))


def _bernoulli_series() -> tuple[float, ...]:
    """Return the coefficients |B_2k| / (2k)! of (1 - θ/2 cot θ/2) / θ² in powers of θ²."""
    bernoulli = [Fraction(1)]
    for n in range(1, 2 * _TERMS + 3):
        total = sum((math.comb(n + 1, k) * b for k, b in enumerate(bernoulli)), Fraction(0))
        bernoulli.append(-total / (n + 1))
    terms = range(1, _TERMS + 2)
    return tuple(float(abs(bernoulli[2 * k]) / math.factorial(2 * k)) for k in terms)


def _slope_series(coefficients: tuple[float, ...]) -> tuple[float, ...]:
    """Return the coefficients of the derivative of Σ c_k θ^2k, divided by θ."""
    return tuple(2 * k * value for k, value in enumerate(coefficients))[1:]


# The series of b, c and d, and of their slopes, as coefficients of 1, θ², θ⁴, ...
B, C, D = _factorial_series(2), _factorial_series(3), _bernoulli_series()
B_SLOPE, C_SLOPE, D_SLOPE = _slope_series(B), _slope_series(C), _slope_series(D)


# Compiled functions start here: they need nothing but ``math`` and the names above.
def polynomial(coefficients: tuple[float, ...], square: float) -> float:
    """Return the sum of coefficients times powers of a square."""
    total = 0.0
    for i in range(len(coefficients) - 1, -1, -1):
        total = total * square + coefficients[i]
    return total


def exp_a(angle: float) -> float:
    """Return sin θ / θ."""
    return math.sin(angle) / angle if angle > 0.0 else 1.0


def exp_b(angle: float) -> float:
    """Return (1 - cos θ) / θ²."""
    return 2 * (math.sin(angle / 2) / angle) ** 2 if angle > 0.0 else 0.5


def exp_c(angle: float) -> float:
    """Return (θ - sin θ) / θ³."""
    if angle < SMALL:
        return polynomial(C, angle**2)
    return (angle - math.sin(angle)) / angle**3


def exp_b_slope(angle: float) -> float:
    """Return b'(θ) / θ."""
    if angle < SMALL:
        return polynomial(B_SLOPE, angle**2)
    return (angle * math.sin(angle) - 2 * (1 - math.cos(angle))) / angle**4


def exp_c_slope(angle: float) -> float:
    """Return c'(θ) / θ."""
    if angle < SMALL:
        return polynomial(C_SLOPE, angle**2)
    return (3 * math.sin(angle) - angle * (2 + math.cos(angle))) / angle**5


def inverse_d(angle: float) -> float:
    """Return d = (1 - θ/2 cot θ/2) / θ²; there is none from 2π on."""
    if angle < SMALL:
        return polynomial(D, angle**2)
    if angle >= 2 * math.pi:
        return math.nan
    return (1 - angle / 2 / math.tan(angle / 2)) / angle**2


def inverse_d_slope(angle: float) -> float:
    """Return d'(θ) / θ."""
    if angle < SMALL:
        return polynomial(D_SLOPE, angle**2)
    cotangent = 1 / math.tan(angle / 2)
    slope = -2 / angle**4 + cotangent / (2 * angle**3)
    return slope + 1 / (2 * angle * math.sin(angle / 2)) ** 2
