"""The adaptive loop on ℝⁿ, compiled whole.

It says the same as ``adaptive``, which is the one to read; tests hold the two together.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from tutlib.compiled import KERNEL, compile_for

_vector, _matrix, _cell = types.float64[::1], types.float64[:, ::1], types.float64
_run_adaptive = types.int64(
    types.FunctionType(KERNEL), _vector, _vector, _vector, _cell, _vector, _vector, _matrix,
    types.int64, _vector, _matrix, _matrix, _cell,
    _vector, _matrix, _matrix, _cell, _cell,
)  # fmt: skip


@njit(error_model="numpy", fastmath={"contract"})
def _add(x, h, W, row, count, K, y):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Write x + h Σ W[row] K into y."""
    for r in range(len(x)):
        total = 0.0
        for j in range(count):
            total += W[row, j] * K[j, r]
        y[r] = x[r] + h * total


@njit(error_model="numpy", fastmath={"contract"})
def _error(K, h, x, y, E, rtol, atol):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Return the error in units of the tolerance; two estimates are joined as DOP853 does it."""
    first = second = 0.0
    last = len(E) - 1
    for r in range(len(x)):
        unit = h / (atol + rtol * max(abs(x[r]), abs(y[r])))
        a = b = 0.0
        for j in range(E.shape[1]):
            a += E[0, j] * K[j, r]
            b += E[last, j] * K[j, r]
        first += (a * unit) * (a * unit)
        second += (b * unit) * (b * unit)
    first, second = first / len(x), second / len(x)
    if len(E) == 1 or first == 0.0:
        return np.sqrt(first)
    return first / np.sqrt(first + 0.01 * second)


@njit(error_model="numpy")
def _put(values, M, row):  # type: ignore[no-untyped-def]  # pragma: no cover
    for r in range(len(values)):
        M[row, r] = values[r]


@njit(error_model="numpy")
def _control(error, h, following, exponent, state):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Accept the step or not, and choose the next; see ``run_adaptive`` for the state."""
    if not error <= 1.0:
        factor = 0.9 * error ** (-1.0 / exponent) if np.isfinite(error) else 0.0
        state[1], state[3] = h * max(0.2, factor), 1.0
        return False
    error = np.log(max(error, 1e-4))
    factor = 0.95 * np.exp((0.4 * state[2] - 0.7 * error) / exponent)
    state[0], state[1] = following, h * min(state[3], max(0.2, factor))
    state[2], state[3] = error, 10.0
    return True


@njit(error_model="numpy")
def _fill(t, h, end, x, y, K, P, wanted, T, X):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Write down the states at the wanted times in the step; return how many there are."""
    weights, count = np.empty((1, len(P))), 0
    while count < len(wanted) and wanted[count] <= end:
        theta = (wanted[count] - t) / h
        for j in range(len(P)):
            weights[0, j] = 0.0
            for power in range(P.shape[1] - 1, -1, -1):
                weights[0, j] = (weights[0, j] + P[j, power]) * theta
        _add(x, h, weights, 0, len(P), K, y)
        T[count], X[count] = wanted[count], y
        count += 1
    return count


@compile_for(_run_adaptive, error_model="numpy")
def run_adaptive(  # type: ignore[no-untyped-def]  # pragma: no cover
    f,
    p,
    start,
    state,
    end,
    wanted,
    T,
    X,
    speeds,
    c,
    A,
    E,
    exponent,
    more_c,
    more_A,
    P,
    rtol,
    atol,
):
    """Step until the end, or until T and X are full; return how many of their rows are.

    ``start`` and ``state`` (t, h, the logarithm of the error before, how much h may grow) hold
    where it stopped. If A has a row more than there are stages, that is b.
    """
    s, rows, k = len(c), 0, len(start)
    K, M, F = np.zeros((s + len(more_c), k)), np.empty(speeds * speeds), np.empty(speeds)
    x, y, z, dx = start.copy(), np.empty(k), np.empty(k), np.empty(k)
    f(state[0], x, p, K[0], M, F)
    while state[0] < end and rows < len(T):
        t, h = state[0], min(state[1], end - state[0])
        if h < 1e-15 * abs(t):
            break
        for i in range(1, len(A)):
            _add(x, h, A, i, min(i, s), K, y)
            if i < s:
                f(t + c[i] * h, y, p, dx, M, F)
                _put(dx, K, i)
        following = t + h if t + h < end else end
        if not _control(_error(K, h, x, y, E, rtol, atol), h, following, exponent, state):
            continue
        if len(wanted) > rows and wanted[rows] <= following:
            for i in range(len(more_c)):
                _add(x, h, more_A, i, s + i, K, z)
                f(t + more_c[i] * h, z, p, K[s + i], M, F)
            rows += _fill(t, h, following, x, z, K, P, wanted[rows:], T[rows:], X[rows:])
        elif len(wanted) == 0:
            T[rows], X[rows] = following, y
            rows += 1
        x[:] = y
        if len(A) > s:
            f(following, x, p, dx, M, F)
        _put(dx, K, 0)
    start[:] = x
    return rows
