"""What a simulation must do: in a hand, unseen, in both themes."""

import re

import pytest

from .conftest import once
from .every_page import PANELS
from .panel import PATIENCE, SAID, Panel
from .visits import prepare, theme_of, violations, watch, wear

#: A motor, a map, and a motion in space.
NAMES = ("servo_arm", "flips", "box")
# A phone of 360 x 640 pixels, less what the book leaves free beside a frame.
WIDTH, HEIGHT = 344, 640
# A finger covers 44 pixels, of which a border takes one on each side.
FINGER = 42
WHERE = """([selectors]) => selectors.map((selector) => document.querySelector(selector))
  .filter((e) => e?.checkVisibility()).map((e) => e.getBoundingClientRect().bottom
    - document.querySelector("canvas.mechanism").getBoundingClientRect().top)"""
SMALL = """([finger]) => {
  document.querySelectorAll("details").forEach((e) => (e.open = true));
  return [...document.querySelectorAll("button, input, select, summary")]
    .map((e) => e.closest(".toggle") ?? e).filter((e) => e.checkVisibility())
    .filter((e) => Math.min(e.clientWidth, e.clientHeight) < finger).map((e) => e.outerHTML);
}"""


@pytest.fixture(scope="module")
def seen(browser, site):
    """Return what a visit to a simulation finds, on a phone first; each is visited once."""
    context = browser.new_context(has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, complaints = watch(context.new_page())

    def see(name):
        complaints.clear()
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.emulate_media(color_scheme="light")
        page.goto(f"{site}alone/{name}/{PANELS[name]}")
        panel = Panel(page, name, plays=False)
        found = on_a_phone(panel)
        prepare(panel.inside)
        found["light"] = look(panel, "light", WIDTH)
        found["dark"] = look(panel, "dark", 1280)
        found |= unseen(panel)
        return found | {"complaints": list(complaints)}

    yield once(see)
    context.close()


def on_a_phone(panel):
    """What is on one screen, what a finger finds and does; it moves nothing."""
    beside = ".chart" if panel.frame.locator(".chart").count() else ".strip"
    found = {"bottoms": panel.inside.evaluate(WHERE, [[".main", beside]])}
    found["small"] = panel.inside.evaluate(SMALL, [FINGER])
    return found


def look(panel, scheme, width):
    """Return its theme, whether it fits, and what axe finds, with all unfolded."""
    wear(panel.page, scheme, width)
    found = {"theme": theme_of(panel.inside, scheme)}
    panel.waits_for("document.documentElement.scrollHeight <= innerHeight + 1")
    found["fits"] = panel.inside.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return found | {"axe": violations(panel.inside)}


def unseen(panel):
    """Return the names of what is worked by hand, and what is said after a hundred steps."""
    panel.still()
    panel.step(100)
    found = {"unasked": panel.inside.evaluate(SAID)}
    for said in ("said", "again"):
        panel.press("i")
        found[said] = panel.inside.evaluate(SAID)
    for _ in range(10):  # of some, a hundred steps are short
        if panel.values()["t"] <= 0.3:
            panel.step(100)
    return found | {"t": panel.values()["t"], "message": panel.message()}


@pytest.mark.parametrize("name", NAMES)
class TestPanel:
    def test_it_runs_and_nothing_goes_wrong(self, seen, name):
        assert seen(name)["complaints"] == []
        assert seen(name)["t"] > 0.3
        assert seen(name)["message"] == ""

    def test_it_suits_a_phone(self, seen, name):
        """Picture, main control and strip or map are on one screen; each target fits a finger."""
        assert max(seen(name)["bottoms"]) < HEIGHT
        assert seen(name)["small"] == []

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_it_fits_and_axe_finds_nothing(self, seen, name, scheme):
        found = seen(name)[scheme]
        assert (found["fits"], found["theme"]) == (True, scheme)
        assert [v for v in found["axe"] if not v.startswith("page-has-heading-one")] == []

    def test_a_key_says_where_it_is_and_nothing_is_said_unasked(self, seen, name):
        told = seen(name)
        assert told["unasked"] == ""
        assert re.match(r"Paused at t = [\d.]+ s\. \w.*\.$", told["said"])
        assert not re.search(r"NaN|undefined|null|Infinity", told["said"])
        assert told["again"] != told["said"] == told["again"].strip(), (
            "said again, though nothing moved"
        )
