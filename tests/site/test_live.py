"""Live simulations of the built site: each control does what it says, by mouse, touch and key."""

import re

import numpy as np
import pytest

from .conftest import frame_of
from .every_page import PANELS
from .panel import until


@pytest.fixture
def open_named(open_panel):
    """Open a simulation of the site by its name."""

    def open_one(name, fragment="", **options):
        return open_panel(name, PANELS[name], fragment, **options)

    return open_one


class TestEverySimulation:
    def test_it_rests_for_those_who_want_no_motion(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        panel.rests()
        panel.run(0.5)
        assert panel.values()["t"] == 0
        assert panel.button("Pause").count() == 0
        panel.button("Play").click()
        panel.plays()

    def test_it_pauses_where_nobody_sees_it(self, open_named):
        panel = open_named("servo_arm")
        panel.run(0.1)
        panel.page.evaluate("window.scrollTo(0, 0)")

        def rests():
            panel.run(0.02)
            return panel.button("Play").count()

        until(panel.page, rests)  # a frame out of sight hears of it in its own time
        assert "paused" in panel.clock()
        before = panel.values()["t"]
        panel.run(0.5)
        assert panel.values()["t"] == before
        panel.element.scroll_into_view_if_needed()
        panel.plays()
        panel.run(0.5)
        assert panel.values()["t"] > before

    def test_every_slider_changes_its_setting(self, open_named):
        panel = open_named("servo_arm")
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

    def test_every_integrator_runs(self, open_named):
        panel = open_named("servo_arm")
        panel.still()
        choice = panel.integrators()
        options = choice.locator("option").all_inner_texts()
        assert len(options) >= 7
        for i, label in enumerate(options):
            panel.press(str(i))
            assert choice.locator("option:checked").inner_text() == label
            panel.press("r", "s")
            assert panel.values()["t"] > 0

    def test_speed_is_what_it_says(self, open_named):
        panel = open_named("servo_arm")
        panel.unfold()
        for speed in (0.1, 0.25, 0.5, 1, 2):
            panel.speeds().select_option(str(speed))
            panel.still()
            panel.button("Play").click()
            panel.run(2)
            panel.button("Pause").click()
            assert panel.values()["t"] == pytest.approx(2 * speed, abs=0.05)

    def test_trace_and_portrait_and_arrows_that_move_the_body(self, open_named):
        panel = open_named("servo_arm")
        assert panel.frame.locator("canvas.phase").is_hidden()
        panel.frame.get_by_role("checkbox", name="phase portrait").check()
        panel.frame.locator("canvas.phase").wait_for()
        trace = panel.frame.get_by_role("checkbox", name="trace")
        was = trace.is_checked()
        panel.press("t")
        assert trace.is_checked() != was
        before = panel.values()
        panel.press(*["ArrowUp"] * 4)
        panel.rests()
        after = panel.values()
        assert after != before
        assert all(value == 0 for key, value in after.items() if "\u0307" in key)
        panel.press("Space")
        panel.plays()

    def test_tab_reaches_every_control_and_shows_where_it_is(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        panel.unfold()
        every = "canvas.mechanism, button, input, select, summary, textarea"
        count = panel.frame.locator(every).filter(visible=True).count()
        panel.frame.locator(every).filter(visible=True).first.focus()
        seen = []
        for _ in range(count):
            asked = """(every) => {
                const e = document.activeElement;
                const all = [...document.querySelectorAll(every)];
                const number = all.filter((one) => one.checkVisibility()).indexOf(e);
                return [number, getComputedStyle(e).outlineStyle];
            }"""
            seen.append(panel.inside.evaluate(asked, every))
            panel.page.keyboard.press("Tab")
        assert [number for number, _ in seen] == list(range(count))
        assert all(style != "none" for _, style in seen[1:])

    @pytest.mark.usefixtures("site")
    def test_it_weighs_little(self):
        for name in ("double_pendulum", "servo_arm"):
            frame = frame_of(PANELS[name], name)
            program = frame[frame.index("const program") :]
            assert len(program.encode()) < 12_000
            # A map that can be zoomed brings scripts, and a program of its own.
            most = 155_000 if "function makeZoom" in frame else 130_000
            assert len(frame.encode()) - len(program.encode()) < most

    @pytest.mark.usefixtures("site")
    def test_without_scripts_a_still_picture_and_a_sentence_stay(self, browser):
        frame = frame_of(PANELS["servo_arm"], "servo_arm")
        page = browser.new_page()
        page.set_content(frame.replace('sandbox="allow-scripts"', 'sandbox=""'))
        inside = page.locator("iframe").content_frame
        inside.locator(".tutlib-unmoved img").wait_for()
        assert len(inside.locator(".tutlib-unmoved img").get_attribute("alt").split()) > 4
        assert "where scripts may run" in inside.locator(".tutlib-unmoved").inner_text()
        page.close()


class TestTakingHold:
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

    def test_it_holds_is_released_at_rest_and_can_be_thrown(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        self.grab(panel, (2, 0), (0.0, 2.0))
        held = panel.values()
        assert abs(held["θ"]) == pytest.approx(180, abs=3)
        panel.run(0.3)
        assert panel.values()["θ"] == held["θ"], "it holds where it is held"
        panel.page.mouse.up()
        assert panel.values()["θ\u0307"] == 0
        self.grab(panel, (0.0, 2.0), (1.41, 1.41))
        panel.page.mouse.up()
        assert abs(panel.values()["θ\u0307"]) > 10

    def test_it_holds_while_time_goes_on(self, open_named):
        panel = open_named("servo_arm")
        panel.press("ArrowUp", "Space")
        panel.button("Reset").click()
        self.grab(panel, (2, 0), (0.0, 2.0))
        panel.run(0.2)  # texts are written ten times a second
        held = panel.values()["θ"]
        panel.run(0.5)
        assert panel.values()["θ"] == held
        panel.page.mouse.up()
        panel.run(0.5)
        assert panel.values()["θ"] != held

    def test_touch_takes_hold_too(self, open_named):
        panel = open_named("servo_arm", width=390, has_touch=True, reduced_motion="reduce")
        client = panel.page.context.new_cdp_session(panel.page)

        def touch(kind, *points):
            pixels = [self.pixel(panel, place) for place in points]
            places = [{"x": x, "y": y} for x, y in pixels]
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

        touch("touchStart", (2, 0))
        for angle in np.linspace(0, -np.pi / 2, 8):
            touch("touchMove", (2 * np.cos(angle), 2 * np.sin(angle)))
        panel.run(0.2)
        touch("touchEnd")
        assert panel.values()["θ"] == pytest.approx(0, abs=3)
        assert panel.values()["θ\u0307"] == 0


class TestTheServo:
    def test_pushes_by_button_and_key(self, open_named):
        panel = open_named("servo_arm", "#live&servo_arm.theta=0", reduced_motion="reduce")
        panel.waits_for("document.querySelector('.clock').textContent.includes('θ = 0.0°')")
        panel.button("push ▶").click()
        speed = panel.values()["θ\u0307"]
        assert speed == pytest.approx(np.rad2deg(20 / (2 * 2)), rel=1e-3)
        panel.press("a", "a")
        assert panel.values()["θ\u0307"] == pytest.approx(-speed, rel=1e-3)

    def test_the_switch_takes_the_torque_away(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        assert panel.values()["torque"] != 0
        panel.press("c")
        assert not panel.frame.get_by_label(re.compile("^servo")).is_checked()
        assert panel.values()["torque"] == 0

    def test_what_blows_up_says_so_and_offers_a_way_back(self, open_named):
        panel = open_named("servo_arm", "#live&servo_arm.method=euler&servo_arm.h=0.2")
        panel.waits_for("document.querySelector('textarea').value.includes('np.linspace(0, 200.0')")
        for _ in range(20):
            panel.run(5)
            if panel.frame.locator(".message").inner_text():
                break
        message = panel.frame.locator(".message")
        assert "blew up" in message.inner_text()
        assert "Euler with h = 0.2 s" in message.inner_text()
        panel.rests()
        panel.press("7" if panel.frame.locator("option").count() > 12 else "6")
        panel.button("Reset").click()
        assert message.inner_text() == ""
        panel.button("Play").click()
        panel.run(0.5)
        assert panel.values()["t"] > 0

    def test_values_that_make_no_mechanism_are_told_apart(self, open_named):
        panel = open_named("servo_arm", "#live&servo_arm.l=0")
        panel.waits_for("document.querySelector('textarea').value.includes('\"l\": 0.0')")
        panel.run(0.2)
        message = panel.frame.locator(".message")
        assert "cannot be simulated with these values" in message.inner_text()
        panel.button("Default settings").click()
        panel.button("Reset").click()
        panel.button("Play").click()
        panel.run(0.5)
        assert panel.values()["t"] > 0


def test_the_address_leads_to_the_simulation(fresh, site):
    page = fresh()
    page.goto(f"{site}alone/servo_arm/{PANELS['servo_arm']}?there#live&servo_arm.k_p=900")
    page.wait_for_function("scrollY > 1000")


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


def test_arrow_keys_choose_a_start_on_the_map_of_flips(open_named):
    panel = open_named("flips", reduced_motion="reduce")

    def start():
        values = [panel.slider(label).get_attribute("aria-valuetext") for label in ("θ₁", "θ₂")]
        return [float(value.replace("−", "-").removesuffix("°")) for value in values]

    before = start()
    panel.frame.locator("canvas.chart").focus()
    panel.page.keyboard.press("ArrowRight")
    panel.page.keyboard.press("ArrowDown")
    assert start() == pytest.approx([before[0] + 3.58, before[1] - 3.58], abs=0.1)


def test_a_slider_changes_the_number_of_links_and_keys_stay_with_it(open_named):
    panel = open_named("chains", reduced_motion="reduce")

    def angles():
        return sum(re.fullmatch("θ.", name) is not None for name in panel.values())

    assert angles() == 3
    panel.frame.locator(".choice input").focus()
    keys = ["ArrowRight"] * 3 + ["ArrowLeft"]
    for links, key in zip((4, 5, 5, 4), keys, strict=True):
        panel.page.keyboard.press(key)
        assert angles() == links
        assert panel.frame.locator(".choice output").inner_text() == str(links)
    panel.step(2)
    assert panel.values()["t"] == pytest.approx(0.02)


def test_each_pendulum_of_the_race_has_its_integrator_and_the_step_is_common(open_named):
    panel = open_named("swing")
    rows = panel.frame.locator("label.slider")
    assert rows.filter(has_text="integrator").is_hidden()
    assert rows.filter(has_text="step size h").is_visible()
    panel.still()
    panel.step(40)  # by then the energy has come back from its worst
    assert panel.values()["t"] == pytest.approx(2.0)
    kinds = {who: said.split()[0] for who, said in panel.drifts().items()}
    assert len(kinds) == 5
    some = {"Euler": "invented", "predicted Verlet": "wavers", "RK4": "kept"}
    assert kinds.items() >= some.items()


def test_a_wrong_answer_in_motion_makes_energy_and_the_right_one_does_not(open_named):
    """The page for instructors shows it."""
    panel = open_named("rod_energy")
    panel.still()
    panel.step(40)
    right, yours = panel.drifts().values()
    assert right.startswith("kept ")
    assert re.match("(invented|lost) ", yours)
