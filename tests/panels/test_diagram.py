"""Drawings in a row: each with its caption, whole, and below one another where it is narrow."""

import re

import numpy as np
import pytest

from course.figures import draw_trees
from panels import in_a_row, sketch
from tutlib.models import chain, four_bar


def test_each_drawing_stands_in_the_row_with_its_caption():
    drawn = {"absolute": sketch(chain(2), [0.3, 0.8]), "a < b": draw_trees([()])}
    page = in_a_row(drawn)._repr_html_()
    figures = re.findall(r"<figure.*?>(.*?)<figcaption.*?>(.*?)</figcaption></figure>", page)
    assert figures == [(drawn["absolute"].svg, "absolute"), (drawn["a < b"].svg, "a &lt; b")]
    assert "flex-wrap: wrap" in page


@pytest.mark.parametrize(
    ("sketches", "error", "said"),
    [
        ([draw_trees([()])], TypeError, "sketches must be a mapping, such as .*got .Sketch"),
        ({}, ValueError, "there is no sketch to show"),
        ({"one": "svg"}, TypeError, "the drawing of one must be .*sketch or draw_trees"),
    ],
)
def test_what_is_no_row_of_drawings_is_refused(sketches, error, said):
    with pytest.raises(error, match=said):
        in_a_row(sketches)


def test_sketches_in_a_row_have_one_scale():
    linkage = four_bar()
    poses = [
        linkage.consistent_state(np.deg2rad(q), keep=["q_1"])
        for q in ([60, -40, -100], [60, -80, 130])
    ]
    alone = {str(k): sketch(linkage, x, "q_2 q_3 P_3") for k, x in enumerate(poses)}
    row = in_a_row(alone).sketches
    scales = [drawn.scale for drawn in alone.values()]
    assert scales[0] != scales[1]
    assert [drawn.scale for drawn in row.values()] == [min(scales)] * 2
    for name, drawn in row.items():
        assert drawn.description == alone[name].description
        assert (drawn.svg == alone[name].svg) == (alone[name].scale == min(scales))
