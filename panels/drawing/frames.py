"""Moving pictures as frames that hold all they need: markup, style, one script, a still picture.

A frame works in JupyterLab, on a static page and offline. Where no script runs, the still picture
and a sentence stand in its place. Used by the animations and the live simulations of all chapters.
"""

from __future__ import annotations

import base64
import html
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from panels.drawing import svg
from panels.drawing.bundle import resource
from straightline.aliases import Array
from straightline.arguments import shown, whole_number
from tutlib.plots.look import LOOK, look_css

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


@dataclass(frozen=True)
class Frame:
    """A piece of a page that shows itself.

    Parameters
    ----------
    page : str
        HTML.
    simulations : tuple
        The live simulations in it, if there are any: each with ``specification``, and ``formulas``
        to read.
    """

    page: str
    simulations: tuple[Any, ...] = ()

    def _repr_html_(self) -> str:
        return self.page


def panel_css(*names: str) -> str:
    """Return the style sheet of a moving picture, its colors in front.

    Parameters
    ----------
    names : str
        Of further style sheets.
    """
    colors = look_css(".tutlib-panel", '.tutlib-panel[data-theme="dark"]')
    return colors + "".join(map(resource, ("panels/drawing/panel.css", *names)))


def as_literal(value: object) -> str:
    """Return a JavaScript literal, JSON too, that may stand in a page's script.

    Numbers may be NumPy's or SymPy's. No tag and no comment of HTML can begin in it.

    Raises
    ------
    TypeError
        If something in it is no number, text, list or mapping.
    """
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return text.replace("<", r"\u003c").replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


def _plain(value: Any) -> object:
    """Return what JSON can write of a number or an array that it does not know."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if getattr(value, "is_number", False):  # SymPy's
        return float(value)
    raise TypeError(f"the page can hold numbers and text; got {shown(value)}")


def check_description(value: object, what: str = "what is seen: some readers do not see it") -> str:
    """Return a description; refuse what is no text, and an empty one."""
    if not isinstance(value, str):
        raise TypeError(f"the description must be text; got {shown(value)}")
    if not value.strip():
        raise ValueError(f"describe {what}")
    return value


def check_height(value: object) -> int:
    """Return the height of a frame in pixels."""
    return whole_number(value, "height, in pixels,", least=1)


def box_around(points: Array) -> list[float]:
    """Return left, bottom, right, top of points of shape (..., 2), with a margin [m]."""
    flat = points.reshape(-1, 2)
    low, high = flat.min(axis=0), flat.max(axis=0)
    margin = 0.12 * max(*(high - low), 1e-9)
    return [float(v) for v in (*(low - margin), *(high + margin))]


class Drawing(Protocol):
    """Lines, disks and pivots of a drawing, as indices of its points."""

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Paths through points."""
        ...

    @property
    def bodies(self) -> tuple[int, ...]:
        """Points drawn as disks."""
        ...

    @property
    def pivots(self) -> tuple[int, ...]:
        """Points fixed to the ground."""
        ...


def skeleton_data(skeleton: Drawing, values: Mapping[Named, float] | None = None) -> dict[str, Any]:
    """Return what drawing.js needs of a skeleton, its points by number.

    Parameters
    ----------
    skeleton : Skeleton or Lines
        Lines in space are all thin unless they say which are.
    values : mapping from Symbol to float, optional
        Of the masses' parameters.

    Returns
    -------
    dict
        ``lines``, ``bodies``, ``pivots``, ``thin``, ``faint``, ``joints``, ``wheels`` and
        ``ceiling`` as in the skeleton; ``radii`` of the bodies in pixels, None for those that are
        mere points; and ``reference``, the mass [kg] whose radius is that of ``look.json``, or
        None.
    """
    masses = _masses(skeleton, {} if values is None else values)
    known = [mass for mass in masses if mass is not None]
    reference = max(known, default=0.0) or None
    radii = [LOOK["radii"]["mass"]] * len(skeleton.bodies)
    if getattr(skeleton, "masses", ()):
        radii = [None if mass is None else radius_of(mass, reference) for mass in masses]
    every = range(len(skeleton.lines))
    return {
        "lines": skeleton.lines,
        "bodies": skeleton.bodies,
        "pivots": skeleton.pivots,
        "thin": getattr(skeleton, "thin", tuple(every)),
        "joints": getattr(skeleton, "joints", ()),
        "faint": getattr(skeleton, "faint", ()),
        "wheels": getattr(skeleton, "wheels", ()),
        "ceiling": getattr(skeleton, "ceiling", False),
        "radii": radii,
        "reference": reference,
    }


