"""M u = F for the small dense systems of multibody dynamics, in place, on flat lists or arrays.

Plain Python that Numba compiles as it stands; a call of LAPACK would cost more than the work.
The matrix lies row by row in ``M[i * n + j]``. Used by every right-hand side from chapter 1 on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def solve_symmetric(M: Any, F: Any) -> None:
    """Solve M u = F by M = L D Lᵀ, for a symmetric positive definite matrix.

    Parameters
    ----------
    M : list or array of float, shape (n*n,)
        The matrix, row by row; overwritten with L and D.
    F : list or array of float, shape (n,)
        The right-hand side; overwritten with u, or with nan where M is singular.

    References
    ----------
    :cite:p:`GolubVanLoan2013`, section 4.1.
    """
    n = len(F)
    for j in range(n):
        diagonal = M[j * n + j]
        pivot = diagonal
        for k in range(j):
            pivot -= M[j * n + k] * M[j * n + k] * M[k * n + k]
        if not abs(pivot) > 1e-14 * abs(diagonal):
            for i in range(n):
                F[i] = math.nan
            return
        M[j * n + j] = pivot
        for i in range(j + 1, n):
            entry = M[i * n + j]
            for k in range(j):
                entry -= M[i * n + k] * M[j * n + k] * M[k * n + k]
            M[i * n + j] = entry / pivot
    for i in range(n):
        for k in range(i):
            F[i] -= M[i * n + k] * F[k]
    for i in range(n - 1, -1, -1):
        F[i] /= M[i * n + i]
        for k in range(i + 1, n):
            F[i] -= M[k * n + i] * F[k]


def solve_general(M: Any, F: Any) -> None:
    """Solve M u = F by Gaussian elimination with partial pivoting.

    Parameters
    ----------
    M : list or array of float, shape (n*n,)
        The matrix, row by row; overwritten.
    F : list or array of float, shape (n,)
        The right-hand side; overwritten with u, or with nan where M is singular.

    References
    ----------
    :cite:p:`GolubVanLoan2013`, section 3.4.
    """
    n = len(F)
    largest = 0.0
    for i in range(n * n):
        largest = max(largest, abs(M[i]))
    for j in range(n):
        row = j
        for i in range(j + 1, n):
            if abs(M[i * n + j]) > abs(M[row * n + j]):
                row = i
        if not abs(M[row * n + j]) > 1e-15 * largest:
            for i in range(n):
                F[i] = math.nan
            return
        for k in range(j, n):
            M[j * n + k], M[row * n + k] = M[row * n + k], M[j * n + k]
        F[j], F[row] = F[row], F[j]
        for i in range(j + 1, n):
            factor = M[i * n + j] / M[j * n + j]
            for k in range(j, n):
                M[i * n + k] -= factor * M[j * n + k]
            F[i] -= factor * F[j]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            F[i] -= M[i * n + k] * F[k]
        F[i] /= M[i * n + i]


def rows(entries: list[Any], x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Stack numbers and arrays, giving each the shape of one row of x.

    Parameters
    ----------
    entries : list of float or array
    x : array, shape (k,) or (k, N)
        One state, or N of them side by side.

    Returns
    -------
    array, shape (len(entries),) or (len(entries), N)
    """
    return np.array([np.broadcast_to(entry, x.shape[1:]) for entry in entries], dtype=float)


def solve_rows(M: ArrayLike, F: ArrayLike) -> NDArray[np.float64]:
    """Solve M u = F for one or N systems side by side, by LAPACK.

    Parameters
    ----------
    M : array, shape (n*n,) or (n*n, N)
        Matrices, row by row.
    F : array, shape (n,) or (n, N)

    Returns
    -------
    array of the shape of F
        u; nan everywhere if a matrix is singular.
    """
    forcing = np.asarray(F)
    n = len(forcing)
    matrices = np.asarray(M).reshape(n, n, *forcing.shape[1:])
    try:
        u = np.linalg.solve(np.moveaxis(matrices, (0, 1), (-2, -1)), forcing.T[..., None])
    except np.linalg.LinAlgError:
        return np.full(forcing.shape, np.nan)
    return np.asarray(u[..., 0].T)
