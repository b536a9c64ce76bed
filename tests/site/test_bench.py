"""The panel of a simulation as a bench: what fits on a phone, what is said, what buttons set."""

import re
from dataclasses import replace

import numpy as np
import pytest
import sympy as sm

from panels import live
from tests.helpers import free
from tutlib.models import chain, four_bar, pendulum

from .conftest import ROOT
from .panel import Panel

PHONE = {"width": 344, "has_touch": True}  # the book has margins: its frames are this narrow
ADDRESS = "http://127.0.0.1:9/bench"  # nothing answers there: the test does
TEXT = """<!doctype html><html lang="en"><head><title>Text</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"></head><body>
<p><a href="#live&arm.method=euler&arm.h=0.05">choose Euler</a>,
<a href="#live&arm.preset=Full+turn">let it turn</a>, <a href="#live&other.h=1">no such</a></p>
<div style="height: 1500px"></div>%s<div style="height: 1500px"></div><script>%s</script></body>
</html>"""
BOTTOM = """(selector) => document.querySelector(selector).getBoundingClientRect().bottom
  - document.querySelector('canvas.mechanism').getBoundingClientRect().top"""
SMALL = """() => [...document.querySelectorAll('button, input, select, summary')]
  .map((e) => (e.closest('.toggle') ?? e)).filter((e) => e.checkVisibility())
  .filter((e) => Math.min(e.clientWidth, e.clientHeight) < 42) // and a border of 1 on each side
  .map((e) => e.outerHTML)"""
OVER_PICTURE = """() => {
  const picture = document.querySelector('canvas.mechanism').getBoundingClientRect();
  return [...document.querySelectorAll('.stage *, .books *')].filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return !e.matches('.mechanism') && e.checkVisibility() && right > picture.left
      && left < picture.right && bottom > picture.top && top < picture.bottom;
  }).map((e) => e.outerHTML);
}"""
# How many pixels of the picture have about a color, given as the page says it.
PIXELS = """(e, role) => {
  const color = getComputedStyle(e).getPropertyValue(role).trim();
  const wanted = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  const { data } = e.getContext('2d').getImageData(0, 0, e.width, e.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    count += data[i + 3] > 200 && wanted.every((value, k) => Math.abs(data[i + k] - value) < 24);
  }
  return count;
}"""


def arm(**options):
    presets = {"Choose Euler": {"method": "euler", "h": 0.05}, "Full turn": {"theta": 3.0}}
    sliders = {"theta": (-180, 180, "deg"), "m": (0.1, 5, "kg")}
    given = {"presets": presets, "sliders": sliders, "name": "arm", **options}
    return live(
        free(pendulum()),
        [2.0, 0.0],
        "An arm swings.",
        title="A free pendulum",
        hint="Choose Euler, and watch the strip.",
        **given,
    )


def linkage(**options):
    model = free(four_bar()).with_multipliers(3.0)
    start = model.consistent_state([0.2, 0.4, -2.6, 1, 0, 0], model.equations.q[:1])
    return live(model, start, "A linkage swings.", h=0.005, name="linkage", **options)


def race():
    rules = ["euler", "semi_implicit_euler", "midpoint", "rk4", "velocity_verlet"]
    return live(
        free(pendulum()),
        [2.0, 0.0],
        "Five arms swing.",
        runs={r: {"method": r} for r in rules},
        h=0.05,
        main="h",
        name="race",
        title="Five integrators",
        hint="Move the step.",
    )


@pytest.fixture
def shown(show):
    """Show one simulation at rest, at the start of its motion."""

    def one(widget, **options):
        page = show(widget, **{"reduced_motion": "reduce", **options})
        panel = Panel(page, widget.specification["name"], plays=False)
        panel.still()
        return panel

    return one


