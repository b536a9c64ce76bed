"""Putting a mechanism together: Newton's method from a guess, and what it refuses to accept.

Chapter 6 closes a four-bar linkage with it. Used by `constraints`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy as sm
from numpy.typing import ArrayLike

from tutlib.programs.arguments import real_array
from tutlib.programs.right_hand_side import Array

#: A loop counts as closed [m or rad], and a speed as consistent [m/s or rad/s], up to this.
CLOSED = 1e-8
_SINGULAR = 1e-7


def read_guess(guess: ArrayLike, coordinates: int, speeds: int) -> Array:
    """Return coordinates and speeds of a guess; refuse other shapes. Speeds are zero unless given.

    Raises
    ------
    ValueError
        If there are other numbers of them.
    """
    given = real_array(guess, "guess")
    if given.shape not in ((coordinates,), (coordinates + speeds,)):
        raise ValueError(
            f"a guess needs {coordinates} coordinates, and {speeds} speeds if any; got shape "
            f"{given.shape}"
        )
    return np.concatenate([given, np.zeros(coordinates + speeds - len(given))])


def close(
    evaluate: Callable[[Array], tuple[Array, Array]],
    q: Array,
    free: Sequence[int],
    names: Sequence[str],
) -> Array:
    """Return coordinates near q for which the residual is zero, by damped Newton steps.

    Parameters
    ----------
    evaluate : function q -> (φ, ∂φ/∂q)
        Residual, shape (m,), and gradients, shape (m, n).
    q : array, shape (n,)
        The guess.
    free : sequence of int
        Which coordinates may move.
    names : sequence of str
        Of the coordinates.

    Returns
    -------
    array, shape (n,)

    Raises
    ------
    ValueError
        If the constraints are redundant or cannot be met, the configuration is singular, or the
        solution is another assembly than the guess.

    References
    ----------
    :cite:p:`AscherPetzold1998`, section 9.1.
    """
    moving = ", ".join(names[i] for i in free)
    _refuse_redundant(evaluate, q)
    m = len(evaluate(q)[0])
    if len(free) < m:
        raise ValueError(f"{m} constraints cannot be met by moving {moving or 'nothing'} alone")
    found = _newton(evaluate, q, list(free))
    residual, slope = evaluate(found)
    singular = _is_singular(slope[:, free])
    if not np.abs(residual).max() < 1e-10:
        i = int(np.argmax(np.abs(residual)))
        raise ValueError(
            f"the constraints cannot be met by moving {moving}: the nearest that was found leaves "
            f"constraint {i + 1} at {residual[i]:.3g}; the parts do not reach, or the guess is far"
        )
    if singular:
        raise ValueError(
            f"the configuration is singular: at {_listed(names, found)} the constraints do not "
            f"determine {moving}; start elsewhere or keep another coordinate"
        )
    if len(free) == m:
        _refuse_other_assembly(evaluate(q)[1][:, free], slope[:, free], moving, names, found)
    return found


def _newton(evaluate: Callable[[Array], tuple[Array, Array]], q: Array, free: list[int]) -> Array:
    q = q.copy()
    residual, slope = evaluate(q)
    for _ in range(100):
        step = np.zeros(len(q))
        step[free] = -np.linalg.lstsq(slope[:, free], residual, rcond=1e-12)[0]
        part = min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))  # no leap into another assembly
        while part > 1e-6:
            following, its_slope = evaluate(q + part * step)
            if np.linalg.norm(following) < np.linalg.norm(residual):
                break
            part /= 2
        else:
            break
        q, residual, slope = q + part * step, following, its_slope
    return q


def _is_singular(slope: Array) -> bool:
    values = np.linalg.svd(slope, compute_uv=False)
    return bool(values[-1] <= _SINGULAR * values[0])


def _refuse_redundant(evaluate: Callable[[Array], tuple[Array, Array]], q: Array) -> None:
    if not all(np.isfinite(part).all() for part in evaluate(q)):
        raise ValueError(
            f"the constraints have no value or no gradient at the guess {q.tolist()}: give one "
            "where they do"
        )
    random = np.random.default_rng(0)
    slopes = [_finite_slope(evaluate, q, random.normal(size=len(q))) for _ in range(3)]
    if not all(map(_is_singular, slopes)):
        return
    combination = np.abs(np.linalg.svd(slopes[0])[0][:, -1])
    last = int(np.flatnonzero(combination > 1e-6)[-1])
    raise ValueError(
        f"the constraints are redundant: wherever it was tried, the gradient of constraint "
        f"{last + 1} is a combination of the others'; leave it out"
    )


def _finite_slope(evaluate: Callable[[Array], tuple[Array, Array]], q: Array, way: Array) -> Array:
    """Return the gradients beside q, as near as they need to be to have values."""
    for part in 0.5 ** np.arange(40.0):
        if np.isfinite(slope := evaluate(q + part * way)[1]).all():
            return slope
    return evaluate(q)[1]


def _refuse_other_assembly(
    before: Array, after: Array, moving: str, names: Sequence[str], found: Array
) -> None:
    signs = np.linalg.det(before), np.linalg.det(after)
    if signs[0] * signs[1] < 0:
        raise ValueError(
            "Newton's method left the guess for another way of assembling the parts: the "
            f"determinant of the gradients by {moving} is {signs[0]:.3g} at the guess and "
            f"{signs[1]:.3g} at {_listed(names, found)}; give a nearer guess, or that one if it is "
            "what you want"
        )


def _listed(names: Sequence[str], q: Array) -> str:
    return ", ".join(f"{name} = {value:.4g}" for name, value in zip(names, q))


def dependent_speeds(G: Array, moved: Array, u: Array, free: Sequence[int]) -> Array:
    """Return speeds nearest to u with G u + moved = 0, of which only the free ones change.

    Raises
    ------
    ValueError
        If the free speeds cannot fulfill the constraints.
    """
    u = u.copy()
    u[list(free)] -= np.linalg.lstsq(G[:, list(free)], G @ u + moved, rcond=1e-12)[0]
    left = G @ u + moved
    i = int(np.argmax(np.abs(left)))
    if not abs(left[i]) < CLOSED:
        raise ValueError(
            f"no speeds fit: with those that are kept, the rate of constraint {i + 1} stays "
            f"{left[i]:.3g}; keep fewer coordinates"
        )
    return u


def refuse_forceless(jacobian: sm.MatrixBase) -> None:
    """Refuse constraints that the rates of the coordinates fulfill by themselves.

    Parameters
    ----------
    jacobian : Matrix
        G of φ̇ = G u + g, or some of its rows.

    Raises
    ------
    ValueError
        Naming the constraint whose row is zero.
    """
    for i in range(jacobian.shape[0]):
        if not any(entry.expand() for entry in jacobian[i, :]):
            raise ValueError(
                f"constraint {i + 1} is fulfilled by the rates of the coordinates alone, as the "
                "norm of four Euler parameters is: its gradient times N is zero, and no force is "
                "needed; leave it out, and let projection(values, speeds=False) keep it"
            )


def refuse_inconsistent(residual: Array, rate: Array, t: float) -> None:
    """Refuse a state whose loop is open, or whose speeds would open it.

    Parameters
    ----------
    residual : array, shape (k,)
        φ.
    rate : array, shape (m,)
        φ̇, and after it the constraints of speeds.
    t : float
        Time [s].

    Raises
    ------
    ValueError
        Naming the constraint, and by how much it is not met.
    """
    holonomic = [f"constraint {i + 1}" for i in range(len(residual))]
    rates = [f"the rate of {name}" for name in holonomic]
    rates += [f"velocity constraint {i + 1}" for i in range(len(rate) - len(residual))]
    for values, names, what in (
        (residual, holonomic, "the loop is open"),
        (rate, rates, "the speeds are inconsistent, they would open the loop"),
    ):
        i = int(np.argmax(np.abs(values))) if len(values) else 0
        if len(values) and not abs(values[i]) < CLOSED:
            raise ValueError(
                f"{what} at t = {t:g}: {names[i]} is {values[i]:.3g}, not 0; "
                "consistent_state finds a state that fits"
            )
