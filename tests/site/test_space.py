"""Motions in space on the built pages: turned by mouse, finger and keys, stepped on the group."""

import re

import pytest

from .conftest import SITE
from .every_page import PANELS

FILMS = ["notebooks/08-lie-group-integrators.html", "notebooks/09-quadrotors.html"]
LIVE = {"box": "Ω₁", "spherical": "height", "carry": "up"}
# Keeps a picture in the page, and tells the share of its bytes that have changed since.
CHANGE = """e => {
  const data = e.getContext('2d').getImageData(0, 0, e.width, e.height).data;
  const before = e.kept ?? data;
  e.kept ??= data;
  return data.reduce((sum, value, i) => sum + (Math.abs(value - before[i]) > 16), 0) / data.length;
}"""


@pytest.fixture
def open_in_space(open_panel):
    def open_one(name, **options):
        return open_panel(name, PANELS[name], **options)

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
            assert panel.frame.locator(".drift").is_hidden()
            return
        assert panel.values()[LIVE[name]] != before[LIVE[name]]
        drift = re.search(r"\((−?[\d.e−]+) %\)", panel.drift())[1]
        assert abs(float(drift.replace("−", "-"))) < 1e-3

    def test_it_is_turned_by_mouse_and_keys(self, open_in_space, name):
        panel = open_in_space(name, reduced_motion="reduce")
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
            panel.run(0.15)
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
    assert float(panel.slider("e1").input_value()) > 0
