"""Mechanisms as SVG: the same bars, pins, balls and ground as drawing.js draws on a canvas.

Stills and sketches are made of this. All lengths are in pixels, y down, and all colors by role.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from straightline.aliases import Array
from tutlib.plots.look import LOOK, SERIES, color, look_css

Place = Sequence[float] | Array
_WIDTHS, _RADII, _TINTS, _GLYPHS = (LOOK[key] for key in ("widths", "radii", "tints", "glyphs"))


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an element of SVG.

    Parameters
    ----------
    name : str
    children : str
        Elements, or text that is escaped already.
    attributes : str or number
        ``stroke_width`` is ``stroke-width``, ``class_`` is ``class``; those that are None are
        left out.
    """
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{text}>{''.join(children)}</{name}>" if children else f"<{name}{text}/>"


#: How wide a still picture is [px].
STILL = 480


def still(height: int, *drawn: str) -> str:
    """Return a picture that has the colors of the theme around it, and paper of its own.

    Parameters
    ----------
    height : int
        In pixels.
    drawn : str
        Elements, from back to front.
    """
    dark = f"@media (prefers-color-scheme: dark) {{ {look_css('', 'svg').splitlines()[1]} }}"
    paper = element("rect", width=STILL, height=height, **paint("paper"))
    return element(
        "svg",
        element("style", dark),
        paper,
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {STILL} {height}",
        width=STILL,
        height=height,
    )


def _text(value: object) -> str:
    return pixels(value) if isinstance(value, int | float) else html.escape(str(value))


def pixels(value: float) -> str:
    """Return a length in pixels, to a hundredth."""
    return f"{round(float(value), 2) + 0.0:.6g}"


def path(places: Iterable[Place], closed: bool = False) -> str:
    """Return a path's data through places."""
    return "M" + "L".join(f"{pixels(x)} {pixels(y)}" for x, y in places) + "Z" * closed


def dash(index: int) -> str | None:
    """Return the dashes of a series, by its number from 0."""
    return " ".join(map(str, LOOK["dashes"][index % SERIES])) or None


def paint(fill: str = "", stroke: str = "", part: float = 1.0) -> dict[str, str]:
    """Return attributes that fill and stroke in the colors of roles; an empty role is none.

    The attributes have the light theme's colors, for programs that know no variables; the style has
    the page's, and wins where they are known.

    Parameters
    ----------
    fill, stroke : str
        Roles, such as ``"ink"``.
    part : float
        How much of the fill's color there is; the rest is paper.
    """
    mixed = color(fill) if fill else "none"
    if part < 1:
        mixed = f"color-mix(in srgb, {mixed} {100 * part:.0f}%, {color('paper')})"
    outline = color(stroke) if stroke else "none"
    plain = {"fill": _light(fill, part), "stroke": _light(stroke, 1.0)}
    return {**plain, "style": f"fill: {mixed}; stroke: {outline}"}


def _light(role: str, part: float) -> str:
    if not role:
        return "none"
    one, paper = (
        [int(LOOK["colors"]["light"][name][i : i + 2], 16) for i in (1, 3, 5)]
        for name in (role, "paper")
    )
    mixed = (round(part * a + (1 - part) * b) for a, b in zip(one, paper))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def mechanism(at: Sequence[Place] | Array, data: Mapping[str, Any], index: int = 0) -> str:
    """Return a mechanism at the places of its points.

    Parameters
    ----------
    at : sequence of (x, y)
    data : mapping
        What `skeleton_data` says of the skeleton.
    index : int
        Its number among those that are compared, from 0.
    """
    role, lines = f"series-{index % SERIES + 1}", list(enumerate(data["lines"]))
    links = [pair for i, line in lines if i not in data["thin"] for pair in pairwise(line)]
    size = size_of_links([(at[a], at[b]) for a, b in links])
    elements = [support(at[k], data["ceiling"], size) for k in data["pivots"]]
    elements += [_wheel(at[center], at[rim], role) for center, rim in data["wheels"]]
    for i, line in lines:
        if i in data["thin"]:
            faint = i in data.get("faint", ())
            how = ("ground",) if faint else (role, dash(index))
            elements.append(_line(path([at[k] for k in line]), *how))
    elements += [_link(at[a], at[b], role, dash(index), size) for a, b in links]
    elements += [pin(at[k], size) for k in (*data["pivots"], *data["joints"])]
    for k, radius in zip(data["bodies"], data["radii"]):
        if radius is not None:
            elements.append(_mass(at[k], radius, role))
        elif k not in data["joints"]:
            elements.append(_disk(at[k], _RADII["point"] * size, role, role))
    return "".join(elements)


