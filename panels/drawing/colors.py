"""Colors of the look as CSS: variables of a style sheet, and values that refer to them."""

from __future__ import annotations

from tutlib.plots.look import LOOK, SERIES


def look_css(light: str = ":root", dark: str = 'html[data-theme="dark"]') -> str:
    """Return the colors as variables of a style sheet: ``--paper``, ``--ink``, ``--series-1`` ...

    ``--colors`` holds those of the series in a row.

    Parameters
    ----------
    light, dark : str
        Selectors of what is to have them: always, and where the theme is dark.

    Returns
    -------
    str
        CSS, a line for each theme.
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
    """Return a color for a style in SVG or HTML: the page's variable, or the light theme's value.

    Parameters
    ----------
    role : str
        Such as ``"ink"`` or ``"series-2"``.
    """
    return f"var(--{role}, {LOOK['colors']['light'][role]})"
