"""Controls of a panel in the page: each is used, and its effect is observed."""

import re

import numpy as np
import pytest

from panels import live
from tests.helpers import free
from tutlib import integrate
from tutlib.models import pendulum

from .conftest import ROOT
from .every_page import PANELS
from .panel import PATIENCE, Panel

ADDRESS = "http://127.0.0.1:9/bench"  # the test answers for it


@pytest.fixture
def open_named(open_panel):
    """Open a simulation of the site by its name."""

    def open_one(name, fragment="", **options):
        return open_panel(name, PANELS[name], fragment, **options)

    return open_one


@pytest.fixture
def shown(show):
    """Show one simulation at the start of its motion, its clock still."""

    def one(widget, **options):
        page = show(widget, reduced_motion="reduce", **options)
        panel = Panel(page, widget.specification["name"], plays=False)
        panel.still()
        return panel

    return one


def arm(start=(0.0, 0.0), **options):
    presets = {"Choose Euler": {"method": "euler", "h": 0.05}, "Full turn": {"theta": 3.0}}
    sliders = {"theta": (-180, 180, "deg"), "m": (0.1, 5, "kg")}
    given = {"presets": presets, "sliders": sliders, "name": "arm", **options}
    return live(free(pendulum()), list(start), "An arm swings.", **given)


def plays(panel):
    before = panel.values()
    panel.run(0.3)
    after = panel.values()
    assert after["t"] > before["t"]
    assert after["θ"] != before["θ"]
    assert re.match("energy error of the method: (none|within|.*harmless)", panel.drift())


def steps_and_resets(panel):
    panel.still()
    step = float(re.search(r"np\.linspace\(0, ([\d.]+), 1001\)", panel.code())[1]) / 1000
    panel.step(20)
    assert panel.values()["t"] == pytest.approx(20 * step, abs=0.006)
    panel.button("Reset").click()
    assert panel.values()["t"] == 0


def runs_at_each_speed(panel):
    panel.unfold()
    for speed in (0.25, 2):
        panel.speeds().select_option(str(speed))
        panel.still()
        panel.button("Play").click()
        panel.run(2)
        panel.button("Pause").click()
        assert panel.values()["t"] == pytest.approx(2 * speed, abs=0.05)


def slides(panel):
    panel.still()
    panel.unfold()
    rows = panel.frame.locator("label.slider", has=panel.frame.locator("input"))
    assert rows.count() >= 4
    for row in rows.all():
        text, code = row.locator("output").inner_text(), panel.code()
        row.locator("input").press("ArrowLeft")
        assert row.locator("output").inner_text() != text
        assert panel.code() != code
        assert row.locator("input").get_attribute("aria-valuetext")


def chooses_each_integrator(panel):
    panel.still()
    choice = panel.integrators()
    options = choice.locator("option").all_inner_texts()
    assert len(options) >= 7
    for i, label in enumerate(options):
        panel.press(str(i))
        assert choice.locator("option:checked").inner_text() == label
        panel.press("r", "s")
        assert panel.values()["t"] > 0


def shows_trace_and_portrait(panel):
    panel.frame.get_by_role("checkbox", name="phase portrait").check()
    panel.frame.locator("canvas.phase").wait_for()
    trace = panel.frame.get_by_role("checkbox", name="trace")
    was = trace.is_checked()
    panel.press("t")
    assert trace.is_checked() != was


def pauses_out_of_sight(panel):
    panel.page.evaluate("window.scrollTo(0, 0)")
    for _ in range(PATIENCE // 50):  # a frame out of sight hears of it in its own time
        if panel.button("Play").count():
            break
        panel.run(0.02)
        panel.page.wait_for_timeout(50)
    assert "paused" in panel.clock()
    panel.element.scroll_into_view_if_needed()
    panel.plays()


def wears_the_theme_of_the_page(panel):
    for theme in ("dark", "light"):
        panel.page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        panel.waits_for(f"document.querySelector('main').dataset.theme === '{theme}'")


EFFECTS = (
    plays,
    steps_and_resets,
    runs_at_each_speed,
    slides,
    chooses_each_integrator,
    shows_trace_and_portrait,
    pauses_out_of_sight,
    wears_the_theme_of_the_page,
)


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.__name__)
def test_a_control_has_its_effect(open_named, effect):
    effect(open_named("servo_arm"))


