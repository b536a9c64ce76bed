"""Figures as a part of a page: text, colors of the theme, ids of their own, little weight."""

import io
import re
from functools import cache
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest

from panels import figure_as_html
from panels.drawing.inline import inline_figure
from tutlib.plots import new_axes
from tutlib.plots.look import LOOK


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@cache
def drawn(label=r"$\dot{\theta}_{1}$ [deg/s]", description="Two curves & a 'range'."):
    ax = new_axes("time [s]", label)
    t = np.linspace(0, 1, 2000)
    ax.semilogy(t, 1.5 + np.sin(20 * t), label="wave")
    ax.semilogy([0, 0.5, 1], [0.01, 1, 2], "o", label="dots")
    ax.axvspan(0.3, 0.4, color="0.85")
    ax.legend()
    return figure_as_html(ax.figure, description)


def elements(text, tag):
    return list(ElementTree.fromstring(text).iter(tag))


def texts(text):
    return ["".join(element.itertext()) for element in elements(text, "text")]


def test_a_figure_is_described_and_as_wide_as_its_place():
    root = ElementTree.fromstring(drawn())
    assert (root.get("role"), root.get("aria-label")) == ("img", "Two curves & a 'range'.")
    assert root.get("class") == "tutlib-figure"
    assert root.get("viewBox") == "0 0 396 244.8"
    assert "width:100%;max-width:554px" in root.get("style")


def test_its_text_is_text_and_a_formula_is_one():
    said = texts(drawn())
    assert {"time [s]", "wave", "dots", "0.4", "θ̇1\xa0[deg/s]"} <= set(said)
    assert {"10−2", "10−1", "100"} <= set(said)
    raised = [e for e in elements(drawn(), "tspan") if e.text == "−2"]
    assert all(float(e.get("dy")) < -3 for e in raised)


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"$\ddot{q}$", "q̈"),
        (r"$x_1^2$", "x12"),
        (r"a $T$ b", "a\xa0T\xa0b"),
        (r"$\dot\theta_1 + \dot\theta_2$", "θ̇1+θ̇2"),
    ],
)
def test_accents_and_indices_stay_with_their_letters(formula, text):
    assert text in texts(drawn(formula))


def test_no_color_is_fixed():
    """Each has a role, and without the page's variables it is that of the light theme."""
    text = drawn()
    colors = LOOK["colors"]["light"]
    found = dict(re.findall(r"var\(--([\w-]+), (#\w+)\)", text))
    assert {"ink", "paper", "grid", "series-2"} <= set(found)
    assert all(colors[role] == color for role, color in found.items())
    assert set(re.findall(r"#[0-9a-f]{6}\b", text)) == set(found.values())


def test_ids_are_its_own_and_each_is_used():
    one, other = drawn(), drawn(description="The same, with other words.")
    ids = [set(re.findall(r' id="([^"]+)"', text)) for text in (one, other)]
    assert not ids[0] & ids[1]
    for text, own in zip((one, other), ids):
        used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
        assert {a or b for a, b in used} == own
    assert one == drawn.__wrapped__()


def test_nothing_is_left_that_is_not_seen():
    text = drawn()
    assert not re.search(r"<metadata|<style|<!--|font-family|patch_|line2d|rotate\(0|\n", text)
    assert len(text) < 14_000  # Matplotlib's own file has 60,000


def points(path):
    """Return the points of a path of M, l and z, which goes on from point to point."""
    found, here = [], np.zeros(2)
    for command, numbers in re.findall(r"([Ml])([^Mlz]+)", path):
        for pair in np.reshape([float(n) for n in numbers.split()], (-1, 2)):
            here = pair if command == "M" else here + pair
            found.append(here)
    return np.array(found)


def test_a_long_line_ends_where_it_ends():
    """Steps are rounded, and their roundings must not add up."""
    figure = plt.figure()
    rng = np.random.default_rng(0)
    with plt.rc_context({"path.simplify": False}):
        x, y = np.linspace(0, 1, 5000), rng.random(5000)
        figure.add_artist(plt.Line2D(x, y))
        file = io.StringIO()
        figure.savefig(file, format="svg")
    width, height = 72 * figure.get_size_inches()
    (path,) = elements(inline_figure(file.getvalue(), "Noise."), "path")
    kept = points(path.get("d"))
    exact = np.column_stack([width * x, height * (1 - y)])
    np.testing.assert_allclose(kept, exact, atol=0.0051)


def test_an_image_and_lines_of_equal_height_are_parts_of_a_page():
    axs = new_axes("stiffness [N/m]", "brake [N·s/m]", ncols=2)
    heights = np.outer(np.arange(9.0), np.arange(9.0))
    axs[0].imshow(heights)
    axs[0].axis("off")
    axs[1].clabel(axs[1].contour(heights, [8, 16], colors="k"))
    text = figure_as_html(axs[0].figure, "An image, and lines.")
    (image,) = elements(text, "image")
    assert image.attrib["href"].startswith("data:image/png;base64,iVBOR")
    assert not re.search(r"\s", image.attrib["href"].partition(",")[2])
