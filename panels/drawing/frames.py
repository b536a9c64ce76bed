"""Self-contained frames for moving pictures: markup, style, one script, and a still picture.

A frame works in JupyterLab, on a static page, and offline. Without scripts, the still picture and a
sentence replace it. Animations and live simulations use it.
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
from panels.drawing.colors import look_css
from straightline.aliases import Array
from straightline.arguments import shown, whole_number
from tutlib.plots.look import LOOK

if TYPE_CHECKING:
    from tutlib.reading.parameters import Named


@dataclass(frozen=True)
class Frame:
    """A piece of a page that Jupyter displays.

    Parameters
    ----------
    page : str
        HTML.
    simulations : tuple
        The live simulations in it, if any: each has a ``specification``, and readable
        ``formulas``.
    """

    page: str
    simulations: tuple[Any, ...] = ()

    def _repr_html_(self) -> str:
        return self.page


def panel_css(*names: str) -> str:
    """Return the style sheet of a moving picture, beginning with its colors.

    Parameters
    ----------
    names : str
        Of further style sheets.
    """
    colors = look_css(".tutlib-panel", '.tutlib-panel[data-theme="dark"]')
    return colors + "".join(map(resource, ("panels/drawing/panel.css", *names)))


def as_literal(value: object) -> str:
    """Return a value as a JavaScript literal, also valid JSON, that is safe in a script element.

    Numbers may be NumPy's or SymPy's. No HTML tag or comment can begin in it.

    Raises
    ------
    TypeError
        If a value in it is not a number, text, a list, or a mapping.
    """
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return text.replace("<", r"\u003c").replace("\u2028", r"\u2028").replace("\u2029", r"\u2029")


def _plain(value: Any) -> object:
    """Return a NumPy or SymPy value as a type that JSON knows."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if getattr(value, "is_number", False):  # SymPy's
        return float(value)
    raise TypeError(f"the data of a page must be numbers and text; got {shown(value)}")


def check_description(value: object, what: str = "the picture, for screen readers") -> str:
    """Return a description; reject anything but text, and empty text."""
    if not isinstance(value, str):
        raise TypeError(f"the description must be text; got {shown(value)}")
    if not value.strip():
        raise ValueError(f"describe {what}")
    return value


def check_height(value: object) -> int:
    """Return the height of a frame in pixels."""
    return whole_number(value, "height, in pixels,", least=1)


def box_around(points: Array) -> list[float]:
    """Return left, bottom, right, and top of points of shape (..., 2), with a margin [m]."""
    flat = points.reshape(-1, 2)
    low, high = flat.min(axis=0), flat.max(axis=0)
    margin = 0.12 * max(*(high - low), 1e-9)
    return [float(v) for v in (*(low - margin), *(high + margin))]


class SkeletonLike(Protocol):
    """Lines, disks, and pivots of a drawing, as indices of its points."""

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


def skeleton_data(
    skeleton: SkeletonLike, values: Mapping[Named, float] | None = None
) -> dict[str, Any]:
    """Return a skeleton as data for drawing.js, its points by index.

    Parameters
    ----------
    skeleton : Skeleton or Lines
        In space, all lines are thin unless the drawing lists the thin ones.
    values : mapping from Symbol to float, optional
        Values of the parameters of masses.

    Returns
    -------
    dict
        ``lines``, ``bodies``, ``pivots``, ``thin``, ``faint``, ``joints``, ``wheels`` and
        ``ceiling`` as in the skeleton; ``radii`` of the bodies in pixels, None for those that are
        points; and ``reference``, the mass [kg] whose radius is that of ``look.json``, or None.
    """
    masses = _masses(skeleton, {} if values is None else values)
    with_values = [mass for mass in masses if mass is not None]
    reference = max(with_values, default=0.0) or None
    radii = [LOOK["radii"]["mass"]] * len(skeleton.bodies)
    if getattr(skeleton, "masses", ()):
        radii = [None if mass is None else radius_of(mass, reference) for mass in masses]
    indices = range(len(skeleton.lines))
    return {
        "lines": skeleton.lines,
        "bodies": skeleton.bodies,
        "pivots": skeleton.pivots,
        "thin": getattr(skeleton, "thin", tuple(indices)),
        "joints": getattr(skeleton, "joints", ()),
        "faint": getattr(skeleton, "faint", ()),
        "wheels": getattr(skeleton, "wheels", ()),
        "ceiling": getattr(skeleton, "ceiling", False),
        "radii": radii,
        "reference": reference,
    }


