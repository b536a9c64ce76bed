"""Assembly of a mechanism by Newton's method from a guess, with checks of the result.

Used by `constraints`; chapter 6 closes a four-bar linkage with it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sm
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array
from tutlib.mechanics.independent_speeds import rows_of_numbers

#: Largest violation of a closed loop and of a consistent speed, relative to the terms of the
#: constraint or to its natural scale.
CLOSED = 1e-8
_SINGULAR = 1e-7
_MET = 1e-10


class RedundantConstraintWarning(UserWarning):
    """Some constraints depend on others in every configuration of the mechanism."""


def read_guess(guess: ArrayLike, coordinates: int, speeds: int) -> Array:
    """Return coordinates and speeds of a guess; speeds are zero unless given.

    Raises
    ------
    ValueError
        If the guess has another shape.
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
    scale: Array,
    unit: Array,
) -> Array:
    """Return coordinates near q for which the residual is zero, by damped Newton steps.

    Parameters
    ----------
    evaluate : function q -> (φ, ∂φ/∂q)
        Residual, shape (m,), and gradients, shape (m, n).
    q : array, shape (n,)
        The guess.
    free : sequence of int
        Indices of the coordinates that may move.
    names : sequence of str
        Names of the coordinates.
    scale, unit : array, shape (n,) and (m,)
        Natural scales of the coordinates and of the residual.

    Returns
    -------
    array, shape (n,)

    Raises
    ------
    ValueError
        If the constraints are redundant or cannot be met, the configuration is singular, or the
        solution is in another assembly mode than the guess.

    References
    ----------
    :cite:p:`AscherPetzold1998`, section 9.1.
    """
    moving = ", ".join(names[i] for i in free) or "nothing"

    def natural(x: Array) -> tuple[Array, Array]:
        residual, slope = evaluate(scale * x)
        return residual / unit, slope * scale / unit[:, None]

    guess, m = q / scale, len(unit)
    if not all(np.isfinite(part).all() for part in evaluate(q)):
        raise ValueError(
            f"the constraints have no value or no gradient at the guess {q.tolist()}: choose a "
            "guess at which they do"
        )
    _refuse_redundant(natural, guess)
    closed = _newton(natural, guess, list(free))
    found = scale * closed
    residual, slope = natural(closed)
    if not _met(residual, slope, closed):
        if len(free) < m:
            raise ValueError(f"{m} constraints cannot be met by moving {moving} alone")
        i = int(np.argmax(np.abs(residual)))
        raise ValueError(
            f"the constraints cannot be met by moving {moving}: at the closest configuration "
            f"found, constraint {i + 1} is {residual[i] * unit[i]:.3g}; the parts do not reach, or "
            "the guess is too far away"
        )
    rank = _rank(slope[:, free])
    if rank < m and not (rank == _rank(slope) and _moves_with_same_rank(natural, closed, rank)):
        raise ValueError(
            f"the configuration is singular: at {_listed(names, found)} the constraints do not "
            f"determine {moving}; choose another guess or keep another coordinate"
        )
    if rank < m:
        warn_of_redundant(slope)
    elif len(free) == m:
        gradients = evaluate(q)[1][:, free], evaluate(found)[1][:, free]
        _refuse_other_assembly(*gradients, moving, names, found)
    return found


def _met(residual: Array, slope: Array, x: Array) -> bool:
    """Return whether a residual in natural units is zero, up to rounding of its terms."""
    return bool((np.abs(residual) < _MET * np.maximum(1.0, sizes(slope, x, 0.0))).all())


def _newton(evaluate: Callable[[Array], tuple[Array, Array]], q: Array, free: list[int]) -> Array:
    q = q.copy()
    residual, slope = evaluate(q)
    for _ in range(100):
        step = np.zeros(len(q))
        step[free] = -np.linalg.lstsq(slope[:, free], residual, rcond=1e-12)[0]
        fraction = min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))  # stays in this assembly mode
        while fraction > 1e-6:
            following, its_slope = evaluate(q + fraction * step)
            if np.linalg.norm(following) < np.linalg.norm(residual):
                break
            fraction /= 2
        else:
            break
        q, residual, slope = q + fraction * step, following, its_slope
    return q


def _rank(slope: Array) -> int:
    """Return the number of independent rows."""
    values = np.linalg.svd(slope, compute_uv=False)
    return int(np.count_nonzero(values > _SINGULAR * values.max(initial=0.0)))


def _moves_with_same_rank(
    evaluate: Callable[[Array], tuple[Array, Array]], q: Array, rank: int
) -> bool:
    """Return whether the mechanism can move from q with gradients of the same rank."""
    # If the rank is low in this configuration only, the configuration is singular. If it is low
    # everywhere, constraints are redundant and the mechanism moves anyway, as Bricard's linkage.
    random, directions = np.random.default_rng(0), np.linalg.svd(evaluate(q)[1])[2][rank:]
    for distance in (0.1, 0.03):
        if not len(directions):
            return False
        direction = random.normal(size=len(directions)) @ directions
        guess = q + distance * direction / np.linalg.norm(direction)
        beside = _newton(evaluate, guess, list(range(len(q))))
        residual, slope = evaluate(beside)
        moved = np.linalg.norm(beside - q) > 0.3 * distance
        if not (moved and _met(residual, slope, beside) and _rank(slope) == rank):
            return False
    return True


