"""Films in a real browser: they wait, play, and hold at their end."""

import numpy as np
import pytest

from panels import animate
from tests.helpers import free
from tutlib import integrate
from tutlib.models import pendulum

from .conftest import ROOT

MARK = "Play the film: "


def swing():
    model = free(pendulum())
    return integrate(model.compile(), np.linspace(0, 2, 41), [1.0, 0.0]), model


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

    def test_it_plays_holds_at_its_end_and_plays_again(self, film):
        page, inside = film(animate(*swing(), "An arm swings."))
        mark = inside.get_by_role("button", name=f"{MARK}An arm swings.")
        page.clock.run_for(1000)
        assert told(inside) == "t = 0.00 s of 2 s"
        mark.focus()
        page.keyboard.press("Enter")
        page.clock.run_for(1000)
        assert mark.count() == 0
        assert control(inside).inner_text() == "Pause"
        assert 0.9 < float(told(inside)[4:8]) < 1.05
        page.clock.run_for(3000)
        assert told(inside) == "t = 2.00 s of 2 s"
        assert control(inside).inner_text() == "Replay"
        mark.click()
        page.clock.run_for(500)
        page.keyboard.press("Space")
        assert control(inside).inner_text() == "Play"
        assert 0.3 < float(told(inside)[4:8]) < 0.6

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
