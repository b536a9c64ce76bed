"""Arrows of sketches: straight and curved ones, each kind with a color, a head and dashes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from panels.drawing.svg import element, paint, pixels
from straightline.aliases import Array
from tutlib.plots.look import LOOK

_WIDTHS, _GLYPHS = LOOK["widths"], LOOK["glyphs"]
#: How long a solid head of full size is [px]: the shaft ends before its tip.
_HEAD = 11.0


@dataclass(frozen=True)
class Style:
    """How arrows of one kind look.

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
        Of the head, as part of the full one.
    """

    role: str
    head: str = "solid head"
    dashes: str = ""
    width: float = _WIDTHS["arrow"]
    size: float = 1.0


#: What a reader may ask for, and what they are called in descriptions.
KINDS = {
    "velocity": Style("velocity", "open head"),
    "partial velocity": Style("velocity", "open head", "7 3"),
    "force": Style("force"),
    "torque": Style("force"),
    "constraint": Style("constraint", dashes="6 3"),
    "displacement": Style("goal", "open head", "2 4"),
    "unit vector": Style("ink", width=2.0, size=0.8),
}
ANGLE = Style("ink", width=1.6, size=0.75)
DIMENSION = Style("ground", width=_WIDTHS["dimension"], size=0.6)


def straight(start: Array, end: Array, style: Style, both: bool = False) -> str:
    """Return an arrow from one place to another [px], with heads at both ends if asked."""
    way = end - start
    length = float(np.hypot(*way))
    if not length:
        return ""
    size = min(style.size, length / _HEAD / (2 if both else 1))
    back = way / length * _back(style, size)
    shaft = [start + back if both else start, end - back]
    drawn = _shaft("L".join(f"{pixels(x)} {pixels(y)}" for x, y in shaft), style)
    angle = math.atan2(way[1], way[0])
    heads = _head(end, angle, style, size)
    return drawn + heads + (_head(start, angle + math.pi, style, size) if both else "")


def curved(center: Array, radius: float, start: float, sweep: float, style: Style) -> str:
    """Return an arrow along an arc, its head at the end.

    Parameters
    ----------
    center : array, shape (2,)
        In pixels.
    radius : float
        In pixels.
    start, sweep : float
        Where the arc begins, from the x axis, and how far it turns: counter-clockwise [rad].
    style : Style
    """
    size = min(style.size, 0.8 * radius * abs(sweep) / _HEAD)
    turned = math.copysign(_back(style, size) / radius, sweep)
    end = start + sweep
    places = [on_circle(center, radius, angle) for angle in (start, end - turned)]
    (x0, y0), (x1, y1) = places
    large, clockwise = int(abs(sweep - turned) > math.pi), int(sweep < 0)
    arc = f"{pixels(x0)} {pixels(y0)}A{pixels(radius)} {pixels(radius)} 0 {large} {clockwise} "
    drawn = _shaft(f"{arc}{pixels(x1)} {pixels(y1)}", style)
    # the head is straight: it points as the arc does in the head's middle
    middle = end - math.copysign(size * _HEAD / 2 / radius, sweep)
    forward = -middle - math.copysign(math.pi / 2, sweep)
    return drawn + _head(on_circle(center, radius, end), forward, style, size)


def on_circle(center: Array, radius: float, angle: float) -> Array:
    """Return a place [px] on a circle, by its angle from the x axis, counter-clockwise."""
    return np.asarray(center) + radius * np.array([math.cos(angle), -math.sin(angle)])


def arc_points(center: Array, radius: float, start: float, sweep: float) -> Array:
    """Return places [px] on an arc, a few pixels from one another."""
    count = max(3, round(abs(sweep) * radius / 3) + 1)
    angles = start + np.linspace(0, sweep, count)
    return np.stack([on_circle(center, radius, angle) for angle in angles])


def _back(style: Style, size: float) -> float:
    return _HEAD * size - 1 if style.head == "solid head" else 0.0


def _shaft(data: str, style: Style) -> str:
    stroke = {"stroke_width": style.width, "stroke_dasharray": style.dashes or None}
    return element("path", d=f"M{data}", **paint(stroke=style.role), **stroke)


def _head(tip: Array, angle: float, style: Style, size: float) -> str:
    turned = f"translate({pixels(tip[0])} {pixels(tip[1])}) rotate({pixels(math.degrees(angle))})"
    solid = style.head == "solid head"
    painted = paint(style.role) if solid else paint(stroke=style.role)
    width = None if solid else style.width
    return element(
        "path",
        d=_GLYPHS[style.head],
        transform=f"{turned} scale({pixels(size)})",
        **painted,
        stroke_width=width,
        stroke_linejoin="round",
        stroke_linecap="round",
    )
