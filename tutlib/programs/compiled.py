"""The integrators' loops on ℝⁿ, compiled whole by Numba, with their workspace allocated once.

Each says the same as its twin in ``integrate``, which is the one to read; tests hold the two
together. Imported only when a run is long enough to pay for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types

from tutlib.programs import linear_solve

_vector = types.float64[::1]
_matrix = types.float64[:, ::1]
#: The signature of a compiled right-hand side, ``kernel(t, x, p, dx, M, F)``.
KERNEL = types.void(types.float64, _vector, _vector, _vector, _vector, _vector)
#: The signature of a compiled projection, ``correction(t, x, p, M, F)``.
CORRECTION = types.void(types.float64, _vector, _vector, _vector, _vector)
_kernel = types.FunctionType(KERNEL)
_run = types.int64(_kernel, _vector, _vector, _matrix, types.int64, types.int64)
_run_tableau = types.int64(
    _kernel, _vector, _vector, _matrix, types.int64, _matrix, _vector, _vector,
    types.FunctionType(CORRECTION), _vector, types.int64,
)  # fmt: skip


def compile_for(signature: Any, **options: Any) -> Callable[[Any], Any]:
    """Compile at once; keep the result on disk if there is any place to keep it."""

    def compile_function(function: Any) -> Any:
        try:
            return njit(signature, cache=True, **options)(function)
        except RuntimeError:  # neither this folder nor the user's can be written to
            return njit(signature, **options)(function)

    return compile_function


solve_symmetric = compile_for(types.void(_vector, _vector))(linear_solve.solve_symmetric)
solve_general = compile_for(types.void(_vector, _vector))(linear_solve.solve_general)


@compile_for(CORRECTION)
def no_correction(t, x, p, M, F):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Leave a state as a step made it."""


@compile_for(_run_tableau, error_model="numpy")
def run_tableau(  # type: ignore[no-untyped-def]  # pragma: no cover
    f, p, t, X, speeds, A, b, c, correct, p_correct, constraints
):
    """Fill X[1:], one explicit Runge-Kutta step a row; return the last finite row's index."""
    stages, k = len(b), X.shape[1]
    K, x = np.empty((stages, k)), np.empty(k)
    M, F = np.empty(speeds * speeds), np.empty(speeds)
    G, residual = np.empty(constraints * constraints), np.empty(constraints)
    for step in range(len(t) - 1):
        h = t[step + 1] - t[step]
        for i in range(stages):
            for r in range(k):
                x[r] = X[step, r]
            for j in range(i):
                if A[i, j] != 0.0:
                    for r in range(k):
                        x[r] += h * A[i, j] * K[j, r]
            f(t[step] + c[i] * h, x, p, K[i], M, F)
        for r in range(k):
            slope = 0.0
            for i in range(stages):
                slope += b[i] * K[i, r]
            X[step + 1, r] = X[step, r] + h * slope
        correct(t[step + 1], X[step + 1], p_correct, G, residual)
        for r in range(k):
            if not np.isfinite(X[step + 1, r]):
                return step
    return len(t) - 1


@compile_for(_run, error_model="numpy")
def run_semi_implicit_euler(f, p, t, X, n, speeds):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Fill X[1:] by semi-implicit Euler; return the last finite row's index."""
    k = X.shape[1]
    dx, M, F = np.empty(k), np.empty(speeds * speeds), np.empty(speeds)
    for step in range(len(t) - 1):
        h = t[step + 1] - t[step]
        f(t[step], X[step], p, dx, M, F)
        for r in range(n, k):
            X[step + 1, r] = X[step, r] + h * dx[r]
        for r in range(n):
            X[step + 1, r] = X[step, r] + h * X[step + 1, n + r]
        for r in range(k):
            if not np.isfinite(X[step + 1, r]):
                return step
    return len(t) - 1


@compile_for(_run, error_model="numpy")
def run_velocity_verlet(f, p, t, X, n, speeds):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Fill X[1:] by velocity Verlet; return the last finite row's index."""
    k = X.shape[1]
    old, new, x = np.empty(k), np.empty(k), np.empty(k)
    M, F = np.empty(speeds * speeds), np.empty(speeds)
    for step in range(len(t) - 1):
        h = t[step + 1] - t[step]
        f(t[step], X[step], p, old, M, F)
        for r in range(n):
            x[r] = X[step, r] + h * (X[step, n + r] + h / 2 * old[n + r])
        for r in range(n, k):
            x[r] = X[step, r]
        f(t[step + 1], x, p, new, M, F)
        for r in range(n, k):
            x[r] = X[step, r] + h / 2 * (old[r] + new[r])
        for r in range(k):
            X[step + 1, r] = x[r]
            if not np.isfinite(x[r]):
                return step
    return len(t) - 1


@compile_for(_run, error_model="numpy")
def run_verlet(f, p, t, X, n, speeds):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Fill X[1:] by position Verlet; return the last finite row's index."""
    m, h = len(t), (t[-1] - t[0]) / max(len(t) - 1, 1)
    x, dx, before, after = np.empty(2 * n), np.empty(2 * n), np.empty(n), np.empty(n)
    M, F = np.empty(speeds * speeds), np.empty(speeds)
    x[:], before[:] = X[0], X[0, :n]
    for step in range(m):
        f(t[step], x, p, dx, M, F)
        for r in range(n):
            if step == 0:
                after[r] = x[r] + h * x[n + r] + h**2 / 2 * dx[n + r]
            else:
                after[r] = 2 * x[r] - before[r] + h**2 * dx[n + r]
                X[step, r], X[step, n + r] = x[r], (after[r] - before[r]) / (2 * h)
                if not (np.isfinite(X[step, r]) and np.isfinite(X[step, n + r])):
                    return step - 1
        for r in range(n):
            before[r], x[r], x[n + r] = x[r], after[r], (after[r] - x[r]) / h
    return m - 1
