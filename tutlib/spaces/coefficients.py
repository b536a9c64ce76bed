"""Scalar functions of an angle in exp, dexp, and dexp⁻¹, accurate to rounding.

They accept floats and traced unknowns, and `lie` combines them. Chapter 8 plots the rounding errors
of the formulas without the series.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from straightline.assignments import Number, where
from straightline.operations import polynomial

#: Angle [rad] below which power series replace differences of nearly equal numbers.
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


# Series of b, c, and d, and of their derivatives, as coefficients of 1, θ², θ⁴, ...
B, C, D = _factorial_series(2), _factorial_series(3), _bernoulli_series()
B_SLOPE, C_SLOPE, D_SLOPE = _slope_series(B), _slope_series(C), _slope_series(D)


def _positive(angle: Number) -> Number:
    """Return an angle to divide by: 1 replaces zero, where the quotient is not used."""
    return where(angle > 0.0, angle, 1.0)


def _large(angle: Number) -> Number:
    """Return an angle to divide by: SMALL replaces small angles, which use the series."""
    return where(angle < SMALL, SMALL, angle)


def _series(coefficients: tuple[float, ...], angle: Number) -> Number:
    """Return a series in θ²; zero replaces large angles, which do not use the series."""
    near = where(angle < SMALL, angle, 0.0)
    return polynomial(coefficients, near * near)


def exp_a(angle: Number) -> Number:
    """Return sin θ / θ, in terms of the half angle, as b is.

    Parameters
    ----------
    angle : float or Unknown
        θ [rad], not negative.

    Returns
    -------
    float or Unknown
    """
    half: Any = angle / 2
    value: Number = np.sin(half) / _positive(half) * np.cos(half)
    return where(angle > 0.0, value, 1.0)


def exp_b(angle: Number) -> Number:
    """Return (1 - cos θ) / θ².

    Parameters
    ----------
    angle : float or Unknown
        θ [rad], not negative.

    Returns
    -------
    float or Unknown
    """
    half: Any = angle / 2
    quotient: Number = np.sin(half) / _positive(half)
    return where(angle > 0.0, quotient * quotient / 2, 0.5)


def exp_c(angle: Number) -> Number:
    """Return (θ - sin θ) / θ³.

    Parameters
    ----------
    angle : float or Unknown
        θ [rad], not negative.

    Returns
    -------
    float or Unknown
    """
    far: Any = _large(angle)
    value: Number = (far - np.sin(far)) / (far * far * far)
    return where(angle < SMALL, _series(C, angle), value)


def exp_b_slope(angle: Number) -> Number:
    """Return b'(θ) / θ.

    Parameters
    ----------
    angle : float or Unknown
        θ [rad], not negative.

    Returns
    -------
    float or Unknown
    """
    far: Any = _large(angle)
    value: Number = (far * np.sin(far) - 2 * (1 - np.cos(far))) / (far * far * far * far)
    return where(angle < SMALL, _series(B_SLOPE, angle), value)


def exp_c_slope(angle: Number) -> Number:
    """Return c'(θ) / θ.

    Parameters
    ----------
    angle : float or Unknown
        θ [rad], not negative.

    Returns
    -------
    float or Unknown
    """
    far: Any = _large(angle)
    value: Number = (3 * np.sin(far) - far * (2 + np.cos(far))) / (far * far * far * far * far)
    return where(angle < SMALL, _series(C_SLOPE, angle), value)


def inverse_d(angle: Number) -> Number:
    """Return d = (1 - θ/2 cot θ/2) / θ², which exists for angles below 2π.

    Parameters
    ----------
    angle : float or Unknown
        θ [rad], not negative.

    Returns
    -------
    float or Unknown
        nan from 2π on.
    """
    far: Any = _large(angle)
    half = far / 2
    value: Number = (1 - half * np.cos(half) / np.sin(half)) / (far * far)
    value = where(angle < 2 * math.pi, value, math.nan)
    return where(angle < SMALL, _series(D, angle), value)


def inverse_d_slope(angle: Number) -> Number:
    """Return d'(θ) / θ.

    Parameters
    ----------
    angle : float or Unknown
        θ [rad], not negative.

    Returns
    -------
    float or Unknown
        nan from 2π on.
    """
    far: Any = _large(angle)
    half = far / 2
    square = far * far
    cotangent, denominator = np.cos(half) / np.sin(half), 2 * far * np.sin(half)
    value: Number = (
        -2 / (square * square) + cotangent / (2 * square * far) + 1 / (denominator * denominator)
    )
    value = where(angle < 2 * math.pi, value, math.nan)
    return where(angle < SMALL, _series(D_SLOPE, angle), value)
