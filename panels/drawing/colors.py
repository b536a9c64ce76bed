"""Colors of the look as CSS: variables of a style sheet, and references to them."""

from __future__ import annotations

from tutlib.plots.look import LOOK, SERIES


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
