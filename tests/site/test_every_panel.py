"""What every simulation must do: in a hand, unseen, in both themes, on a slow computer.

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

#: What is worked by hand, and needs a name to be worked without eyes.
WORKED = {"button", "checkbox", "combobox", "radio", "slider", "spinbutton", "textbox"}
#: What the region says after a hundred steps: of each panel of a chapter, of one of each kind.
TELLS = {
    "opening": (
        "Paused at t = 1 s. Commanded: Arm 71° left of down, swinging out at 3°/s. Energy "
        "drift 500 in a million. Left alone: Arm 29° left of down, swinging out at 168°/s. "
        "Energy drift 170 in a trillion."
    ),
    "brake": (
        "Paused at t = 1 s. Arm 18° left of up, rising at 45°/s. Torque 100 N·m. Error 89.8°. "
        "Energy drift 23 in a million."
    ),
    "weak_arm": (
        "Paused at t = 1 s. Arm 81° left of down, swinging out at 97°/s. Torque 16.6 N·m. "
        "Energy drift 3.5 in a million."
    ),
    "servo_arm": (
        "Paused at t = 1 s. Arm 70° left of down, swinging out at 4°/s. Torque −64 N·m. Error "
        "−1.8°. Energy drift 500 in a million."
    ),
    "sampled": (
        "Paused at t = 1 s. Arm 31° left of down, swinging out at 1299°/s. Torque that it "
        "would order −737 N·m. Energy drift 93 times the swing, invented."
    ),
    "flips": (
        "Paused at t = 1 s. First rod 5° left of down, swinging out at 266°/s. Second rod 75° "
        "left of down, swinging out at 252°/s. Energy drift 850 in a billion."
    ),
    "many": (
        "Paused at t = 1 s. First rod 5° left of down, swinging out at 266°/s. Second rod 75° "
        "left of down, swinging out at 252°/s. Energy drift 850 in a billion."
    ),
    "chains": (
        "Paused at t = 1 s. Absolute: First link 22° left of down, swinging out at 171°/s. "
        "Second link 33° left of down, swinging out at 105°/s. Third link 41° left of down, "
        "swinging out at 25°/s. Energy drift 2.2 in a billion. Relative: First link 22° left "
        "of down, swinging out at 171°/s. Energy drift 2.2 in a billion."
    ),
    "swing": (
        "Paused at t = 5 s. Euler: Arm 61° left of down, swinging out at 211°/s. Energy drift "
        "90 %, invented. Semi-implicit Euler: Arm 90° left of up, rising at 6°/s. Energy "
        "drift 2.8 in a thousand. RK4: Arm 90° left of down, swinging out at 6°/s. Energy "
        "drift 1.5 in a million. Predicted Verlet: Arm 90° left of down, swinging out at "
        "6°/s. Energy drift 350 in a trillion. Implicit midpoint: Arm 90° left of down, "
        "swinging out at 7°/s. Energy drift 1.2 in a billion."
    ),
    "with_forces": (
        "Paused at t = 0.5 s. Yours: Angle of the input link −20°, decreasing at 73°/s. Angle "
        "of the coupler against the input link 58°, increasing at 127°/s. Angle of the output "
        "link against the coupler −147°, increasing at 38°/s. λ₁ 5.0 N. λ₂ 14.0 N. Energy "
        "drift 330 in a trillion. True: Angle of the input link −20°, decreasing at 73°/s. "
        "Energy drift 330 in a trillion. Loop closed to 10⁻¹⁵ m: harmless."
    ),
    "balanced": (
        "Paused at t = 0.5 s. Double pendulum: First rod 23° left of up, rising at 17°/s. "
        "Second rod 5° right of up, rising at 9°/s. Torque −12.6 N·m. Linear model: First rod "
        "23° left of up, rising at 9°/s."
    ),
    "rider": "Paused at t = 1 s. Lean −1°, decreasing at 3°/s. Steer −2°, decreasing at 6°/s.",
    "mine": (
        "Paused at t = 1 s. Place of the trolley 2.4 m, increasing at 1.4 m/s. Length of the "
        "rope 6 m, increasing at 0.54 m/s. Rope 13° left of down, swinging out at 19°/s. "
        "Energy drift 810 in a trillion."
    ),
    "disc": (
        "Paused at t = 0.5 s. Traced point 0.88 m along e₁, −0.14 m along e₂, 0 m up, moving "
        "at 2.7 m/s. Lean 37.1°. Friction needed 0.43. Energy drift 200 in a trillion."
    ),
    "box": (
        "Paused at t = 1 s. Traced point 2.1 m along e₁, 0.8 m along e₂, 0.018 m up, moving "
        "at 0.059 m/s. Ω₁ −0.13 rad/s. Ω₂ 5.00 rad/s. Ω₃ 0.08 rad/s. Energy drift 9.3 in a "
        "trillion."
    ),
    "carry": (
        "Paused at t = 1 s. Traced point 0 m along e₁, −0.0045 m along e₂, 1 m up, moving at "
        "0.033 m/s. Height of the load 1.03 m. Distance to the goal 0.034 m."
    ),
    "limits": (
        "Paused at t = 1 s. Traced point −1.5 m along e₁, −0.0021 m along e₂, 4.8 m up, "
        "moving at 3.2 m/s."
    ),
}
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
def seen(browser, site):
    """Return what a visit to a simulation finds, on a phone first; each is visited once."""
    context = browser.new_context(has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, complaints = watch(context.new_page())
    client = context.new_cdp_session(page)

    def see(name):
        complaints.clear()
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        page.emulate_media(color_scheme="light")
        page.goto(f"{site}alone/{name}/{PANELS[name]}")
        panel = Panel(page, name, plays=False)
        found = on_a_phone(client, panel)
        prepare(panel.inside)
        found["light"] = look(panel, "light", WIDTH)
        found["dark"] = look(panel, "dark", 1280)
        found |= unseen(panel)
        return found | {"complaints": list(complaints)}

    yield once(see)
    context.close()


def on_a_phone(client, panel):
    """What is on one screen, what a finger finds and does; it moves nothing."""
    beside = ".chart" if panel.frame.locator(".chart").count() else ".strip"
    found = {"bottoms": panel.inside.evaluate(WHERE, [[".main", beside]])}
    every = ["canvas.mechanism", ".strip", ".chart", ".main input"]
    shown = [place for place in every if panel.frame.locator(place).first.is_visible()]
    found["swipes"] = {place: swipe(client, panel, place) for place in shown}
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
    inputs = panel.frame.locator("input, select").count()
    found = {"names": names_of(panel.page, panel), "inputs": inputs}
    panel.still()
    panel.step(100)
    found["unasked"] = panel.inside.evaluate(SAID)
    for said in ("said", "again"):
        panel.press("i")
        found[said] = panel.inside.evaluate(SAID)
    for _ in range(10):  # of some, a hundred steps are short
        if panel.values()["t"] <= 0.3:
            panel.step(100)
    return found | {"t": panel.values()["t"], "message": panel.message()}


def names_of(page, panel):
    """Return role and name of all that is worked by hand, from the browser's own tree."""
    client = page.context.new_cdp_session(page)
    (child,) = client.send("Page.getFrameTree")["frameTree"]["childFrames"]
    asked = {"frameId": child["frame"]["id"]}
    nodes = client.send("Accessibility.getFullAXTree", asked)["nodes"]
    client.detach()
    told = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes]
    return [(role, name) for role, name in told if role in WORKED]


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
    def test_picture_strip_and_main_control_are_on_one_screen(self, seen, name):
        """Of one with a map: picture, main control and map."""
        assert max(seen(name)["bottoms"]) < HEIGHT

    def test_every_target_is_as_large_as_a_finger(self, seen, name):
        assert seen(name)["small"] == []

    def test_a_vertical_swipe_scrolls_the_page_and_sets_nothing(self, seen, name):
        assert "canvas.mechanism" in seen(name)["swipes"]
        assert all(seen(name)["swipes"].values()), seen(name)["swipes"]


