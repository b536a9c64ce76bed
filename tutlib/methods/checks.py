"""Checks of the arguments of integrators, and of the trajectories that they return."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, real_array, real_number
from straightline.assignments import Number
from straightline.numpy_protocol import is_unknown, numbers
from tutlib.aliases import Function
from tutlib.fields import Field
from tutlib.methods.trajectory import SimulationError, Trajectory

_FLOAT = np.dtype(float)
#: Correction of a state after a step, such as a projection.
AfterStep = Callable[[float, Array], ArrayLike]


def check_step_size(h: float) -> float:
    """Return a step size as a float; reject it if it is not positive and finite."""
    if (type(h) is float and 0.0 < h < math.inf) or is_unknown(h):
        return h
    return real_number(h, "the step h", "positive")


def check_step(f: Function, t: float, x: object, h: float) -> tuple[float, Array, float]:
    """Return the time, the state, and the size of one step; reject invalid ones."""
    function(f, "f", "t, x")
    state = numbers(x, "x")
    if state.ndim != 1 or len(state) == 0:
        raise ValueError(f"x must be a one-dimensional state, shape (k,); got shape {state.shape}")
    if state.dtype != object and not np.isfinite(state).all():
        raise ValueError(f"every entry of x must be finite; got {state}")
    time = t if type(t) is float or is_unknown(t) else real_number(t, "t")
    return time, state, check_step_size(h)


def check_end(x: Array, h: Number) -> Array:
    """Return the state after a single step; reject it if it is not finite."""
    if x.dtype != object and not np.isfinite(x).all():
        raise ValueError(f"after the step h = {h:g} the state is not finite: {x}; take a smaller h")
    return x


def check_passing(f: Field, motion: Trajectory) -> Trajectory:
    """Return the trajectory; reject it if the equations of f cease to hold along it.

    Raises
    ------
    SimulationError
    """
    ended = f.mechanism.check_motion(motion.t, motion.x) if f.mechanism is not None else None
    if ended is None:
        return motion
    row, reason = ended
    raise SimulationError(
        f"{reason}; the result so far is in .trajectory",
        replace(motion, t=motion.t[: row + 1], x=motion.x[: row + 1]),
    )


def as_after_step(after_step: AfterStep | None, t: float, x: Array) -> AfterStep | None:
    """Return the correction after each step, adapted to an initial state."""
    return after_step.suited(t, x) if isinstance(after_step, Field) else after_step


def check_next_state(x: ArrayLike, k: int, by: str = "the step") -> Array:
    """Return the state from a step or its correction as an array; reject other shapes."""
    if type(x) is np.ndarray and x.dtype is _FLOAT and x.shape == (k,):
        return x
    if x is None:
        raise TypeError(f"{by} must return the state, shape ({k},); got None: is a return missing?")
    state = real_array(x, f"the state that {by} returns", finite=False)
    if state.shape != (k,):
        raise ValueError(f"{by} must return a state of shape ({k},); got shape {state.shape}")
    return state


def is_finite(x: Array) -> bool:
    """Return whether all entries of a state are finite, faster than NumPy for a short one."""
    return all(map(math.isfinite, x.tolist()))


def _units(after_step: AfterStep, x: Array) -> Array:
    """Return the scale of each state: natural units, or its magnitude and the largest of all."""
    natural = getattr(getattr(after_step, "mechanism", None), "units", ())
    if len(natural) == len(x):
        return np.asarray(np.abs(x) + np.array(natural))
    largest = float(np.abs(x).max(initial=0.0))
    return np.asarray(np.abs(x) + min(1.0, largest or 1.0))


class NanFinder:
    """A right-hand side that records where it first returned nan or inf for an ordinary state.

    Parameters
    ----------
    f : function (t, x) -> array
    largest : float
        Larger states come from unstable steps, where f may well return nan.
    """

    def __init__(self, f: Function, largest: float) -> None:
        self.f, self.largest, self.found = f, largest, ""

    def __call__(self, t: float, x: Array) -> ArrayLike:
        """Return f(t, x)."""
        value = self.f(t, x)
        rates = np.asarray(value, dtype=float).ravel()
        missing = np.isnan(rates) if np.isnan(rates).any() else np.isinf(rates)
        if missing.any() and not self.found and np.abs(x).max() <= self.largest:
            i = int(np.argmax(missing))
            entry = f", in entry {i}" if len(missing) > 1 else ""
            reason = "a division by zero, or for an overflow, where a smaller step may help"
            if np.isnan(rates[i]):
                reason = "a gap in recorded data, or for the root or logarithm of a negative number"
            self.found = (
                f"f(t, x) is {rates[i]} at t = {t:.10g}{entry}, although the state is finite: look "
                f"for {reason}"
            )
        return value


def check_nan(f: Function, t: float, x: Array, end: float) -> None:
    """Reject an f that is nan or inf just after a state at which an adaptive method found no step.

    Raises
    ------
    ArithmeticError
    """
    finder = NanFinder(f, 10 * (1 + np.abs(x).max()))
    with np.errstate(all="ignore"):
        slope = np.asarray(finder(t, x.copy()), dtype=float)
        along = slope if slope.shape == x.shape and np.isfinite(slope).all() else 0.0
        for doubled in range(40):
            then = min(t + float(np.spacing(abs(t) + 1e-3)) * 2.0**doubled, end)
            if finder.found:
                raise ArithmeticError(finder.found)
            finder(then, x + (then - t) * along)


def check_start(after_step: AfterStep, t: float, x: Array, names: tuple[str, ...]) -> None:
    """Reject an initial state that the correction after each step would change."""
    function(after_step, "after_step", "t, x")
    moved = check_next_state(after_step(float(t), x.copy()), len(x), "after_step") - x
    units = _units(after_step, x)
    i = int(np.argmax(np.abs(moved) / units))
    if not (np.abs(moved) <= 1e-6 * units).all():
        name = f" ({names[i]})" if names else ""
        raise ValueError(
            f"the initial state is not consistent: after_step changes state {i}{name} by "
            f"{moved[i]:.3g}. Pass a state that after_step leaves unchanged"
        )
