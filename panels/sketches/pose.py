"""Pose of a mechanism at one state: the positions of its points and the directions of its marks.

Sketches are drawn from it. Points that constraints hold together are found by comparing constraints
with distances of points, so a model does not have to list them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number, shown

if TYPE_CHECKING:
    from tutlib.models.model import Model
    from tutlib.reading.parameters import Named


#: The gap of an opened joint, relative to the mechanism's size.
_GAP = 0.2


@dataclass(frozen=True)
class Pose:
    """A mechanism at one state.

    Parameters
    ----------
    t : float
    x : array, shape (states,)
    points : array, shape (points, 2)
        In meters.
    held : tuple of (int, int)
        Pairs of points that the constraints hold together.
    numbers : list of array
        The values of the requested expressions, an array for each group.
    """

    t: float
    x: Array
    points: Array
    held: tuple[tuple[int, int], ...]
    numbers: list[Array]

    @property
    def size(self) -> float:
        """The larger side of the box around the points [m]."""
        return float(np.ptp(self.points, axis=0).max())

    def gaps(self) -> Array:
        """Return the distances of held pairs of points, shape (pairs,) [m]."""
        return _distances(self.points, self.held)

    def value(self, model: Model, symbol: Named) -> float | None:
        """Return the value of a state; None if the symbol is not a state."""
        states = list(model.equations.states)
        return float(self.x[states.index(symbol)]) if symbol in states else None


def pose_of(
    model: Model, x: ArrayLike, t: float, cut: bool, groups: Sequence[Sequence[object]]
) -> Pose:
    """Return the pose of a model, with its loops closed, or cut and visibly opened.

    Parameters
    ----------
    model : Model
    x : array, shape (states,) or (coordinates,)
    t : float
        Time [s].
    cut : bool
    groups : sequence of sequences of Expr
        Expressions to be computed.

    Raises
    ------
    ValueError
        If x has another shape or leaves a loop open that is not cut, or there is nothing to cut.
    """
    time, state = real_number(t, "t"), read_state(model, x)
    held = held_points(model)
    if cut and not held:
        raise ValueError(f"cut: the constraints of the {model.name} hold no points together")
    points = _positions(model, time, state)
    size = float(np.ptp(points, axis=0).max())
    largest = max(_distances(points, held), default=0.0)
    if cut and largest < 0.1 * size:
        state = _opened(model, time, state, held, _GAP * size)
        points = _positions(model, time, state)
    elif not cut and largest > 0.01 * size:
        raise ValueError(
            f"at this x the loop of the {model.name} is open by {largest:.3g} m: use "
            "model.consistent_state(x), or pass cut=True"
        )
    return Pose(time, state, points, held, _numbers(model, time, state, groups))


def read_state(model: Model, x: ArrayLike) -> Array:
    """Return a state; coordinates alone are completed by zero speeds.

    Raises
    ------
    ValueError
        If x has another shape.
    """
    state, eom = real_array(x, "x"), model.equations
    n, states = len(eom.q), len(eom.states)
    if state.shape not in ((n,), (states,)):
        names = ", ".join(str(q.func) if hasattr(q, "func") else str(q) for q in eom.q)
        raise ValueError(
            f"x of the {model.name} needs its {states} states, or the {n} coordinates {names}; "
            f"got shape {state.shape}"
        )
    return np.concatenate([state, np.zeros(states - len(state))])


def held_points(model: Model) -> tuple[tuple[int, int], ...]:
    """Return the pairs of points whose distances are the constraints."""
    if not model.constraints:
        return ()
    random = np.random.default_rng(1)
    x = random.uniform(-1.5, 1.5, (4, len(model.equations.states)))
    points = model.positions(np.zeros(len(x)), x)
    gaps = np.asarray(model.compile_outputs(model.constraints)(np.zeros(len(x)), x))
    signed_gaps = np.concatenate([gaps, -gaps], axis=1).T

    def is_zeroed(column: Array) -> bool:
        return any(np.allclose(column, gap, rtol=1e-9, atol=1e-12) for gap in signed_gaps)

    pairs = []
    for j in range(points.shape[1]):
        for i in range(j):
            differences = (points[:, i] - points[:, j]).T
            nonzero = [column for column in differences if np.abs(column).max() > 1e-12]
            if nonzero and all(map(is_zeroed, nonzero)):
                pairs.append((i, j))
    return tuple(pairs)


def _distances(points: Array, held: Sequence[tuple[int, int]]) -> Array:
    """Return the distances of pairs of points."""
    return np.array([np.hypot(*(points[i] - points[j])) for i, j in held])


def _opened(model: Model, t: float, x: Array, held: Sequence[tuple[int, int]], gap: float) -> Array:
    """Return a state near x at which held points are a gap apart, with the smallest change of q."""
    n, step = len(model.equations.q), 1e-6
    neighbors = np.repeat(x[None], 2 * n, axis=0)
    neighbors[np.arange(n), np.arange(n)] += step
    neighbors[n + np.arange(n), np.arange(n)] -= step
    points = model.positions(np.full(2 * n, t), neighbors)
    differences = np.concatenate([points[:, i] - points[:, j] for i, j in held], axis=1)
    jacobian = (differences[:n] - differences[n:]).T / (2 * step)
    left_vectors, singular_values, right_vectors = np.linalg.svd(jacobian)
    sign = 1.0 if left_vectors[1, 0] >= 0 else -1.0
    opened = x.copy()
    opened[:n] += sign * gap / singular_values[0] * right_vectors[0]
    return opened


def _positions(model: Model, t: float, x: Array) -> Array:
    """Return the points at one state."""
    return np.asarray(model.positions(np.array([t]), x[None])[0])


def _numbers(model: Model, t: float, x: Array, groups: Sequence[Sequence[object]]) -> list[Array]:
    """Return the values of groups of expressions."""
    flat = [expression for group in groups for expression in group]
    values = np.asarray(model.compile_outputs(flat)(np.array([t]), x[None]))[0] if flat else []
    if not np.isfinite(values).all():
        raise ValueError(f"the drawing is not finite at x = {shown(x.tolist())}")
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return [np.asarray(part) for part in np.split(np.asarray(values), ends)] if groups else []
