"""A map of starts: its colors, its axes, and what is refused."""

import base64
import io
import json
import re

import numpy as np
import pytest
from matplotlib.image import imread

from tests.helpers import free
from tutlib import live
from tutlib.models import double_pendulum, pendulum
from tutlib.pictures import Chart

VALUES = np.array([[0.0, 1.0, 2.0], [np.inf, np.nan, 4.0]])


def chart(**change):
    usual = {
        "values": VALUES,
        "x": ("theta_1", -180, 180),
        "y": ("theta_2", -90, 90),
        "description": "Dark is early, light is late.",
    }
    return Chart(**(usual | change))


def specification(model, start, **options):
    widget = live(free(model), start, "It moves.", **options)
    return json.loads(re.search(r"^const specification = (.*);$", widget._esm, re.M)[1])


def test_the_first_row_is_at_the_bottom_and_what_is_not_finite_is_gray():
    address = chart().image()
    assert address.startswith("data:image/png;base64,")
    pixels = imread(io.BytesIO(base64.b64decode(address.partition(",")[2])), format="png")
    assert pixels.shape[:2] == (2, 3)
    top, bottom = pixels
    for gray in top[:2]:
        assert gray[0] == gray[1] == gray[2]
    brightness = [color[:3].sum() for color in (*bottom, top[2])]
    assert brightness == sorted(brightness)


def test_one_value_everywhere_is_a_picture_too():
    assert chart(values=np.ones((2, 2))).image()


def test_its_axes_are_states_in_shown_units():
    data = specification(double_pendulum(), [1, 1, 0, 0], chart=chart())["chart"]
    assert (data["x"]["index"], data["y"]["index"]) == (0, 1)
    assert (data["y"]["low"], data["y"]["high"], data["y"]["unit"]) == (-90, 90, "°")
    assert data["x"]["scale"] == pytest.approx(180 / np.pi)
    assert data["description"] == "Dark is early, light is late."
    assert "chart" not in specification(double_pendulum(), [1, 1, 0, 0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": np.zeros(3)}, "rows and columns"),
        ({"x": ("theta_1", 1, 1)}, "low < high"),
        ({"description": " "}, "describe"),
        ({"x": ("theta_1", np.nan, 1)}, "an end of the range of theta_1 must be finite"),
    ],
)
def test_what_makes_no_sense_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        chart(**change)


def test_an_axis_must_be_a_state():
    on_a_length = chart(x=("theta", -1, 1), y=("l", 1, 2))
    with pytest.raises(ValueError, match="l is a parameter"):
        specification(pendulum(), [1, 0], chart=on_a_length)
    with pytest.raises(ValueError, match="neither a parameter nor a state"):
        specification(pendulum(), [1, 0], chart=chart())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": [["a"]]}, "the values of a chart must hold real numbers"),
        ({"x": "theta_1"}, r"x of a chart is \(state, low, high\)"),
        ({"description": 3}, "the description must be text"),
    ],
)
def test_what_is_of_another_kind_is_named(change, message):
    with pytest.raises(TypeError, match=message):
        chart(**change)


def test_where_nothing_is_finite_all_is_gray():
    assert chart(values=np.full((2, 2), np.nan)).image().startswith("data:image/png")
