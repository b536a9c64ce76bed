"""A mechanism at one state, in numbers: where its points are, which way its marks point.

Sketches are drawn from this. What constraints hold together is found by comparing them with the
distances of points, so no model has to say it.
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


#: How far a joint is opened to be seen, as part of the mechanism's size.
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
        Of what else was asked, each with its own entries.
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
        """Return how far points are apart that belong together, shape (pairs,) [m]."""
        return _apart(self.points, self.held)

    def value(self, model: Model, symbol: Named) -> float | None:
        """Return the value of a state; None if the symbol is none."""
        states = list(model.equations.states)
        return float(self.x[states.index(symbol)]) if symbol in states else None


def pose_of(
    model: Model, x: ArrayLike, t: float, cut: bool, asked: Sequence[Sequence[object]]
) -> Pose:
    """Return a model at a state, with its loops closed, or cut and opened so that one sees it.

    Parameters
    ----------
    model : Model
    x : array, shape (states,) or (coordinates,)
    t : float
        Time [s].
    cut : bool
    asked : sequence of sequences of Expr
        What else is to be computed.

    Raises
    ------
    ValueError
        If x has another shape or leaves a loop open that is not cut, or there is nothing to cut.
    """
    now, state = real_number(t, "t"), read_state(model, x)
    held = held_points(model)
    if cut and not held:
        raise ValueError(f"cut: the constraints of the {model.name} hold no points together")
    points = _positions(model, now, state)
    wide = float(np.ptp(points, axis=0).max())
    largest = max(_apart(points, held), default=0.0)
    if cut and largest < 0.1 * wide:
        state = _opened(model, now, state, held, _GAP * wide)
        points = _positions(model, now, state)
    elif not cut and largest > 0.01 * wide:
        raise ValueError(
            f"at this x the loop of the {model.name} is open by {largest:.3g} m: take "
            "model.consistent_state(x), or ask for cut=True"
        )
    return Pose(now, state, points, held, _numbers(model, now, state, asked))


def read_state(model: Model, x: ArrayLike) -> Array:
    """Return a state; of coordinates alone, at rest.

    Raises
    ------
    ValueError
        If x has another shape.
    """
    state, eom = real_array(x, "x"), model.equations
    n, states = len(eom.q), len(eom.states)
    if state.shape not in ((n,), (states,)):
        listing = ", ".join(str(q.func) if hasattr(q, "func") else str(q) for q in eom.q)
        raise ValueError(
            f"x of the {model.name} needs its {states} states, or the {n} coordinates {listing}; "
            f"got shape {state.shape}"
        )
    return np.concatenate([state, np.zeros(states - len(state))])


def held_points(model: Model) -> tuple[tuple[int, int], ...]:
    """Return the pairs of points whose distances are what the constraints make zero."""
    if not model.constraints:
        return ()
    random = np.random.default_rng(1)
    x = random.uniform(-1.5, 1.5, (4, len(model.equations.states)))
    points = model.positions(np.zeros(len(x)), x)
    gaps = np.asarray(model.compile_outputs(model.constraints)(np.zeros(len(x)), x))
    both = np.concatenate([gaps, -gaps], axis=1).T

    def is_zeroed(column: Array) -> bool:
        return any(np.allclose(column, gap, rtol=1e-9, atol=1e-12) for gap in both)

    pairs = []
    for j in range(points.shape[1]):
        for i in range(j):
            apart = (points[:, i] - points[:, j]).T
            moving = [column for column in apart if np.abs(column).max() > 1e-12]
            if moving and all(map(is_zeroed, moving)):
                pairs.append((i, j))
    return tuple(pairs)


def _apart(points: Array, held: Sequence[tuple[int, int]]) -> Array:
    return np.array([np.hypot(*(points[i] - points[j])) for i, j in held])


def _opened(model: Model, t: float, x: Array, held: Sequence[tuple[int, int]], gap: float) -> Array:
    """Return a state near x at which points that belong together are apart by a gap [m].

    The coordinates move as little as they can for it.
    """
    n, step = len(model.equations.q), 1e-6
    ends = np.repeat(x[None], 2 * n, axis=0)
    ends[np.arange(n), np.arange(n)] += step
    ends[n + np.arange(n), np.arange(n)] -= step
    points = model.positions(np.full(2 * n, t), ends)
    apart = np.concatenate([points[:, i] - points[:, j] for i, j in held], axis=1)
    jacobian = (apart[:n] - apart[n:]).T / (2 * step)
    left, sizes, right = np.linalg.svd(jacobian)
    sign = 1.0 if left[1, 0] >= 0 else -1.0
    opened = x.copy()
    opened[:n] += sign * gap / sizes[0] * right[0]
    return opened


def _positions(model: Model, t: float, x: Array) -> Array:
    return np.asarray(model.positions(np.array([t]), x[None])[0])


def _numbers(model: Model, t: float, x: Array, asked: Sequence[Sequence[object]]) -> list[Array]:
    flat = [expression for entry in asked for expression in entry]
    values = np.asarray(model.compile_outputs(flat)(np.array([t]), x[None]))[0] if flat else []
    if not np.isfinite(values).all():
        raise ValueError(f"what is to be drawn is not finite at x = {shown(x.tolist())}")
    ends = np.cumsum([len(entry) for entry in asked])[:-1]
    return [np.asarray(part) for part in np.split(np.asarray(values), ends)] if asked else []
