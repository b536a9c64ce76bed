"""Drawing of a mechanism in space: bars, balls, faces, rings, arrows, and names at its points.

The box of chapter 8 and the quadrotors of chapter 9 have one; a mechanism in the plane has a
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

#: Number of points on the line along a path.
PATH_POINTS = 51


@dataclass(frozen=True)
class Face:
    """Face of a solid body.

    Parameters
    ----------
    corners : tuple of int
        Indices of points, counterclockwise as seen from outside.
    group : int
        Number of its color; 0 is that of the mechanism.
    tint : float
        Amount of the color in it, from 0 to 1.
    """

    corners: tuple[int, ...]
    group: int = 0
    tint: float = 0.5


@dataclass(frozen=True)
class Ring:
    """Circle, such as the path of a rotor, or the rim of a wheel.

    Parameters
    ----------
    center : int
        Index of a point.
    plane : (int, int, int)
        Index of a point and two others: the vectors to these span the plane of the circle.
    radius : float
        Radius relative to these vectors.
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
    """Arrow from one point to another.

    Parameters
    ----------
    start, end : int
        Indices of points.
    role : str
        Role of its color in ``look.json``, such as ``"force"`` or ``"velocity"``.
    """

    start: int
    end: int
    role: str


@dataclass(frozen=True)
class Name:
    """Text beside a point.

    Parameters
    ----------
    text : str
        Such as ``"b_1"``.
    point, away : int
        Index of the point, and of another point, opposite to which the text is.
    role : str
        Role of its color in ``look.json``.
    """

    text: str
    point: int
    away: int
    role: str = "ink"


@dataclass(frozen=True)
class Lines:
    """Lines, faces, and symbols to draw through points in space.

    Parameters
    ----------
    lines : tuple of tuples of int
        Paths through points, by index, drawn as bars.
    bodies : tuple of int
        Points drawn as balls; the last one leaves a trace.
    pivots : tuple of int
        Points that are fixed to the ground.
    groups : tuple of int
        Number of the color of each line; 0 is that of the mechanism, the default for all lines.
    thin : tuple of int
        Indices of lines that are drawn as threads instead of bars.
    faces : tuple of Face
    rings : tuple of Ring
    arrows : tuple of SpaceArrow
    names : tuple of Name
    traced : int, optional
        Index of the point that leaves a trace, if it is not the last body.
    ground : float, optional
        Height of the ground [m], third axis up; below everything unless given.
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
    """Return a drawing, and its points, with a thin line along a path.

    Parameters
    ----------
    drawn : Lines
    points : function (t, x, **parameters) -> array, shape (count, 3)
    count : int
        Number of points.
    path : (function (t, **parameters) -> array of shape (3,), float, float)
        Positions [m], and the times [s] between which the line is drawn.
    group : int
        Number of the line's color.

    Returns
    -------
    (Lines, function)
        The points of the path follow the other points.

    Raises
    ------
    TypeError
        If the path is not a function with two times.
    """
    if not isinstance(path, tuple) or len(path) != 3:
        raise TypeError(f"path must be a function and two times, in a tuple; got {shown(path)}")
    position = function(path[0], "the path", "t, **parameters")
    begin, end = (real_number(time, "a time of the path") for time in path[1:])
    line = tuple(range(count, count + PATH_POINTS))
    groups = drawn.groups or (0,) * len(drawn.lines)
    lines = replace(
        drawn,
        lines=(*drawn.lines, line),
        groups=(*groups, group),
        thin=(*drawn.thin, len(drawn.lines)),
    )
    times = np.linspace(begin, end, PATH_POINTS).tolist()
    return lines, partial(_points_and_path, points, position, times)


def _points_and_path(
    points: Callable[..., object],
    position: Callable[..., object],
    times: list[float],
    t: ArrayLike,
    x: ArrayLike,
    **parameters: object,
) -> Array:
    path = [np.asarray(position(time, **parameters)) for time in times]
    return np.concatenate([points(t, x, **parameters), np.array(path)])
