"""Mechanisms in space, as data for a page and as still pictures.

The camera is that of camera.js, and the drawing that of bodies.js with fewer shades. Animations and
live simulations in space use it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from panels.drawing import svg
from panels.drawing.arrows import KINDS, ArrowStyle, straight_arrow
from panels.drawing.colors import color
from panels.drawing.lettering import text
from straightline.aliases import Array

if TYPE_CHECKING:
    from tutlib.models.lines import Lines, Ring


_CIRCLE = np.linspace(0, 2 * np.pi, 25)[:-1]
#: The initial yaw about the vertical, and pitch from the horizontal, of the camera [rad].
VIEW = (0.5, 0.3)


def ball_around(points: Array) -> list[float]:
    """Return center and radius of a ball around points of shape (..., 3), with a margin [m]."""
    flat = points.reshape(-1, 3)
    center = (flat.min(axis=0) + flat.max(axis=0)) / 2
    radius = 1.1 * max(float(np.linalg.norm(flat - center, axis=1).max()), 1e-9)
    return [round(float(v), 4) for v in (*center, radius)]


def seen(points: Array) -> Array:
    """Return points in space as camera.js initially projects them: right and up."""
    return np.asarray(camera_coordinates(points)[..., :2])


def camera_coordinates(points: Array, view: tuple[float, float] = VIEW) -> Array:
    """Return points, shape (..., 3), in camera.js's axes: right, up, and toward the viewer."""
    yaw, pitch = view
    x, y, z = np.moveaxis(points, -1, 0)
    right, away = np.cos(yaw) * x + np.sin(yaw) * y, np.cos(yaw) * y - np.sin(yaw) * x
    up, near = (
        np.cos(pitch) * z + np.sin(pitch) * away,
        np.sin(pitch) * z - np.cos(pitch) * away,
    )
    return np.stack([right, up, near], axis=-1)


def lines_data(drawn: Any) -> dict[str, object]:
    """Return a mechanism's `Lines` as data for bodies.js, its points by index.

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
        Left, bottom, right and top of the visible area [m].
    goals : sequence of (x, y, z)
        Positions that are marked with rings [m].

    Returns
    -------
    str
    """
    left, bottom, right, top = box
    scale = svg.STILL_WIDTH / (right - left)

    def pixels(points: Array) -> Array:
        return camera_coordinates(points) * [scale, -scale, 1] + [-left * scale, top * scale, 0]

    elements = [svg.goal(pixels(np.array(goal))[:2]) for goal in goals]
    for index, points in enumerate(motions.values()):
        marks = marks_in_space(pixels(points), drawn, index)
        elements += [piece for _, piece in sorted(marks, key=lambda mark: mark[0])]
        elements += [straight_arrow(*arrow) for arrow in _arrows(pixels(points), drawn)]
        elements += [text(*name) for name in _names(pixels(points), drawn)]
    return svg.still(round((top - bottom) * scale), *elements)


def _arrows(points: Array, drawn: Lines) -> list[tuple[Array, Array, ArrowStyle]]:
    """Return start, end, and style of a mechanism's arrows."""
    flat, styles = points[:, :2], {a.role: ArrowStyle(a.role) for a in drawn.arrows} | KINDS
    return [(flat[arrow.start], flat[arrow.end], styles[arrow.role]) for arrow in drawn.arrows]


def _names(points: Array, drawn: Lines) -> list[tuple[str, float, float, str]]:
    """Return a mechanism's names, the positions of their centers, and the roles of their colors."""
    names = []
    for name in drawn.names:
        position, origin = points[[name.point, name.away], :2]
        length = float(np.hypot(*(position - origin)))
        direction = (position - origin) / length if length > 1 else np.array([1.0, -1.0])
        x, y = (position + 18 * direction).tolist()
        names.append((name.text, x, y, name.role))
    return names


def marks_in_space(points: Array, drawn: Lines, index: int) -> list[tuple[float, str]]:
    """Return the pieces of one mechanism: how near each is to the viewer, and its SVG.

    Parameters
    ----------
    points : array, shape (points, 3)
        Right and down [px], and toward the viewer.
    drawn : Lines
    index : int
        Of the mechanism among those that are compared, from 0.
    """

    def role(group: int) -> str:
        return f"series-{((group or index) % 5) + 1}"

    marks = []
    groups = drawn.groups or (0,) * len(drawn.lines)
    for number, (line, group) in enumerate(zip(drawn.lines, groups)):
        bar = 2 if number in drawn.thin else 6
        marks.append(shape(points[list(line)], stroke=role(group), width=bar))
    for face in drawn.faces:
        corners = points[list(face.corners)]
        (x, y), (u, v) = corners[1, :2] - corners[0, :2], corners[2, :2] - corners[0, :2]
        if x * v - y * u < 0:  # its outside faces the viewer: on the page y points down
            marks.append(shape(corners, role(face.group), face.tint, role(face.group), 1.5, True))
    for ring in drawn.rings:
        tint = 0.65 if ring.filled else 0.15
        marks.append(
            shape(ring_points(points, ring), role(ring.group), tint, role(ring.group), 2, True)
        )
    marks += [_ball(points[k], role(0), 11) for k in drawn.bodies]
    return marks + [_ball(points[k], "ink", 6) for k in drawn.pivots]


def ring_points(points: Array, ring: Ring) -> Array:
    """Return points along a ring, shape (24, 3).

    Parameters
    ----------
    points : array, shape (points, 3)
        All points of the skeleton, in any linear projection.
    ring : Ring
    """
    o, a, b = points[list(ring.plane)]
    around = np.outer(np.cos(_CIRCLE), a - o) + np.outer(np.sin(_CIRCLE), b - o)
    return np.asarray(points[ring.center] + ring.radius * around)


def shape(
    points: Array,
    fill: str = "",
    tint: float = 1,
    stroke: str = "",
    width: float = 1,
    closed: bool = False,
) -> tuple[float, str]:
    """Return a polyline or a polygon: how near it is to the viewer, and its SVG.

    Parameters
    ----------
    points : array, shape (n, 3)
        Right and down [px], and toward the viewer.
    fill, stroke : str
        Roles of colors, such as ``"ink"``; an empty one is none.
    tint : float
        Opacity of the fill, from 0 to 1.
    width : float
        Of the line [px].
    closed : bool
        Whether it returns to its first point.
    """
    inside, outline = (color(role) if role else "none" for role in (fill, stroke))
    style = f"fill:{inside};fill-opacity:{tint};stroke:{outline};stroke-width:{width}"
    style += ";stroke-linecap:round;stroke-linejoin:round"
    d = svg.path(points[:, :2], closed=closed)
    return float(points[:, 2].mean()), svg.element("path", d=d, style=style)


def _ball(point: Array, fill: str, radius: float) -> tuple[float, str]:
    """Return a ball: how near it is to the viewer, and its SVG."""
    x, y, near = point.tolist()
    return near, svg.element("circle", cx=x, cy=y, r=radius, style=f"fill:{color(fill)}")
