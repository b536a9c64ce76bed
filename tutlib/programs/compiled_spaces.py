"""The step of ``integrate`` on any space, compiled whole by Numba: one loop for every tableau.

It says the same as ``integrate.step``, which is the one to read; tests hold the two together.
"""

from __future__ import annotations

import numpy as np
from numba import types

from tutlib.programs.compiled import compile_for

_vector = types.float64[::1]
_matrix = types.float64[:, ::1]
_blocks = types.float64[:, :, ::1]
#: The signature of a compiled flow(xi, x, out), and of dexp_inverse(u, v, out).
MAP = types.void(_vector, _vector, _vector)
#: The signature of a compiled field(t, x, p, out).
FIELD = types.void(types.float64, _vector, _vector, _vector)
_map, _field = types.FunctionType(MAP), types.FunctionType(FIELD)
_run = types.int64(
    _field, _map, _map, _vector, _vector, _matrix, types.int64, _vector, _blocks,
    types.int64[::1], types.boolean,
)  # fmt: skip


@compile_for(_run, error_model="numpy")
def run_on_space(  # type: ignore[no-untyped-def]  # pragma: no cover
    f, flow, dexp_inverse, p, t, X, algebra, c, weights, rows, carries_back
):
    """Fill X[1:], one step a row; return the last finite row's index."""
    stages, k = len(c), X.shape[1]
    K, sigma, slope = np.zeros((stages, algebra)), np.zeros(algebra), np.zeros(algebra)
    state, moved = np.empty(k), np.empty(k)
    for step in range(len(t) - 1):
        h = t[step + 1] - t[step]
        for i in range(stages + 1):
            state[:] = X[step]
            sigma[:] = 0.0
            for row in range(rows[i]):
                sigma[:] = 0.0
                for j in range(i):
                    if weights[i, row, j] != 0.0:
                        for r in range(algebra):
                            sigma[r] += weights[i, row, j] * K[j, r]
                for r in range(algebra):
                    sigma[r] *= h
                flow(sigma, state, moved)
                state, moved = moved, state
            if i == stages:
                break
            f(t[step] + c[i] * h, state, p, slope)
            if carries_back and i > 0:
                dexp_inverse(sigma, slope, K[i])
            else:
                K[i] = slope
        for r in range(k):
            X[step + 1, r] = state[r]
            if not np.isfinite(state[r]):
                return step
    return len(t) - 1
