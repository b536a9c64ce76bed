"""Still pictures: what they draw stands where it is."""

import html
import json
import re

import numpy as np
import pytest
import sympy as sm

from tutlib.models import Skeleton
from tutlib.models.spatial import Lines
from tutlib.pictures.frames import as_literal, ball_around, box_around, frame, seen, still_picture

BOX = [-1.0, -2.0, 3.0, 1.0]
ARM = Lines(((0, 1),), (1,), (0,))
# (1, 2, 3) to the right and up: the same numbers stand in drawing.test.mjs
SEEN = [1.8364336390987788, 3.2430162932342417]
VALUE = '"([^"]*)"'


def drawn(motions, skeleton=ARM, box=BOX):
    """Return lines, disks and pivots of a still picture, each with its color, in meters."""
    svg = still_picture(motions, skeleton, box, width=400)
    scale = 400 / (box[2] - box[0])

    def place(x, y):
        return [box[0] + float(x) / scale, box[3] - float(y) / scale]

    paths = re.findall(f"points={VALUE} fill={VALUE} stroke={VALUE}", svg)
    circles = re.findall(f"cx={VALUE} cy={VALUE} r={VALUE} fill={VALUE}", svg)
    squares = re.findall(f"<rect x={VALUE} y={VALUE}", svg)
    lines = [([place(*at.split(",")) for at in path.split()], color) for path, _, color in paths]
    disks = [(place(x, y), color) for x, y, _, color in circles]
    pivots = [place(float(x) + 6, float(y) + 6) for x, y in squares]
    return lines, disks, pivots


def test_lines_disks_and_pivots_stand_at_their_points_with_up_up():
    lines, disks, pivots = drawn({"": np.array([[0.0, 0.5], [1.5, -1.0]])})
    np.testing.assert_allclose(lines[0][0], [[0, 0.5], [1.5, -1]], atol=2e-3)
    np.testing.assert_allclose(disks[0][0], [1.5, -1], atol=2e-3)
    np.testing.assert_allclose(pivots, [[0, 0.5]], atol=2e-3)


def test_a_mechanism_has_one_color_and_another_than_the_next():
    motions = {"one": np.array([[0, 0], [1, 0]]), "two": np.array([[0, 0], [0, 0.5]])}
    lines, disks, _ = drawn(motions)
    assert [color for _, color in lines] == [color for _, color in disks]
    assert lines[0][1] != lines[1][1]
    np.testing.assert_allclose([point for point, _ in disks], [[1, 0], [0, 0.5]], atol=2e-3)


def test_a_box_holds_all_points_with_a_margin():
    left, bottom, right, top = box_around(np.array([[0.0, -1.0], [2.0, 0.0]]))
    assert left < 0 < 2 < right
    assert bottom < -1 < 0 < top
    x, y, z, radius = ball_around(np.array([[0.0, 0, 0], [2.0, 0, 2.0]]))
    assert (x, y, z) == (1, 0, 1)
    assert radius > np.sqrt(2)


def test_space_is_seen_along_the_y_axis_and_from_above():
    np.testing.assert_allclose(seen(np.array([1.0, 2.0, 3.0])), SEEN, rtol=1e-12)
    near, far, up, right = seen(np.array([[0, -1.0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    assert near[1] < far[1]
    assert up == pytest.approx([0, np.cos(0.3)])
    assert right[0] > 0.8


def test_a_skeleton_s_lines_are_paths_through_its_points():
    square = np.array([[0, 0], [1, 0], [1, 0.5], [0, 0.5]])
    skeleton = Skeleton((), ((0, 1, 2), (3, 0)))
    (one, _), (other, _) = drawn({"": square}, skeleton)[0]
    np.testing.assert_allclose(one, square[[0, 1, 2]], atol=2e-3)
    np.testing.assert_allclose(other, square[[3, 0]], atol=2e-3)


def test_a_literal_takes_the_numbers_of_others_and_lets_no_tag_begin():
    given = {"a": np.float32(0.5), "b": np.arange(3), "c": sm.Rational(1, 4), "d": "</script><!--"}
    literal = as_literal({**given, "e": np.bool_(True), "f": "one\u2028two"})
    assert not set(literal) & {"<", "\u2028"}
    assert json.loads(literal) == {
        "a": 0.5, "b": [0, 1, 2], "c": 0.25, "d": "</script><!--", "e": True, "f": "one\u2028two",
    }  # fmt: skip
    with pytest.raises(TypeError, match="the page can hold numbers and text; got <object"):
        as_literal(object())


@pytest.mark.parametrize("part", ["kind", "description", "title", "name"])
def test_no_text_leaves_the_attribute_that_it_stands_in(part):
    given = dict.fromkeys(("kind", "description", "body", "module", "still", "title"), "a")
    page = frame(**{**given, "height": 300, part: '"><script>f()</script>'})
    assert "<script>f()" not in html.unescape(re.search(r'srcdoc="([^"]*)"', page)[1])
    assert re.fullmatch(
        r'<iframe( [\w-]+="[^"]*")+><img( \w+="[^"]*")+><p>[^<]*</p></iframe>', page
    )
