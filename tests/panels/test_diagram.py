"""Drawings in a row: each with its caption, whole, and below one another where it is narrow."""

import re

import pytest

from course.figures import draw_trees
from panels import in_a_row, sketch
from tutlib.models import chain


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


def test_a_drawing_is_one_short_line_in_text():
    text = repr(sketch(chain(3), [0.3, 0.8, 0.1]))
    assert text.startswith("Sketch('")
    assert len(text) < 90
    assert "\n" not in text
