"""Many motions at once, side by side: the loop that a processor's vector unit can run.

Chapter 2's map of flips is made with it. ``ensemble`` is the one to call; this is imported only
then, for Numba takes its time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types

from tutlib.programs.compiled import compile_for

#: States that are stepped side by side; fewer, and the compiler unrolls instead of vectorizing.
LANES = 32

_vector = types.float64[::1]
_matrix = types.float64[:, ::1]
_cube = types.float64[:, :, ::1]
#: The signature of a right-hand side for lanes, ``f(t, x, p, dx)`` with x of shape (k, LANES).
KERNEL = types.void(_vector, _matrix, _vector, _matrix)
_RUN = types.void(
    types.FunctionType(KERNEL), _vector, _matrix, _vector, types.float64, types.int64,
    _matrix, _vector, _vector, _vector,
)  # fmt: skip

_inlined: Callable[[Any], Any] = njit(fastmath={"contract"})


@_inlined
def _take_starts(x, starts, start, taken, waiting):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Give the next starts to idle lanes; return the number of the first that still waits."""
    for lane in range(LANES):
        if start[lane] < 0 and waiting < len(starts):
            start[lane], taken[lane] = waiting, 0
            for r in range(len(x)):
                x[r, lane] = starts[waiting, r]
            waiting += 1
    return waiting


@_inlined
def _give_back(x, starts, start, taken, steps, limits, ends):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Write down the motions that are over; return how many lanes are still busy."""
    busy = 0
    for lane in range(LANES):
        taken[lane] += 1
        over = taken[lane] >= steps
        for r in range(len(x)):
            over = over or not abs(x[r, lane]) <= limits[r]
        if start[lane] >= 0 and over:
            ends[start[lane]] = taken[lane]
            for r in range(len(x)):
                starts[start[lane], r] = x[r, lane]
            start[lane] = -1
        busy += start[lane] >= 0
    return busy


@compile_for(_RUN, error_model="numpy", fastmath={"contract"}, nogil=True)
def run_lanes(f, p, starts, limits, h, steps, A, b, c, ends):  # type: ignore[no-untyped-def]  # pragma: no cover
    """Step every start until a state passes its limit or the steps are over; see `ensemble`.

    ``starts`` becomes the last states, ``ends`` the numbers of steps. A lane whose motion is over
    takes the next start at once.
    """
    k, stages = starts.shape[1], len(b)
    x, y, K = np.zeros((k, LANES)), np.zeros((k, LANES)), np.zeros((stages, k, LANES))
    flat_x, flat_y, flat_K = x.reshape(-1), y.reshape(-1), K.reshape(stages, -1)
    start, taken, t = np.full(LANES, -1), np.zeros(LANES, np.int64), np.zeros(LANES)
    waiting, busy = 0, 0
    while waiting < len(starts) or busy > 0:
        waiting = _take_starts(x, starts, start, taken, waiting)
        for i in range(stages):
            for lane in range(LANES):
                t[lane] = h * (taken[lane] + c[i])
            for r in range(k * LANES):
                flat_y[r] = flat_x[r]
            for j in range(i):
                weight, slope = h * A[i, j], flat_K[j]
                if weight != 0.0:
                    for r in range(k * LANES):
                        flat_y[r] += weight * slope[r]
            f(t, y, p, K[i])
        for i in range(stages):
            weight, slope = h * b[i], flat_K[i]
            for r in range(k * LANES):
                flat_x[r] += weight * slope[r]
        busy = _give_back(x, starts, start, taken, steps, limits, ends)
