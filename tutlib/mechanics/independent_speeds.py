"""Dependent speeds in terms of independent ones: u = B u_i + c from G u + g = 0.

B is formed symbolically for a few constraints, and solved for numerically for many. Chapter 6
drives a four-bar linkage with one independent speed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sm
from sympy.core.function import AppliedUndef

from straightline.aliases import Array
from straightline.expressions import evaluate
from tutlib.mechanics.derivations import atoms
from tutlib.mechanics.linear_solution import solution

#: Largest number of constraints whose determinant is formed symbolically; more take minutes.
_MOST_IN_SYMBOLS = 4
#: Ratio of smallest to largest singular value below which rows count as dependent.
_DEPENDENT = 1e-12


def dependence(
    u: Sequence[sm.Expr], G: sm.MatrixBase, g: sm.MatrixBase, free: Sequence[int]
) -> tuple[sm.Matrix, sm.Matrix, sm.Expr | None]:
    """Return B and c of u = B u_i + c, and the determinant in their denominators.

    Parameters
    ----------
    u : sequence of n speeds
    G : Matrix, shape (m, n)
    g : Matrix, shape (m, 1)
    free : sequence of int
        Indices of the n − m independent speeds u_i.

    Returns
    -------
    B : Matrix, shape (n, n − m)
    c : Matrix, shape (n, 1)
    determinant : Expr or None
        None if B and c are solved for numerically.

    Raises
    ------
    ValueError
        If the constraints do not determine the other speeds.
    """
    bound = _complement(u, free)
    square, few = G[:, bound], len(bound) <= _MOST_IN_SYMBOLS
    determinant = square.det() if few else _random_determinant(square)
    if determinant == 0:
        names = ", ".join(str(u[i]) for i in bound)
        raise ValueError(f"the constraints do not determine {names}: choose other speeds")
    right = G[:, free].row_join(g)
    # symbolic elimination could divide by a pivot that vanishes where the determinant does not
    solved = -square.adjugate() * right / determinant if few else solution(square, -right)
    both = sm.zeros(len(u), len(free) + 1)
    for row, i in enumerate(bound):
        both[i, :] = solved[row, :]
    for column, i in enumerate(free):
        both[i, column] = 1
    return both[:, :-1], both[:, -1:], determinant if few else None


def bias(G: sm.MatrixBase, rate: sm.MatrixBase, free: Sequence[int]) -> sm.Matrix:
    """Return u̇ for constant independent speeds, from G u̇ + rate = 0.

    Parameters
    ----------
    G : Matrix, shape (m, n)
    rate : Matrix, shape (m, 1)
        Ġ u + ġ.
    free : sequence of int

    Returns
    -------
    Matrix, shape (n, 1)
    """
    n = G.shape[1]
    bound, steady = _complement(range(n), free), sm.zeros(n, 1)
    for i, entry in zip(bound, solution(G[:, bound], -rate)):
        steady[i] = entry
    return steady


def _complement(u: Sequence[object], free: Sequence[int]) -> list[int]:
    return [i for i in range(len(u)) if i not in free]


def independent_rows(G: sm.MatrixBase) -> list[int]:
    """Return the indices of rows of expressions that are not combinations of earlier rows."""
    return rows_of_numbers(_random_numbers(G), _DEPENDENT)


def rows_of_numbers(G: Array, least: float) -> list[int]:
    """Return the indices of rows of numbers that are not combinations of earlier rows.

    Parameters
    ----------
    G : array, shape (m, n)
    least : float
        Ratio of smallest to largest singular value below which rows count as dependent.

    Returns
    -------
    list of int
    """
    kept: list[int] = []
    for i in range(len(G)):
        if _least_share(G[[*kept, i]]) > least:
            kept.append(i)
    return kept


def _random_determinant(G: sm.MatrixBase) -> float:
    """Return the determinant for random values of the symbols, or 0 if it is singular."""
    numbers = _random_numbers(G)
    return float(np.linalg.det(numbers)) if _least_share(numbers) > _DEPENDENT else 0.0


def _random_numbers(G: sm.MatrixBase) -> Array:
    """Return a matrix of expressions for random values of its symbols."""
    random, symbols = np.random.default_rng(0), atoms(G, sm.Symbol, AppliedUndef, sm.Derivative)
    values = {symbol: random.uniform(0.5, 1.0) for symbol in sorted(symbols, key=str)}
    return np.array(evaluate(G, values), dtype=float).reshape(G.shape)


def _least_share(numbers: Array) -> float:
    """Return the ratio of smallest to largest singular value; 0 if there are too many rows."""
    sizes = np.linalg.svd(numbers, compute_uv=False)
    return 0.0 if len(sizes) < len(numbers) else float(sizes[-1] / max(sizes[0], 1e-300))
