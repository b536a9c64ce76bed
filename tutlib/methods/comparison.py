"""Comparison of a compiled function with its Python function along a trajectory.

Tracing requires a pure function, but cannot detect whether a function is pure. Therefore the values
of each compiled run are compared at its ends, where its slope changes most, and in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from straightline.aliases import Array
from straightline.evaluator import Evaluator
from tutlib.aliases import Function
from tutlib.fields import Field
from tutlib.methods.trajectory import SimulationError, Trajectory

if TYPE_CHECKING:
    from tutlib.methods.checks import AfterStep


#: Number of states at which they are compared; a quarter of them where the slope changes most.
STATES = 32
#: Tolerances for different rounding: relative to a value, and to the largest of the trajectory.
_RELATIVE = 1e-9


def where_it_went(motion: Trajectory, last: int) -> Array:
    """Return increasing rows of a trajectory, at most ``last``: ends, sharp bends, and others."""
    rows = np.linspace(0, last, STATES * 3 // 4).astype(int)
    if len(motion) > 2:
        # where the state jumps, two rows have the same time
        steps = np.maximum(np.diff(motion.t), 2.0**-1022)[:, None]
        with np.errstate(over="ignore", invalid="ignore"):
            speeds = np.nan_to_num(np.diff(motion.x, axis=0) / steps)
        turns = np.abs(np.diff(speeds, axis=0)).max(axis=1, initial=0.0)
        rows = np.union1d(rows, np.argsort(turns)[-(STATES // 4) :] + 1)
    return np.unique(rows[rows <= last])


def compare_rates(f: Field, motion: Trajectory) -> None:
    """Reject a compiled field that differs from its Python function along a trajectory.

    Raises
    ------
    SimulationError
    """
    _compare(f, motion, f)


def compare_spans(spans: Sequence[tuple[int, Field]], motion: Trajectory) -> None:
    """Reject compiled fields, each used from a row of a trajectory on, as `compare_rates` does.

    Raises
    ------
    SimulationError
    """
    if len(spans) == 1:
        compare_rates(spans[0][1], motion)
        return
    rows = where_it_went(motion, len(motion) - 1)
    which = np.searchsorted([row for row, _ in spans], rows, side="right") - 1
    for i in np.unique(which):
        some = rows[which == i]
        try:
            compare_rates(spans[i][1], Trajectory(motion.t[some], motion.x[some], motion.names))
        except SimulationError as error:
            raise SimulationError(str(error), motion) from error.__cause__


def compare_values(f: Field, motion: Trajectory) -> None:
    """Reject a compiled function of time and state that differs from its Python function.

    Raises
    ------
    SimulationError
    """
    _compare(f, motion, lambda t, x: np.ravel(f.written(t, x)))


def _compare(f: Field, motion: Trajectory, called: Callable[..., Array]) -> None:
    rows, k = where_it_went(motion, len(motion) - 1), motion.x.shape[1]
    t, x = motion.t[rows], motion.x[rows]
    _refuse(f.function, Evaluator(f.traced(k), k, f.values)(t, x), t, x, called, motion)


def compare_steps(
    step: Callable[..., Array], f: Function, after_step: AfterStep | None, motion: Trajectory
) -> None:
    """Reject a compiled step that differs from its Python function.

    Raises
    ------
    SimulationError
    """
    if len(motion) < 2:
        return
    rows = where_it_went(motion, len(motion) - 2)
    t, x, taken = motion.t[rows], motion.x[rows], motion.x[rows + 1]
    ends = {float(motion.t[i]): float(motion.t[i + 1]) for i in rows}

    def go(t: float, x: Array) -> Array:
        end = ends[t]
        new = np.asarray(step(f, t, x.copy(), end - t), dtype=float)
        return new if after_step is None else np.asarray(after_step(end, new))

    _refuse(step, taken, t, x, go, motion)


def _refuse(
    function: object,
    compiled: Array,
    t: Array,
    x: Array,
    called: Callable[..., Array],
    motion: Trajectory,
) -> None:
    """Reject values that differ from those of a function by more than rounding."""
    name = getattr(function, "__name__", type(function).__name__)
    written = []
    for time, state in zip(t.tolist(), x):
        try:
            with np.errstate(all="ignore"):
                written.append(called(time, state.copy()))
        except Exception as error:
            raise SimulationError(
                f"{name} raises {type(error).__name__} in Python, but not when compiled, at "
                f"t = {time:g}, x = {state.tolist()}: {error}; the result is in .trajectory",
                motion,
            ) from error
    expected = np.array(written)
    scale = np.abs(np.where(np.isfinite(expected), expected, 0.0)).max(axis=0, initial=0.0)
    floor = 1e-12 * min(1.0, float(scale.max(initial=0.0)) or 1.0)
    near = _RELATIVE * (np.abs(expected) + scale) + floor
    differ = ~(np.abs(compiled - expected) <= near) & ~(np.isnan(compiled) & np.isnan(expected))
    differ &= compiled != expected
    for i in np.flatnonzero(differ.any(axis=1)):
        time, state = float(t[i]), x[i]
        if not _may_round(called, time, state, compiled[i], expected[i], near[i]):
            raise SimulationError(
                f"{name} gives other values when compiled than in Python: at t = {time:g}, "
                f"x = {state.tolist()}, {expected[i].tolist()} in Python and "
                f"{compiled[i].tolist()} when compiled. It depends on more than its arguments, "
                "such "
                "as a stored value, a random number, a clock, the type of x, or a global that has "
                "changed: leave out compiled. The result is in .trajectory",
                motion,
            )


def _may_round(
    called: Callable[..., Array], t: float, x: Array, compiled: Array, expected: Array, near: Array
) -> bool:
    """Return whether a change in the last digits of t and x explains a difference."""
    spread = near.copy()
    for sign in (-1, 1):
        moved = x * (1 + sign * 2.0**-50)
        try:
            value = called(t, moved)
        except Exception:  # outside the domain of the function
            return True
        spread += 16 * np.abs(np.nan_to_num(value - expected))
    return bool((np.abs(compiled - expected) <= spread).all())
