"""Motions in space on the built pages: turned by mouse, finger and keys, stepped on the group."""

import functools
import re

import numpy as np
import pytest

from panels import live_in_space
from tutlib.models import rigid_body, spherical_pendulum
from tutlib.models.quadrotors import AttitudeController, LoadController, two_quadrotors
from tutlib.spaces import with_derivatives
from tutlib.spaces.lie import SO3

from .conftest import SITE
from .panel import Panel

FILMS = [
    "notebooks/08-lie-group-integrators/1-off-the-sphere.html",
    "notebooks/09-quadrotors/1-newton-with-tensions.html",
]
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


@functools.cache
def shown(name):
    return {"box": box, "spherical": spherical, "carry": carry}[name]()


# Keeps a picture in the page, and tells the share of its bytes that have changed since.
CHANGE = """e => {
  const data = e.getContext('2d').getImageData(0, 0, e.width, e.height).data;
  const before = e.kept ?? data;
  e.kept ??= data;
  return data.reduce((sum, value, i) => sum + (Math.abs(value - before[i]) > 16), 0) / data.length;
}"""


@pytest.fixture
def open_in_space(show):
    """Open a simulation such as those of chapters 8 and 9, alone on a page."""

    def open_one(name, **options):
        page = show(shown(name), **options)
        return Panel(page, name, plays=options.get("reduced_motion") != "reduce")

    return open_one


@pytest.fixture
def film(open_film):
    """Open a paused film: page and canvas."""

    def open_one(path):
        page, frame = open_film(path, reduced_motion="reduce")
        return page, frame.locator("canvas")

    return open_one


@pytest.mark.parametrize("path", FILMS)
class TestFilms:
    def test_the_mouse_turns_it(self, film, path):
        page, canvas = film(path)
        before, box = canvas.evaluate("e => e.toDataURL()"), canvas.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 20, steps=4)
        page.mouse.up()
        after = canvas.evaluate("e => e.toDataURL()")
        assert after != before
        page.mouse.move(x, y, steps=3)  # let go: it stays
        assert canvas.evaluate("e => e.toDataURL()") == after
        assert canvas.locator("..").locator(".mark").is_visible()  # turned, and not yet played

    def test_the_arrow_keys_turn_it_and_back(self, film, path):
        page, canvas = film(path)
        canvas.focus()
        assert canvas.evaluate(CHANGE) == 0
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
        turned = canvas.evaluate(CHANGE)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        assert canvas.evaluate(CHANGE) < 0.01 * turned

    def test_it_says_what_is_seen_and_how_to_turn_it(self, film, path):
        _, canvas = film(path)
        assert re.search(r"\w{3}.*Turn it with the mouse", canvas.get_attribute("aria-label"))

    def test_without_scripts_a_still_picture_stays(self, site, path):
        text = (SITE / path).read_text(encoding="utf-8")
        first = re.search(r'<iframe class="tutlib-animation".*?</iframe>', text, re.DOTALL)[0]
        assert "data:image/svg+xml" in re.search(r'srcdoc="([^"]*)"', first)[1]


@pytest.mark.parametrize("name", LIVE)
class TestLive:
    def test_it_moves_and_keeps_its_energy(self, open_in_space, name):
        panel = open_in_space(name)
        before = panel.values()
        panel.run(0.6)
        assert panel.values()["t"] > before["t"] + 0.5
        if name == "carry":  # its motors work: no books of energy
            assert panel.frame.locator(".strip:not(.gaps)").is_hidden()
            return
        assert panel.values()[LIVE[name]] != before[LIVE[name]]
        assert panel.drift().endswith("harmless")

    def test_it_is_turned_by_mouse_and_keys(self, open_in_space, name):
        panel = open_in_space(name, reduced_motion="reduce")
        panel.still()
        before = panel.picture()
        panel.press("ArrowLeft")
        turned = panel.picture()
        assert turned != before
        box = panel.canvas.bounding_box()
        panel.page.mouse.move(box["x"] + 150, box["y"] + 150)
        panel.page.mouse.down()
        panel.page.mouse.move(box["x"] + 200, box["y"] + 150, steps=3)
        panel.page.mouse.up()
        assert panel.picture() != turned
        assert panel.values()["t"] == 0

    def test_every_integrator_runs(self, open_in_space, name):
        panel = open_in_space(name)
        choice = panel.integrators()
        for i, label in enumerate(choice.locator("option").all_inner_texts()):
            panel.press(str(i))
            assert choice.locator("option:checked").inner_text() == label
            before = panel.values()["t"]
            panel.run(0.3)
            assert panel.values()["t"] > before + 0.1

    def test_a_finger_turns_it(self, open_in_space, name):
        panel = open_in_space(name, reduced_motion="reduce", has_touch=True)
        before = panel.picture()
        panel.canvas.evaluate(
            """e => { const r = e.getBoundingClientRect();
            const send = (type, x) => e.dispatchEvent(new PointerEvent(type, {pointerType: 'touch',
              pointerId: 7, clientX: r.left + x, clientY: r.top + 100, bubbles: true}));
            send('pointerdown', 100); send('pointermove', 160); send('pointerup', 160); }"""
        )
        assert panel.picture() != before


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
    before = ring(panel)
    panel.move_slider("up", 2.0)
    assert ring(panel)[1] < before[1] - 20
    panel.move_slider("e₁", 1.5)
    assert ring(panel)[0] > before[0] + 20


def ring(panel):
    """Return where the pixels of a goal's color are on an average."""
    return panel.canvas.evaluate(
        """(canvas) => {
          const role = getComputedStyle(canvas).getPropertyValue("--goal").trim();
          const goal = [1, 3, 5].map((k) => parseInt(role.slice(k, k + 2), 16));
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const found = [];
          for (let i = 0; i < data.length; i += 4) {
            if (Math.hypot(...goal.map((value, k) => data[i + k] - value)) > 12) continue;
            found.push([(i / 4) % canvas.width, Math.floor(i / 4 / canvas.width)]);
          }
          return [0, 1].map((k) => found.reduce((sum, at) => sum + at[k], 0) / found.length);
        }"""
    )


def test_no_number_is_smaller_than_one_can_see(show):
    """What rounding leaves of zero meters is shown as zero."""
    model, start = spherical_pendulum(), [0.6, 0, -0.8, 0, 0, 0]
    tiny = {"rest": (lambda t, x, **p: 6e-19 * x[2], "m")}
    frame = live_in_space(model, start, "It swings.", readouts=tiny, name="spherical")
    panel = Panel(show(frame), "spherical")
    panel.run(0.5)
    assert panel.values()["rest"] == 0
