"""The panel of a simulation as a bench: what fits on a phone, what is said, what buttons set."""

import re
from dataclasses import replace

import numpy as np
import pytest
import sympy as sm

from tests.helpers import free
from tutlib import live
from tutlib.models import chain, four_bar, pendulum

from .conftest import ROOT
from .panel import Panel, near, swipe

PHONE = {"width": 344, "has_touch": True}  # the book has margins: its frames are this narrow
ADDRESS = "http://127.0.0.1:9/bench"  # nothing answers there: the test does
TEXT = """<!doctype html><html lang="en"><head><title>Text</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"></head><body>
<p><a href="#live&arm.method=euler&arm.h=0.05">choose Euler</a>,
<a href="#live&arm.preset=Full+turn">let it turn</a>, <a href="#live&other.h=1">no such</a></p>
<div style="height: 1500px"></div>%s<div style="height: 1500px"></div><script>%s</script></body>
</html>"""
OVER_PICTURE = """() => {
  const picture = document.querySelector('canvas.mechanism').getBoundingClientRect();
  return [...document.querySelectorAll('.stage *, .books *')].filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return !e.matches('.mechanism') && e.checkVisibility() && right > picture.left
      && left < picture.right && bottom > picture.top && top < picture.bottom;
  }).map((e) => e.outerHTML);
}"""


def arm(**options):
    presets = {"Choose Euler": {"method": "euler", "h": 0.05}, "Full turn": {"theta": 3.0}}
    sliders = {"theta": (-180, 180, "deg"), "m": (0.1, 5, "kg")}
    given = {"presets": presets, "sliders": sliders, "name": "arm", **options}
    return live(
        free(pendulum()), [2.0, 0.0], "An arm swings.", title="A free pendulum",
        hint="Choose Euler, and watch the strip.", **given,
    )  # fmt: skip


def linkage(**options):
    model = free(four_bar()).with_multipliers(3.0)
    start = model.consistent_state([0.2, 0.4, -2.6, 1, 0, 0], model.equations.q[:1])
    return live(model, start, "A linkage swings.", h=0.005, name="linkage", **options)


def race():
    rules = ["euler", "semi_implicit_euler", "midpoint", "rk4", "velocity_verlet"]
    return live(
        free(pendulum()), [2.0, 0.0], "Five arms swing.", runs={r: {"method": r} for r in rules},
        h=0.05, main="h", name="race", title="Five integrators", hint="Move the step.",
    )  # fmt: skip


class TestOnAPhone:
    def test_the_way_back_is_always_in_sight_the_rest_folds_and_sliders_are_wide(self, shown):
        panel = shown(arm(), **PHONE)
        for name in ("Reset to start", "Default settings"):
            assert panel.button(name).is_visible()
        assert panel.slider("m").is_hidden()
        panel.frame.get_by_text("More controls").click()
        assert panel.slider("m").is_visible()
        whole = panel.inside.evaluate("document.querySelector('.books').clientWidth")
        assert panel.slider("θ").bounding_box()["width"] == pytest.approx(whole, abs=1)

    def test_a_finger_moves_the_thumb(self, show):
        page = show(arm(height=1200), reduced_motion="reduce", **PHONE)
        panel = Panel(page, "arm", plays=False)
        slider = panel.slider("θ")
        box, before = slider.bounding_box(), float(slider.input_value())
        part = (before + 180) / 360
        place = {"x": box["x"] + 22 + part * (box["width"] - 44), "y": box["y"] + 22}
        swipe(page, place, (-10, 0), 8)
        moved = -80 * 360 / (box["width"] - 44)
        assert float(slider.input_value()) - before == pytest.approx(moved, abs=8)


class TestTheStrip:
    def test_a_loop_tells_its_gap_in_meters(self, shown):
        panel = shown(linkage())
        panel.step(20)
        told = panel.frame.locator(".loop").inner_text()
        assert re.fullmatch(r"loop closed( to 10⁻¹[\S]+ m: harmless)?", told)
        assert panel.frame.locator("canvas.gaps").is_visible()

    def test_nothing_is_said_over_the_motion(self, shown):
        panel = shown(race())
        for width in (360, 1000):
            panel.page.set_viewport_size({"width": width, "height": 900})
            assert panel.frame.locator(".legend li").count() == 5
            assert panel.inside.evaluate(OVER_PICTURE) == []


