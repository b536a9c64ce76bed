"""Still pictures: what they draw stands where it is."""

import html
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import sympy as sm

from panels.drawing.frames import as_literal, box_around, frame, still_picture
from panels.drawing.space import ball_around
from tutlib.models import Skeleton

BOX = [-1.0, -2.0, 3.0, 1.0]
ARM = Skeleton((), ((0, 1),), (1,), (0,))


def drawn(motions, skeleton=ARM, box=BOX):
    """Return links, balls and pivots of a still picture, those with their colors, in meters."""
    svg = still_picture(motions, skeleton, box)
    scale = 480 / (box[2] - box[0])

    def place(x, y):
        return [box[0] + float(x) / scale, box[3] - float(y) / scale]

    links, balls, pivots = [], [], []
    for part in ElementTree.fromstring(svg).iter():
        given, color = part.attrib, part.get("stroke")
        if part.tag.endswith("}circle") and given["fill"] not in ("#fff", "#ffffff"):
            balls.append((place(given["cx"], given["cy"]), color))
        elif "transform" in given:
            pivots.append(
                place(*re.match(r"translate\((\S+) (\S+)\)", given["transform"]).groups())
            )
        elif part.tag.endswith("}path") and given["fill"] != "none" and "style" in given:
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", given["d"])]
            if len(numbers) == 18:  # two corners, and around the other end two more
                corners = np.array([numbers[:2], numbers[7:9], numbers[9:11], numbers[16:]])
                links.append(([place(*(corners[i] + corners[i + 1]) / 2) for i in (0, 2)], color))
        elif part.tag.endswith("}path") and given.get("stroke-width") == "2":
            corners = [at.split() for at in given["d"].removeprefix("M").split("L")]
            links.append(([place(*at) for at in corners], color))
    return links, balls, pivots


def test_parts_stand_at_their_points_with_up_up_and_a_mechanism_has_one_color():
    motions = {"one": np.array([[0, 0.5], [1.5, -1]]), "two": np.array([[0, 0], [0, 0.5]])}
    lines, disks, pivots = drawn(motions)
    assert [color for _, color in lines] == [color for _, color in disks]
    assert lines[0][1] != lines[1][1]
    np.testing.assert_allclose([ends for ends, _ in lines], [*motions.values()], atol=2e-3)
    np.testing.assert_allclose([point for point, _ in disks], [[1.5, -1], [0, 0.5]], atol=2e-3)
    np.testing.assert_allclose(pivots, [[0, 0.5], [0, 0]], atol=2e-3)


def test_a_box_holds_all_points_with_a_margin():
    left, bottom, right, top = box_around(np.array([[0.0, -1.0], [2.0, 0.0]]))
    assert left < 0 < 2 < right
    assert bottom < -1 < 0 < top
    x, y, z, radius = ball_around(np.array([[0.0, 0, 0], [2.0, 0, 2.0]]))
    assert (x, y, z) == (1, 0, 1)
    assert radius > np.sqrt(2)


def test_a_literal_takes_the_numbers_of_others_and_lets_no_tag_begin():
    given = {"a": np.float32(0.5), "b": np.arange(3), "c": sm.Rational(1, 4), "d": "</script><!--"}
    literal = as_literal({**given, "e": np.bool_(True), "f": "one\u2028two"})
    assert not set(literal) & {"<", "\u2028"}
    assert json.loads(literal) == {
        "a": 0.5,
        "b": [0, 1, 2],
        "c": 0.25,
        "d": "</script><!--",
        "e": True,
        "f": "one\u2028two",
    }
    with pytest.raises(TypeError, match="the data of a page must be numbers and text; got <object"):
        as_literal(object())


@pytest.mark.parametrize("part", ["kind", "description", "title", "name"])
def test_no_text_leaves_the_attribute_that_it_stands_in(part):
    given = dict.fromkeys(("kind", "description", "body", "module", "still", "title"), "a")
    page = frame(**{**given, "height": 300, part: '"><script>f()</script>'})
    assert "<script>f()" not in html.unescape(re.search(r'srcdoc="([^"]*)"', page)[1])
    assert re.fullmatch(
        r'<iframe( [\w-]+="[^"]*")+><img( \w+="[^"]*")+><p>[^<]*</p></iframe>', page
    )
