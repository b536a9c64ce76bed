"""Putting a mechanism together: Newton's method from a guess, and what it refuses to accept.

Chapter 6 closes a four-bar linkage with it. Used by `constraints`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sm
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array
from tutlib.mechanics.independent import rows_of_numbers

#: A loop counts as closed [m or rad], and a speed as consistent [m/s or rad/s], up to this part of
#: their terms, or of 1 if these are smaller.
CLOSED = 1e-8
_SINGULAR = 1e-7
_MET = 1e-10


class RedundantConstraintWarning(UserWarning):
    """Some constraints are combinations of others in every pose that a machine can take."""


def read_guess(guess: ArrayLike, coordinates: int, speeds: int) -> Array:
    """Return coordinates and speeds of a guess; refuse other shapes. Speeds are zero unless given.

    Raises
    ------
    ValueError
        If there are other numbers of them.
    """
    values = real_array(guess, "guess")
    if values.shape not in ((coordinates,), (coordinates + speeds,)):
        raise ValueError(
            f"a guess needs {coordinates} coordinates, and {speeds} speeds if any; got shape "
            f"{values.shape}"
        )
    return np.concatenate([values, np.zeros(coordinates + speeds - len(values))])


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
    moving = ", ".join(names[i] for i in free) or "nothing"
    _refuse_redundant(evaluate, q)
    m = len(evaluate(q)[0])
    closed = _newton(evaluate, q, list(free))
    residual, slope = evaluate(closed)
    if not np.abs(residual).max() < _MET:
        if len(free) < m:
            raise ValueError(f"{m} constraints cannot be met by moving {moving} alone")
        i = int(np.argmax(np.abs(residual)))
        raise ValueError(
            f"the constraints cannot be met by moving {moving}: the nearest that was found leaves "
            f"constraint {i + 1} at {residual[i]:.3g}; the parts do not reach, or the guess is far"
        )
    rank = _rank(slope[:, free])
    if rank < m and not (rank == _rank(slope) and _is_so_beside(evaluate, closed, rank)):
        raise ValueError(
            f"the configuration is singular: at {_listed(names, closed)} the constraints do not "
            f"determine {moving}; start elsewhere or keep another coordinate"
        )
    if rank < m:
        warn_of_redundant(slope)
    elif len(free) == m:
        _refuse_other_assembly(evaluate(q)[1][:, free], slope[:, free], moving, names, closed)
    return closed


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


def _rank(slope: Array) -> int:
    """Return how many rows are independent."""
    values = np.linalg.svd(slope, compute_uv=False)
    return int(np.count_nonzero(values > _SINGULAR * values.max(initial=0.0)))


def _is_so_beside(evaluate: Callable[[Array], tuple[Array, Array]], q: Array, rank: int) -> bool:
    """Tell whether the machine can move from here, and the gradients keep their rank in doing so.

    Where they lose it at a pose alone, that pose is singular. Where they never have it, some
    constraints are redundant, as in Bricard's linkage, and the machine moves all the same.
    """
    random, ways = np.random.default_rng(0), np.linalg.svd(evaluate(q)[1])[2][rank:]
    for size in (0.1, 0.03):
        if not len(ways):
            return False
        way = random.normal(size=len(ways)) @ ways
        aside = q + size * way / np.linalg.norm(way)
        beside = _newton(evaluate, aside, list(range(len(q))))
        residual, slope = evaluate(beside)
        moved = np.linalg.norm(beside - q) > 0.3 * size
        if not (moved and np.abs(residual).max() < _MET and _rank(slope) == rank):
            return False
    return True


def warn_of_redundant(slope: Array) -> None:
    """Warn of constraints whose gradients are combinations of those of the others."""
    kept = rows_of_numbers(slope, _SINGULAR)
    numbers = ", ".join(str(i + 1) for i in range(len(slope)) if i not in kept)
    warnings.warn(
        f"redundant where the loop is closed: constraint {numbers}. The machine moves all the "
        "same; of the forces that could keep it closed, with_multipliers gives the least",
        RedundantConstraintWarning,
        stacklevel=5,
    )


def _refuse_redundant(evaluate: Callable[[Array], tuple[Array, Array]], q: Array) -> None:
    if not all(np.isfinite(part).all() for part in evaluate(q)):
        raise ValueError(
            f"the constraints have no value or no gradient at the guess {q.tolist()}: give one "
            "where they do"
        )
    random = np.random.default_rng(0)
    slopes = [_finite_slope(evaluate, q, random.normal(size=len(q))) for _ in range(3)]
    if any(_rank(slope) == min(slope.shape) for slope in slopes):
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
    before: Array, after: Array, moving: str, names: Sequence[str], closed: Array
) -> None:
    signs = np.linalg.det(before), np.linalg.det(after)
    if signs[0] * signs[1] < 0:
        raise ValueError(
            "Newton's method left the guess for another way of assembling the parts: the "
            f"determinant of the gradients by {moving} is {signs[0]:.3g} at the guess and "
            f"{signs[1]:.3g} at {_listed(names, closed)}; give a nearer guess, or that one if it "
            "is what you want"
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
    u[list(free)] -= np.linalg.lstsq(G[:, list(free)], G @ u + moved, rcond=_SINGULAR)[0]
    left = G @ u + moved
    i = int(np.argmax(np.abs(left)))
    if not abs(left[i]) < CLOSED * max(1.0, sizes(G, u, moved)[i]):
        raise ValueError(
            f"no speeds fit: with those that are kept, the rate of constraint {i + 1} stays "
            f"{left[i]:.3g}; keep fewer coordinates"
        )
    return u


def sizes(G: Array, u: Array, moved: Array) -> Array:
    """Return the sizes of what adds up to G u + moved, row by row."""
    total: Array = np.abs(G) @ np.abs(u) + np.abs(moved)
    return total


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


def refuse_inconsistent(
    residual: Array, rate: Array, t: float, size: Array, rate_size: Array
) -> None:
    """Refuse a state whose loop is open, or whose speeds would open it.

    Parameters
    ----------
    residual : array, shape (k,)
        φ.
    rate : array, shape (m,)
        φ̇, and after it the constraints of speeds.
    t : float
        Time [s].
    size, rate_size : array, shape (k,) and (m,)
        Of what adds up to each, see `sizes`.

    Raises
    ------
    ValueError
        Naming the constraint, and by how much it is not met.
    """
    holonomic = [f"constraint {i + 1}" for i in range(len(residual))]
    rates = [f"the rate of {name}" for name in holonomic]
    rates += [f"velocity constraint {i + 1}" for i in range(len(rate) - len(residual))]
    for values, scale, names, what in (
        (residual, size, holonomic, "the loop is open"),
        (rate, rate_size, rates, "the speeds are inconsistent, they would open the loop"),
    ):
        shares = np.abs(values) / np.maximum(1.0, scale)
        i = int(np.argmax(shares)) if len(values) else 0
        if len(values) and not shares[i] < CLOSED:
            raise ValueError(
                f"{what} at t = {t:g}: {names[i]} is {values[i]:.3g}, not 0; "
                "consistent_state finds a state that fits"
            )
