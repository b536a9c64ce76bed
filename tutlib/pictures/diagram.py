"""A drawing in a notebook or on a page: SVG in the colors of the page, with a description.

Sketches of mechanisms and pictures of rooted trees are such.
"""

from __future__ import annotations

from dataclasses import dataclass

from tutlib.pictures.look import look_css
from tutlib.pictures.svg import element

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
    """

    svg: str
    description: str

    def _repr_html_(self) -> str:
        return self.svg


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
        "svg", element("style", dark), content, xmlns="http://www.w3.org/2000/svg",
        class_="tutlib-sketch", role="img", aria_label=description,
        viewBox=f"{left:.1f} {top:.1f} {WIDTH:g} {height:.1f}", width=WIDTH, height=height,
        style=shape,
    )  # fmt: skip
    return Sketch(svg, description)