class TestOnAPhone:
    @pytest.mark.parametrize("make", [arm, linkage, race])
    def test_picture_strip_and_main_control_are_on_one_screen(self, shown, make):
        panel = shown(make(), **PHONE)
        assert panel.inside.evaluate("innerWidth") <= 328
        assert panel.inside.evaluate(BOTTOM, ".strip") < 640
        assert panel.inside.evaluate(BOTTOM, ".main") < 640
        assert panel.inside.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def test_the_way_back_is_always_in_sight_and_the_rest_folds(self, shown):
        panel = shown(arm(), **PHONE)
        for name in ("Reset to start", "Default settings"):
            assert panel.button(name).is_visible()
        assert panel.slider("m").is_hidden()
        panel.frame.get_by_text("More controls").click()
        assert panel.slider("m").is_visible()

    @pytest.mark.parametrize("width", [360, 1000])
    def test_every_target_is_as_large_as_a_finger(self, shown, width):
        panel = shown(arm(), width=width, has_touch=True)
        panel.unfold()
        assert panel.inside.evaluate(SMALL) == []

    def test_sliders_are_as_wide_as_their_column(self, shown):
        panel = shown(arm(), **PHONE)
        whole = panel.inside.evaluate("document.querySelector('.books').clientWidth")
        assert panel.slider("θ").bounding_box()["width"] == pytest.approx(whole, abs=1)

    def test_a_finger_moves_the_thumb(self, show):
        page = show(arm(height=1200), reduced_motion="reduce", **PHONE)
        panel = Panel(page, "arm", plays=False)
        slider = panel.slider("θ")
        box, before = slider.bounding_box(), float(slider.input_value())
        part = (before + 180) / 360
        place = {"x": box["x"] + 22 + part * (box["width"] - 44), "y": box["y"] + 22}
        client = page.context.new_cdp_session(page)
        client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
        for _ in range(8):
            place = {**place, "x": place["x"] - 10}
            client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        moved = -80 * 360 / (box["width"] - 44)
        assert float(slider.input_value()) - before == pytest.approx(moved, abs=8)

    @pytest.mark.parametrize("where", ["canvas.mechanism", ".main input", "canvas.strip"])
    def test_a_vertical_swipe_scrolls_the_page(self, show, where):
        page = show(arm(height=1200), reduced_motion="reduce", **PHONE)
        panel = Panel(page, "arm", plays=False)
        before = panel.values(), panel.slider("θ").input_value()
        box = panel.frame.locator(where).first.bounding_box()
        client = page.context.new_cdp_session(page)
        place = {"x": box["x"] + 12, "y": box["y"] + box["height"] - 12}
        client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
        for _ in range(10):
            place = {**place, "y": place["y"] - 20}
            client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_function("scrollY > 0")
        assert (panel.values(), panel.slider("θ").input_value()) == before


class TestTheStrip:
    def test_what_is_harmless_looks_and_reads_so(self, shown):
        panel = shown(arm(h=0.001))
        panel.step(100)
        assert re.fullmatch(r"energy kept to 10⁻[¹²³⁴⁵⁶⁷⁸⁹⁰]+ J: harmless", panel.drift())
        told = panel.frame.locator("canvas.strip").first.get_attribute("aria-label")
        assert told == panel.drift()

    def test_it_can_be_read_after_a_motion_blew_up(self, shown):
        (theta,), (tau,) = pendulum().equations.q, pendulum().equations.inputs
        stiff = pendulum().with_inputs({tau: -1000 * theta})
        panel = shown(live(stiff, [1.0, 0.0], "A stiff arm.", method="euler", h=0.2, name="stiff"))
        panel.step(40)
        assert "blew up" in panel.message()
        said = panel.drift()
        assert re.fullmatch(r"energy this method invented: 10[¹²³⁴⁵⁶⁷⁸⁹⁰]+ times the swing", said)

    def test_a_method_that_wavers_is_told_from_one_that_drifts(self, shown):
        panel = shown(arm(method="velocity_verlet", h=0.05))
        panel.step(60)
        assert re.fullmatch(r"energy wavers within [\d.]+ % of the swing", panel.drift())

    def test_a_loop_tells_its_gap_in_meters(self, shown):
        panel = shown(linkage())
        panel.step(20)
        told = panel.frame.locator(".loop").inner_text()
        assert re.fullmatch(r"loop closed( to 10⁻¹[\S]+ m: harmless)?", told)
        assert panel.frame.locator("canvas.gaps").is_visible()

    @pytest.mark.parametrize("width", [360, 1000])
    def test_nothing_is_said_over_the_motion(self, shown, width):
        panel = shown(race(), width=width)
        assert panel.frame.locator(".legend li").count() == 5
        assert panel.inside.evaluate(OVER_PICTURE) == []