def warn_of_redundant(slope: Array) -> None:
    """Warn of constraints whose gradients are combinations of the others' gradients."""
    kept = rows_of_numbers(slope, _SINGULAR)
    numbers = ", ".join(str(i + 1) for i in range(len(slope)) if i not in kept)
    warnings.warn(
        f"redundant where the loop is closed: constraint {numbers}. The mechanism can still move; "
        "with_multipliers gives the constraint forces with the smallest norm",
        RedundantConstraintWarning,
        stacklevel=5,
    )


def _refuse_redundant(evaluate: Callable[[Array], tuple[Array, Array]], q: Array) -> None:
    random = np.random.default_rng(0)
    slopes = [_finite_slope(evaluate, q, random.normal(size=len(q))) for _ in range(3)]
    if any(_rank(slope) == min(slope.shape) for slope in slopes):
        return
    combination = np.abs(np.linalg.svd(slopes[0])[0][:, -1])
    last = int(np.flatnonzero(combination > 1e-6)[-1])
    raise ValueError(
        f"the constraints are redundant: at all points tried, the gradient of constraint "
        f"{last + 1} is a combination of the others'; leave it out"
    )


def _finite_slope(
    evaluate: Callable[[Array], tuple[Array, Array]], q: Array, direction: Array
) -> Array:
    """Return the gradients at the point closest to q, in a random direction, where they exist."""
    for fraction in 0.5 ** np.arange(40.0):
        if np.isfinite(slope := evaluate(q + fraction * direction)[1]).all():
            return slope
    return evaluate(q)[1]


def _refuse_other_assembly(
    before: Array, after: Array, moving: str, names: Sequence[str], closed: Array
) -> None:
    signs = np.linalg.det(before), np.linalg.det(after)
    if signs[0] * signs[1] < 0:
        raise ValueError(
            "Newton's method converged to another assembly mode than that of the guess: the "
            f"determinant of the gradients with respect to {moving} is {signs[0]:.3g} at the guess "
            f"and {signs[1]:.3g} at {_listed(names, closed)}; choose a closer guess, or this "
            "configuration if you want it"
        )


def _listed(names: Sequence[str], q: Array) -> str:
    return ", ".join(f"{name} = {value:.4g}" for name, value in zip(names, q))


def dependent_speeds(
    G: Array, drift: Array, u: Array, free: Sequence[int], scale: Array, unit: Array
) -> Array:
    """Return the speeds closest to u with G u + drift = 0, changing only the free ones.

    Distances are measured in natural scales of the speeds, and residuals in the unit of each row.

    Raises
    ------
    ValueError
        If the free speeds cannot satisfy the constraints.
    """
    G, drift, u = G * scale / unit[:, None], drift / unit, u / scale
    u[list(free)] -= np.linalg.lstsq(G[:, list(free)], G @ u + drift, rcond=_SINGULAR)[0]
    left = G @ u + drift
    i = int(np.argmax(np.abs(left)))
    if not abs(left[i]) < CLOSED * max(1.0, sizes(G, u, drift)[i]):
        raise ValueError(
            f"no speeds fit: with the kept speeds, the time derivative of constraint {i + 1} stays "
            f"{left[i] * unit[i]:.3g}; keep fewer coordinates"
        )
    moved: Array = u * scale
    return moved


def sizes(G: Array, u: Array, drift: Array | float) -> Array:
    """Return the sum of the magnitudes of the terms in G u + drift, row by row."""
    total: Array = np.abs(G) @ np.abs(u) + np.abs(drift)
    return total


def refuse_forceless(jacobian: sm.MatrixBase) -> None:
    """Reject constraints that the kinematic equations q̇ = N u + b satisfy on their own.

    Parameters
    ----------
    jacobian : Matrix
        G of φ̇ = G u + g, or some of its rows.

    Raises
    ------
    ValueError
        With the constraint whose row is zero.
    """
    for i in range(jacobian.shape[0]):
        if not any(entry.expand() for entry in jacobian[i, :]):
            raise ValueError(
                f"constraint {i + 1} follows from the kinematic equations alone, like the norm "
                "of four Euler parameters: its gradient times N is zero, so it needs no force; "
                "leave it out, and preserve it with projection(values, speeds=False)"
            )


def refuse_inconsistent(
    residual: Array, rate: Array, t: float, size: Array, rate_size: Array
) -> None:
    """Reject a state that violates the constraints or their time derivatives.

    Parameters
    ----------
    residual : array, shape (k,)
        Values of φ.
    rate : array, shape (m,)
        Values of φ̇, followed by the velocity constraints.
    t : float
        Time [s].
    size, rate_size : array, shape (k,) and (m,)
        Magnitudes of their terms, see `sizes`, or natural scales if these are larger.

    Raises
    ------
    ValueError
        With the constraint and by how much it is violated.
    """
    holonomic = [f"constraint {i + 1}" for i in range(len(residual))]
    rates = [f"the rate of {name}" for name in holonomic]
    rates += [f"velocity constraint {i + 1}" for i in range(len(rate) - len(residual))]
    for values, scale, names, what in (
        (residual, size, holonomic, "the loop is open"),
        (rate, rate_size, rates, "the speeds are inconsistent and would open the loop"),
    ):
        shares = np.abs(values) / scale
        i = int(np.argmax(shares)) if len(values) else 0
        if len(values) and not shares[i] < CLOSED:
            raise ValueError(
                f"{what} at t = {t:g}: {names[i]} is {values[i]:.3g}, not 0; "
                "use consistent_state to find a consistent state"
            )
