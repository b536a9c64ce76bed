"""Linear solvers for M u = F, for floats and for unknown numbers.

With unknown numbers, the solvers add their operations to the program that needs u; entries that are
known to be zero cost nothing. Large systems are solved in loops, by `elimination`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.assignments import Number, Numbers, Unknown, where
from straightline.elimination import REDUNDANT_PIVOT, System
from straightline.operations import as_number, divide, is_known

#: The largest number of unknowns that are solved without loops.
MOST_SYMMETRIC, MOST_GENERAL = 32, 16


def _rows(M: Sequence[object] | Array, n: int) -> list[list[Number]]:
    """Return the rows of a flat or nested matrix."""
    entries = [as_number(entry) for entry in np.asarray(M, dtype=object).ravel()]
    return [entries[i * n : i * n + n] for i in range(n)]


def _is_zero(entry: Number) -> bool:
    """Whether an entry is known to be zero during tracing."""
    return is_known(entry) and bool(entry == 0)


def _minus_products(total: Number, row: Sequence[Number], column: Sequence[Number]) -> Number:
    """Return a total minus the products of the entries of a row and a column."""
    for a, b in zip(row, column):
        total = total - a * b
    return total


def _times_inverse(entry: Number, inverse: Number) -> Number:
    """Return entry · inverse; nan if the inverse is nan, even for a known zero."""
    return inverse - inverse if _is_zero(entry) else entry * inverse


def _solve_in_loops(
    A: list[list[Number]], F: Numbers, trailing: int, slack: float = 0.0
) -> list[Number]:
    """Solve A u = F by a routine."""
    flat = [entry for row in A for entry in row]
    entries = tuple(i for i, entry in enumerate(flat) if not _is_zero(entry))
    system = System(len(F), entries, trailing, slack)
    numbers: list[Any] = [*(flat[i] for i in entries), *F]
    unknown = [entry for entry in numbers if isinstance(entry, Unknown)]
    return unknown[0].assignments.solved(system, numbers) if unknown else system.solve(numbers)


def solve_symmetric(
    M: Sequence[object] | Array,
    F: Numbers,
    trailing: int = 0,
    redundant: bool = False,
    slack: float = 0.0,
) -> list[Number]:
    """Solve M u = F by M = L D Lᵀ, for a symmetric positive definite matrix.

    Parameters
    ----------
    M : sequence of float or Unknown, shape (n*n,) or (n, n)
        The matrix, row by row; only entries on and below the diagonal are used.
    F : sequence of float or Unknown, shape (n,)
    trailing : int
        Number of unknowns, at the end, with the singularity test below, which is relative to the
        remainder of their columns after elimination. Multipliers of constraints are such unknowns.
    redundant : bool
        Whether some of them may depend on others; the result is then the solution of least norm.
    slack : float
        The tolerance for an equation whose left side is a combination of the others'.

    Returns
    -------
    list of float or Unknown
        u; nan if M is singular, which means that a pivot is below 1e-14 of its diagonal entry,
        or below 1e-10 for a trailing unknown.

    References
    ----------
    :cite:p:`GolubVanLoan2013`, section 4.1.
    """
    n, u = len(F), [as_number(entry) for entry in F]
    A = _rows(M, n)
    if n > MOST_SYMMETRIC or redundant:
        full = [[A[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
        return _solve_in_loops(full, u, trailing, slack)
    L: list[list[Any]] = [[0.0] * n for _ in range(n)]  # and LD[i][j] = L[i][j] D[j]
    LD: list[list[Any]] = [[0.0] * n for _ in range(n)]
    inverse: list[Any] = [0.0] * n  # of D
    for j in range(n):
        for i in range(j, n):
            LD[i][j] = _minus_products(A[i][j], L[i][:j], LD[j][:j])
        pivot = LD[j][j]
        regular = abs(pivot) > (1e-14 if j < n - trailing else REDUNDANT_PIVOT) * abs(A[j][j])
        inverse[j] = where(regular, divide(1.0, pivot), math.nan)
        for i in range(j + 1, n):
            L[i][j] = LD[i][j] * inverse[j]
    for i in range(n):
        u[i] = _minus_products(u[i], L[i][:i], u[:i])
    for i in range(n - 1, -1, -1):
        below = [L[k][i] for k in range(i + 1, n)]
        u[i] = _minus_products(_times_inverse(u[i], inverse[i]), below, u[i + 1 :])
    return u


def _largest(A: list[list[Number]]) -> Number:
    """Return the largest magnitude of an entry."""
    largest: Number = 0.0
    for entry in sorted((e for row in A for e in row), key=is_known, reverse=True):
        largest = where(abs(entry) > largest, abs(entry), largest)
    return largest


def _swap_rows(A: list[list[Number]], i: int, j: int) -> None:
    """Exchange rows i and j from column j on, if row i has the larger entry there."""
    if _is_zero(A[j][j]):
        A[i], A[j] = A[j], A[i]
        return
    larger = abs(A[i][j]) > abs(A[j][j])
    pairs = [
        (where(larger, upper, lower), where(larger, lower, upper))
        for lower, upper in zip(A[j][j:], A[i][j:])
    ]
    A[j][j:], A[i][j:] = map(list, zip(*pairs))


def solve_general(
    M: Sequence[object] | Array, F: Numbers, trailing: int = 0, redundant: bool = False
) -> list[Number]:
    """Solve M u = F by Gaussian elimination with partial pivoting.

    Parameters
    ----------
    M : sequence of float or Unknown, shape (n*n,) or (n, n)
        The matrix, row by row.
    F : sequence of float or Unknown, shape (n,)
    trailing : int
        Number of unknowns, at the end, with the singularity test below, which is relative to the
        remainder of their columns after elimination. Multipliers of constraints are such unknowns.
    redundant : bool
        Whether some of them may depend on others; the result is then the solution of least norm.

    Returns
    -------
    list of float or Unknown
        u; nan if M is singular, which means that a pivot is below 1e-15 of the largest entry of
        M, or below 1e-10 of its column for a trailing unknown.

    References
    ----------
    :cite:p:`GolubVanLoan2013`, section 3.4.
    """
    n, F = len(F), [as_number(entry) for entry in F]
    A = _rows(M, n)
    if n > MOST_GENERAL or redundant:
        return _solve_in_loops(A, F, trailing)
    largest, remaining = _largest(A), list[Any]()
    A = [[*row, entry] for row, entry in zip(A, F)]
    for j in range(n):
        if j == n - trailing:
            remaining = [_largest([[row[i]] for row in A[j:]]) for i in range(j, n)]
        below = [i for i in range(j + 1, n) if not _is_zero(A[i][j])]
        for i in below:
            _swap_rows(A, i, j)
        regular = abs(A[j][j]) > 1e-15 * largest
        if remaining:
            regular = regular & (abs(A[j][j]) > REDUNDANT_PIVOT * remaining[j - n + trailing])
        A[j][j] = inverse = where(regular, divide(1.0, A[j][j]), math.nan)
        for i in below:
            factor = A[i][j] * inverse
            A[i][j + 1 :] = [e - factor * a for e, a in zip(A[i][j + 1 :], A[j][j + 1 :])]
    u: list[Any] = [0.0] * n
    for i in range(n - 1, -1, -1):
        total = _minus_products(A[i][n], A[i][i + 1 : n], u[i + 1 :])
        u[i] = _times_inverse(total, A[i][i])
    return u


def solve(M: Sequence[object] | Array, b: Numbers, symmetric: bool = False) -> list[Number]:
    """Solve M u = b for floats or unknowns.

    Parameters
    ----------
    M : sequence of float or Unknown, shape (n*n,) or (n, n)
        The matrix, row by row.
    b : sequence of float or Unknown, shape (n,)
    symmetric : bool
        Whether M is symmetric and positive definite: then M = L D Lᵀ saves half of the work.

    Returns
    -------
    list of float or Unknown
        u; nan where M is singular.
    """
    return (solve_symmetric if symmetric else solve_general)(M, b)
