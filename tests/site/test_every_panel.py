"""What a simulation must do: in a hand, unseen, in both themes, on a slow computer.

A slow computer is one of a quarter of this one's speed. Not the pictures of a second are counted,
for others may be at work here too, but how long the page's own thread works for each: half of what
it may, or less.
"""

import re
import statistics

import pytest

from .conftest import once
from .every_page import PANELS
from .panel import PATIENCE, SAID, Panel, work_of
from .visits import prepare, theme_of, violations, watch, wear

#: One panel of each kind: a motor, a map, a choice of models, a loop, and two in space.
NAMES = ("servo_arm", "flips", "chains", "with_forces", "box", "carry")
# A phone of 360 x 640 pixels, less what the book leaves free beside a frame.
WIDTH, HEIGHT = 344, 640
# A finger covers 44 pixels, of which a border takes one on each side.
FINGER = 42
SLOWER = 4
# Pictures a second: of the pendulums, and of those that have more to draw.
PENDULUMS, OTHERS = {"servo_arm": 50}, 30
WHERE = """([selectors]) => selectors.map((selector) => document.querySelector(selector))
  .filter((e) => e?.checkVisibility()).map((e) => e.getBoundingClientRect().bottom
    - document.querySelector("canvas.mechanism").getBoundingClientRect().top)"""
SMALL = """([finger]) => {
  document.querySelectorAll("details").forEach((e) => (e.open = true));
  return [...document.querySelectorAll("button, input, select, summary")]
    .map((e) => e.closest(".toggle") ?? e).filter((e) => e.checkVisibility())
    .filter((e) => Math.min(e.clientWidth, e.clientHeight) < finger).map((e) => e.outerHTML);
}"""
PICTURES = """(count) => new Promise((done) => {
  const next = () => ((count -= 1) > 0 ? requestAnimationFrame(next) : done());
  requestAnimationFrame(next);
})"""


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
class TestOnAPhone:
    def test_picture_strip_and_main_control_are_on_one_screen(self, seen, name):
        """Of one with a map: picture, main control and map."""
        assert max(seen(name)["bottoms"]) < HEIGHT

    def test_every_target_is_as_large_as_a_finger(self, seen, name):
        assert seen(name)["small"] == []


@pytest.mark.parametrize("name", NAMES)
class TestLooks:
    def test_nothing_goes_wrong(self, seen, name):
        assert seen(name)["complaints"] == []

    def test_it_runs_for_a_while(self, seen, name):
        assert seen(name)["t"] > 0.3
        assert seen(name)["message"] == ""

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_it_fits_and_wears_the_theme(self, seen, name, scheme):
        assert seen(name)[scheme]["fits"]
        assert seen(name)[scheme]["theme"] == scheme

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_axe_finds_nothing(self, seen, name, scheme):
        found = seen(name)[scheme]["axe"]
        assert [v for v in found if not v.startswith("page-has-heading-one")] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_key_says_where_it_is_and_nothing_is_said_unasked(seen, name):
    told = seen(name)
    assert told["unasked"] == ""
    assert re.match(r"Paused at t = [\d.]+ s\. \w.*\.$", told["said"])
    assert not re.search(r"NaN|undefined|null|Infinity", told["said"])
    assert told["again"] != told["said"] == told["again"].strip(), (
        "said again, though nothing moved"
    )


@pytest.fixture(scope="module")
def wide(browser):
    """Return a page on which a panel and all that it can show have room."""
    context = browser.new_context(viewport={"width": 1000, "height": 2000})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_slow_computer_shows_enough_pictures_a_second(wide, site, name):
    """With all that can be shown on request."""
    wide.goto(f"{site}alone/{name}/{PANELS[name]}")
    panel = Panel(wide, name)
    for box in panel.frame.locator(".toggles input[type=checkbox]:visible").all():
        box.check()
    worked, begin, spent = work_of(wide), panel.values()["t"], []
    for _ in range(5):
        before = worked()
        panel.inside.evaluate(PICTURES, 5)
        spent.append((worked() - before) / 5)
    assert panel.values()["t"] > begin
    assert panel.message() == ""
    assert 0 < SLOWER * statistics.median(spent) < 1 / PENDULUMS.get(name, OTHERS)