class TestPresets:
    def test_a_preset_sets_all_from_the_defaults_and_plays(self, shown):
        panel = shown(arm())
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

    def test_it_says_what_it_is_and_what_to_try(self, shown):
        panel = shown(arm())
        assert panel.frame.get_by_role("heading", name="A free pendulum").count() == 1
        assert panel.frame.locator(".hint").inner_text() == "Choose Euler, and watch the strip."


class TestLinks:
    @pytest.fixture
    def text(self, fresh):
        """Open a page whose text has links that set the panel far below."""
        page = fresh(reduced_motion="reduce")
        frames = (ROOT / "book" / "_static" / "frames.js").read_text(encoding="utf-8")
        body = TEXT % (arm()._repr_html_(), frames)
        page.route(ADDRESS, lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto(ADDRESS)
        yield page
        page.unroute(ADDRESS)

    def test_by_mouse_and_key_they_set_the_panel_at_once_and_show_it(self, text):
        text.evaluate("window.stayed = true")
        text.get_by_role("link", name="choose Euler").click()
        text.wait_for_function("scrollY > 1000")
        panel = Panel(text, "arm", plays=False)
        panel.plays()
        assert panel.integrators().input_value() == "euler"
        text.wait_for_function("location.hash === '#live&arm.method=euler&arm.h=0.05'")
        text.evaluate("scrollTo(0, 0)")
        text.get_by_role("link", name="let it turn").focus()
        text.keyboard.press("Enter")
        text.wait_for_function("scrollY > 1000")
        panel.waits_for("[...document.querySelectorAll('select')].some((e) => e.value === 'rk4')")
        assert panel.integrators().input_value() == "rk4"
        assert text.evaluate("window.stayed"), "the page was not loaded again"

    def test_they_leave_alone_what_they_do_not_name(self, text):
        panel = Panel(text, "arm", plays=False)
        panel.move_slider("m", 3)
        text.get_by_role("link", name="choose Euler").click()
        panel.plays()
        assert panel.slider("m").input_value() == "3"


class TestKeys:
    def test_arrow_keys_are_fine_and_shift_and_page_keys_coarse(self, shown):
        panel = shown(arm())
        slider = panel.slider("m")
        for key, change in (("ArrowRight", 0.05), ("Shift+ArrowRight", 0.5), ("PageDown", -0.49)):
            before = float(slider.input_value())
            slider.press(key)
            assert float(slider.input_value()) - before == pytest.approx(change, abs=0.03), key


class TestArrows:
    def options(self):
        m, g = sm.Symbol("m", positive=True), sm.Symbol("g", real=True)
        return {"weight": (1, (0, -m * g), "N"), "hinge": (0, (m * g, 0), "N", "constraint")}

    def test_they_come_on_request_in_the_color_of_their_role(self, shown):
        panel = shown(arm(arrows=self.options()))
        panel.step(10)
        for label, role in (("velocity", "velocity"), ("weight", "force"), ("hinge", "constraint")):
            before = panel.canvas.evaluate(PIXELS, f"--{role}")
            panel.frame.get_by_role("checkbox", name=label).check()
            assert panel.canvas.evaluate(PIXELS, f"--{role}") > before + 20, label
        told = panel.frame.locator(".caption").inner_text()
        for text in ("velocity: ", " m/s", "weight: 5 N", "hinge: 5 N"):
            assert text in told
        assert panel.inside.evaluate(OVER_PICTURE) == []

    def test_a_preset_may_show_them(self, shown):
        presets = {"Forces": {"arrows": ["weight"]}}
        panel = shown(arm(arrows=self.options(), presets=presets))
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
            absolute,
            [1.0, 1.3, 0.0, 0.0],
            "Two chains swing.",
            runs=runs,
            name="two",
            sliders={"g": (0, 20, "m/s²")},
        )

    def test_two_chains_have_one_clock_and_one_hand(self, shown):
        """The one that is drawn last covers the other one, whose color is not seen."""
        panel = shown(self.two())
        for act in (lambda: panel.step(60), lambda: panel.press(*["ArrowUp"] * 3)):
            act()
            assert panel.canvas.evaluate(PIXELS, "--series-2") > 100
        assert set(panel.drifts()) == {"absolute", "relative"}

    def test_each_tells_its_own_angles(self, shown):
        """One shape: of the second link, one says its slope, the other its bend."""
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

    def test_a_ghost_is_faint(self, shown):
        solid = shown(self.two())
        solid.step(5)
        before = solid.canvas.evaluate(PIXELS, "--series-2")
        ghost = shown(self.two(ghost=True))
        ghost.step(5)
        assert ghost.canvas.evaluate(PIXELS, "--series-2") < before / 5


