"""A map of starts: its colors, its axes, and what is refused."""

import base64
import io
import json
import re

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.image import imread

from panels import Chart, EndTimes, live
from tests.helpers import free
from tutlib.methods import ensemble
from tutlib.models import double_pendulum, pendulum

VALUES = np.array([[0.0, 1.0, 2.0], [np.inf, np.nan, 4.0]])


def chart(**change):
    usual = {
        "values": VALUES,
        "x": ("theta_1", -180, 180),
        "y": ("theta_2", -90, 90),
        "description": "Dark is early, light is late.",
    }
    return Chart(**(usual | change))


def specification(model=None, start=(1, 1, 0, 0), **options):
    """Return what the page is told of a model, of the double pendulum if none is asked for."""
    widget = live(free(model or double_pendulum()), start, "It moves.", **options)
    return json.loads(re.search(r"^const specification = (.*);$", widget._esm, re.M)[1])


def pixels_of(address):
    assert address.startswith("data:image/png;base64,")
    return imread(io.BytesIO(base64.b64decode(address.partition(",")[2])), format="png")


def test_the_first_row_is_at_the_bottom_and_what_is_not_finite_is_gray():
    pixels = pixels_of(*chart().images())
    assert pixels.shape[:2] == (2, 3)
    top, bottom = pixels
    for gray in top[:2]:
        assert gray[0] == gray[1] == gray[2]
    brightness = [color[:3].sum() for color in (*bottom, top[2])]
    assert brightness == sorted(brightness)


def test_its_axes_are_states_in_shown_units():
    data = specification(chart=chart())["chart"]
    assert (data["x"]["index"], data["y"]["index"]) == (0, 1)
    assert (data["y"]["low"], data["y"]["high"], data["y"]["unit"]) == (-90, 90, "°")
    assert data["x"]["scale"] == pytest.approx(180 / np.pi)
    assert data["description"] == "Dark is early, light is late."
    assert "chart" not in specification()


class TestBar:
    """What the colors say: the bar has those of the map, from its least number to its largest."""

    def test_its_ends_are_those_of_the_map(self):
        drawn = chart(label="time to flip [s]", otherwise="never")
        bar = drawn.bar()
        assert (bar["low"], bar["high"]) == (0, 4)
        assert (bar["label"], bar["otherwise"]) == ("time to flip [s]", "never")
        pixels = pixels_of(drawn.images()[0])
        as_hex = [to_hex(pixel) for pixel in (pixels[1, 0], pixels[0, 2])]
        assert [bar["colors"][0], bar["colors"][-1]] == as_hex
        assert bar["gray"] == to_hex(pixels[0, 0])


class TestFollows:
    def test_the_page_knows_the_parameter_and_which_sliders_change_nothing(self):
        sliders = {"l_1": (0.5, 2, "m"), "m_1": (0.5, 2, "kg"), "theta_1": (-90, 90, "deg")}
        drawn = chart(values=[VALUES, 2 * VALUES], follows=("l_1", [1.0, 2.0]))
        data = specification(chart=drawn, sliders=sliders)
        place = [item["name"] for item in data["parameters"]].index
        follows = {"index": place("l_1"), "label": "l₁", "unit": "m", "scale": 1}
        assert data["chart"]["follows"] == follows | {"values": [1, 2]}
        (fixed,) = data["chart"]["drawn"]
        assert fixed == {
            "index": place("m_1"),
            "label": "m₁",
            "unit": "kg",
            "scale": 1,
            "value": 1,
        }
        alone = specification(chart=chart(), sliders=sliders)
        assert alone["chart"]["follows"] is None
        assert [item["label"] for item in alone["chart"]["drawn"]] == ["l₁", "m₁"]


class TestZoom:
    """A map that the page computes anew: what it is told, and what is refused."""

    ZOOM = EndTimes(1.0, 0.01, [np.pi, np.inf])

    def map(self, **change):
        """Return the map of a pendulum that goes over the top, and where its axes lie."""
        angles, rates = np.meshgrid(np.linspace(-np.pi, np.pi, 7), np.linspace(-9, 9, 5))
        starts = np.stack([angles, rates], axis=-1).reshape(-1, 2)
        t = ensemble(free(pendulum()).compile(), starts, 1.0, 0.01, [np.pi, np.inf]).t
        usual = {
            "values": np.where(t < 1, t, np.inf).reshape(5, 7),
            "x": ("theta", -180, 180),
            "y": ("theta_dot", -9 * 180 / np.pi, 9 * 180 / np.pi),
            "zoom": self.ZOOM,
        }
        return chart(**(usual | change))

    def test_values_that_it_would_not_compute_are_refused(self):
        other = self.map(zoom=EndTimes(1.0, 0.01, [np.pi / 2, np.inf]))
        turned = self.map(values=self.map().values[::-1] + 0.5)
        for wrong in (other, turned):
            with pytest.raises(ValueError, match="differ from those of its zoom: row "):
                specification(pendulum(), [1, 0], chart=wrong)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((1.0, 0.3), "t_end must be a positive multiple of h"),
            ((1.0, 0.1, [-1.0]), "limits must be zero or positive"),
            ((1.0, 0.1, None, 3), "until must be a function"),
            ((1.0, 0.1, None, None, "rk5"), "explicit Runge-Kutta .* or one of .*rk5"),
        ],
    )
    def test_end_times_that_make_no_sense_are_refused(self, arguments, message):
        with pytest.raises((TypeError, ValueError), match=message):
            EndTimes(*arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"values": np.zeros(3)}, "rows and columns"),
        ({"values": [VALUES] * 2}, "rows and columns; got shape"),
        ({"label": 3}, "label of a chart"),
        ({"follows": "l"}, r"follows of a chart must be \(parameter, values\); got 'l'"),
        ({"follows": ("l", [1, 2, 3])}, "3 values of l needs as many maps"),
        (
            {"values": [VALUES] * 2, "follows": ("l", [1, 2]), "zoom": EndTimes(1.0, 0.01)},
            "follows every parameter: leave out follows",
        ),
        ({"zoom": 10.0}, "zoom of a chart must be an EndTimes"),
        ({"x": ("theta_1", 1, 1)}, "the range of theta_1 is empty"),
        ({"description": " "}, "describe"),
        ({"kinds": ("falls", "stands")}, "the values of a chart with kinds are 0 to 1"),
        ({"x": ("theta_1", np.nan, 1)}, "an end of the range of theta_1 must be finite"),
        ({"x": "theta_1"}, r"x of a chart must be \(state, first, last\)"),
    ],
)
def test_what_makes_no_sense_is_named(change, message):
    with pytest.raises((TypeError, ValueError), match=message):
        chart(**change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": ("l_1", 1, 2)}, "l_1 is a parameter"),
        ({"y": ("theta_3", 1, 2)}, "neither a parameter nor a state"),
        (
            {"values": [VALUES] * 2, "follows": ("theta_1", [0.0, 1.0])},
            "theta_1 is a state: a chart follows a parameter",
        ),
    ],
)
def test_axes_are_states_and_what_is_followed_is_a_parameter(change, message):
    with pytest.raises(ValueError, match=message):
        specification(chart=chart(**change))
