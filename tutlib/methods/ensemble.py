"""One system, many starts: how each motion ends, and when.

Chapter 2 asks of each start of a double pendulum when it first flips; chapter 7 which pushes a
controller can take.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import check_step_size
from tutlib.methods.integration import METHODS
from tutlib.methods.tableaus import ButcherTableau
from tutlib.programs.right_hand_side import Array, RightHandSide

_CHUNK = 4096


@dataclass(frozen=True)
class Ensemble:
    """How many motions ended.

    Parameters
    ----------
    t : array, shape (N,)
        When each ended [s]: at ``t_end``, or as soon as a state had passed its limit.
    x : array, shape (N, k)
        The last state of each. Where a motion went non-finite, it is not finite here.
    """

    t: Array
    x: Array


def ensemble(
    f: RightHandSide,
    starts: ArrayLike,
    t_end: float,
    h: float,
    limits: ArrayLike | None = None,
    method: str | ButcherTableau = "rk4",
    workers: int | None = None,
) -> Ensemble:
    """Integrate one system from many starts, on all cores, each until it is over.

    Parameters
    ----------
    f : RightHandSide
        Compiled equations of motion; the mass matrix must be symmetric.
    starts : array, shape (N, k)
        Initial states at t = 0.
    t_end : float
        How long [s], a multiple of h.
    h : float
        Step size [s].
    limits : array, shape (k,), optional
        A motion is over when the size of a state exceeds its limit; ``inf`` for none.
    method : str or ButcherTableau
        An explicit Runge-Kutta method.
    workers : int, optional
        Threads; one for each core unless given.

    Returns
    -------
    Ensemble
        After more than a second a bar shows how far it is.

    Raises
    ------
    ValueError
        If a shape does not fit, a start is not finite, the times make no sense, the method is not
        an explicit Runge-Kutta method, or the mass matrix is not symmetric.
    """
    from tqdm.auto import tqdm

    from tutlib.programs.lanes import run_lanes

    last, steps = _check_starts(f, starts), _number_of_steps(t_end, h)
    tableau = METHODS.get(method, method) if isinstance(method, str) else method
    if not (isinstance(tableau, ButcherTableau) and tableau.is_explicit):
        raise ValueError(f"an ensemble needs an explicit Runge-Kutta method; got {method!r}")
    k = last.shape[1]
    bounds = np.full(k, np.inf) if limits is None else np.array(limits, dtype=float)
    if bounds.shape != (k,):
        raise ValueError(f"there must be a limit for each of {k} states; got {bounds.shape}")
    bounds[np.isinf(bounds)] = np.finfo(float).max  # beyond it a motion is over in any case
    kernel = module_on_disk(lanes_source(f.scalar_source)).right_hand_side
    c, A, b = tableau.pair.c, tableau.pair.A, tableau.pair.b
    ends = np.zeros(len(last))

    def run(part: slice) -> int:
        chunk = (last[part], bounds, h, steps, A, b, c, ends[part])
        run_lanes(kernel, f.parameter_values, *chunk)
        return len(ends[part])

    with (
        ThreadPoolExecutor(workers or os.cpu_count()) as pool,
        tqdm(total=len(last), delay=1, leave=False, unit=" motions") as bar,
    ):
        for done in pool.map(run, _chunks(len(last))):
            bar.update(done)
    return Ensemble(h * ends, last)


def _chunks(N: int) -> Iterator[slice]:
    return (slice(i, i + _CHUNK) for i in range(0, N, _CHUNK))


def _check_starts(f: RightHandSide, starts: ArrayLike) -> Array:
    if not isinstance(f, RightHandSide):
        raise ValueError("an ensemble needs compiled equations of motion: those of eom.compile")
    x, k = np.array(starts, dtype=float), len(f.state_names)
    if x.ndim != 2 or x.shape[1] != k:
        raise ValueError(f"starts must have shape (N, {k}), a state in each row; got {x.shape}")
    if not np.isfinite(x).all():
        row = int(np.argmin(np.isfinite(x).all(axis=1)))
        raise ValueError(f"every start must be finite; row {row} is {x[row]}")
    return x


def _number_of_steps(t_end: float, h: float) -> int:
    check_step_size(h)
    steps = round(t_end / h) if np.isfinite(t_end) else 0
    if steps < 1 or abs(steps * h - t_end) > 1e-9 * t_end:
        raise ValueError(f"t_end must be a positive multiple of h = {h}; got {t_end}")
    return steps