def test_a_preset_sets_all_from_the_defaults_and_plays(shown):
    panel = shown(arm())
    assert panel.frame.get_by_role("heading", name="A free pendulum").count() == 1
    assert panel.frame.locator(".hint").inner_text() == "Choose Euler, and watch the strip."
    panel.move_slider("m", 3)
    panel.button("Choose Euler").click()
    panel.plays()
    assert panel.integrators().input_value() == "euler"
    assert panel.slider("m").input_value() == "1"
    assert panel.frame.locator("[aria-pressed=true]").inner_text() == "Choose Euler"
    panel.button("Full turn").click()
    assert panel.integrators().input_value() == "rk4"
    panel.still()
    assert panel.values()["θ"] == pytest.approx(np.rad2deg(3.0), abs=0.06)
    panel.button("Default settings").click()
    assert panel.frame.locator("[aria-pressed=true]").count() == 0


class TestLinks:
    @pytest.fixture
    def text(self, fresh):
        """Open a page whose text has links that set the panel far below."""
        page = fresh(reduced_motion="reduce")
        frames = (ROOT / "book" / "_static" / "frames.js").read_text(encoding="utf-8")
        body = TEXT % (arm()._repr_html_(), frames)
        page.route(ADDRESS, lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto(ADDRESS)
        return page

    def test_by_mouse_and_key_they_set_what_they_name_at_once_and_show_it(self, text):
        text.evaluate("window.stayed = true")
        panel = Panel(text, "arm", plays=False)
        panel.move_slider("m", 3)
        text.evaluate("scrollTo(0, 0)")
        text.get_by_role("link", name="choose Euler").click()
        text.wait_for_function("scrollY > 1000")
        panel.plays()
        assert panel.integrators().input_value() == "euler"
        assert panel.slider("m").input_value() == "3"
        text.wait_for_function("location.hash === '#live&arm.m=3&arm.method=euler&arm.h=0.05'")
        text.evaluate("scrollTo(0, 0)")
        text.get_by_role("link", name="let it turn").focus()
        text.keyboard.press("Enter")
        text.wait_for_function("scrollY > 1000")
        panel.waits_for("[...document.querySelectorAll('select')].some((e) => e.value === 'rk4')")
        assert panel.integrators().input_value() == "rk4"
        assert text.evaluate("window.stayed"), "the page was not loaded again"


def test_arrow_keys_are_fine_and_shift_and_page_keys_coarse(shown):
    slider = shown(arm()).slider("m")
    for key, change in (("ArrowRight", 0.05), ("Shift+ArrowRight", 0.5), ("PageDown", -0.49)):
        before = float(slider.input_value())
        slider.press(key)
        assert float(slider.input_value()) - before == pytest.approx(change, abs=0.03), key


def test_arrows_come_on_request_or_by_a_preset_in_the_color_of_their_role(shown):
    m, g = sm.Symbol("m", positive=True), sm.Symbol("g", real=True)
    arrows = {"weight": (1, (0, -m * g), "N"), "hinge": (0, (m * g, 0), "N", "constraint")}
    panel = shown(arm(arrows=arrows))
    panel.step(10)
    for label, role in (("velocity", "velocity"), ("weight", "force"), ("hinge", "constraint")):
        before = near(panel.canvas, f"--{role}")["count"]
        panel.frame.get_by_role("checkbox", name=label).check()
        assert near(panel.canvas, f"--{role}")["count"] > before + 20, label
    told = panel.frame.locator(".caption").inner_text()
    for text in ("velocity: ", " m/s", "weight: 5 N", "hinge: 5 N"):
        assert text in told
    assert panel.inside.evaluate(OVER_PICTURE) == []
    panel = shown(arm(arrows=arrows, presets={"Forces": {"arrows": ["weight"]}}))
    panel.button("Forces").click()
    assert panel.frame.get_by_role("checkbox", name="weight").is_checked()
    assert not panel.frame.get_by_role("checkbox", name="velocity").is_checked()


class TestSeveralModels:
    def two(self, **own):
        absolute, relative = free(chain(2)), free(chain(2, "relative"))
        runs = {
            "absolute": {},
            "relative": {"model": relative, "start": [1.0, 0.3, 0.0, 0.0], **own},
        }
        return live(
            absolute, [1.0, 1.3, 0.0, 0.0], "Two chains swing.", runs=runs, name="two",
            sliders={"g": (0, 20, "m/s²")},
        )  # fmt: skip

    def test_two_chains_have_one_clock_and_one_hand_and_each_its_own_angles(self, shown):
        """One shape: of the second link, one says its slope, the other its bend.

        The one that is drawn last covers the other one, whose color is not seen.
        """
        panel = shown(self.two())
        panel.step(1)
        lines = panel.clock().splitlines()
        assert [line.split(" · ")[0] for line in lines] == ["absolute", "relative"]
        (first, second), (same, bend) = (
            [float(re.search(rf"{name} = ([\d.]+)", line)[1]) for name in ("θ₁", "θ₂")]
            for line in lines
        )
        assert first == same
        assert second - first == pytest.approx(bend, abs=0.11)
        for act in (lambda: panel.step(60), lambda: panel.press(*["ArrowUp"] * 3)):
            act()
            assert near(panel.canvas, "--series-2")["count"] > 100
        assert set(panel.drifts()) == {"absolute", "relative"}

    def test_a_ghost_is_faint(self, shown):
        counts = []
        for ghost in (False, True):
            panel = shown(self.two(ghost=ghost))
            panel.step(5)
            counts.append(near(panel.canvas, "--series-2")["count"])
        assert counts[1] < counts[0] / 5


@pytest.mark.parametrize("ghost", [False, True])
def test_a_machine_that_falls_says_when_and_stops(shown, ghost):
    model = replace(free(pendulum()), upright=2.0 - sm.Abs(pendulum().equations.q[0]))
    runs = {"it": {}, "faint": {"ghost": True, "theta": 0.1}} if ghost else None
    panel = shown(live(model, [1.0, 6.0], "It falls.", runs=runs, name="faller"))
    message = panel.frame.locator(".message")
    assert not panel.frame.locator(".strip:not(.gaps)").is_visible()
    panel.step(200)
    fallen = panel.values()
    assert message.inner_text() == f"Fell after {fallen['t']:.1f} s."
    assert 114 < fallen["θ"] < 119
    panel.step(3)
    assert panel.values() == fallen
    panel.button("Play").click()  # begins anew
    panel.run(2)
    assert message.inner_text() == f"Fell after {fallen['t']:.1f} s."
    assert panel.values()["t"] == fallen["t"]
    panel.button("Reset").click()
    assert message.inner_text() == ""


def test_a_disk_grows_with_its_mass(shown):
    panel = shown(arm())
    painted = """e => e.getContext('2d').getImageData(0, 0, e.width, e.height).data
        .filter((value, i) => i % 4 === 3 && value).length"""
    small = panel.canvas.evaluate(painted)
    panel.move_slider("m", 5)
    grown = panel.canvas.evaluate(painted) - small
    # from 12 to 18 pixels, a part of both on the link
    assert grown == pytest.approx(np.pi * (18**2 - 12**2), rel=0.25)


def test_a_server_may_forbid_scripts_and_what_instructors_are_told_to_allow_is_enough(browser):
    """What it forbids in a page it forbids in its frames."""
    page = browser.new_page()
    inside = page.frame_locator("iframe")
    body = f"<!doctype html><html lang='en'><body>{arm()._repr_html_()}</body></html>"

    def under(policy):
        page.unroute_all()
        headers = {"Content-Security-Policy": policy, "Content-Type": "text/html; charset=utf-8"}
        page.route(ADDRESS, lambda route: route.fulfill(headers=headers, body=body))
        page.goto(ADDRESS)

    under("script-src 'self'")
    inside.get_by_text("the server's Content-Security-Policy").wait_for()
    inside.get_by_alt_text("An arm swings.").wait_for()
    under("script-src 'self' 'unsafe-inline'")
    inside.get_by_text("must allow 'wasm-unsafe-eval'").wait_for()
    text = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
    under(re.search("^Content-Security-Policy: (.*)$", text, re.MULTILINE)[1])
    inside.get_by_text(re.compile(r"t = \d")).wait_for()
    assert inside.locator(".tutlib-unmoved").count() == 0
    page.close()
