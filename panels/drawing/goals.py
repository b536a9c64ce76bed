"""Goals of a motion: fixed or moving positions that an animation marks with rings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import real_array, shown

_FORM = (
    "a goal is a point of two or three numbers [m], of expressions of a model in the plane, or a "
    "function (t, x, **parameters) of a model in space; got"
)


def goal_positions(goals: Sequence[object], model: object, t: Array, x: Array) -> list[Array]:
    """Return the positions of goals along a motion.

    Parameters
    ----------
    goals : sequence
        Each a point of numbers [m] in the axes of the model. If the model has
        ``compile_outputs``, a goal may be of expressions of its state, its parameters, and time; if
        the model has ``places``, it may be a function (t, x, **parameters) that returns a point.
    model : model
    t : array, shape (m,)
    x : array, shape (m, k)

    Returns
    -------
    list of array, each of shape (m, 2) or (m, 3)

    Raises
    ------
    TypeError
        If a goal has another form.
    """
    if not isinstance(goals, Sequence | np.ndarray) or isinstance(goals, str):
        raise TypeError(f"goals must be a list, each of them a point; got {shown(goals)}")
    return [_positions(goal, model, t, x) for goal in goals]


def point_of(goal: object) -> Callable[..., object]:
    """Return a goal in space as a function (t, x, **parameters) -> array, shape (3,).

    Parameters
    ----------
    goal : array, shape (3,), or such a function

    Raises
    ------
    TypeError
        If it is neither.
    """
    if callable(goal):
        point: Callable[..., Any] = goal
        return point
    if isinstance(goal, str) or not np.iterable(goal):
        raise TypeError(f"{_FORM} {shown(goal)}")
    position = real_array(goal, "a goal", (3,))
    return lambda t, x, **parameters: position


def _positions(goal: object, model: object, t: Array, x: Array) -> Array:
    """Return the positions of one goal along a motion."""
    if hasattr(model, "places"):
        return np.asarray(model.places(point_of(goal), t, x))
    if callable(goal) or isinstance(goal, str) or not np.iterable(goal) or len(list(goal)) != 2:
        raise TypeError(f"{_FORM} {shown(goal)}")
    if hasattr(model, "compile_outputs"):
        return np.asarray(model.compile_outputs(tuple(goal))(t, x))
    return np.tile(real_array(goal, "a goal", (2,)), (len(t), 1))
