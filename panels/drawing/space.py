"""What stands in space, as a page and a still picture get it.

The camera is that of camera.js, and the drawing that of bodies.js, with fewer shades. Used by the
films and the live simulations of chapters 8 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from panels.drawing import svg
from panels.drawing.arrows import KINDS, Style, straight
from panels.drawing.lettering import text
from straightline.aliases import Array
from tutlib.plots.look import color

if TYPE_CHECKING:
    from tutlib.models.lines import Lines, Ring


_TURN = np.linspace(0, 2 * np.pi, 25)[:-1]
#: Which way one looks at first: turned about the vertical, and how far from above [rad].
VIEW = (0.5, 0.3)


def ball_around(points: Array) -> list[float]:
    """Return center and radius of points of shape (..., 3), with a margin [m]."""
    flat = points.reshape(-1, 3)
    center = (flat.min(axis=0) + flat.max(axis=0)) / 2
    radius = 1.1 * max(float(np.linalg.norm(flat - center, axis=1).max()), 1e-9)
    return [round(float(v), 4) for v in (*center, radius)]


def seen(points: Array) -> Array:
    """Return points in space as camera.js sees them at first: right and up."""
    return np.asarray(from_here(points)[..., :2])


def from_here(points: Array, view: tuple[float, float] = VIEW) -> Array:
    """Return points in space, shape (..., 3), as camera.js sees them: right, up and how near."""
    yaw, pitch = view
    x, y, z = np.moveaxis(points, -1, 0)
    right, away = np.cos(yaw) * x + np.sin(yaw) * y, np.cos(yaw) * y - np.sin(yaw) * x
    up, near = (
        np.cos(pitch) * z + np.sin(pitch) * away,
        np.sin(pitch) * z - np.cos(pitch) * away,
    )
    return np.stack([right, up, near], axis=-1)


def lines_data(drawn: Any) -> dict[str, object]:
    """Return what bodies.js needs of a mechanism's `Lines`, its points by number.

    Parameters
    ----------
    drawn : Lines

    Returns
    -------
    dict
    """
    groups = drawn.groups or (0,) * len(drawn.lines)
    return {**asdict(drawn), "groups": groups}


def still_in_space(
    motions: Mapping[str, Array],
    drawn: Any,
    box: Sequence[float],
    goals: Sequence[object] | Array = (),
) -> str:
    """Draw mechanisms in space, each from its points of shape (points, 3), as a small SVG.

    Parameters
    ----------
    motions : mapping from label to array
    drawn : Lines
    box : four float
        Left, bottom, right and top of what is seen [m].
    goals : sequence of (x, y, z)
        Places that are marked by rings [m].

    Returns
    -------
    str
    """
    left, bottom, right, top = box
    scale = svg.STILL / (right - left)

    def pixels(points: Array) -> Array:
        return from_here(points) * [scale, -scale, 1] + [-left * scale, top * scale, 0]

    elements = [svg.goal(pixels(np.array(goal))[:2]) for goal in goals]
    for index, points in enumerate(motions.values()):
        marks = marks_in_space(pixels(points), drawn, index)
        elements += [piece for _, piece in sorted(marks, key=lambda mark: mark[0])]
        elements += [straight(*arrow) for arrow in _arrows(pixels(points), drawn)]
        elements += [text(*name) for name in _names(pixels(points), drawn)]
    return svg.still(round((top - bottom) * scale), *elements)


def _arrows(place: Array, drawn: Lines) -> list[tuple[Array, Array, Style]]:
    """Return where a mechanism's arrows begin and end, and how they look."""
    flat, styles = place[:, :2], {a.role: Style(a.role) for a in drawn.arrows} | KINDS
    return [(flat[arrow.start], flat[arrow.end], styles[arrow.role]) for arrow in drawn.arrows]


def _names(place: Array, drawn: Lines) -> list[tuple[str, float, float, str]]:
    """Return a mechanism's names, where their middles stand, and the roles of their colors."""
    names = []
    for name in drawn.names:
        at, away = place[[name.point, name.away], :2]
        length = float(np.hypot(*(at - away)))
        way = (at - away) / length if length > 1 else np.array([1.0, -1.0])
        x, y = (at + 18 * way).tolist()
        names.append((name.text, x, y, name.role))
    return names


def marks_in_space(place: Array, drawn: Lines, index: int) -> list[tuple[float, str]]:
    """Return what is drawn of one mechanism: how near each piece is, and its SVG.

    Parameters
    ----------
    place : array, shape (points, 3)
        Right and down [px], and how near.
    drawn : Lines
    index : int
        Its number among those that are compared, from 0.
    """

    def role(group: int) -> str:
        return f"series-{((group or index) % 5) + 1}"

    marks = []
    groups = drawn.groups or (0,) * len(drawn.lines)
    for number, (line, group) in enumerate(zip(drawn.lines, groups)):
        bar = 2 if number in drawn.thin else 6
        marks.append(shape(place[list(line)], stroke=role(group), width=bar))
    for face in drawn.faces:
        corners = place[list(face.corners)]
        (x, y), (u, v) = corners[1, :2] - corners[0, :2], corners[2, :2] - corners[0, :2]
        if x * v - y * u < 0:  # its outside is seen: on the page y points down
            marks.append(shape(corners, role(face.group), face.tint, role(face.group), 1.5, True))
    for ring in drawn.rings:
        tint = 0.65 if ring.filled else 0.15
        marks.append(shape(rim(place, ring), role(ring.group), tint, role(ring.group), 2, True))
    marks += [_ball(place[k], role(0), 11) for k in drawn.bodies]
    return marks + [_ball(place[k], "ink", 6) for k in drawn.pivots]


def rim(place: Array, ring: Ring) -> Array:
    """Return points along a ring, shape (24, 3).

    Parameters
    ----------
    place : array, shape (points, 3)
        Of all points of the skeleton, in one linear view of them or another.
    ring : Ring
    """
    o, a, b = place[list(ring.plane)]
    around = np.outer(np.cos(_TURN), a - o) + np.outer(np.sin(_TURN), b - o)
    return np.asarray(place[ring.center] + ring.radius * around)


def shape(
    points: Array,
    fill: str = "",
    tint: float = 1,
    stroke: str = "",
    width: float = 1,
    closed: bool = False,
) -> tuple[float, str]:
    """Return a line through places, or a piece of a plane: how near it is, and its SVG.

    Parameters
    ----------
    points : array, shape (n, 3)
        Right and down [px], and how near.
    fill, stroke : str
        Roles of colors, such as ``"ink"``; an empty one is none.
    tint : float
        How opaque the fill is, from 0 to 1.
    width : float
        Of the line [px].
    closed : bool
        Whether it goes back to where it began.
    """
    inside, outline = (color(role) if role else "none" for role in (fill, stroke))
    style = f"fill:{inside};fill-opacity:{tint};stroke:{outline};stroke-width:{width}"
    style += ";stroke-linecap:round;stroke-linejoin:round"
    d = svg.path(points[:, :2], closed=closed)
    return float(points[:, 2].mean()), svg.element("path", d=d, style=style)


def _ball(point: Array, fill: str, radius: float) -> tuple[float, str]:
    x, y, near = point.tolist()
    return near, svg.element("circle", cx=x, cy=y, r=radius, style=f"fill:{color(fill)}")
