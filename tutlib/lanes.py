"""Many motions at once, side by side: the loop that a processor's vector unit can run.

Chapter 2's map of flips is made with it. ``ensemble`` is the one to call; this is imported only
then, for Numba takes its time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit, types

from tutlib.compiled import compile_for

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
_ROUND = 6755399441055744.0  # 1.5 * 2**52: adding it rounds to the nearest whole number

_inlined: Callable[[Any], Any] = njit(fastmath={"contract"})


@_inlined
def _nearest(a: Any) -> Any:  # pragma: no cover
    return (a + _ROUND) - _ROUND


@_inlined
def _quarter_turns(a: Any) -> Any:  # pragma: no cover
    """Return sin and cos of what is left of the nearest multiple of π/2, its parity and its sign.

    The polynomials are those of fdlibm, good to one unit in the last place on [-π/4, π/4].
    """
    k = _nearest(a * 0.6366197723675814)
    r = (a - k * 1.5707963267341256) - k * 6.077100506506192e-11
    z = r * r
    sine_of_rest = r + r * z * (
        -1.66666666666666324348e-01
        + z * (8.33333333332248946124e-03
        + z * (-1.98412698298579493134e-04
        + z * (2.75573137070700676789e-06
        + z * (-2.50507602534068634195e-08
        + z * 1.58969099521155010221e-10))))
    )  # fmt: skip
    cosine_of_rest = 1.0 - 0.5 * z + z * z * (
        4.16666666666666019037e-02
        + z * (-1.38888888888741095749e-03
        + z * (2.48015872894767294178e-05
        + z * (-2.75573143513906633035e-07
        + z * (2.08757232129817482790e-09
        + z * -1.13596475577881948265e-11))))
    )  # fmt: skip
    half = _nearest(0.5 * k - 0.25)
    odd = k - 2.0 * half
    sign = 1.0 - 2.0 * (half - 2.0 * _nearest(0.5 * half - 0.25))
    return sine_of_rest, cosine_of_rest, odd, sign


@_inlined
def sine(a: Any) -> Any:  # pragma: no cover
    """Return sin a without a branch or a call, for |a| < 10⁵ rad."""
    s, c, odd, sign = _quarter_turns(a)
    return (s + odd * (c - s)) * sign


@_inlined
def cosine(a: Any) -> Any:  # pragma: no cover
    """Return cos a without a branch or a call, for |a| < 10⁵ rad."""
    s, c, odd, sign = _quarter_turns(a)
    return (c + odd * (s - c)) * sign * (1.0 - 2.0 * odd)


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