class TestDragging:
    def pixel(self, panel, place):
        """Return where a place is on the screen, given in meters from the arm's hinge."""
        box = panel.canvas.bounding_box()
        scale = min(box["width"], box["height"]) / (4 * 1.24)
        # The mark of the goal is farther out than the arm: it widens the picture on the left.
        aside = (2.8 * np.sin(-np.pi / 2.5 - 0.1) + 2 * 1.24) / 2
        center = box["x"] + box["width"] / 2 - aside * scale, box["y"] + box["height"] / 2
        return center[0] + place[0] * scale, center[1] - place[1] * scale

    def grab(self, panel, start, end):
        """Drag the arm within a tenth of a second; places in meters from its hinge."""
        mouse = panel.page.mouse
        mouse.move(*self.pixel(panel, start))
        mouse.down()
        for part in np.linspace(0, 1, 6)[1:]:
            panel.run(0.016)
            place = (1 - part) * np.array(start) + part * np.array(end)
            mouse.move(*self.pixel(panel, place))

    def test_the_mouse_holds_and_throws_a_body(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        self.grab(panel, (2, 0), (0.0, 2.0))
        held = panel.values()
        assert abs(held["θ"]) == pytest.approx(180, abs=3)
        panel.run(0.3)
        assert panel.values()["θ"] == held["θ"], "it holds where it is held"
        panel.page.mouse.up()
        assert panel.values()["θ\u0307"] == 0
        panel.button("Reset").click()
        self.grab(panel, (2, 0), (1.41, 1.41))
        panel.page.mouse.up()
        assert panel.values()["θ\u0307"] > 10


@pytest.mark.parametrize(
    ("start", "moves"),
    [
        (0.0, [("dssssssssss", 1, 0), ("assssssssss", -1, 0), (["ArrowRight"] * 4, 1, 0)]),
        (1.57, [(["ArrowUp"] * 4, 0, -1), ("s" * 30, 0, 1)]),
    ],
)
def test_a_body_moves_in_the_direction_that_is_named(shown, start, moves):
    panel = shown(arm((start, 0.0)))
    for keys, right, down in moves:
        panel.button("Reset").click()
        before = panel.ink()
        panel.press(*keys)
        after = panel.ink()
        assert (after[0] - before[0]) * right + (after[1] - before[1]) * down > 2, keys


class TestServo:
    def test_keys_push_move_the_goal_and_switch_the_motor(self, open_named):
        panel = open_named("servo_arm", "#live&servo_arm.theta=0", reduced_motion="reduce")
        panel.waits_for("document.querySelector('.clock').textContent.includes('θ = 0.0°')")
        panel.button("push ▶").click()
        speed = panel.values()["θ\u0307"]
        assert speed == pytest.approx(np.rad2deg(20 / (2 * 2)), rel=1e-3)
        panel.press("a", "a")
        assert panel.values()["θ\u0307"] == pytest.approx(-speed, rel=1e-3)
        panel.press("e")
        assert panel.slider("θd").get_attribute("aria-valuetext") == "−63°"
        assert panel.values()["torque"] != 0
        panel.press("c")
        assert not panel.frame.get_by_label(re.compile("^servo")).is_checked()
        assert panel.values()["torque"] == 0

    def test_a_motion_that_blows_up_says_so_and_offers_a_way_back(self, open_named):
        panel = open_named("servo_arm", "#live&servo_arm.method=euler&servo_arm.h=0.2")
        panel.waits_for("document.querySelector('textarea').value.includes('np.linspace(0, 200.0')")
        for _ in range(20):
            panel.run(5)
            if panel.message():
                break
        assert "blew up" in panel.message()
        assert "Euler with h = 0.2 s" in panel.message()
        panel.rests()
        panel.button("Default settings").click()
        panel.button("Reset").click()
        assert panel.message() == ""
        panel.button("Play").click()
        panel.run(0.5)
        assert panel.values()["t"] > 0


class TestAddress:
    def test_the_setting_is_in_the_address(self, open_named):
        panel = open_named("servo_arm")
        panel.move_slider("kp", 900)
        panel.integrators().select_option("heun")
        panel.page.wait_for_function("location.hash.includes('method=heun')")
        address = panel.page.evaluate("location.hash")
        assert address == "#live&servo_arm.k_p=900&servo_arm.method=heun"
        again = open_named("servo_arm", address)
        again.waits_for("document.querySelector('textarea').value.includes('method=\"heun\"')")
        assert again.slider("kp").input_value() == "900"
        again.button("Default settings").click()
        again.page.wait_for_function("location.hash === ''")


def test_the_copied_code_makes_the_same_motion(open_named):
    panel = open_named("double_pendulum")
    panel.still()
    panel.move_slider("θ₁", 60)
    panel.move_slider("g", 5)
    panel.integrators().select_option("semi_implicit_euler")
    space = {}
    exec(panel.code(), space)
    panel.step(50)
    trajectory = space["trajectory"]
    assert panel.values()["θ₁"] == pytest.approx(np.rad2deg(trajectory.x[50, 0]), abs=0.051)
    assert panel.values()["θ₂"] == pytest.approx(np.rad2deg(trajectory.x[50, 1]), abs=0.051)


def test_the_energy_strip_says_what_python_computes(shown):
    panel = shown(arm((1.0, 0.0), method="euler", h=0.05))
    panel.step(20)
    sentence = r"energy error of the method: \+(\d+)%"
    found = re.fullmatch(sentence, panel.drift())
    run = integrate(free(pendulum()).compile(), 0.05 * np.arange(21), [1.0, 0.0], "euler")
    energies = free(pendulum()).energies(run.t, run.x).sum(axis=1)
    swing = 9.81 * (1 - np.cos(1.0))
    assert int(found[1]) == pytest.approx(100 * (energies[-1] - energies[0]) / swing, abs=0.6)


def test_bars_replace_the_strip_below_a_slider_at_the_picture(shown):
    model = free(pendulum())
    g, l, m = model.equations.parameters
    outputs = {"weight": (-m * g, "N"), "sum": (0, "N"), "height": (l, "m")}
    panel = shown(arm(outputs=outputs, bars={"weight": "force", "sum": ""}))
    bars = panel.frame.locator("canvas.bars")
    assert bars.get_attribute("aria-label") == "weight = −9.81 N; sum = 0 N"
    assert panel.values().keys() & {"weight", "sum", "height"} == {"height"}
    assert panel.frame.locator(".strip").first.is_hidden()
    assert panel.frame.locator(".stage label.slider").count() == 1
    panel.move_slider("m", 2)
    assert "weight = −19.6 N" in bars.get_attribute("aria-label")


def test_units_keys_and_roles_are_announced(shown):
    panel = shown(arm((1.0, 0.0), h=0.05))
    panel.unfold()
    panel.step(20)
    assert panel.clock().startswith("t = 1.00 s · ")
    row = panel.frame.locator("label.slider", has_text="step size h")
    assert row.locator("output").inner_text() == "0.05 s"
    assert panel.slider("m").get_attribute("aria-valuetext") == "1 kg"
    assert "(m)" in panel.slider("m").get_attribute("aria-label")
    for label, key in (("Step", "s"), ("Reset", "r"), ("◀ push", "a"), ("push ▶", "d")):
        assert panel.button(label).get_attribute("aria-keyshortcuts") == key
    for part, role, spoken in (
        (".message", "status", None),
        (".said", "status", "polite"),
        (".clock", None, "off"),
        (".drift", None, "off"),
    ):
        shown_part = panel.frame.locator(part).first
        assert shown_part.get_attribute("role") == role
        assert shown_part.get_attribute("aria-live") == spoken


def test_a_preset_sets_all_from_the_defaults_and_plays(shown):
    panel = shown(arm((2.0, 0.0)))
    panel.move_slider("m", 3)
    panel.button("Choose Euler").click()
    panel.plays()
    assert panel.integrators().input_value() == "euler"
    assert panel.slider("m").input_value() == "1"
    assert panel.frame.locator("[aria-pressed=true]").inner_text() == "Choose Euler"
    panel.button("Full turn").click()
    panel.still()
    assert panel.values()["θ"] == pytest.approx(np.rad2deg(3.0), abs=0.06)


def test_a_click_or_a_key_on_a_map_chooses_the_start(open_named):
    panel = open_named("flips", reduced_motion="reduce")
    chart = panel.frame.locator("canvas.chart")
    chart.scroll_into_view_if_needed()

    def start():
        values = [panel.slider(label).get_attribute("aria-valuetext") for label in ("θ₁", "θ₂")]
        return [float(value.replace("−", "-").removesuffix("°")) for value in values]

    box = chart.bounding_box()
    left, right, top, bottom = 58, 14, 8, 40  # the margins of chart.js
    x = left + 0.75 * (box["width"] - left - right)
    y = top + 0.25 * (box["height"] - top - bottom)
    chart.click(position={"x": x, "y": y})
    before = start()
    assert before == pytest.approx([90, 90], abs=2)
    chart.focus()
    panel.page.keyboard.press("ArrowRight")
    assert start()[0] - before[0] == pytest.approx(3.58, abs=0.1)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_strict_server_gets_a_still_picture_unless_it_allows_what_instructors_read(
    browser, allowed
):
    text = (ROOT / "book" / "run-the-site.md").read_text(encoding="utf-8")
    told = re.search("^Content-Security-Policy: (.*)$", text, re.M)[1]
    policy = told if allowed else "script-src 'self'"
    headers = {"Content-Security-Policy": policy, "Content-Type": "text/html; charset=utf-8"}
    body = f"<!doctype html><html lang='en'><body>{arm((1.0, 0.0))._repr_html_()}</body></html>"
    page = browser.new_page()
    page.route(ADDRESS, lambda route: route.fulfill(headers=headers, body=body))
    page.goto(ADDRESS)
    inside = page.frame_locator("iframe")
    if allowed:
        inside.get_by_text("t = 0.").wait_for()
        assert inside.locator(".tutlib-unmoved").count() == 0
    else:
        inside.get_by_text("the server's Content-Security-Policy").wait_for()
        inside.get_by_alt_text("An arm swings.").wait_for()
    page.close()