def radius_of(mass: float, reference: float | None) -> float:
    """Return the radius [px] of the disk of a mass [kg], as of balls of one material.

    Parameters
    ----------
    mass : float
    reference : float, optional
        The mass whose radius is that of ``look.json``; without it, all masses have that radius.
    """
    sizes = LOOK["radii"]
    if not reference:
        return float(sizes["mass"])
    radius = sizes["mass"] * max(mass / reference, 0) ** (1 / 3)
    return round(float(min(max(radius, sizes["least"]), sizes["most"])), 2)


def _masses(skeleton: object, values: Mapping[Named, float]) -> list[float | None]:
    """Return the masses of the bodies as numbers [kg]; None for a body without a mass."""
    masses: list[float | None] = []
    for mass in getattr(skeleton, "masses", ()):
        value = mass.subs(dict(values)) if hasattr(mass, "subs") else mass
        # a mass without a value gets the size of the largest one
        unknown = not getattr(value, "is_number", True)
        masses.append(None if value is None else math.inf if unknown else float(value))
    largest = max((m for m in masses if m is not None and math.isfinite(m)), default=1.0)
    return [largest if mass == math.inf else mass for mass in masses]


def still_picture(
    motions: Mapping[str, Array],
    skeleton: SkeletonLike,
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
        Positions that are marked with rings [m].

    Returns
    -------
    str
        It has the colors of the surrounding theme, and its own background.
    """
    left, bottom, right, top = box
    scale, data = svg.STILL_WIDTH / (right - left), skeleton_data(skeleton, values)

    def pixels(points: Iterable[Any] | Array) -> list[tuple[float, float]]:
        return [((x - left) * scale, (top - y) * scale) for x, y in points]

    elements = [svg.goal(point) for point in pixels(goals)]
    for index, points in enumerate(motions.values()):
        elements.append(svg.mechanism(pixels(points.tolist()), data, index))
    return svg.still(round((top - bottom) * scale), *elements)


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
    """Return an ``iframe`` that contains a whole small page.

    Parameters
    ----------
    kind : str
        Its CSS class.
    description : str
        What is visible, in a sentence.
    height : int
        In pixels, until the surrounding page changes it.
    body : str
        Markup inside the panel.
    module : str
        The page's one script.
    still : str
        An SVG that is shown without scripts.
    title : str
        The kind of picture, for the frame's title.
    name : str
        Its name in the page's address.
    styles : sequence of str
        Style sheets in addition to the one of all moving pictures.

    Returns
    -------
    str
        HTML without blank lines, at which surrounding Markdown would end it.
    """
    text = html.escape(" ".join(description.split()))
    picture = base64.b64encode(still.encode()).decode()
    image = f'<img alt="{text}" src="data:image/svg+xml;base64,{picture}">'
    page = document(description, body, module, image, styles)
    source = page.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe class="{html.escape(kind)}" data-name="{html.escape(name)}" '
        f'title="{html.escape(title)}: {text}" loading="lazy" '
        f'sandbox="allow-scripts" allow="clipboard-write" '
        f'style="width: 100%; height: {check_height(height)}px; border: 0" '
        f'srcdoc="{source}">{image}<p>{text} Run this cell to make it move.</p></iframe>'
    )


# The sentence that remains if scripts are forbidden in the page, and therefore in its frames.
_BLOCKED = (
    "It needs scripts to move, but the browser or the server's Content-Security-Policy blocks "
    "them here."
)


def document(
    description: str, body: str, module: str, image: str = "", styles: Sequence[str] = ()
) -> str:
    """Return the small page inside a frame.

    Parameters
    ----------
    description, body, module, styles
        As for `frame`.
    image : str
        Markup that is shown without scripts.

    Returns
    -------
    str
        HTML without blank lines.
    """
    text = html.escape(" ".join(description.split()))
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{text}</title><style>{panel_css(*styles)}</style></head><body>"
        f'<main class="tutlib-panel">{body}<div class="tutlib-unmoved">{image}<p>{text} {_BLOCKED}'
        "</p></div><script>document.currentScript.previousElementSibling.remove()</script></main>"
        f'<script type="module">\n{module}\n</script></body></html>'
    )
    return "\n".join(line for line in page.splitlines() if line.strip())
