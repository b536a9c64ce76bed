"""The look of all pictures: both themes have all colors, and all of them can be seen."""

import re

import pytest

from panels.drawing.colors import color, look_css
from panels.drawing.frames import panel_css
from tutlib.plots.look import LOOK, SERIES

#: What is an area behind others, or a line that may be faint.
QUIET = {"paper", "soft", "grid"}


def luminance(hexadecimal):
    parts = [int(hexadecimal[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_color_stands_out_from_the_paper(theme):
    """By 3 to 1, as WCAG asks of what pictures are made of; and text by 4.5 to 1."""
    colors = LOOK["colors"][theme]
    for role in set(colors) - QUIET:
        least = 4.5 if role in ("ink", "alarm") else 3
        assert contrast(colors[role], colors["paper"]) >= least, role
    assert contrast(colors["ink"], colors["soft"]) >= 4.5


def test_both_themes_have_the_same_roles_and_no_two_of_a_series_are_equal():
    light, dark = LOOK["colors"].values()
    assert list(light) == list(dark)
    assert SERIES == len(LOOK["dashes"]) == 5
    for colors in (light, dark):
        assert len({colors[f"series-{i + 1}"] for i in range(SERIES)}) == SERIES


def test_the_style_sheet_holds_each_color_for_its_theme():
    light, dark = look_css("a", "b").splitlines()
    assert light.startswith("a { color-scheme: light; ")
    assert dark.startswith("b { color-scheme: dark; ")
    for line, colors in zip((light, dark), LOOK["colors"].values()):
        found = dict(re.findall(r"--([\w-]+): ([^;]+);", line))
        series = found.pop("colors").split()
        assert found == colors
        assert series == [colors[f"series-{i + 1}"] for i in range(SERIES)]
    assert color("series-2") == "var(--series-2, #0072b2)"
    assert panel_css().startswith(look_css(".tutlib-panel", '.tutlib-panel[data-theme="dark"]'))
