"""The adaptive loop on ℝⁿ, compiled whole.

It says the same as ``adaptive``, which is the one to read; tests hold the two together.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from tutlib.programs.compiled import KERNEL, compile_for

_vector, _matrix, _cell = types.float64[::1], types.float64[:, ::1], types.float64
_run_adaptive = types.int64(
    types.FunctionType(KERNEL), types.int64, _vector, _vector, _matrix, _vector, _cell, _vector,
    _vector, _matrix, _vector, _matrix, _matrix, _matrix, _cell, _cell, _cell,
)  # fmt: skip
#: The same without the function and the number of speeds, for loops that hold the equations.
INLINED = types.int64(
    _vector, _vector, _matrix, _vector, _cell, _vector,
    _vector, _matrix, _vector, _matrix, _matrix, _matrix, _cell, _cell, _cell,
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
def error_of(K, h, x, y, E, rtol, atol):  # type: ignore[no-untyped-def]  # pragma: no cover
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
def control(error, h, following, exponent, state):  # type: ignore[no-untyped-def]  # pragma: no cover
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
def fill(t, h, end, x, K, P, wanted, T, X):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Write down the states at the wanted times in the step; return how many there are."""
    weights, y, count = np.empty((1, len(P))), np.empty(len(x)), 0
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
def run_adaptive(f, speeds, p, x, K, state, end, wanted, T, X, c, A, E, P, exponent, rtol, atol):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Step until the end, or until T and X are full; return how many of their rows are.

    ``x``, its slope ``K[0]`` and ``state`` (t, h, the logarithm of the error before, how much h may
    grow) hold where it stopped. A has a row for each stage, and those of the dense output after
    them; without a last stage that is the next one's first, b comes between.
    """
    s, rows, k = E.shape[1], 0, len(x)
    b = len(A) - len(c)  # 1 if A holds b, and 0 otherwise
    y, z, dx = np.empty(k), np.empty(k), np.empty(k)
    M, F = np.empty(speeds * speeds), np.empty(speeds)
    while state[0] < end and rows < len(T):
        t, h = state[0], min(state[1], end - state[0])
        if state[1] < 1e-15 * abs(t):
            break
        for i in range(1, s + b):
            _add(x, h, A, i, min(i, s), K, y)
            if i < s:
                f(t + c[i] * h, y, p, dx, M, F)
                _put(dx, K, i)
        following = t + h if h < end - t else end
        if not control(error_of(K, h, x, y, E, rtol, atol), h, following, exponent, state):
            continue
        if len(wanted) > rows and wanted[rows] <= following:
            for i in range(s, len(c)):
                _add(x, h, A, i + b, i, K, z)
                f(t + c[i] * h, z, p, K[i], M, F)
            rows += fill(t, h, following, x, K, P, wanted[rows:], T[rows:], X[rows:])
        elif len(wanted) == 0:
            T[rows], X[rows] = following, y
            rows += 1
        x[:] = y
        if b:
            f(following, x, p, dx, M, F)
        _put(dx, K, 0)
    return rows
