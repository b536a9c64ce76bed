"""Sketches in space show what they are told, where a film shows it, and say what is wrong."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from panels import Arrow, sketch_in_space
from panels.drawing.space import camera_coordinates
from panels.sketches.diagram import WIDTH
from tutlib.models import pendulum, rigid_body, spherical_pendulum
from tutlib.models.quadrotors import two_quadrotors
from tutlib.spaces import lie

BOX, SWING = rigid_body(), spherical_pendulum()
UPRIGHT = np.array([*np.eye(3).ravel(), 0.0, 0.0, 0.0])
ASIDE = np.array([0.6, 0.0, -0.8, 0.0, 0.0, 0.0])


def turned(w):
    return np.array([*lie.SO3.exp(np.array(w, dtype=float)).ravel(), 0.0, 0.0, 0.0])


def texts(picture):
    root = ElementTree.fromstring(picture.svg)
    return ["".join(text.itertext()) for text in root.iter() if text.tag.endswith("}text")]


def shafts(picture, dashes=None):
    """Return start and end of straight arrows' shafts that have these dashes."""
    found = []
    for part in ElementTree.fromstring(picture.svg).iter():
        d = part.get("d", "")
        shown = part.get("fill"), part.get("stroke-dasharray"), part.get("stroke-width")
        if shown == ("none", dashes, "2.5") and d.count("L") == 1 and not part.get("transform"):
            found.append([list(map(float, at.split())) for at in d[1:].split("L")])
    return np.array(found)


def test_an_arrow_points_where_its_vector_is_seen():
    for way in np.eye(3):
        (shaft,) = shafts(sketch_in_space(SWING, ASIDE, "A rod.", arrows=[Arrow(1, way)]))
        along = (shaft[1] - shaft[0]) * [1, -1]
        seen = camera_coordinates(way)[:2]
        np.testing.assert_allclose(along / np.hypot(*along), seen / np.hypot(*seen), atol=2e-3)


def test_where_the_third_axis_points_down_arrows_do_too():
    pair = two_quadrotors()
    slant = np.array([[0.5, 0, np.sqrt(0.75)], [-0.5, 0, np.sqrt(0.75)]])
    x = pair.start([0, 0, 0.0], slant)
    model = pair.model(lambda t, s: np.zeros((2, 2, 3)))
    (shaft,) = shafts(
        sketch_in_space(model, x, "Two.", arrows=[Arrow((0, 0, 0), (0, 0, 1), "", "constraint")]),
        "6 3",
    )
    assert shaft[1, 1] > shaft[0, 1] + 10
    assert shaft[1, 0] == pytest.approx(shaft[0, 0], abs=0.02)


def test_axes_labels_and_lengths_are_named():
    labels, lengths = {"O": 0, "P": (0.6, 0.0, -0.8)}, {"l": (0, 1)}
    picture = sketch_in_space(
        SWING,
        ASIDE,
        "A rod.",
        arrows=[Arrow(1, (0, 0, -1), "m g", "force")],
        labels=labels,
        lengths=lengths,
    )
    assert sorted(texts(picture)) == ["O", "P", "l", "mg"]
    assert sorted(texts(sketch_in_space(BOX, UPRIGHT, "A box."))) == ["b1", "b2", "b3"]
    assert 'aria-label="A rod."' in picture.svg


def test_several_states_stand_over_their_names_in_rows():
    states = {"start": UPRIGHT, "first": turned([1.5, 0, 0]), "then": turned([0, 0, 1.5])}
    picture = sketch_in_space(BOX, states, "A box, turned.", columns=2)
    root = ElementTree.fromstring(picture.svg)
    names = {
        text.text: (float(text.get("x")), float(text.get("y")))
        for text in root.iter()
        if text.get("text-anchor") == "middle"
    }
    assert [*names] == [*states]
    assert names["start"][1] == names["first"][1] < names["then"][1]
    assert names["start"][0] == names["then"][0] < names["first"][0]
    left, _, width, _ = map(float, re.search('viewBox="([^"]*)"', picture.svg)[1].split())
    assert width == WIDTH
    assert left < names["start"][0] < names["first"][0] < left + WIDTH


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"model": pendulum()}, "needs a model in space"),
        ({"x": [1.0, 2.0]}, "x must have shape"),
        ({"arrows": [3]}, "an arrow"),
        ({"arrows": [Arrow(1, (1, 0))]}, "value of an arrow"),
        ({"arrows": [Arrow(9, (1, 0, 0))]}, "a point"),
        ({"arrows": [Arrow(1, (1, 0, 0), "", "wind")]}, "no such kind of arrow"),
        ({"arrows": {"end": []}}, "arrows are for 'end'"),
        ({"labels": ["O"]}, "labels must be a mapping"),
        ({"planes": [np.eye(3)]}, "a plane"),
        ({"view": 3}, "view"),
    ],
)
def test_what_makes_no_sense_is_told(changes, told):
    given = {"model": SWING, "x": ASIDE, "description": "A rod."} | changes
    with pytest.raises((TypeError, ValueError), match=told):
        sketch_in_space(**given)