def goal(at: Place) -> str:
    """Return the mark of a goal: a dashed ring with a dot in it."""
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


def size_of_links(links: Sequence[tuple[Place, Place]]) -> float:
    """Return the width of links, as part of that of ``look.json``: less where they are short."""
    shortest = min((math.dist(*link) for link in links), default=math.inf)
    width = min(_WIDTHS["link"], max(_WIDTHS["least"], 0.3 * shortest))
    return float(width / _WIDTHS["link"])


def _line(d: str, role: str, dashes: str | None = None) -> str:
    stroke = {"stroke_width": _WIDTHS["thin"], "stroke_dasharray": dashes}
    return element("path", d=d, **paint(stroke=role), **stroke)


def _disk(at: Place, radius: float, role: str, fill: str, part: float = 1.0) -> str:
    painted = paint(fill, role, part)
    return element("circle", cx=at[0], cy=at[1], r=radius, **painted, stroke_width=_WIDTHS["edge"])


def _link(start: Place, end: Place, role: str, dashes: str | None, size: float) -> str:
    radius = (_WIDTHS["link"] * size - _WIDTHS["edge"]) / 2
    way = math.atan2(end[1] - start[1], end[0] - start[0])
    right, down = -radius * math.sin(way), radius * math.cos(way)
    corners = [
        (start[0] + right, start[1] + down),
        (start[0] - right, start[1] - down),
        (end[0] - right, end[1] - down),
        (end[0] + right, end[1] + down),
    ]
    first, second, third, fourth = (f"{pixels(x)} {pixels(y)}" for x, y in corners)
    turn = f"A{pixels(radius)} {pixels(radius)} 0 0 1"
    drawn = f"M{first}{turn} {second}L{third}{turn} {fourth}Z"
    painted = paint(role, role, _TINTS["link"])
    return element(
        "path", d=drawn, **painted, stroke_width=_WIDTHS["edge"], stroke_dasharray=dashes
    )


def pin(at: Place, size: float = 1.0) -> str:
    """Return a joint."""
    return _disk(at, _RADII["pin"] * size, "ink", "paper")


def _mass(at: Place, radius: float, role: str) -> str:
    ball = _disk(at, radius - _WIDTHS["edge"] / 2, role, role, _TINTS["mass"])
    x, y = at[0] - 0.3 * radius, at[1] - 0.3 * radius
    light = element("circle", cx=x, cy=y, r=0.3 * radius, fill="#fff", opacity=_TINTS["light"])
    return ball + light


def support(at: Place, ceiling: bool = False, size: float = 1.0) -> str:
    """Return the bracket of a pivot, and the ground that it stands on, or hangs from."""
    bracket = element("path", d=_GLYPHS["ground"], **paint("paper", "ground"))
    ground = element("path", d=_GLYPHS["hatching"], **paint(stroke="ground"))
    turned = f"{size:.3g} {-size if ceiling else size:.3g}"
    place = f"translate({pixels(at[0])} {pixels(at[1])}) scale({turned})"
    stroke = {"stroke_width": _WIDTHS["edge"], "stroke_linejoin": "round"}
    return element("g", bracket, ground, transform=place, **stroke)


def _wheel(center: Place, rim: Place, role: str) -> str:
    radius, turn = math.dist(center, rim), math.atan2(rim[1] - center[1], rim[0] - center[0])
    ways = [turn + i * math.pi / 3 for i in range(6)]
    ends = [(center[0] + radius * math.cos(w), center[1] + radius * math.sin(w)) for w in ways]
    spokes = "".join(path([center, end]) for end in ends)
    return _disk(center, radius, role, role, _TINTS["wheel"]) + _line(spokes, role)
