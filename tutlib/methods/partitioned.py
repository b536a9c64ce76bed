"""Methods that treat coordinates and speeds differently: semi-implicit Euler and the Verlets.

They keep the energy of a conservative system bounded for ever. Chapter 4 explains why, and why
the first one's rival, Euler, goes wild.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.methods.checks import check_step_size
from tutlib.methods.trajectory import not_finite, stopped
from tutlib.programs.right_hand_side import Array, Function, RightHandSide


def coordinates(f: Any, states: int) -> int:
    """Return the number of coordinates in x = [q, q̇, ...]: half of the states, if f is silent.

    Raises
    ------
    ValueError
        If f is silent and the number of states is odd.
    """
    if isinstance(f, RightHandSide):
        return f.coordinates
    if states % 2:
        raise ValueError(f"this method needs x = [q, q̇], an even number of states; got {states}")
    return states // 2


def semi_implicit_euler(f: Function, t: float, x: ArrayLike, h: float) -> Array:
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
    check_step_size(h)
    x = np.array(x, dtype=float)
    n = coordinates(f, len(x))
    x[n:] += h * np.asarray(f(t, x.copy()), dtype=float)[n:]
    x[:n] += h * x[n : 2 * n]
    return x


def velocity_verlet(f: Function, t: float, x: ArrayLike, h: float) -> Array:
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
    check_step_size(h)
    x = np.array(x, dtype=float)
    n = coordinates(f, len(x))
    old = np.array(f(t, x.copy()), dtype=float)
    x[:n] += h * (x[n : 2 * n] + h / 2 * old[n : 2 * n])
    new = np.asarray(f(t + h, x.copy()), dtype=float)
    x[n:] += h / 2 * (old[n:] + new[n:])
    return x


def verlet(f: Function, t: Array, x0: Array, names: tuple[str, ...] = ()) -> Array:
    """Integrate by position Verlet, q₊ = 2q − q₋ + h² a, started by q₁ = q₀ + h u₀ + ½h² a₀.

    It joins three points in time, so it is no step function: it makes the whole motion. The speed
    it reports is the central difference; the speed that f sees is the backward one, the only one
    known when the acceleration is needed.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side with x = [q, q̇].
    t : array, shape (m,)
        Equally spaced times [s].
    x0 : array, shape (2n,)
        Initial state.
    names : tuple of str, optional
        Names of the states, for the message of an error.

    Returns
    -------
    array, shape (m, 2n)

    Raises
    ------
    ValueError
        If the times are not equally spaced or there are auxiliary states.
    SimulationError
        If a coordinate stops being finite or f raises.

    References
    ----------
    :cite:p:`Verlet1967`; :cite:p:`HairerLubichWanner2006`, section I.1.4.
    """
    m, n = len(t), len(x0) // 2
    if coordinates(f, len(x0)) != n or len(x0) != 2 * n:
        raise ValueError("verlet needs x = [q, q̇] and no auxiliary states")
    X = np.tile(np.asarray(x0, dtype=float), (m, 1))
    if m == 1:
        return X
    h = (t[-1] - t[0]) / (m - 1)
    if np.abs(np.diff(t) - h).max() > 1e-6 * h:
        raise ValueError("verlet needs equal steps: its formula joins three points in time")
    before, q, u = X[0, :n], X[0, :n], X[0, n:]
    for i in range(m):
        try:
            a = np.asarray(f(float(t[i]), np.concatenate([q, u])), dtype=float)[n:]
        except Exception as error:
            raise stopped(error, t, X, max(i, 1), names, "verlet") from error
        after = q + h * u + h**2 / 2 * a if i == 0 else 2 * q - before + h**2 * a
        if i > 0:
            X[i] = np.concatenate([q, (after - before) / (2 * h)])
        if not np.isfinite(X[i]).all():
            raise not_finite(t, X, i, names, "verlet")
        before, q, u = q, after, (after - q) / h
    return X
