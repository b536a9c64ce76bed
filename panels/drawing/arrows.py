"""Arrows in sketches, straight or curved, each kind with its color, head, and dashes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from panels.drawing.svg import element, paint, pixels
from straightline.aliases import Array
from tutlib.plots.look import LOOK

_WIDTHS, _GLYPHS = LOOK["widths"], LOOK["glyphs"]
#: The length of a solid head of full size [px]; the shaft ends before its tip.
_HEAD = 11.0


@dataclass(frozen=True)
class ArrowStyle:
    """The look of arrows of one kind.

    Parameters
    ----------
    role : str
        Of the color.
    head : {"solid head", "open head"}
    dashes : str
        As in SVG.
    width : float
        Of the shaft [px].
    size : float
        Of the head, as a fraction of full size.
    """

    role: str
    head: str = "solid head"
    dashes: str = ""
    width: float = _WIDTHS["arrow"]
    size: float = 1.0


#: The kinds of arrows that a sketch can show, by their names in descriptions.
KINDS = {
    "velocity": ArrowStyle("velocity", "open head"),
    "partial velocity": ArrowStyle("velocity", "open head", "7 3"),
    "force": ArrowStyle("force"),
    "torque": ArrowStyle("force"),
    "constraint": ArrowStyle("constraint", dashes="6 3"),
    "displacement": ArrowStyle("goal", "open head", "2 4"),
    "unit vector": ArrowStyle("ink", width=2.0, size=0.8),
}
ANGLE = ArrowStyle("ink", width=1.6, size=0.75)
DIMENSION = ArrowStyle("ground", width=_WIDTHS["dimension"], size=0.6)


def straight_arrow(start: Array, end: Array, style: ArrowStyle, both: bool = False) -> str:
    """Return an arrow between two points [px], with heads at both ends if asked."""
    vector = end - start
    length = float(np.hypot(*vector))
    if not length:
        return ""
    size = min(style.size, length / _HEAD / (2 if both else 1))
    offset = vector / length * _head_length(style, size)
    shaft = [start + offset if both else start, end - offset]
    shaft_path = _shaft("L".join(f"{pixels(x)} {pixels(y)}" for x, y in shaft), style)
    angle = math.atan2(vector[1], vector[0])
    heads = _head(end, angle, style, size)
    return shaft_path + heads + (_head(start, angle + math.pi, style, size) if both else "")


def curved_arrow(
    center: Array, radius: float, start: float, sweep: float, style: ArrowStyle
) -> str:
    """Return an arrow along an arc, with the head at its end.

    Parameters
    ----------
    center : array, shape (2,)
        In pixels.
    radius : float
        In pixels.
    start, sweep : float
        The angle from the x axis at which the arc begins, and the angle of the arc;
        counterclockwise [rad].
    style : ArrowStyle
    """
    size = min(style.size, 0.8 * radius * abs(sweep) / _HEAD)
    head_angle = math.copysign(_head_length(style, size) / radius, sweep)
    end = start + sweep
    ends = [point_on_circle(center, radius, angle) for angle in (start, end - head_angle)]
    (x0, y0), (x1, y1) = ends
    large, clockwise = int(abs(sweep - head_angle) > math.pi), int(sweep < 0)
    arc = f"{pixels(x0)} {pixels(y0)}A{pixels(radius)} {pixels(radius)} 0 {large} {clockwise} "
    shaft = _shaft(f"{arc}{pixels(x1)} {pixels(y1)}", style)
    # the head is straight, and parallel to the arc at its middle
    middle = end - math.copysign(size * _HEAD / 2 / radius, sweep)
    forward = -middle - math.copysign(math.pi / 2, sweep)
    return shaft + _head(point_on_circle(center, radius, end), forward, style, size)


def point_on_circle(center: Array, radius: float, angle: float) -> Array:
    """Return a point [px] on a circle, by its counterclockwise angle from the x axis."""
    return np.asarray(center) + radius * np.array([math.cos(angle), -math.sin(angle)])


def arc_points(center: Array, radius: float, start: float, sweep: float) -> Array:
    """Return points [px] on an arc, a few pixels apart."""
    count = max(3, round(abs(sweep) * radius / 3) + 1)
    angles = start + np.linspace(0, sweep, count)
    return np.stack([point_on_circle(center, radius, angle) for angle in angles])


def _head_length(style: ArrowStyle, size: float) -> float:
    """Return the distance [px] between the tip of an arrow and the end of its shaft."""
    return _HEAD * size - 1 if style.head == "solid head" else 0.0


def _shaft(data: str, style: ArrowStyle) -> str:
    """Return the shaft of an arrow."""
    stroke = {"stroke_width": style.width, "stroke_dasharray": style.dashes or None}
    return element("path", d=f"M{data}", **paint(stroke=style.role), **stroke)


def _head(tip: Array, angle: float, style: ArrowStyle, size: float) -> str:
    """Return the head of an arrow, which points in the direction of an angle."""
    pose = f"translate({pixels(tip[0])} {pixels(tip[1])}) rotate({pixels(math.degrees(angle))})"
    solid = style.head == "solid head"
    colors = paint(style.role) if solid else paint(stroke=style.role)
    width = None if solid else style.width
    return element(
        "path",
        d=_GLYPHS[style.head],
        transform=f"{pose} scale({pixels(size)})",
        **colors,
        stroke_width=width,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
