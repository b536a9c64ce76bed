"""Partitioned methods, which treat coordinates and speeds differently: symplectic Euler and Verlet.

Where forces depend on positions alone, they keep the energy error of a conservative system bounded.
With forces that depend on speeds, such as magnetic forces, they do not: use a Runge-Kutta method
there. Chapter 4 explains why.
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
    """Return the number of coordinates in x = [q, q̇, ...]: half of the states, if f is silent.

    Raises
    ------
    ValueError
        If f is silent and the number of states is odd.
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
        One step, of known or unknown numbers.
    """

    name: str
    text: Callable[..., Array]

    def advance(self, f: Rate, t: Number, x: Array, h: Number) -> Array:
        """Take one step, to a state that need not be finite."""
        return self.text(f, t, x, h)

    def check(self, f: Field, x: Array, slope: Array, after_step: AfterStep | None) -> None:
        """Reject a space, and a state whose first rates are not its speeds.

        Raises
        ------
        ValueError
        """
        if f.space is not None:
            raise ValueError(f"{self.name} takes no space: on {f.space.name} choose a tableau")
        _check_rates(self.name, f, slope, x, "")

    def check_motion(self, f: Field, motion: Trajectory) -> None:
        """Reject a motion of states in another order, which at its start may not be seen.

        Raises
        ------
        ValueError
        """
        for i in (len(motion) // 2, -1):
            t, x = float(motion.t[i]), motion.x[i]
            try:
                slope = f(t, x.copy())
            except Exception:  # beyond where f is defined nothing is known
                continue
            _check_rates(self.name, f, slope, x, f", and are not at t = {t:g}")


class PartitionedStep(Partitioned):
    """A method that goes from one state to the next: ``method(f, t, x, h)`` takes one step."""

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
        raise ValueError(f"{name} needs x = [q, q̇]: the first rates must be the speeds{when}")


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
    """Return the positions at t and t + h, by Taylor's formula: q + h u + ½h² a.

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
    """Return the speeds halfway between positions that are 2h apart: (q₊ - q₋) / 2h.

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

    The speed that f sees is the backward one, (q − q₋)/h, the only one known when the acceleration
    is needed.

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
    """Position Verlet, q₊ = 2q − q₋ + h² a, started by q₁ = q₀ + h u₀ + ½h² a₀.

    It joins three points in time: its rows are two positions each, and its steps go from two
    positions to the next two. The speed that it reports is the central difference.

    References
    ----------
    :cite:p:`Verlet1967`; :cite:p:`HairerLubichWanner2006`, section I.1.4.
    """

    def check(self, f: Field, x: Array, slope: Array, after_step: AfterStep | None) -> None:
        """Reject, besides, auxiliary states and states that are changed between the steps.

        Raises
        ------
        ValueError
        """
        super().check(f, x, slope, after_step)
        if after_step is not None:
            raise ValueError(
                "verlet joins three points in time: no state can be changed between them"
            )
        if 2 * coordinates(f, len(x)) != len(x):
            raise ValueError("verlet needs x = [q, q̇] and no auxiliary states")

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
            raise ValueError("verlet needs equal steps: its formula joins three points in time")
        return first_positions(f, float(t[0]), x, h)

    def states(self, t: Array, rows: Array, x: Array) -> Array:
        """Return coordinates and speeds: the first are given, the others central differences."""
        if len(t) == 1:
            return x[None]
        n = len(x) // 2
        speeds = central_speeds(rows[:-1, :n], rows[1:, n:], _mean_step(t))
        return np.hstack([rows[:, :n], np.vstack([x[n:], speeds])])


def _mean_step(t: Array) -> float:
    return float((t[-1] - t[0]) / (len(t) - 1))


#: Position Verlet, with central differences as speeds.
verlet = PositionVerlet("verlet", next_positions)
