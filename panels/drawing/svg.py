"""Mechanisms as SVG: the bars, pins, balls, and ground that drawing.js draws on a canvas.

Stills and sketches consist of these. Lengths are in pixels, y points down, and colors are by role.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from panels.drawing.colors import color, look_css
from straightline.aliases import Array
from tutlib.plots.look import LOOK, SERIES

Point = Sequence[float] | Array
_WIDTHS, _RADII, _TINTS, _GLYPHS = (LOOK[key] for key in ("widths", "radii", "tints", "glyphs"))


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an element of SVG.

    Parameters
    ----------
    name : str
    children : str
        Elements, or text that is already escaped.
    attributes : str or number
        ``stroke_width`` becomes ``stroke-width``, and ``class_`` becomes ``class``; attributes that
        are None are left out.
    """
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{text}>{''.join(children)}</{name}>" if children else f"<{name}{text}/>"


#: The width of a still picture [px].
STILL_WIDTH = 480


def still(height: int, *drawn: str) -> str:
    """Return a picture with the colors of the surrounding theme, and its own background.

    Parameters
    ----------
    height : int
        In pixels.
    drawn : str
        Elements, from back to front.
    """
    dark = f"@media (prefers-color-scheme: dark) {{ {look_css('', 'svg').splitlines()[1]} }}"
    paper = element("rect", width=STILL_WIDTH, height=height, **paint("paper"))
    return element(
        "svg",
        element("style", dark),
        paper,
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {STILL_WIDTH} {height}",
        width=STILL_WIDTH,
        height=height,
    )


def _text(value: object) -> str:
    """Return the value of an attribute as text."""
    return pixels(value) if isinstance(value, int | float) else html.escape(str(value))


def pixels(value: float) -> str:
    """Return a length in pixels as text, to a hundredth."""
    return f"{round(float(value), 2) + 0.0:.6g}"


def path(places: Iterable[Point], closed: bool = False) -> str:
    """Return a path's data through points."""
    return "M" + "L".join(f"{pixels(x)} {pixels(y)}" for x, y in places) + "Z" * closed


def dash(index: int) -> str | None:
    """Return the dashes of a series, by its index."""
    return " ".join(map(str, LOOK["dashes"][index % SERIES])) or None


def paint(fill: str = "", stroke: str = "", part: float = 1.0) -> dict[str, str]:
    """Return attributes that fill and stroke with the colors of roles; an empty role is none.

    The attributes have the light theme's colors, for programs without CSS variables; the style has
    the page's colors, and overrides the attributes where variables are known.

    Parameters
    ----------
    fill, stroke : str
        Roles, such as ``"ink"``.
    part : float
        The fraction of the fill's color; the rest is the background's.
    """
    mixed = color(fill) if fill else "none"
    if part < 1:
        mixed = f"color-mix(in srgb, {mixed} {100 * part:.0f}%, {color('paper')})"
    outline = color(stroke) if stroke else "none"
    plain = {"fill": _light(fill, part), "stroke": _light(stroke, 1.0)}
    return {**plain, "style": f"fill: {mixed}; stroke: {outline}"}


def _light(role: str, part: float) -> str:
    """Return a role's color in the light theme, mixed with the background."""
    if not role:
        return "none"
    foreground, paper = (
        [int(LOOK["colors"]["light"][name][i : i + 2], 16) for i in (1, 3, 5)]
        for name in (role, "paper")
    )
    mixed = (round(part * a + (1 - part) * b) for a, b in zip(foreground, paper))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def mechanism(at: Sequence[Point] | Array, data: Mapping[str, Any], index: int = 0) -> str:
    """Return a mechanism with its points at given positions.

    Parameters
    ----------
    at : sequence of (x, y)
    data : mapping
        The skeleton, as returned by `skeleton_data`.
    index : int
        Of the mechanism among those that are compared, from 0.
    """
    role, lines = f"series-{index % SERIES + 1}", list(enumerate(data["lines"]))
    links = [pair for i, line in lines if i not in data["thin"] for pair in pairwise(line)]
    size = link_scale([(at[a], at[b]) for a, b in links])
    elements = [support(at[k], data["ceiling"], size) for k in data["pivots"]]
    elements += [_wheel(at[center], at[rim], role) for center, rim in data["wheels"]]
    for i, line in lines:
        if i in data["thin"]:
            faint = i in data.get("faint", ())
            style = ("ground",) if faint else (role, dash(index))
            elements.append(_line(path([at[k] for k in line]), *style))
    elements += [_link(at[a], at[b], role, dash(index), size) for a, b in links]
    elements += [pin(at[k], size) for k in (*data["pivots"], *data["joints"])]
    for k, radius in zip(data["bodies"], data["radii"]):
        if radius is not None:
            elements.append(_mass(at[k], radius, role))
        elif k not in data["joints"]:
            elements.append(_disk(at[k], _RADII["point"] * size, role, role))
    return "".join(elements)


