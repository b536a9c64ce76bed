"""What an integrator refuses at once, in one sentence that says what came and what is needed."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, real_array, real_number
from straightline.assignments import Number
from straightline.numpy_protocol import is_unknown, numbers
from tutlib.after_step import Projection
from tutlib.aliases import Function
from tutlib.dependence import Dependence
from tutlib.fields import RightHandSide, first_rates
from tutlib.methods.rates import as_written, fresh_slope, read_slope
from tutlib.methods.trajectory import (
    OpenLoopWarning,
    SimulationError,
    SingularPoseWarning,
    Trajectory,
)
from tutlib.spaces.space import R, Space

#: A start farther off its constraints than this is no rounding [m, rad, or these by s].
_OPEN = 1e-6
_FLOAT = np.dtype(float)
#: What corrects a state after a step, such as a `Projection`.
AfterStep = Callable[[float, Array], ArrayLike]


def check_step_size(h: float) -> float:
    """Return a step as a float; refuse one that is not positive and finite."""
    if (type(h) is float and 0.0 < h < math.inf) or is_unknown(h):
        return h
    return real_number(h, "the step h", "positive")


def check_step(f: Function, t: float, x: object, h: float) -> tuple[float, Array, float]:
    """Return the time, the state and the size of one step; refuse what no step could use."""
    function(f, "f", "t, x")
    state = numbers(x, "x")
    if state.ndim != 1 or len(state) == 0:
        raise ValueError(f"x must be a one-dimensional state, shape (k,); got shape {state.shape}")
    if state.dtype != object and not np.isfinite(state).all():
        raise ValueError(f"every entry of x must be finite; got {state}")
    time = t if type(t) is float or is_unknown(t) else real_number(t, "t")
    return time, state, check_step_size(h)


def check_end(x: Array, h: Number) -> Array:
    """Return the state after a step taken by hand; refuse one that is not finite."""
    if x.dtype != object and not np.isfinite(x).all():
        raise ValueError(f"after the step h = {h:g} the state is not finite: {x}; take a smaller h")
    return x


def first_call(
    f: Function, t: float, x: Array, space: Space | None = None
) -> tuple[Function, Array]:
    """Return f, in view of what is redundant at a start, and its value there.

    What no method could use is refused.
    """
    if isinstance(f, RightHandSide):
        f, value = first_rates(f, t, x)
        if f.invariants is not None:
            _warn_if_open(np.abs(f.invariants(t, x)))
        if f.dependence is not None:
            f.dependence.refuse_singular(t, x)
    else:
        value = as_written(f)(t, x.copy())
    slope = fresh_slope(value, space.algebra if space else len(x))
    return f, read_slope(value, space or R(len(x))) if slope is None else slope


def suited(after_step: AfterStep | None, t: float, x: Array) -> AfterStep | None:
    """Return what follows each step, in view of what is redundant where a motion begins."""
    return after_step.suited(t, x) if isinstance(after_step, Projection) else after_step


def refuse_passing(f: Function, motion: Trajectory) -> Trajectory:
    """Return the motion; refuse one on which the speeds of f cease to be independent."""
    if isinstance(f, RightHandSide) and f.dependence is not None:
        if not f.dependence.independent:
            _warn_of_singular_pose(f.dependence, motion)
        last = f.dependence.last_before(motion.t, motion.x)
        if last is not None:
            t, X = motion.t[: last + 1], motion.x[: last + 1]
            raise SimulationError(
                f"{f.dependence.blame(float(t[-1]), X[-1])}; the motion up to there is in "
                ".trajectory",
                Trajectory(t, X, motion.names),
            )
    return motion


def _warn_of_singular_pose(dependence: Dependence, motion: Trajectory) -> None:
    row = dependence.nearly_singular(motion.t, motion.x)
    if row is not None:
        warnings.warn(
            f"the motion passes a nearly singular pose at t = {motion.t[row]:g}: damping of "
            "constraints may take or give energy there; a projection after each step keeps it",
            SingularPoseWarning,
            stacklevel=3,
        )


def _warn_if_open(gaps: Array) -> None:
    worst = int(np.argmax(gaps))
    if gaps[worst] > _OPEN:
        warnings.warn(
            f"the start is off its constraints: entry {worst + 1} of them, and of their rates, is "
            f"{gaps[worst]:.3g} and not 0; equations keep what they begin with: start from "
            "consistent_state",
            OpenLoopWarning,
            stacklevel=4,
        )


def check_next_state(x: ArrayLike, k: int) -> Array:
    """Return what a step function gave as an array; refuse another shape."""
    if type(x) is np.ndarray and x.dtype is _FLOAT and x.shape == (k,):
        return x
    state = real_array(x, "the state that the step returns", finite=False)
    if state.shape != (k,):
        raise ValueError(f"the step must return a state of shape ({k},); got {state.shape}")
    return state


def check_start(after_step: AfterStep, t: float, x: Array, names: tuple[str, ...]) -> None:
    """Refuse a start that what follows each step would move."""
    function(after_step, "after_step", "t, x")
    moved = check_next_state(after_step(float(t), x.copy()), len(x)) - x
    i = int(np.argmax(np.abs(moved)))
    if not abs(moved[i]) <= 1e-6 * (1 + abs(x[i])):
        name = f" ({names[i]})" if names else ""
        raise ValueError(
            f"the start is not consistent: after_step moves its state {i}{name} by {moved[i]:.3g}"
        )
