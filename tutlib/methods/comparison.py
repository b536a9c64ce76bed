"""Comparison of a compiled function with the function as it was written, along the motion.

Tracing needs a pure function, and cannot see whether it has one. So the values of each compiled run
are compared at its ends, where it turned most, and in between.
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


#: At so many states; a quarter of them where the motion turns most.
STATES = 32
#: Both round differently: by so much of a value, and of the largest along the motion.
_RELATIVE = 1e-9


def where_it_went(motion: Trajectory, last: int) -> Array:
    """Return rows of a motion, increasing and none after ``last``: ends, turns, and between."""
    rows = np.linspace(0, last, STATES * 3 // 4).astype(int)
    if len(motion) > 2:
        # a state that jumps has two rows of the same time
        steps = np.maximum(np.diff(motion.t), 2.0**-1022)[:, None]
        with np.errstate(over="ignore", invalid="ignore"):
            speeds = np.nan_to_num(np.diff(motion.x, axis=0) / steps)
        turns = np.abs(np.diff(speeds, axis=0)).max(axis=1, initial=0.0)
        rows = np.union1d(rows, np.argsort(turns)[-(STATES // 4) :] + 1)
    return np.unique(rows[rows <= last])


def compare_rates(f: Field, motion: Trajectory) -> None:
    """Reject a compiled field whose rates differ from those of its function along a motion.

    Raises
    ------
    SimulationError
    """
    _compare(f, motion, f)


def compare_spans(spans: Sequence[tuple[int, Field]], motion: Trajectory) -> None:
    """Reject compiled fields, each from a row of a motion on, as `compare_rates` does.

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
    """Reject a compiled function of time and state whose values differ from those as written.

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
    """Refuse a compiled step that goes elsewhere than as it is written.

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
    """Refuse values that are not those of a function, but for rounding."""
    name = getattr(function, "__name__", type(function).__name__)
    written = []
    for time, state in zip(t.tolist(), x):
        try:
            with np.errstate(all="ignore"):
                written.append(called(time, state.copy()))
        except Exception as error:
            raise SimulationError(
                f"{name} raises {type(error).__name__} as it is written, and not compiled, at "
                f"t = {time:g}, x = {state.tolist()}: {error}; the motion is in .trajectory",
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
                f"{name} is something else compiled than as it is written: at t = {time:g}, "
                f"x = {state.tolist()} it gives {expected[i].tolist()} as it is written, and "
                f"{compiled[i].tolist()} compiled. It depends on more than its numbers, such as "
                "a memory, a random number, a clock, the type of x, or a global that has changed: "
                "leave out compiled. The motion is in .trajectory",
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
        except Exception:  # beyond a boundary of where it is defined
            return True
        spread += 16 * np.abs(np.nan_to_num(value - expected))
    return bool((np.abs(compiled - expected) <= spread).all())
