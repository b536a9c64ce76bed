"""What stands in space, as a page and a still picture get it.

The camera is that of camera.js, and the drawing that of bodies.js, with fewer shades. Used by the
films and the live simulations of chapters 8 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from tutlib.pictures import svg
from tutlib.pictures.look import color
from tutlib.programs.right_hand_side import Array

_TURN = np.linspace(0, 2 * np.pi, 25)[:-1]


def ball_around(points: Array) -> list[float]:
    """Return center and radius of points of shape (..., 3), with a margin [m]."""
    flat = points.reshape(-1, 3)
    center = (flat.min(axis=0) + flat.max(axis=0)) / 2
    radius = 1.1 * max(float(np.linalg.norm(flat - center, axis=1).max()), 1e-9)
    return [round(float(v), 4) for v in (*center, radius)]


def seen(points: Array) -> Array:
    """Return points in space as camera.js sees them at first: right and up."""
    return np.asarray(_from_here(points)[..., :2])


def _from_here(points: Array) -> Array:
    """Return points in space as they are seen at first: right, up and how near."""
    yaw, pitch = 0.5, 0.3
    x, y, z = np.moveaxis(points, -1, 0)
    right, away = np.cos(yaw) * x + np.sin(yaw) * y, np.cos(yaw) * y - np.sin(yaw) * x
    up, near = (
        np.cos(pitch) * z + np.sin(pitch) * away,
        np.sin(pitch) * z - np.cos(pitch) * away,
    )
    return np.stack([right, up, near], axis=-1)


def lines_data(drawn: Any) -> dict[str, Any]:
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
    motions: Mapping[str, Array], drawn: Any, box: Sequence[float], width: int = 480
) -> str:
    """Draw mechanisms in space, each from its points of shape (points, 3), as a small SVG.

    Parameters
    ----------
    motions : mapping from label to array
    drawn : Lines
    box : four float
        Left, bottom, right and top of what is seen [m].
    width : int
        In pixels.

    Returns
    -------
    str
    """
    left, bottom, right, top = box
    scale = width / (right - left)
    marks = []
    for index, points in enumerate(motions.values()):
        place = _from_here(points) * [scale, -scale, 1] + [-left * scale, top * scale, 0]
        marks += sorted(_marks(place, drawn, index), key=lambda mark: mark[0])
    return svg.still(width, round((top - bottom) * scale), *(text for _, text in marks))


def _marks(place: Array, drawn: Any, index: int) -> list[tuple[float, str]]:
    """Return what is drawn of one mechanism: how near each piece is, and its SVG."""

    def own(group: int) -> str:
        return color(f"series-{((group or index) % 5) + 1}")

    marks = []
    groups = drawn.groups or (0,) * len(drawn.lines)
    for number, (line, group) in enumerate(zip(drawn.lines, groups)):
        bar = 2 if number in drawn.thin else 6
        marks.append(_shape(place[list(line)], stroke=own(group), width=bar))
    for face in drawn.faces:
        corners = place[list(face.corners)]
        (x, y), (u, v) = corners[1, :2] - corners[0, :2], corners[2, :2] - corners[0, :2]
        if x * v - y * u < 0:  # its outside is seen: on the page y points down
            marks.append(_shape(corners, own(face.group), face.tint, own(face.group), 1.5, True))
    for ring in drawn.rings:
        o, a, b = place[list(ring.plane)]
        ways = ring.radius * (np.outer(np.cos(_TURN), a - o) + np.outer(np.sin(_TURN), b - o))
        tint = 0.65 if ring.filled else 0.15
        marks.append(
            _shape(place[ring.center] + ways, own(ring.group), tint, own(ring.group), 2, True)
        )
    for arrow in drawn.arrows:
        marks.append(_shape(place[[arrow.start, arrow.end]], stroke=color(arrow.role), width=3))
    marks += [_ball(place[k], own(0), 11) for k in drawn.bodies]
    return marks + [_ball(place[k], color("ink"), 6) for k in drawn.pivots]


def _shape(
    points: Array, fill: str = "none", tint: float = 1, stroke: str = "none", width: float = 1,
    closed: bool = False,
) -> tuple[float, str]:  # fmt: skip
    style = f"fill:{fill};fill-opacity:{tint};stroke:{stroke};stroke-width:{width}"
    style += ";stroke-linecap:round;stroke-linejoin:round"
    d = svg.path(points[:, :2], closed=closed)
    return float(points[:, 2].mean()), svg.element("path", d=d, style=style)


def _ball(point: Array, fill: str, radius: float) -> tuple[float, str]:
    x, y, near = point.tolist()
    return near, svg.element("circle", cx=x, cy=y, r=radius, style=f"fill:{fill}")