class TestAFall:
    @pytest.mark.parametrize("ghost", [False, True])
    def test_a_machine_that_falls_says_when_and_stops(self, shown, ghost):
        model = replace(free(pendulum()), upright=2.0 - sm.Abs(pendulum().equations.q[0]))
        runs = {"it": {}, "faint": {"ghost": True, "theta": 0.1}} if ghost else None
        panel = shown(live(model, [1.0, 6.0], "It falls.", runs=runs, name="faller"))
        message = panel.frame.locator(".message")
        assert not panel.frame.locator(".strip:not(.gaps)").is_visible()
        for _ in range(200):
            panel.step(1)
            if message.inner_text():
                break
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


class TestStrictServer:
    """A server may forbid scripts in a page, and so in its frames: see the instructors' page."""

    def under(self, browser, policy):
        page = browser.new_page()
        arm = live(
            free(pendulum()).with_parameters({"m": 1, "l": 1}),
            [1.0, 0.0],
            "An arm swings.",
            name="arm",
        )
        headers = {"Content-Security-Policy": policy, "Content-Type": "text/html; charset=utf-8"}
        body = f"<!doctype html><html lang='en'><body>{arm._repr_html_()}</body></html>"
        page.route(ADDRESS, lambda route: route.fulfill(headers=headers, body=body))
        page.goto(ADDRESS)
        return page, page.frame_locator("iframe")

    def test_where_no_script_may_run_the_still_picture_says_so(self, browser):
        page, inside = self.under(browser, "script-src 'self'")
        inside.get_by_text("the server's Content-Security-Policy").wait_for()
        inside.get_by_alt_text("An arm swings.").wait_for()
        page.close()

    def test_where_nothing_may_be_compiled_it_is_told_what_to_allow(self, browser):
        page, inside = self.under(browser, "script-src 'self' 'unsafe-inline'")
        inside.get_by_text("must allow 'wasm-unsafe-eval'").wait_for()
        page.close()

    def test_what_instructors_are_told_to_allow_is_enough(self, browser):
        text = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
        page, inside = self.under(
            browser, re.search("^Content-Security-Policy: (.*)$", text, re.M)[1]
        )
        inside.get_by_text("t = 0.").wait_for()
        assert inside.locator(".tutlib-unmoved").count() == 0
        page.close()
