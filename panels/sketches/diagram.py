"""A drawing in a notebook or on a page: SVG in the colors of the page, with a description.

Sketches of mechanisms and pictures of rooted trees are such.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from panels.drawing.colors import look_css
from panels.drawing.svg import element
from straightline.arguments import instance, shown

#: A drawing's own width [px], that of a phone's page; and how wide it is shown at most.
WIDTH, WIDEST = 360.0, 460
#: Where pages say that they are dark: the book, JupyterLab, and editors.
_DARK = ('html[data-theme="dark"]', '[data-jp-theme-light="false"]', ".vscode-dark")


@dataclass(frozen=True)
class Sketch:
    """A drawing that shows itself in a notebook.

    Parameters
    ----------
    svg : str
        In the colors of the page around it.
    description : str
        The same in words, for readers who do not see it.
    scale : float
        In pixels for a meter; 0 where nothing is measured.
    redrawn : function (scale) -> Sketch, optional
        The same at another scale.
    """

    svg: str
    description: str
    scale: float = 0.0
    redrawn: Callable[[float], Sketch] | None = field(default=None, repr=False, compare=False)

    def _repr_html_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Row:
    """Drawings side by side, each with a caption; below one another where there is no room.

    Parameters
    ----------
    sketches : mapping from caption to Sketch
    """

    sketches: Mapping[str, Sketch]

    def _repr_html_(self) -> str:
        held = f"flex: 1 1 {0.75 * WIDTH:g}px; max-width: {WIDEST}px; margin: 0"
        figures = (
            f'<figure style="{held}">{sketch.svg}'
            f'<figcaption style="text-align: center">{html.escape(caption)}</figcaption></figure>'
            for caption, sketch in self.sketches.items()
        )
        return f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{"".join(figures)}</div>'


def in_a_row(sketches: Mapping[str, Sketch]) -> Row:
    """Show drawings side by side, to be compared, at one scale: below one another on a phone.

    Parameters
    ----------
    sketches : mapping from caption to Sketch
        From `sketch` or `draw_trees`.

    Returns
    -------
    Row

    Raises
    ------
    TypeError
        If they are no mapping, a caption is no text, or one is no drawing.
    ValueError
        If there are none.
    """
    if not isinstance(sketches, Mapping):
        raise TypeError(
            f'sketches must be a mapping, such as {{"cut": sketch(...)}}; got {shown(sketches)}'
        )
    if not sketches:
        raise ValueError("there is no sketch to show")
    for caption, drawn in sketches.items():
        instance(caption, "a caption", str)
        instance(drawn, f"the drawing of {caption}", Sketch, "it comes from sketch or draw_trees")
    least = min(drawn.scale for drawn in sketches.values())
    return Row({k: d.redrawn(least) if d.redrawn and least else d for k, d in sketches.items()})


def drawing(content: str, left: float, top: float, height: float, description: str) -> Sketch:
    """Return SVG of the width of a phone's page as a drawing.

    Parameters
    ----------
    content : str
        Elements, in pixels.
    left, top, height : float
        What is seen of them.
    description : str
    """
    dark = look_css("", ", ".join(f"{where} .tutlib-sketch" for where in _DARK)).splitlines()[1]
    shape = f"display: block; width: 100%; max-width: {WIDEST}px; height: auto"
    svg = element(
        "svg",
        element("style", dark),
        content,
        xmlns="http://www.w3.org/2000/svg",
        class_="tutlib-sketch",
        role="img",
        aria_label=description,
        viewBox=f"{left:.1f} {top:.1f} {WIDTH:g} {height:.1f}",
        width=WIDTH,
        height=height,
        style=shape,
    )
    return Sketch(svg, description)
