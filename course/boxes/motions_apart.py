"""Tell whether a mistake shows in its motion, and no two mistakes look alike.

``python -m course exercises`` and the tests of the course's exercises use this.
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

#: Seconds in which a mistake must show, and in which motions are compared.
SOON, WHOLE = 2.0, 6.0
#: By so much a joint must be away: of the arm's length, and in meters for two mistakes.
SHARE, APART = 0.1, 0.01
_STEP = 0.02

Places = npt.NDArray[np.float64]


def alike_motions(exercise: Exercise) -> Iterator[str]:
    """Say which mistakes cannot be seen to move otherwise than the right answer, or one another.

    Parameters
    ----------
    exercise : Exercise
        Nothing is said of one whose ``show`` is not made by `side_by_side`.

    Yields
    ------
    str
        A sentence.
    """
    if not isinstance(exercise.show, SideBySide):
        return
    model = exercise.show.model(*exercise.right.expressions)
    yield from _hiding_sizes(model)
    true = _places(exercise.show, model, model)
    moved = [(hint, _motion(exercise.show, model, wrong)) for wrong, hint in exercise.known]
    moving = [(hint, places) for hint, places in moved if places is not None]
    if len(moving) < len(moved) - 1:
        yield "More than one of the mistakes sets nothing in motion."
    soon, reach = round(SOON / _STEP), np.linalg.norm(true, axis=-1).max()
    for hint, places in moving:
        if _away(true[: soon + 1], places[: soon + 1]) <= SHARE * reach:
            yield f"Within {SOON:g} s the mistake with the hint “{hint}” moves as the truth does."
    for (first, one), (second, other) in combinations(moving, 2):
        if _away(one, other) <= APART:
            yield f"The mistakes with the hints “{first}” and “{second}” move alike."


def _hiding_sizes(model: Model) -> Iterator[str]:
    """Say which sizes hide a mistake: what is 1 hides in products, what is alike can be changed."""
    for letters, what in (("l", "lengths"), ("mM", "masses")):
        sizes = [value for name, value in model.parameters.items() if str(name)[0] in letters]
        if len(set(sizes)) < len(sizes):
            yield f"Two {what} of what moves are equal: exchanging them is no mistake to be seen."
        if 1 in sizes:
            yield f"One of the {what} of what moves is 1: forgetting it is no mistake to be seen."


def _motion(show: SideBySide, right: Model, wrong: Any) -> Places | None:
    """Return where a mistake moves the joints; nothing if it says so: nothing moves."""
    try:
        return _places(show, right, show.model(*wrong.expressions))
    except ValueError:
        return None


def _places(show: SideBySide, right: Model, model: Model) -> Places:
    """Return the places of all joints, shape (times, joints, 2), with the right one's sizes."""
    q = [*right.equations.q]
    points = [[c.subs(right.parameters) for c in point] for point in right.skeleton.points]
    place = sm.lambdify([q], points)
    f = replace(model, parameters={**model.parameters, **right.parameters}).compile()
    times = np.linspace(0, WHOLE, round(WHOLE / _STEP) * 4 + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnstableWarning)  # a mistake may grow beyond all bounds
        try:
            states = integrate(f, times, show.x0).x
        except SimulationError as error:
            states = error.trajectory.x
    states = states[np.isfinite(states).all(axis=1)]
    return np.array([np.array(place(x[: len(q)]), float) for x in states[::4]])


def _away(one: Places, other: Places) -> float:
    """Return how far a joint of two motions is apart at most, as long as both last."""
    count = min(len(one), len(other))
    return float(np.linalg.norm(one[:count] - other[:count], axis=-1).max())