def radius_of(mass: float, reference: float | None) -> float:
    """Return the radius [px] of the disk of a mass [kg]: as of balls of one material.

    Parameters
    ----------
    mass : float
    reference : float, optional
        The mass whose radius is that of ``look.json``; all have it where there is none.
    """
    sizes = LOOK["radii"]
    if not reference:
        return float(sizes["mass"])
    radius = sizes["mass"] * max(mass / reference, 0) ** (1 / 3)
    return round(float(min(max(radius, sizes["least"]), sizes["most"])), 2)


def _masses(skeleton: object, values: Mapping[Named, float]) -> list[float | None]:
    """Return the masses of the bodies as numbers [kg]; None where there is none, or no value."""
    masses: list[float | None] = []
    for mass in getattr(skeleton, "masses", ()):
        value = mass.subs(dict(values)) if hasattr(mass, "subs") else mass
        # without a value it is shown as large as those that are the largest
        unknown = not getattr(value, "is_number", True)
        masses.append(None if value is None else math.inf if unknown else float(value))
    largest = max((m for m in masses if m is not None and math.isfinite(m)), default=1.0)
    return [largest if mass == math.inf else mass for mass in masses]


def still_picture(
    motions: Mapping[str, Array],
    skeleton: Drawing,
    box: Sequence[float],
    values: Mapping[Named, float] | None = None,
    goals: Sequence[object] | Array = (),
) -> str:
    """Draw mechanisms, each from its points of shape (points, 2), as a small SVG.

    Parameters
    ----------
    motions : mapping from label to array, shape (points, 2)
    skeleton : Skeleton or Lines
    box : sequence of float
        Left, bottom, right, top [m].
    values : mapping from Symbol to float, optional
        As for `skeleton_data`.
    goals : sequence of (x, y)
        Places that are marked by rings [m].

    Returns
    -------
    str
        It has the colors of the theme around it, and paper of its own.
    """
    left, bottom, right, top = box
    scale, data = svg.STILL / (right - left), skeleton_data(skeleton, values)

    def pixels(points: Iterable[Any] | Array) -> list[tuple[float, float]]:
        return [((x - left) * scale, (top - y) * scale) for x, y in points]

    drawn = [svg.goal(place) for place in pixels(goals)]
    for index, points in enumerate(motions.values()):
        drawn.append(svg.mechanism(pixels(points.tolist()), data, index))
    return svg.still(round((top - bottom) * scale), *drawn)


def frame(
    kind: str,
    description: str,
    height: int,
    body: str,
    module: str,
    still: str,
    title: str,
    name: str = "",
    styles: Sequence[str] = (),
) -> str:
    """Return an ``iframe`` that holds a whole small page.

    Parameters
    ----------
    kind : str
        Its CSS class.
    description : str
        What is seen, in a sentence.
    height : int
        In pixels, until the page around gives it another.
    body : str
        Markup inside the panel.
    module : str
        The page's one script.
    still : str
        An SVG for where no script runs.
    title : str
        What kind of picture it is, for the frame's title.
    name : str
        What the page's address calls it.
    styles : sequence of str
        Style sheets besides the one of all moving pictures.

    Returns
    -------
    str
        HTML without blank lines, which Markdown around it would take for its end.
    """
    words = html.escape(" ".join(description.split()))
    picture = base64.b64encode(still.encode()).decode()
    image = f'<img alt="{words}" src="data:image/svg+xml;base64,{picture}">'
    page = document(description, body, module, image, styles)
    source = page.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe class="{html.escape(kind)}" data-name="{html.escape(name)}" '
        f'title="{html.escape(title)}: {words}" loading="lazy" '
        f'sandbox="allow-scripts" allow="clipboard-write" '
        f'style="width: 100%; height: {check_height(height)}px; border: 0" '
        f'srcdoc="{source}">{image}<p>{words} It moves once this cell has run.</p></iframe>'
    )


# A page that forbids scripts forbids them in its frames: then nothing takes this sentence away.
_BLOCKED = (
    "It moves where scripts may run: here the browser lets none, or the server's "
    "Content-Security-Policy."
)


def document(
    description: str, body: str, module: str, image: str = "", styles: Sequence[str] = ()
) -> str:
    """Return the small page that a frame holds.

    Parameters
    ----------
    description, body, module, styles
        As for `frame`.
    image : str
        Markup of what is seen where no script runs.

    Returns
    -------
    str
        HTML without blank lines.
    """
    words = html.escape(" ".join(description.split()))
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{words}</title><style>{panel_css(*styles)}</style></head><body>"
        f'<main class="tutlib-panel">{body}<div class="tutlib-unmoved">{image}<p>{words} {_BLOCKED}'
        "</p></div><script>document.currentScript.previousElementSibling.remove()</script></main>"
        f'<script type="module">\n{module}\n</script></body></html>'
    )
    return "\n".join(line for line in page.splitlines() if line.strip())