def goal(at: Point) -> str:
    """Return the mark of a goal: a dashed ring around a dot."""
    ring = element(
        "circle",
        cx=at[0],
        cy=at[1],
        r=17,
        **paint(stroke="goal"),
        stroke_width=_WIDTHS["arrow"],
        stroke_dasharray="5 3.5",
    )
    return ring + element("circle", cx=at[0], cy=at[1], r=2.5, **paint("goal"))


def link_scale(links: Sequence[tuple[Point, Point]]) -> float:
    """Return the width of links as a fraction of that in ``look.json``; short links are thinner."""
    shortest = min((math.dist(*link) for link in links), default=math.inf)
    width = min(_WIDTHS["link"], max(_WIDTHS["least"], 0.3 * shortest))
    return float(width / _WIDTHS["link"])


def _line(d: str, role: str, dashes: str | None = None) -> str:
    """Return a thin line."""
    stroke = {"stroke_width": _WIDTHS["thin"], "stroke_dasharray": dashes}
    return element("path", d=d, **paint(stroke=role), **stroke)


def _disk(at: Point, radius: float, role: str, fill: str, part: float = 1.0) -> str:
    """Return a disk with an outline."""
    colors = paint(fill, role, part)
    return element("circle", cx=at[0], cy=at[1], r=radius, **colors, stroke_width=_WIDTHS["edge"])


def _link(start: Point, end: Point, role: str, dashes: str | None, size: float) -> str:
    """Return a link: a bar with round ends."""
    radius = (_WIDTHS["link"] * size - _WIDTHS["edge"]) / 2
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    right, down = -radius * math.sin(angle), radius * math.cos(angle)
    corners = [
        (start[0] + right, start[1] + down),
        (start[0] - right, start[1] - down),
        (end[0] - right, end[1] - down),
        (end[0] + right, end[1] + down),
    ]
    first, second, third, fourth = (f"{pixels(x)} {pixels(y)}" for x, y in corners)
    end_cap = f"A{pixels(radius)} {pixels(radius)} 0 0 1"
    outline = f"M{first}{end_cap} {second}L{third}{end_cap} {fourth}Z"
    colors = paint(role, role, _TINTS["link"])
    return element(
        "path", d=outline, **colors, stroke_width=_WIDTHS["edge"], stroke_dasharray=dashes
    )


def pin(at: Point, size: float = 1.0) -> str:
    """Return a joint."""
    return _disk(at, _RADII["pin"] * size, "ink", "paper")


def _mass(at: Point, radius: float, role: str) -> str:
    """Return a ball with a highlight."""
    ball = _disk(at, radius - _WIDTHS["edge"] / 2, role, role, _TINTS["mass"])
    x, y = at[0] - 0.3 * radius, at[1] - 0.3 * radius
    highlight = element("circle", cx=x, cy=y, r=0.3 * radius, fill="#fff", opacity=_TINTS["light"])
    return ball + highlight


def support(at: Point, ceiling: bool = False, size: float = 1.0) -> str:
    """Return the bracket of a pivot, and the ground below it or the ceiling above it."""
    bracket = element("path", d=_GLYPHS["ground"], **paint("paper", "ground"))
    ground = element("path", d=_GLYPHS["hatching"], **paint(stroke="ground"))
    scale = f"{size:.3g} {-size if ceiling else size:.3g}"
    transform = f"translate({pixels(at[0])} {pixels(at[1])}) scale({scale})"
    stroke = {"stroke_width": _WIDTHS["edge"], "stroke_linejoin": "round"}
    return element("g", bracket, ground, transform=transform, **stroke)


def _wheel(center: Point, rim: Point, role: str) -> str:
    """Return a wheel with six spokes."""
    radius, angle = math.dist(center, rim), math.atan2(rim[1] - center[1], rim[0] - center[0])
    angles = [angle + i * math.pi / 3 for i in range(6)]
    ends = [
        (center[0] + radius * math.cos(spoke_angle), center[1] + radius * math.sin(spoke_angle))
        for spoke_angle in angles
    ]
    spokes = "".join(path([center, end]) for end in ends)
    return _disk(center, radius, role, role, _TINTS["wheel"]) + _line(spokes, role)
