"""Motions in space on the built pages: turned by mouse, finger and keys, stepped on the group."""

import numpy as np
import pytest

from tutlib.live import live_in_space
from tutlib.models import rigid_body, spherical_pendulum
from tutlib.models.quadrotors import AttitudeController, LoadController, two_quadrotors
from tutlib.spaces import with_derivatives
from tutlib.spaces.lie import SO3

from .panel import Panel, near
from .test_films import FINGER

LIVE = {"box": "Ω₁", "spherical": "height", "carry": "up"}


def box():
    start = np.concatenate([np.eye(3).ravel(), [0.02, 5.0, 0.02]])
    rate = {"Ω₁": (lambda t, x, **p: x[9], "rad/s")}
    return live_in_space(rigid_body(), start, "A box tumbles.", readouts=rate, name="box")


def spherical():
    q = np.array([0.6, 0, -0.8])
    start = np.concatenate([q, np.cross(q, [0.3, 2.0, -1.0])])
    height = {"height": (lambda t, x, m, l, g: l * x[2], "m")}
    model = spherical_pendulum()
    return live_in_space(
        model, start, "It swings.", readouts=height, method="cf4", name="spherical"
    )


def carry():
    pair, third = two_quadrotors(), np.array([0, 0, -np.pi / 2])
    slant = np.array([[0.5, 0, np.sqrt(0.75)], [-0.5, 0, np.sqrt(0.75)]])

    def to_goal(t, s, e_1, up):
        goal = with_derivatives(lambda t: [e_1, 0.0, -up])
        load = LoadController(pair, goal, slant, np.array([0, -1.0, 0]), (4.0, 4.0, 16.0, 5.0))
        return AttitudeController(pair, load, np.array([1.0, 0, 0]))(t, s)

    return live_in_space(
        pair.model(to_goal, {"e_1": 0.0, "up": 1.0}),
        pair.start([0, 0, -1.0], slant @ SO3.exp(third).T),
        "Two quadrotors carry a load to the goal that you set.",
        sliders={"up": (0.0, 2.0, "m", "fv"), "e_1": (-1.5, 1.5, "m", "qe")},
        readouts={"up": (lambda t, x, **p: -x[2], "m")},
        conserved=False,
        goals=[lambda t, x, e_1, up: np.array([e_1, 0.0, -up])],
        view=(0.0, 0.0, 1.4, 2.0),
        name="carry",
    )


SHOWN = {"box": box, "spherical": spherical, "carry": carry}


@pytest.fixture
def open_in_space(show):
    """Open a simulation such as those of chapters 8 and 9, alone on a page."""

    def open_one(name, **options):
        page = show(SHOWN[name](), **options)
        return Panel(page, name, plays=options.get("reduced_motion") != "reduce")

    return open_one


@pytest.mark.parametrize("name", LIVE)
def test_it_moves_keeps_its_energy_and_every_integrator_runs(open_in_space, name):
    panel = open_in_space(name)
    before = panel.values()
    panel.run(0.6)
    assert panel.values()["t"] > before["t"] + 0.5
    if name == "carry":  # its motors work: no books of energy
        assert panel.frame.locator(".strip:not(.gaps)").is_hidden()
    else:
        assert panel.values()[LIVE[name]] != before[LIVE[name]]
        assert panel.drift().endswith("harmless")
    choice = panel.integrators()
    for i, label in enumerate(choice.locator("option").all_inner_texts()):
        panel.press(str(i))
        assert choice.locator("option:checked").inner_text() == label
        before = panel.values()["t"]
        panel.run(0.3)
        assert panel.values()["t"] > before + 0.1


def test_it_is_turned_by_mouse_finger_and_keys(open_in_space):
    panel = open_in_space("box", reduced_motion="reduce", has_touch=True)
    pictures = [panel.picture()]
    panel.press("ArrowLeft")
    pictures.append(panel.picture())
    box = panel.canvas.bounding_box()
    panel.page.mouse.move(box["x"] + 150, box["y"] + 150)
    panel.page.mouse.down()
    panel.page.mouse.move(box["x"] + 200, box["y"] + 150, steps=3)
    panel.page.mouse.up()
    pictures.append(panel.picture())
    panel.canvas.evaluate(FINGER, [60, 0])
    pictures.append(panel.picture())
    assert len(set(pictures)) == 4
    assert panel.values()["t"] == 0


def test_the_load_goes_where_it_is_sent(open_in_space):
    panel = open_in_space("carry")
    panel.move_slider("up", 2.0)
    panel.run(3.2)
    assert panel.values()["t"] > 3
    assert panel.values()["up"] > 1.5
    panel.press("e")
    assert float(panel.slider("e₁").input_value()) > 0


def test_its_goal_is_a_ring_where_the_sliders_say(open_in_space):
    """It moves at once; the load follows."""
    panel = open_in_space("carry", reduced_motion="reduce")
    before = near(panel.canvas, "--goal")
    panel.move_slider("up", 2.0)
    assert near(panel.canvas, "--goal")["y"] < before["y"] - 20
    panel.move_slider("e₁", 1.5)
    assert near(panel.canvas, "--goal")["x"] > before["x"] + 20


def test_no_number_is_smaller_than_one_can_see(show):
    """What rounding leaves of zero meters is shown as zero."""
    model, start = spherical_pendulum(), [0.6, 0, -0.8, 0, 0, 0]
    tiny = {"rest": (lambda t, x, **p: 6e-19 * x[2], "m")}
    frame = live_in_space(model, start, "It swings.", readouts=tiny, name="spherical")
    panel = Panel(show(frame), "spherical")
    panel.run(0.5)
    assert panel.values()["rest"] == 0
