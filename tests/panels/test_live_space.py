"""Live simulations on spaces: what the page gets, and what is refused."""

import html
import json
import re

import numpy as np
import pytest

from panels import Chart, live_in_space
from tutlib.methods import CF4
from tutlib.models import rigid_body, rolling_disc_in_space

START = np.concatenate([np.eye(3).ravel(), [0.1, 5.0, 0.1]])


def document_of(frame):
    return html.unescape(re.search(r'srcdoc="([^"]*)"', frame.page)[1])


def data_of(frame):
    return json.loads(re.search(r"const specification = (.*);\n", document_of(frame))[1])


def test_methods_sliders_and_readouts():
    frame = live_in_space(
        rigid_body(),
        START,
        "A box tumbles.",
        sliders={"J_2": (0.15, 0.25, "kg·m²", "qe")},
        readouts={"Ω₂": (lambda t, x, **p: x[10], "rad/s")},
        title="A box",
        hint="Turn it.",
    )
    data = data_of(frame)
    names = [method["name"] for method in data["methods"]]
    assert names == ["euler", "heun", "kutta3", "rk4", "cf4"]
    assert data["methods"][-1] == {"name": "cf4", "label": CF4.name}
    assert data["sliders"][0]["index"] == 1
    assert data["readouts"] == [{"label": "Ω₂", "unit": "rad/s"}]
    assert (data["title"], data["hint"]) == ("A box", "Turn it.")
    assert "Rotate it with the mouse, a finger, or the arrow keys." in frame.page


def disc_rolls(**options):
    sliders, start = {"u_2": (0, 10, "rad/s"), "q_2": (-60, 60, "deg")}, [0, 0.25, 0, 0, 0, 0, 3, 0]
    disc = rolling_disc_in_space()
    return data_of(live_in_space(disc, start, "A disc rolls.", sliders=sliders, **options))


def test_a_slider_of_the_start_is_in_degrees_and_a_preset_sets_it():
    data = disc_rolls(
        main="q_2", presets={"Upright": {"method": "euler", "h": 0.1, "r": 1, "q_2": 0}}
    )
    speed, lean = data["sliders"]
    assert (speed["target"], speed["index"], speed["scale"]) == ("x0", 6, 1)
    assert (lean["index"], lean["unit"], lean["low"], lean["high"]) == (1, "°", -60, 60)
    assert lean["scale"] == pytest.approx(180 / np.pi)
    assert lean["meaning"] == "lean from upright at the start"
    assert data["main"] == 1
    upright = {"label": "Upright", "p": {"1": 1.0}, "x0": {"1": 0}, "method": "euler", "h": 0.1}
    assert data["presets"] == [upright]


def test_a_map_of_starts_has_the_units_of_their_sliders():
    drawn = Chart(
        [[0, 1], [1, 1]],
        ("q_2", 60, -60),
        ("u_2", 0, 10),
        "Which discs fall.",
        kinds=("falls", "rolls on"),
    )
    chart = disc_rolls(chart=drawn)["chart"]
    across, up = chart["x"], chart["y"]
    assert (across["index"], across["low"], across["high"], across["unit"]) == (1, 60, -60, "°")
    assert across["scale"] == pytest.approx(180 / np.pi)
    assert across["label"].startswith("lean from upright at the start")
    assert (up["index"], up["unit"], up["scale"]) == (6, "rad/s", 1)
    assert chart["bar"]["kinds"] == ["falls", "rolls on"]
    with pytest.raises(TypeError, match="chart must be a Chart"):
        disc_rolls(chart=[[0, 1]])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"methods": ["verlet"]}, "no method for curved spaces: 'verlet'; choose from euler"),
        ({"presets": {"a": {"method": "verlet"}}}, "unknown method 'verlet'; choose from"),
        (
            {"sliders": {"m": (1, 2, "kg")}},
            "neither a parameter nor .* m; there are: J_1, J_2, J_3",
        ),
        ({"sliders": {"R_11": (-1, 1, "")}}, "the matrix is not a rotation"),
        ({"x0": 1.1 * START}, "the matrix is not a rotation"),
        ({"name": '"><script>f()</script>'}, "the name must be a Python name"),
        ({"view": [1, 2]}, r"view must have shape \(4,\)"),
        ({"model": 3}, "what is simulated must be a SpatialModel; got 3"),
        ({"readouts": {"a": (3, "m")}}, "the readout a must be a function"),
        ({"conserved": np.ones(2)}, "conserved must be True or False; got array"),
    ],
)
def test_what_is_refused(changed, message):
    given = {"model": rigid_body(), "x0": START, "description": "A box tumbles."} | changed
    with pytest.raises((TypeError, ValueError), match=message):
        live_in_space(**given)
