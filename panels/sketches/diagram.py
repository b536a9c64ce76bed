"""Drawings for a notebook or a page: SVG in the page's colors, with a description.

Sketches of mechanisms and pictures of rooted trees are drawings of this kind.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from textwrap import shorten

from panels.drawing.colors import look_css
from panels.drawing.svg import element
from straightline.arguments import instance, shown

#: The width of a drawing [px], that of a phone's page; and the largest width at which it is shown.
WIDTH, WIDEST = 360.0, 460
#: Selectors of dark pages: the book, JupyterLab, and editors.
_DARK = ('html[data-theme="dark"]', '[data-jp-theme-light="false"]', ".vscode-dark")


@dataclass(frozen=True)
class Sketch:
    """A drawing that Jupyter displays.

    Parameters
    ----------
    svg : str
        In the colors of the surrounding page.
    description : str
        The text alternative, for screen readers.
    scale : float
        In pixels per meter; 0 for a drawing without a scale.
    redrawn : function (scale) -> Sketch, optional
        The same drawing at another scale.
    """

    svg: str
    description: str
    scale: float = 0.0
    redrawn: Callable[[float], Sketch] | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"Sketch({shorten(self.description, 72, placeholder=' …')!r})"

    def _repr_html_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class Row:
    """Drawings side by side, each with a caption; in a column if the page is narrow.

    Parameters
    ----------
    sketches : mapping from caption to Sketch
    """

    sketches: Mapping[str, Sketch]

    def _repr_html_(self) -> str:
        style = f"flex: 1 1 {0.75 * WIDTH:g}px; max-width: {WIDEST}px; margin: 0"
        figures = (
            f'<figure style="{style}">{sketch.svg}'
            f'<figcaption style="text-align: center">{html.escape(caption)}</figcaption></figure>'
            for caption, sketch in self.sketches.items()
        )
        return f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{"".join(figures)}</div>'


def in_a_row(sketches: Mapping[str, Sketch]) -> Row:
    """Show drawings side by side at one scale, for comparison; in a column on a phone.

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
        If the argument is not a mapping, a caption is not text, or a value is not a drawing.
    ValueError
        If it is empty.
    """
    if not isinstance(sketches, Mapping):
        raise TypeError(
            f'sketches must be a mapping, such as {{"cut": sketch(...)}}; got {shown(sketches)}'
        )
    if not sketches:
        raise ValueError("sketches is empty: there is no sketch to show")
    for caption, drawn in sketches.items():
        instance(caption, "a caption", str)
        instance(drawn, f"the drawing of {caption}", Sketch, "it comes from sketch or draw_trees")
    smallest = min(drawn.scale for drawn in sketches.values())
    return Row(
        {k: d.redrawn(smallest) if d.redrawn and smallest else d for k, d in sketches.items()}
    )


def drawing(content: str, left: float, top: float, height: float, description: str) -> Sketch:
    """Return elements as a drawing of the width of a phone's page.

    Parameters
    ----------
    content : str
        Elements, in pixels.
    left, top, height : float
        The visible part.
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
