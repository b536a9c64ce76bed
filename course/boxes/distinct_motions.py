"""Check that each mistake is visible in its motion, and that no two mistakes look alike.

Used by ``python -m course exercises`` and the tests of the exercises.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sm

from course.boxes.comparison import SideBySide
from course.judge.exercise import Exercise
from tutlib.methods.integration import integrate
from tutlib.methods.trajectory import SimulationError, UnstableWarning
from tutlib.models.model import Model

#: Times [s] within which a mistake must be visible, and over which motions are compared.
SOON, WHOLE = 2.0, 6.0
#: Smallest distance of a joint, relative to the mechanism's reach; and between two mistakes [m].
SHARE, APART = 0.1, 0.01
_STEP = 0.02

Positions = npt.NDArray[np.float64]


def alike_motions(exercise: Exercise) -> Iterator[str]:
    """Yield a sentence for each mistake that moves like the right answer, or like another mistake.

    Parameters
    ----------
    exercise : Exercise
        Nothing is reported if its ``show`` does not come from `side_by_side`.

    Yields
    ------
    str
        A sentence.
    """
    if not isinstance(exercise.show, SideBySide):
        return
    model = exercise.show.model(*exercise.right.expressions)
    yield from _hiding_parameters(model)
    exact = _positions(exercise.show, model, model)
    moved = [(hint, _motion(exercise.show, model, wrong)) for wrong, hint in exercise.known]
    moving = [(hint, positions) for hint, positions in moved if positions is not None]
    if len(moving) < len(moved) - 1:
        yield "More than one of the mistakes sets nothing in motion."
    soon, reach = round(SOON / _STEP), np.linalg.norm(exact, axis=-1).max()
    for hint, positions in moving:
        if _distance(exact[: soon + 1], positions[: soon + 1]) <= SHARE * reach:
            yield f"Within {SOON:g} s the mistake with the hint “{hint}” moves as the truth does."
    for (first, motion), (second, other_motion) in combinations(moving, 2):
        if _distance(motion, other_motion) <= APART:
            yield f"The mistakes with the hints “{first}” and “{second}” move alike."


def _hiding_parameters(model: Model) -> Iterator[str]:
    """Yield parameters that hide mistakes: 1 in products, and equal values that can be swapped."""
    for letters, what in (("l", "lengths"), ("mM", "masses")):
        sizes = [value for name, value in model.parameters.items() if str(name)[0] in letters]
        if len(set(sizes)) < len(sizes):
            yield f"Two {what} of what moves are equal: exchanging them is no mistake to be seen."
        if 1 in sizes:
            yield f"One of the {what} of what moves is 1: forgetting it is no mistake to be seen."


def _motion(show: SideBySide, right: Model, wrong: Any) -> Positions | None:
    """Return the positions of the joints with a mistake; None if it determines no motion."""
    try:
        return _positions(show, right, show.model(*wrong.expressions))
    except ValueError:
        return None


def _positions(show: SideBySide, right: Model, model: Model) -> Positions:
    """Return the positions of all joints, shape (times, joints, 2), with the right parameters."""
    q = [*right.equations.q]
    points = [[c.subs(right.parameters) for c in point] for point in right.skeleton.points]
    position = sm.lambdify([q], points)
    f = replace(model, parameters={**model.parameters, **right.parameters}).compile()
    times = np.linspace(0, WHOLE, round(WHOLE / _STEP) * 4 + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnstableWarning)  # a mistake may grow without bound
        try:
            states = integrate(f, times, show.x0).x
        except SimulationError as error:
            states = error.trajectory.x
    states = states[np.isfinite(states).all(axis=1)]
    return np.array([np.array(position(x[: len(q)]), float) for x in states[::4]])


def _distance(first: Positions, second: Positions) -> float:
    """Return the largest distance between joints of two motions, while both last."""
    count = min(len(first), len(second))
    return float(np.linalg.norm(first[:count] - second[:count], axis=-1).max())
