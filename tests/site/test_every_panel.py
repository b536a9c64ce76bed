"""What every simulation of the course must do in a hand, and on a slow computer.

A slow computer is one of a quarter of this one's speed. Not the pictures of a second are counted,
for others may be at work here too, but how long the page's own thread works for each: half of what
it may, or less.
"""

import statistics

import pytest

from .conftest import once
from .every_page import PANELS
from .panel import PATIENCE, Panel, work_of

# A phone of 360 x 640 pixels, less what the book leaves free beside a frame.
WIDTH, HEIGHT = 344, 640
# A finger covers 44 pixels, of which a border takes one on each side.
FINGER = 42
SLOWER = 4
# Pictures a second: of the pendulums, and of those that have more to draw.
PENDULUMS, OTHERS = {"servo_arm": 50, "double_pendulum": 50}, 30
WHERE = """([selectors]) => selectors.map((selector) => document.querySelector(selector))
  .filter((e) => e?.checkVisibility()).map((e) => e.getBoundingClientRect().bottom
    - document.querySelector("canvas.mechanism").getBoundingClientRect().top)"""
SMALL = """([finger]) => {
  document.querySelectorAll("details").forEach((e) => (e.open = true));
  return [...document.querySelectorAll("button, input, select, summary")]
    .map((e) => e.closest(".toggle") ?? e).filter((e) => e.checkVisibility())
    .filter((e) => Math.min(e.clientWidth, e.clientHeight) < finger).map((e) => e.outerHTML);
}"""
# Of the corners of an element the one where the least is drawn: a finger takes hold of nothing.
EMPTY = """(e) => {
  const { left, top, width, height } = e.getBoundingClientRect();
  const places = [12, height - 12].flatMap((y) => [12, width - 12].map((x) => [x, y]));
  const ink = ([x, y]) => {
    const [across, down] = [e.width / width, e.height / height];
    const { data } = e.getContext("2d")
      .getImageData((x - 50) * across, (y - 50) * down, 100 * across, 100 * down);
    return data.filter((value, i) => i % 4 === 3 && value).length;
  };
  return e.getContext ? places.sort((a, b) => ink(a) - ink(b))[0] : places[0];
}"""
SETTING = """() => [...document.querySelectorAll(".clock, .message, input, select")]
  .map((e) => `${e.className} ${e.textContent} ${e.value} ${e.checked}`)"""
PICTURES = """(count) => new Promise((done) => {
  const next = () => ((count -= 1) > 0 ? requestAnimationFrame(next) : done());
  requestAnimationFrame(next);
})"""


@pytest.fixture(scope="module")
def phone(browser, site):
    """Return what is seen of a simulation on a phone; each is visited once, and moves nothing."""
    view = {"width": WIDTH, "height": HEIGHT}
    context = browser.new_context(viewport=view, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    client = context.new_cdp_session(page)

    def see(name):
        page.goto(f"{site}alone/{name}/{PANELS[name]}")
        panel = Panel(page, name, plays=False)
        beside = ".chart" if panel.frame.locator(".chart").count() else ".strip"
        seen = {"bottoms": panel.inside.evaluate(WHERE, [[".main", beside]])}
        every = ["canvas.mechanism", ".strip", ".chart", ".main input"]
        shown = [place for place in every if panel.frame.locator(place).first.is_visible()]
        seen["swipes"] = {place: swipe(client, panel, place) for place in shown}
        seen["fits"] = panel.inside.evaluate("document.documentElement.scrollWidth <= innerWidth")
        seen["small"] = panel.inside.evaluate(SMALL, [FINGER])
        return seen

    yield once(see)
    context.close()


def swipe(client, panel, place):
    """Move a finger up until the page goes; return whether all stayed as it was set."""
    part, before = panel.frame.locator(place).first, panel.inside.evaluate(SETTING)
    x, y = part.evaluate(EMPTY)
    below = part.bounding_box()["y"] + y - HEIGHT / 2
    panel.page.evaluate("(top) => scrollBy({ top, behavior: 'instant' })", below)
    box, top = part.bounding_box(), panel.page.evaluate("scrollY")
    at = {"x": box["x"] + x, "y": box["y"] + y}
    for kind, points in [("Start", [at]), *[("Move", [at])] * 8, ("End", [])]:
        at["y"] -= 15 * (kind == "Move")
        client.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    panel.page.wait_for_function("(top) => scrollY > top", arg=top)
    return panel.inside.evaluate(SETTING) == before


@pytest.mark.parametrize("name", PANELS)
class TestOnAPhone:
    def test_picture_strip_and_main_control_are_on_one_screen(self, phone, name):
        """Of one with a map: picture, main control and map."""
        assert max(phone(name)["bottoms"]) < HEIGHT
        assert phone(name)["fits"]

    def test_every_target_is_as_large_as_a_finger(self, phone, name):
        assert phone(name)["small"] == []

    def test_a_vertical_swipe_scrolls_the_page_and_sets_nothing(self, phone, name):
        assert "canvas.mechanism" in phone(name)["swipes"]
        assert all(phone(name)["swipes"].values()), phone(name)["swipes"]


@pytest.fixture(scope="module")
def wide(browser):
    """Return a page on which a panel and all that it can show have room."""
    context = browser.new_context(viewport={"width": 1000, "height": 2000})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PANELS)
def test_a_slow_computer_shows_enough_pictures_a_second(wide, site, name):
    """With all that can be shown on request."""
    wide.goto(f"{site}alone/{name}/{PANELS[name]}")
    panel = Panel(wide, name)
    for box in panel.frame.locator(".toggles input[type=checkbox]:visible").all():
        box.check()
    worked, begin, spent = work_of(wide), panel.values()["t"], []
    for _ in range(5):
        before = worked()
        panel.inside.evaluate(PICTURES, 12)
        spent.append((worked() - before) / 12)
    assert panel.values()["t"] > begin
    assert 0 < SLOWER * statistics.median(spent) < 1 / PENDULUMS.get(name, OTHERS)
