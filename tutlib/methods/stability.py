"""Stability function R(z) of a Runge-Kutta method: one step of x' = λ x multiplies x by R(hλ).

Chapter 4 draws the boundary where R has magnitude 1, between oscillations that decay and
oscillations that grow.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from straightline.arguments import instance, shown
from tutlib.methods.tableaus import ButcherTableau


def stability_function(tableau: ButcherTableau, z: ArrayLike) -> NDArray[np.complex128]:
    """Compute R(z) = 1 + z bᵀ(I - zA)⁻¹1 of an explicit or implicit tableau.

    Parameters
    ----------
    tableau : ButcherTableau
    z : complex array, any shape
        hλ, dimensionless.

    Returns
    -------
    complex array of the shape of z
        Not finite at a pole of R, where a stage has no solution.

    Raises
    ------
    TypeError
        If ``tableau`` is not a tableau, or z contains anything but numbers.

    References
    ----------
    :cite:p:`HairerWanner1996`, section IV.3.
    """
    tableau, points = instance(tableau, "tableau", ButcherTableau), _complex(z)
    A, b = np.array(tableau.A, dtype=float), np.array(tableau.b, dtype=float)
    one = np.ones((len(b), 1))
    # R = det(I - zA + z 1 bᵀ) / det(I - zA)
    stages = np.eye(len(b)) - points[..., None, None] * A
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.linalg.det(stages + points[..., None, None] * (one * b)) / np.linalg.det(stages)
    return np.asarray(ratio)


def _complex(z: ArrayLike) -> NDArray[np.complex128]:
    try:
        array = np.asarray(z, dtype=object)
        if any(entry is None or isinstance(entry, str | bytes) for entry in array.ravel()):
            raise TypeError
        return array.astype(complex)
    except (TypeError, ValueError):
        raise TypeError(f"z must hold complex numbers; got {shown(z)}") from None


def stability_polynomial(tableau: ButcherTableau) -> tuple[Fraction, ...]:
    """Compute the exact coefficients of R(z) = 1 + z + ... of an explicit tableau.

    Parameters
    ----------
    tableau : ButcherTableau

    Returns
    -------
    tuple of Fraction
        The coefficients of 1, z, z², ...; the last one is not zero.

    Raises
    ------
    TypeError
        If ``tableau`` is not a tableau.
    ValueError
        If the tableau is implicit, so that R is not a polynomial.
    """
    if not instance(tableau, "tableau", ButcherTableau).is_explicit:
        raise ValueError(
            f"{tableau.name} is implicit: its R(z) is not a polynomial; use stability_function"
        )
    stage = [Fraction(1)] * tableau.stages
    coefficients = [Fraction(1)]
    for _ in range(tableau.stages):
        coefficients.append(sum((b * w for b, w in zip(tableau.b, stage)), Fraction(0)))
        stage = [sum((a * w for a, w in zip(row, stage)), Fraction(0)) for row in tableau.A]
    while coefficients[-1] == 0:
        coefficients.pop()
    return tuple(coefficients)
