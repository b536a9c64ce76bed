"""Methods that treat coordinates and speeds differently: semi-implicit Euler and the Verlets.

They keep the energy of a conservative system bounded for ever, if its forces depend on positions
alone. With a force that depends on speeds, such as a magnetic one or a turning frame's, that is
lost: choose a Runge-Kutta method. Chapter 4 explains why, and why the first one's rival, Euler,
goes wild.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from straightline.aliases import Array
from straightline.arguments import function, real_array
from straightline.assignments import Number
from tutlib.aliases import Function
from tutlib.methods.checks import check_end, check_step
from tutlib.methods.rates import Rate, rate_of
from tutlib.methods.trajectory import Interrupted, SimulationError
from tutlib.reading.motions import initial_value_problem
from tutlib.spaces.space import R


def coordinates(f: object, states: int) -> int:
    """Return the number of coordinates in x = [q, q̇, ...]: half of the states, if f is silent.

    Raises
    ------
    ValueError
        If f is silent and the number of states is odd.
    """
    known = getattr(f, "coordinates", None)
    if known is not None:
        return int(known)
    if states % 2:
        raise ValueError(f"this method needs x = [q, q̇], an even number of states; got {states}")
    return states // 2


def semi_implicit_euler(f: Function, t: float, x: Array, h: float) -> Array:
    """Take one step of semi-implicit (symplectic) Euler: speeds first, then coordinates.

    u ← u + h u̇(t, q, u), then q ← q + h u with the new u. Auxiliary states move with the speeds.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side with x = [q, q̇] (and auxiliary states after them).
    t, x, h
        As for `step`.

    Returns
    -------
    array, shape (k,)

    References
    ----------
    :cite:p:`HairerLubichWanner2006`, section I.1.
    """
    t, x, h = check_step(f, t, x, h)
    return check_end(_semi_implicit_euler(rate_of(f, R(len(x))), t, x, h), h)


def _semi_implicit_euler(f: Rate, t: Number, x: Array, h: Number) -> Array:
    n = coordinates(f, len(x))
    x = x.copy()
    x[n:] += h * f(t, x)[n:]
    x[:n] += h * x[n : 2 * n]
    return x


def velocity_verlet(f: Function, t: float, x: Array, h: float) -> Array:
    """Take one step of velocity Verlet.

    q ← q + h u + ½h² a, then u ← u + ½h (a + a_new), where a_new is taken at the new q and the
    *old* u. It is of order 2 if the acceleration depends on q and t alone; a damper or a servo
    makes it of order 1.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side with x = [q, q̇] (and auxiliary states after them).
    t, x, h
        As for `step`.

    Returns
    -------
    array, shape (k,)

    References
    ----------
    :cite:p:`SwopeAndersenBerensWilson1982`.
    """
    t, x, h = check_step(f, t, x, h)
    return check_end(_velocity_verlet(rate_of(f, R(len(x))), t, x, h), h)


def _velocity_verlet(f: Rate, t: Number, x: Array, h: Number) -> Array:
    n = coordinates(f, len(x))
    x, old = x.copy(), f(t, x)
    x[:n] += h * (x[n : 2 * n] + h / 2 * old[n : 2 * n])
    new = f(t + h, x)
    x[n:] += h / 2 * (old[n:] + new[n:])
    return x


def in_run(step: Callable[..., Array]) -> Callable[..., Array]:
    """Return a step to a state that need not be finite, if it is known: a run tells of it."""
    steps = ((semi_implicit_euler, _semi_implicit_euler), (velocity_verlet, _velocity_verlet))
    return next((inner for by_hand, inner in steps if step is by_hand), step)


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


def verlet(f: Function, t: Array, x0: Array, advance_all: Callable[..., Array]) -> Array:
    """Integrate by position Verlet, q₊ = 2q − q₋ + h² a, started by q₁ = q₀ + h u₀ + ½h² a₀.

    It joins three points in time, so it is no step function: its steps go from two positions to
    the next two. The speed it reports is the central difference.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side with x = [q, q̇].
    t : array, shape (m,)
        Equally spaced times [s].
    x0 : array, shape (2n,)
        Initial state.
    advance_all : function (step, start) -> array, shape (m, 2n)
        Takes all the steps, as `integrate` does it.

    Returns
    -------
    array, shape (m, 2n)

    Raises
    ------
    ValueError
        If the times are not equally spaced or there are auxiliary states.
    SimulationError, Interrupted
        As ``advance_all`` raises them, with coordinates and speeds up to there.

    References
    ----------
    :cite:p:`Verlet1967`; :cite:p:`HairerLubichWanner2006`, section I.1.4.
    """
    function(advance_all, "advance_all", "step, start")
    t, x0 = initial_value_problem(f, t, x0)
    m, n = len(t), len(x0) // 2
    if coordinates(f, len(x0)) != n or len(x0) != 2 * n:
        raise ValueError("verlet needs x = [q, q̇] and no auxiliary states")
    if m == 1:
        return x0[None]
    h = (t[-1] - t[0]) / (m - 1)
    if np.abs(np.diff(t) - h).max() > 1e-6 * h:
        raise ValueError("verlet needs equal steps: its formula joins three points in time")

    def with_speeds(Q: Array) -> Array:
        speeds = central_speeds(Q[:-1, :n], Q[1:, n:], h)
        return np.hstack([Q[:, :n], np.vstack([x0[n:], speeds])])

    try:
        start = first_positions(rate_of(f, R(len(x0))), float(t[0]), x0, h)
        Q = advance_all(next_positions, start)
        return with_speeds(real_array(Q, "what advance_all returns", (m, 2 * n)))
    except (SimulationError, Interrupted) as stop:
        stop.trajectory = replace(stop.trajectory, x=with_speeds(stop.trajectory.x))
        raise
