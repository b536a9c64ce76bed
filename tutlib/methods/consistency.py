"""Consistent states of a DAE F(t, x, ẋ) = 0, and checks that its index is at most 1.

`integrate_dae` uses them at the initial time and at breaks, where algebraic states may jump.
"""

from __future__ import annotations

import numpy as np

from straightline.aliases import Array
from straightline.arguments import real_array, several, whole_number
from tutlib.fields import ImplicitEquations

#: Largest residual of a consistent state, relative to the scale of its row.
CONSISTENT = 1e-6
#: Step of the finite differences, relative to the magnitude of a state, or to 1.
_PART = 1e-4
#: A matrix is singular if its smallest singular value is less than this fraction of the largest.
_SINGULAR = 1e-11
_NEWTON_STEPS = 20


def algebraic_states(equations: ImplicitEquations, t: float, x: Array, xdot: Array) -> list[int]:
    """Return the algebraic states; reject a wrong list of them, and an index higher than 1.

    The index is 1 if A + B Q is not singular, where A and B are the derivatives of F with respect
    to ẋ and x, and Q projects onto the null space of A.

    Raises
    ------
    TypeError, ValueError

    References
    ----------
    :cite:p:`HairerWanner1996`, section VII.1.
    """
    k = len(x)
    named = several(
        equations.algebraic,
        "algebraic, the indices of the algebraic states,",
        lambda i: whole_number(i, f"an index of one of {k} states in algebraic", 0, k - 1),
    )
    points = [point for seed in (1, 2) if (point := _derivatives(equations, t, x, xdot, seed))]
    if not points:
        return named
    rows_of = np.any([A != 0 for A, _ in points], axis=0)
    right = [i for i in range(k) if not rows_of[:, i].any()]
    for i in {*named} ^ {*right}:
        rate = f"the derivative of state {i} appears in"
        reason = f"no row, so {i} belongs in algebraic"
        if i in named:
            reason = f"row {int(np.argmax(rows_of[:, i]))}, so {i} does not belong in algebraic"
        raise ValueError(
            f"algebraic = {tuple(named)} does not fit the residual: {rate} {reason}. It lists the "
            f"states (not rows) whose derivatives are in no row; here that is {tuple(right)}"
        )
    if all(_is_singular(A, B) for A, B in points):
        raise ValueError(
            "the index of these equations is higher than 1: F(t, x, ẋ) = 0 alone does not "
            "determine the algebraic states and the derivatives of the others. Differentiate the "
            "constraints with respect to time until it does"
        )
    return named


def consistent(
    equations: ImplicitEquations, algebraic: list[int], t: float, x: Array
) -> tuple[Array, Array]:
    """Return x with new algebraic states, and ẋ, so that F(t, x, ẋ) = 0, by Newton's method.

    Raises
    ------
    ArithmeticError
    """
    x, k = x.copy(), len(x)
    xdot = real_array(equations.rates(t, x.copy()), "the rates", (k,)).copy()
    for _ in range(_NEWTON_STEPS):
        missed = real_array(equations.residual(t, x.copy(), xdot.copy()), "the residual", (k,))
        A, B = _jacobians(equations, t, x, xdot, 1e-7)
        A[:, algebraic] = B[:, algebraic]
        change = np.linalg.lstsq(A, -missed, rcond=None)[0]
        xdot += change
        x[algebraic] += change[algebraic]
        if np.abs(change).max() <= 1e-10 * (1 + max(np.abs(x).max(), np.abs(xdot).max())):
            return x, np.asarray(equations.rates(t, x.copy()), dtype=float)
    raise ArithmeticError(f"no algebraic states fit after the break at t = {t:g}")


def _derivatives(
    equations: ImplicitEquations, t: float, x: Array, xdot: Array, seed: int
) -> tuple[Array, Array] | None:
    """Return A and B near a state, where no entry vanishes accidentally; None if F fails there."""
    random = np.random.default_rng(seed)
    x, xdot = (v + 1e-3 * (1 + np.abs(v)) * random.uniform(-1, 1, len(v)) for v in (x, xdot))
    try:
        with np.errstate(all="ignore"):
            A, B = _jacobians(equations, t, x, xdot, _PART)
    except Exception:  # outside the domain of F
        return None
    return (A, B) if np.isfinite(A).all() and np.isfinite(B).all() else None


def _jacobians(
    equations: ImplicitEquations, t: float, x: Array, xdot: Array, part: float
) -> tuple[Array, Array]:
    """Return the derivatives of F with respect to ẋ and to x, by central differences."""
    k, both = len(x), np.concatenate([xdot, x])
    columns = []
    for i, h in enumerate(part * (1 + np.abs(both))):
        ends = []
        for sign in (1, -1):
            moved = both.copy()
            moved[i] += sign * h
            ends.append(np.array(equations.residual(t, moved[k:], moved[:k]), dtype=float))
        columns.append((ends[0] - ends[1]) / (2 * h))
    A, B = np.split(np.transpose(columns), 2, axis=1)
    return A, B


def _is_singular(A: Array, B: Array) -> bool:
    """Return whether A + B Q is singular, after scaling each row and each column."""
    for axis in (1, 0, 1):
        size = np.maximum(np.abs(A).max(axis=axis), 1e-3 * np.abs(B).max(axis=axis))
        size = np.where(size > 0, size, 1.0)
        A, B = (M / (size[:, None] if axis else size) for M in (A, B))
    left, values, right = np.linalg.svd(A)
    rank = int(np.sum(values > 1e-8 * values[0])) if values[0] > 0 else 0
    core = left[:, rank:].T @ B @ right[rank:].T
    if not core.size:
        return False
    return bool(np.linalg.svd(core)[1][-1] <= _SINGULAR * np.abs(B).max())
