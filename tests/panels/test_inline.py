"""Figures as a part of a page: text, colors of the theme, ids of their own, little weight."""

import re
from functools import cache
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest

from panels import figure_as_html
from tutlib.plots import new_axes


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


def points(path):
    """Return the points of a path of M, l and z, which goes on from point to point."""
    found, here = [], np.zeros(2)
    for command, numbers in re.findall(r"([Ml])([^Mlz]+)", path):
        for pair in np.reshape([float(n) for n in numbers.split()], (-1, 2)):
            here = pair if command == "M" else here + pair
            found.append(here)
    return np.array(found)
