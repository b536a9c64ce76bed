"""Films in a real browser: they wait, play, hold at their end; bodies in space, turned by hand."""

import numpy as np
import pytest

from panels import animate
from tests.helpers import free
from tutlib import integrate
from tutlib.models import pendulum, rigid_body

from .conftest import ROOT

MARK = "Play the film: "
# The share of a canvas that is near a color of the theme, such as "--goal".
SHARE = """(canvas, role) => {
  const style = getComputedStyle(canvas);
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = style.getPropertyValue(role).trim();
  probe.fillRect(0, 0, 1, 1);
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) {
    const off = Math.hypot(data[i] - r, data[i + 1] - g, data[i + 2] - b);
    found += data[i + 3] > 200 && off < 24;
  }
  return (4 * found) / data.length;
}"""
FINGER = """(canvas, [dx, dy]) => {
  const { left, top } = canvas.getBoundingClientRect();
  const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {
    pointerType: "touch", pointerId: 7, clientX: left + x, clientY: top + y, bubbles: true,
  }));
  send("pointerdown", 100, 100);
  send("pointermove", 100 + dx, 100 + dy);
  send("pointerup", 100 + dx, 100 + dy);
}"""


def swing():
    model = free(pendulum())
    return integrate(model.compile(), np.linspace(0, 2, 41), [1.0, 0.0]), model


def tumbling():
    box = rigid_body()
    x0 = np.concatenate([np.eye(3).ravel(), [0.02, 5.0, 0.02]])
    return integrate(box.field, np.linspace(0, 2, 201), x0), box


@pytest.fixture
def film(show):
    """Show a film; return its page and what is in its frame."""

    def show_one(shown, **options):
        page = show(shown, **options)
        inside = page.frame_locator("iframe")
        inside.locator("output").filter(has_text="t =").wait_for()
        return page, inside

    return show_one


def told(inside):
    return inside.locator("output").inner_text()


def control(inside):
    return inside.locator(".controls button")


class TestWaiting:
    """A film begins when its reader says so, and stays at its end until it is told to go on."""

    def test_it_waits_under_a_mark_that_names_it(self, film):
        page, inside = film(animate(*swing(), "An arm swings."))
        mark = inside.get_by_role("button", name=f"{MARK}An arm swings.")
        page.clock.run_for(1000)
        assert told(inside) == "t = 0.00 s of 2 s"
        canvas, over = inside.locator("canvas").bounding_box(), mark.bounding_box()
        assert min(over["width"], over["height"]) >= 72
        middles = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in (canvas, over)]
        np.testing.assert_allclose(*middles, atol=1.5)
        assert inside.locator("canvas").evaluate(SHARE, "--series-1") > 1e-3  # its first frame

    def test_it_plays_holds_at_its_end_and_plays_again(self, film):
        page, inside = film(animate(*swing(), "An arm swings."))
        mark = inside.get_by_role("button", name=MARK)
        mark.click()
        page.clock.run_for(1000)
        assert not mark.is_visible()
        assert control(inside).inner_text() == "Pause"
        assert 0.9 < float(told(inside)[4:8]) < 1.05
        page.clock.run_for(3000)
        assert told(inside) == "t = 2.00 s of 2 s"
        assert control(inside).inner_text() == "Replay"
        mark.click()
        page.clock.run_for(500)
        assert 0.3 < float(told(inside)[4:8]) < 0.6

    def test_the_mark_obeys_the_keyboard_and_hands_the_focus_on(self, film):
        page, inside = film(animate(*swing(), "An arm swings."))
        inside.get_by_role("button", name=MARK).focus()
        page.keyboard.press("Enter")
        page.clock.run_for(500)
        page.keyboard.press("Space")
        assert control(inside).inner_text() == "Play"
        assert 0.3 < float(told(inside)[4:8]) < 0.6
        assert inside.get_by_role("button", name=MARK).count() == 0  # paused half-way: it is seen

    def test_on_a_printed_page_its_still_stands_for_it(self, film):
        """Set up by the script and the style of the book's pages."""
        page, _ = film(animate(*swing(), "An arm swings."))
        static = ROOT / "book" / "_static"
        page.add_script_tag(path=static / "frames.js")
        page.add_style_tag(path=static / "course.css")
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        still = page.get_by_role("img", name="An arm swings.")
        assert still.is_visible()
        assert still.evaluate("e => e.decode().then(() => e.naturalWidth)") == 480
        assert not page.locator("iframe").is_visible()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.emulate_media(media="screen")
        assert page.locator("iframe").is_visible()
        assert still.count() == 0


class TestInSpace:
    def test_a_finger_turns_it_sideways_and_scrolls_the_page_up_and_down(self, film):
        _, inside = film(animate(*tumbling(), "A box."), has_touch=True)
        canvas = inside.locator("canvas")
        before = canvas.evaluate("e => e.toDataURL()")
        canvas.evaluate(FINGER, [0, 60])
        assert canvas.evaluate("e => e.toDataURL()") == before
        canvas.evaluate(FINGER, [60, 0])
        assert canvas.evaluate("e => e.toDataURL()") != before
        assert canvas.evaluate("e => getComputedStyle(e).touchAction") == "pan-y pinch-zoom"
