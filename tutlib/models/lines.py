"""What is drawn of a mechanism in space: bars, balls, faces, rings, arrows and names at its points.

The box of chapter 8 and the quadrotors of chapter 9 have such; what moves in the plane has a
`Skeleton`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import function, real_number, shown

#: So many places of a path are joined by a line.
PLACES = 51


@dataclass(frozen=True)
class Face:
    """A side of a solid body.

    Parameters
    ----------
    corners : tuple of int
        Points, counter-clockwise as seen from outside.
    group : int
        Number of its color; 0 is that of the mechanism.
    tint : float
        How much of the color there is in it, from 0 to 1.
    """

    corners: tuple[int, ...]
    group: int = 0
    tint: float = 0.5


@dataclass(frozen=True)
class Ring:
    """A circle, such as that in which a rotor turns, or the rim of a wheel.

    Parameters
    ----------
    center : int
        A point.
    plane : (int, int, int)
        A point, and two others: the circle's plane is along the ways to these.
    radius : float
        As a part of these ways.
    group : int
        Number of its color; 0 is that of the mechanism.
    filled : bool
        Whether it is drawn as a disk.
    """

    center: int
    plane: tuple[int, int, int]
    radius: float
    group: int = 0
    filled: bool = False


@dataclass(frozen=True)
class SpaceArrow:
    """An arrow from one point to another.

    Parameters
    ----------
    start, end : int
        Points.
    role : str
        Of its color in ``look.json``, such as ``"force"`` or ``"velocity"``.
    """

    start: int
    end: int
    role: str


@dataclass(frozen=True)
class Name:
    """What is written beside a point.

    Parameters
    ----------
    text : str
        Such as ``"b_1"``.
    point, away : int
        The point, and another one, away from which the text stands.
    role : str
        Of its color in ``look.json``.
    """

    text: str
    point: int
    away: int
    role: str = "ink"


@dataclass(frozen=True)
class Lines:
    """What to draw through points in space.

    Parameters
    ----------
    lines : tuple of tuples of int
        Each a path through points, by index: bars with a width.
    bodies : tuple of int
        Points drawn as balls; the last one leaves a trace.
    pivots : tuple of int
        Points fixed to the ground.
    groups : tuple of int
        Number of the color of each line; 0 is that of the mechanism, and so are all unless given.
    thin : tuple of int
        Numbers of the lines that are no bars but threads.
    faces : tuple of Face
    rings : tuple of Ring
    arrows : tuple of SpaceArrow
    names : tuple of Name
    traced : int, optional
        The point that leaves a trace, if it is not the last body.
    ground : float, optional
        How high the ground is [m], third axis up; below everything unless given.
    """

    lines: tuple[tuple[int, ...], ...]
    bodies: tuple[int, ...] = ()
    pivots: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    thin: tuple[int, ...] = ()
    faces: tuple[Face, ...] = ()
    rings: tuple[Ring, ...] = ()
    arrows: tuple[SpaceArrow, ...] = ()
    names: tuple[Name, ...] = ()
    traced: int | None = None
    ground: float | None = None


def with_path(
    drawn: Lines, points: Callable[..., Array], count: int, path: object, group: int
) -> tuple[Lines, Callable[..., Array]]:
    """Return what is drawn, and its points, with a thin line along a path.

    Parameters
    ----------
    drawn : Lines
    points : function (t, x, **parameters) -> array, shape (count, 3)
    count : int
        Of the points.
    path : (function (t, **parameters) -> array of shape (3,), float, float)
        Places [m], and from when to when [s] the line goes.
    group : int
        Number of the line's color.

    Returns
    -------
    (Lines, function)
        The places stand behind the points.

    Raises
    ------
    TypeError
        If the path is no function with two times.
    """
    if not isinstance(path, tuple) or len(path) != 3:
        raise TypeError(f"path must be a function and two times, in a tuple; got {shown(path)}")
    way = function(path[0], "the path", "t, **parameters")
    begin, end = (real_number(time, "a time of the path") for time in path[1:])
    line = tuple(range(count, count + PLACES))
    groups = drawn.groups or (0,) * len(drawn.lines)
    lines = replace(
        drawn,
        lines=(*drawn.lines, line),
        groups=(*groups, group),
        thin=(*drawn.thin, len(drawn.lines)),
    )
    times = np.linspace(begin, end, PLACES).tolist()
    return lines, partial(_and_path, points, way, times)


def _and_path(
    points: Callable[..., object],
    way: Callable[..., object],
    times: list[float],
    t: ArrayLike,
    x: ArrayLike,
    **parameters: object,
) -> Array:
    places = [np.asarray(way(time, **parameters)) for time in times]
    return np.concatenate([points(t, x, **parameters), np.array(places)])