@pytest.mark.parametrize("name", PANELS)
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


@pytest.mark.parametrize("name", PANELS)
def test_all_that_is_worked_by_hand_has_a_name_in_the_browser_s_own_tree(seen, name):
    told = seen(name)
    assert [role for role, label in told["names"] if not re.search(r"\w", label)] == []
    fields = [role for role, _ in told["names"] if role != "button"]
    assert len(fields) >= told["inputs"] > 0
    sliders = [label for role, label in told["names"] if role == "slider"]
    assert len(sliders) == len(set(sliders)), "each has a name of its own"
    assert not [label for label in sliders if re.search(r"\d.*[°/]|\bkbd\b", label)], "no value"


@pytest.mark.parametrize("name", PANELS)
def test_a_key_says_where_it_is_and_nothing_is_said_unasked(seen, name):
    told = seen(name)
    assert told["unasked"] == ""
    assert re.match(r"Paused at t = [\d.]+ s\. \w.*\.$", told["said"])
    assert not re.search(r"NaN|undefined|null|Infinity", told["said"])
    assert told["again"] != told["said"] == told["again"].strip(), (
        "said again, though nothing moved"
    )


@pytest.mark.parametrize("name", TELLS)
def test_the_region_tells_what_a_hundred_steps_have_done(seen, name):
    assert seen(name)["said"] == TELLS[name]


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
        panel.inside.evaluate(PICTURES, 5)
        spent.append((worked() - before) / 5)
    assert panel.values()["t"] > begin
    assert panel.message() == ""
    assert 0 < SLOWER * statistics.median(spent) < 1 / PENDULUMS.get(name, OTHERS)
