"""Partitioned methods, which treat coordinates and speeds differently: symplectic Euler and Verlet.

If forces depend only on positions, these methods keep the energy error of a conservative system
bounded. If forces depend on speeds, as magnetic forces do, use a Runge-Kutta method. Chapter 4
explains why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from straightline.aliases import Array
from straightline.assignments import Number
from tutlib.aliases import Function, Rate
from tutlib.fields import Field, as_field
from tutlib.methods.checks import AfterStep, check_end, check_step
from tutlib.methods.steps import Method
from tutlib.methods.trajectory import Trajectory


def coordinates(f: object, states: int) -> int:
    """Return the number of coordinates in x = [q, q̇, ...]: that of f, or half of the states.

    Raises
    ------
    ValueError
        If f does not specify it and the number of states is odd.
    """
    known = f.coordinates if isinstance(f, Field) else None
    if known is not None:
        return known
    if states % 2:
        raise ValueError(f"this method needs x = [q, q̇], an even number of states; got {states}")
    return states // 2


@dataclass(frozen=True)
class Partitioned(Method):
    """A method for x = [q, q̇, ...] that treats coordinates and speeds differently.

    Parameters
    ----------
    name : str
    text : function (f, t, x, h) -> x
        One step, with floats or symbolic unknowns.
    """

    name: str
    text: Callable[..., Array]

    def advance(self, f: Rate, t: Number, x: Array, h: Number) -> Array:
        """Take one step; the new state need not be finite."""
        return self.text(f, t, x, h)

    def check(self, f: Field, x: Array, slope: Array, after_step: AfterStep | None) -> None:
        """Reject a space, and a state whose first derivatives are not its speeds.

        Raises
        ------
        ValueError
        """
        if f.space is not None:
            raise ValueError(
                f"{self.name} does not support spaces: on {f.space.name}, choose a tableau"
            )
        _check_rates(self.name, f, slope, x, "")

    def check_motion(self, f: Field, motion: Trajectory) -> None:
        """Reject a trajectory of states in a wrong order, which the initial state may not show.

        Raises
        ------
        ValueError
        """
        for i in (len(motion) // 2, -1):
            t, x = float(motion.t[i]), motion.x[i]
            try:
                slope = f(t, x.copy())
            except Exception:  # outside the domain of f, nothing can be checked
                continue
            _check_rates(self.name, f, slope, x, f", and are not at t = {t:g}")


class PartitionedStep(Partitioned):
    """A method that steps from state to state: ``method(f, t, x, h)`` takes one step."""

    def __call__(self, f: Function, t: float, x: Array, h: float) -> Array:
        """Take one step.

        Parameters
        ----------
        f : function (t, x) -> array
            Right-hand side with x = [q, q̇] (and auxiliary states after them).
        t, x, h
            As for `step`.

        Returns
        -------
        array, shape (k,)

        Raises
        ------
        TypeError, ValueError
            As for `step`.
        """
        t, x, h = check_step(f, t, x, h)
        return check_end(self.advance(as_field(f), t, x, h), h)

    @property
    def __name__(self) -> str:
        return self.name


def _check_rates(name: str, f: Field, slope: Array, x: Array, when: str) -> None:
    n = coordinates(f, len(x))
    if not np.array_equal(slope[:n], x[n : 2 * n]):
        raise ValueError(f"{name} needs x = [q, q̇]: the first derivatives must be the speeds{when}")


def _semi_implicit_euler(f: Rate, t: Number, x: Array, h: Number) -> Array:
    n = coordinates(f, len(x))
    x = x.copy()
    x[n:] += h * f(t, x)[n:]
    x[:n] += h * x[n : 2 * n]
    return x


#: Semi-implicit (symplectic) Euler: speeds first, then coordinates. u ← u + h u̇(t, q, u), then
#: q ← q + h u with the new u; auxiliary states move with the speeds
#: (:cite:p:`HairerLubichWanner2006`, section I.1).
semi_implicit_euler = PartitionedStep("semi_implicit_euler", _semi_implicit_euler)


def _velocity_verlet(f: Rate, t: Number, x: Array, h: Number) -> Array:
    n = coordinates(f, len(x))
    x, old = x.copy(), f(t, x)
    x[:n] += h * (x[n : 2 * n] + h / 2 * old[n : 2 * n])
    new = f(t + h, x)
    x[n:] += h / 2 * (old[n:] + new[n:])
    return x


#: Velocity Verlet: q ← q + h u + ½h² a, then u ← u + ½h (a + a_new), where a_new is taken at the
#: new q and the *old* u. It is of order 2 if the acceleration depends on q and t alone; a damper or
#: a servo makes it of order 1 (:cite:p:`SwopeAndersenBerensWilson1982`).
velocity_verlet = PartitionedStep("velocity_verlet", _velocity_verlet)


def first_positions(f: Rate, t: Number, x: Array, h: Number) -> Array:
    """Compute the positions at t and t + h with Taylor's formula, q + h u + ½h² a.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side with x = [q, q̇].
    t, x, h
        As for `step`.

    Returns
    -------
    array, shape (2n,)
    """
    n = len(x) // 2
    q, u = x[:n], x[n:]
    a = f(t, x)[n:]
    return np.concatenate([q, q + h * u + h**2 / 2 * a])


def central_speeds(before: Array, after: Array, h: float) -> Array:
    """Compute the speeds midway between positions a time 2h apart: (q₊ - q₋) / 2h.

    Parameters
    ----------
    before, after : array
        Positions.
    h : float
        Step size [s].

    Returns
    -------
    array
    """
    speeds: Array = (after - before) / (2 * h)
    return speeds


def next_positions(f: Rate, t: Number, positions: Array, h: Number) -> Array:
    """Take one step of position Verlet: from (q₋, q) at t and t + h to (q, 2q − q₋ + h² a).

    The speed passed to f is the backward difference (q − q₋)/h, the only one available when the
    acceleration is needed.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side with x = [q, q̇].
    t : float
        Time of the first of the two positions [s].
    positions : array, shape (2n,)
    h : float
        Step size [s].

    Returns
    -------
    array, shape (2n,)
    """
    n = len(positions) // 2
    before, q = positions[:n], positions[n:]
    a = f(t + h, np.concatenate([q, (q - before) / h]))[n:]
    return np.concatenate([q, 2 * q - before + h**2 * a])


@dataclass(frozen=True)
class PositionVerlet(Partitioned):
    """Position Verlet, q₊ = 2q − q₋ + h² a, started with q₁ = q₀ + h u₀ + ½h² a₀.

    The formula connects three points in time: each row holds two positions, and a step leads from
    two positions to the next two. The reported speeds are central differences.

    References
    ----------
    :cite:p:`Verlet1967`; :cite:p:`HairerLubichWanner2006`, section I.1.4.
    """

    def check(self, f: Field, x: Array, slope: Array, after_step: AfterStep | None) -> None:
        """Reject also auxiliary states, and states that are changed between the steps.

        Raises
        ------
        ValueError
        """
        super().check(f, x, slope, after_step)
        if after_step is not None:
            raise ValueError(
                "verlet connects three points in time: no state can be changed between them"
            )
        if 2 * coordinates(f, len(x)) != len(x):
            raise ValueError("verlet needs x = [q, q̇] without auxiliary states")

    def begin(self, f: Rate, t: Array, x: Array) -> Array:
        """Return the positions at the first two times.

        Raises
        ------
        ValueError
            If the times are not equally spaced.
        """
        if len(t) == 1:
            return x
        h = _mean_step(t)
        if np.abs(np.diff(t) - h).max() > 1e-6 * h:
            raise ValueError("verlet needs equal steps: its formula connects three points in time")
        return first_positions(f, float(t[0]), x, h)

    def states(self, t: Array, rows: Array, x: Array) -> Array:
        """Return coordinates and speeds: those of the initial state, then central differences."""
        if len(t) == 1:
            return x[None]
        n = len(x) // 2
        speeds = central_speeds(rows[:-1, :n], rows[1:, n:], _mean_step(t))
        return np.hstack([rows[:, :n], np.vstack([x[n:], speeds])])


def _mean_step(t: Array) -> float:
    return float((t[-1] - t[0]) / (len(t) - 1))


#: Position Verlet, with central differences as speeds.
verlet = PositionVerlet("verlet", next_positions)
