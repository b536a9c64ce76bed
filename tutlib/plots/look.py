"""The look of all figures: colors by role, widths, radii, glyphs.

``look.json`` holds it. This module reads it for sketches, plots, and style sheets, and drawing.js
reads it for animations.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

#: The whole look: ``colors`` by theme and role; ``widths``, ``radii``, and ``dashes`` in pixels;
#: ``tints`` as fractions; ``glyphs`` as SVG paths, with arrowheads pointing to the right.
LOOK: dict[str, Any] = json.loads(
    (resources.files("tutlib.plots") / "look.json").read_text(encoding="utf-8")
)
#: Number of colors for series.
SERIES = sum(role.startswith("series-") for role in LOOK["colors"]["light"])


def look_css(light: str = ":root", dark: str = 'html[data-theme="dark"]') -> str:
    """Return the colors as CSS variables: ``--paper``, ``--ink``, ``--series-1`` ...

    ``--colors`` lists those of the series.

    Parameters
    ----------
    light, dark : str
        CSS selectors: of all pages, and of pages in the dark theme.

    Returns
    -------
    str
        CSS, one line for each theme.
    """
    return "".join(
        f"{selector} {{ color-scheme: {theme}; {_variables(theme)} }}\n"
        for theme, selector in (("light", light), ("dark", dark))
    )


def _variables(theme: str) -> str:
    colors = LOOK["colors"][theme]
    series = " ".join(colors[f"series-{i + 1}"] for i in range(SERIES))
    return " ".join(f"--{role}: {color};" for role, color in {**colors, "colors": series}.items())


def color(role: str) -> str:
    """Return a CSS color: the page's variable, or the light theme's value outside a page.

    Parameters
    ----------
    role : str
        Role of the color, such as ``"ink"`` or ``"series-2"``.
    """
    return f"var(--{role}, {LOOK['colors']['light'][role]})"
