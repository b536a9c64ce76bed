"""Motions in space on the built pages: turned by mouse, finger and keys, stepped on the group."""

import re

import pytest

from .test_live import Panel
from .test_pages import violations

CHAPTER = "notebooks/08-lie-group-integrators.html"
LAST = "notebooks/09-quadrotors.html"
LIVE = {"box": "Ω₁", "spherical": "height", "carry": "up"}
FILMS = [CHAPTER, LAST]
# Keeps a picture in the page, and tells the share of its bytes that have changed since.
CHANGE = """e => {
  const data = e.getContext('2d').getImageData(0, 0, e.width, e.height).data;
  const before = e.kept ?? data;
  e.kept ??= data;
  return data.reduce((sum, value, i) => sum + (Math.abs(value - before[i]) > 16), 0) / data.length;
}"""


def picture(canvas):
    return canvas.evaluate("e => e.toDataURL()")


def film(visit, path, **options):
    """Return the paused opening film of a chapter: page and canvas."""
    page = visit(path, reduced_motion="reduce", **options)
    element = page.locator("iframe.tutlib-animation").first
    element.scroll_into_view_if_needed()
    frame = element.content_frame
    frame.locator("output").filter(has_text="t =").wait_for()
    page.wait_for_timeout(300)
    return page, frame.locator("canvas")


@pytest.mark.parametrize("path", FILMS)
class TestFilms:
    def test_the_mouse_turns_it(self, visit, path):
        page, canvas = film(visit, path)
        before, box = picture(canvas), canvas.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 20, steps=4)
        page.mouse.up()
        after = picture(canvas)
        assert after != before
        page.mouse.move(x, y, steps=3)  # let go: it stays
        assert picture(canvas) == after

    def test_the_arrow_keys_turn_it_and_back(self, visit, path):
        page, canvas = film(visit, path)
        canvas.focus()
        assert canvas.evaluate(CHANGE) == 0
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
        turned = canvas.evaluate(CHANGE)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        assert canvas.evaluate(CHANGE) < 0.01 * turned

    def test_it_says_what_is_seen_and_how_to_turn_it(self, visit, path):
        _, canvas = film(visit, path)
        assert re.search(r"\w{3}.*Turn it with the mouse", canvas.get_attribute("aria-label"))

    def test_without_scripts_a_still_picture_stays(self, browser, site, path):
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{site}/{path}")
        text = page.locator("iframe.tutlib-animation").first.get_attribute("srcdoc")
        context.close()
        assert "data:image/svg+xml" in text


@pytest.mark.parametrize("name", LIVE)
class TestLive:
    def open(self, visit, name, **options):
        return Panel(visit(LAST if name == "carry" else CHAPTER, **options), name)

    def test_it_moves_and_keeps_its_energy(self, visit, name):
        panel = self.open(visit, name)
        before = panel.values()
        panel.run_until(before["t"] + 0.5)
        if name == "carry":  # its motors work: no books of energy
            assert panel.frame.locator(".drift").is_hidden()
            return
        assert panel.values()[LIVE[name]] != before[LIVE[name]]
        drift = re.search(r"\((−?[\d.e−]+) %\)", panel.drift())[1]
        assert abs(float(drift.replace("−", "-"))) < 1e-3

    def test_it_is_turned_by_mouse_and_keys(self, visit, name):
        panel = self.open(visit, name, reduced_motion="reduce")
        panel.begin_still()
        before = picture(panel.canvas)
        panel.canvas.focus()
        panel.page.keyboard.press("ArrowLeft")
        turned = picture(panel.canvas)
        assert turned != before
        box = panel.canvas.bounding_box()
        panel.page.mouse.move(box["x"] + 150, box["y"] + 150)
        panel.page.mouse.down()
        panel.page.mouse.move(box["x"] + 200, box["y"] + 150, steps=3)
        panel.page.mouse.up()
        assert picture(panel.canvas) != turned
        assert panel.values()["t"] == 0

    def test_every_integrator_runs(self, visit, name):
        panel = self.open(visit, name)
        choice = panel.frame.locator("label.slider select")
        for i, label in enumerate(choice.locator("option").all_inner_texts()):
            panel.canvas.press(str(i))
            assert choice.locator("option:checked").inner_text() == label
            panel.run_until(panel.values()["t"] + 0.1)

    def test_a_finger_turns_it(self, visit, name):
        panel = self.open(visit, name, reduced_motion="reduce", has_touch=True)
        panel.begin_still()
        before = picture(panel.canvas)
        panel.canvas.evaluate(
            """e => { const r = e.getBoundingClientRect();
            const send = (type, x) => e.dispatchEvent(new PointerEvent(type, {pointerType: 'touch',
              pointerId: 7, clientX: r.left + x, clientY: r.top + 100, bubbles: true}));
            send('pointerdown', 100); send('pointermove', 160); send('pointerup', 160); }"""
        )
        assert picture(panel.canvas) != before

    @pytest.mark.parametrize("width", [360, 1280])
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_it_fits_and_axe_finds_nothing(self, visit, name, width, scheme):
        panel = self.open(visit, name, width=width, scheme=scheme, reduced_motion="reduce")
        address = panel.element.get_attribute("data-name")
        handle = panel.page.locator(f"iframe[data-name={address}]").element_handle()
        inside = handle.content_frame()
        assert inside.evaluate("document.documentElement.scrollWidth <= innerWidth")
        inside.wait_for_function("document.documentElement.scrollHeight <= innerHeight + 1")
        found = violations(inside)
        assert [v for v in found if not v.startswith("page-has-heading-one")] == []


def test_the_load_goes_where_it_is_sent(visit):
    panel = Panel(visit(LAST), "carry")
    panel.move_slider("up", 2.0)
    panel.run_until(panel.values()["t"] + 3)
    assert panel.values()["up"] > 1.5
    panel.canvas.press("e")
    assert float(panel.slider("e1").input_value()) > 0
