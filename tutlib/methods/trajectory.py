"""Trajectories, and errors that hold the part of a trajectory computed so far.

Time runs along the first axis, everywhere in the course.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from tutlib.reading.motions import states_in_time


@dataclass(frozen=True)
class Trajectory:
    """A trajectory: times and states, with time along the first axis.

    Parameters
    ----------
    t : array, shape (m,)
        Times [s]; the time of an event at which the state jumps may appear twice.
    x : array, shape (m, k)
        The state at each time.
    names : tuple of str
        LaTeX names of the k states; empty if the right-hand side has none.
    events : tuple
        The named events that happened, in order. Each has the attributes ``t``, ``name``, and the
        states ``before`` and ``after`` its action.
    dense : function (t) -> array, optional
        Dense output, if it was requested; call the trajectory itself instead.
    """

    t: Array
    x: Array
    names: tuple[str, ...] = ()
    events: tuple[Any, ...] = ()
    dense: Callable[[ArrayLike], Array] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value in zip(("t", "x", "names"), states_in_time(self.t, self.x, self.names)):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.t)

    def __call__(self, t: ArrayLike) -> Array:
        """Evaluate the state at any time between the first and the last, from the dense output.

        Its error has the same order as that of the steps. At an event, it is the state after the
        action.

        Parameters
        ----------
        t : float or array
            Times [s], in any order.

        Returns
        -------
        array, shape (k,) or (m, k)

        Raises
        ------
        ValueError
            If a time is outside the trajectory, or the trajectory has no dense output.
        """
        if self.dense is None:
            raise ValueError(
                "this trajectory has no dense output: use integrate_adaptive(..., dense=True)"
            )
        return self.dense(t)


class UnstableWarning(RuntimeWarning):
    """Warning that a state has grown so much, or is not finite: the step is probably too large."""


class SimulationError(RuntimeError):
    """Error in a simulation; ``trajectory`` holds the states computed before it."""

    def __init__(self, message: str, trajectory: Trajectory) -> None:
        super().__init__(message)
        self.trajectory = trajectory

    def __reduce__(self) -> tuple[type[SimulationError], tuple[str, Trajectory]]:
        return SimulationError, (str(self), self.trajectory)


class Interrupted(KeyboardInterrupt):
    """A simulation stopped with Ctrl-C; ``trajectory`` holds the states computed so far."""

    def __init__(self, trajectory: Trajectory) -> None:
        super().__init__(
            f"stopped at t = {trajectory.t[-1]:g}; the result so far is in .trajectory"
        )
        self.trajectory = trajectory

    def __reduce__(self) -> tuple[type[Interrupted], tuple[Trajectory]]:
        return Interrupted, (self.trajectory,)


def not_finite(t: Array, X: Array, i: int, names: tuple[str, ...], method: str) -> SimulationError:
    """Return the error for a state that is not finite at row i of X."""
    index = int(np.argmin(np.isfinite(X[i])))
    name = f" ({names[index]})" if names else ""
    return SimulationError(
        f"state {index}{name} is {X[i, index]} at t = {t[i]:g}, after {i} steps of {method} with "
        f"h = {t[i] - t[i - 1]:g}; the motion up to t = {t[i - 1]:g} is in .trajectory. "
        "A smaller step or another method may help.",
        Trajectory(t[:i], X[:i], names),
    )


def warn_if_unstable(motion: Trajectory, method: str) -> Trajectory:
    """Return the trajectory; warn if a state exceeds a million times its initial value."""
    bound = 1e6 * (1 + np.abs(motion.x[0]).max(initial=0.0))
    if max(motion.x.max(initial=0.0), -motion.x.min(initial=0.0)) > bound:
        beyond = np.flatnonzero(np.abs(motion.x).max(axis=1, initial=0.0) > bound)
        i = beyond[0]
        index = int(np.argmax(np.abs(motion.x[i])))
        name = f" ({motion.names[index]})" if motion.names else ""
        warnings.warn(
            f"state {index}{name} has grown to {motion.x[i, index]:.1e} at t = {motion.t[i]:g}, "
            f"after {i} steps of {method}: the step h = {motion.t[i] - motion.t[i - 1]:g} is "
            "probably too large for this method; try a smaller one",
            UnstableWarning,
            stacklevel=3,
        )
    return motion


def stopped(
    error: Exception, t: Array, X: Array, i: int, names: tuple[str, ...], method: str
) -> SimulationError:
    """Return the error for a step to row i of X that raised an error."""
    return SimulationError(
        f"the step of {method} from t = {t[i - 1]:g} with h = {t[i] - t[i - 1]:g} failed: {error}; "
        "the result so far is in .trajectory",
        Trajectory(t[:i], X[:i], names),
    )
