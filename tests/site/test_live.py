"""Live simulations of the built site: each control does what it says, by mouse, touch and key."""

import re
from urllib.parse import quote

import numpy as np
import pytest

from .conftest import frame_of
from .every_page import PANELS, WITH_FILM
from .panel import PATIENCE

MAIN = {"double_pendulum": "θ₁", "servo_arm": "θ"}
both = pytest.mark.parametrize("name", MAIN)


@pytest.fixture
def open_named(open_panel):
    """Open a simulation of the site by its name."""

    def open_one(name, fragment="", **options):
        return open_panel(name, PANELS[name], fragment, **options)

    return open_one


@both
class TestEverySimulation:
    def test_it_advances_and_keeps_its_books(self, open_named, name):
        panel = open_named(name)
        before = panel.values()
        panel.run(0.3)
        after = panel.values()
        assert after["t"] > before["t"]
        assert after[MAIN[name]] != before[MAIN[name]]
        assert re.match("energy (kept|wavers)", panel.drift())
        assert "frames/s" in panel.clock()

    def test_it_rests_for_those_who_want_no_motion(self, open_named, name):
        panel = open_named(name, reduced_motion="reduce")
        panel.rests()
        panel.run(0.5)
        assert panel.values()["t"] == 0
        assert panel.button("Pause").count() == 0
        panel.button("Play").click()
        panel.plays()

    def test_it_pauses_where_nobody_sees_it(self, open_named, name):
        panel = open_named(name)
        panel.run(0.1)
        panel.page.evaluate("window.scrollTo(0, 0)")
        for _ in range(PATIENCE // 50):  # a frame out of sight hears of it in its own time
            if panel.button("Play").count():
                break
            panel.run(0.02)
            panel.page.wait_for_timeout(50)
        assert "paused" in panel.clock()
        before = panel.values()["t"]
        panel.run(0.5)
        assert panel.values()["t"] == before
        panel.element.scroll_into_view_if_needed()
        panel.plays()
        panel.run(0.5)
        assert panel.values()["t"] > before

    def test_step_pause_and_reset(self, open_named, name):
        panel = open_named(name)
        panel.still()
        assert panel.values()["t"] == 0
        step = float(re.search(r"np\.linspace\(0, ([\d.]+), 1001\)", panel.code())[1]) / 1000
        panel.step(20)
        assert panel.values()["t"] == pytest.approx(20 * step, abs=0.006)
        panel.button("Reset").click()
        assert panel.values()["t"] == 0

    def test_every_slider_changes_its_setting(self, open_named, name):
        panel = open_named(name)
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

    def test_every_integrator_runs(self, open_named, name):
        panel = open_named(name)
        panel.still()
        choice = panel.integrators()
        options = choice.locator("option").all_inner_texts()
        assert len(options) >= 7
        for i, label in enumerate(options):
            panel.press(str(i))
            assert choice.locator("option:checked").inner_text() == label
            panel.press("r", "s")
            assert panel.values()["t"] > 0

    @pytest.mark.parametrize("speed", [0.1, 0.25, 0.5, 1, 2])
    def test_speed_is_what_it_says(self, open_named, name, speed):
        panel = open_named(name)
        panel.unfold()
        panel.speeds().select_option(str(speed))
        panel.still()
        panel.button("Play").click()
        panel.run(2)
        panel.button("Pause").click()
        assert panel.values()["t"] == pytest.approx(2 * speed, abs=0.05)

    def test_trace_and_portrait(self, open_named, name):
        panel = open_named(name)
        assert panel.frame.locator("canvas.phase").is_hidden()
        panel.frame.get_by_role("checkbox", name="phase portrait").check()
        panel.frame.locator("canvas.phase").wait_for()
        trace = panel.frame.get_by_role("checkbox", name="trace")
        was = trace.is_checked()
        panel.press("t")
        assert trace.is_checked() != was

    def test_arrows_move_the_body_and_it_stays(self, open_named, name):
        panel = open_named(name)
        before = panel.values()
        panel.press(*["ArrowUp"] * 4)
        panel.rests()
        after = panel.values()
        assert after != before
        assert all(value == 0 for key, value in after.items() if "\u0307" in key)
        panel.press("Space")
        panel.plays()

    def test_tab_reaches_every_control_and_shows_where_it_is(self, open_named, name):
        panel = open_named(name, reduced_motion="reduce")
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

    def test_it_wears_the_theme_of_the_page(self, open_named, name):
        panel = open_named(name, scheme="dark")
        panel.waits_for("document.querySelector('main').dataset.theme === 'dark'")
        panel.page.evaluate("document.documentElement.dataset.theme = 'light'")
        panel.waits_for("document.querySelector('main').dataset.theme === 'light'")

    def test_it_weighs_little(self, site, name):
        frame = frame_of(PANELS[name], name)
        program = frame[frame.index("const program") :]
        assert len(program.encode()) < 12_000
        # A map that can be zoomed brings scripts, and a program of its own.
        most = 155_000 if "function makeZoom" in frame else 130_000
        assert len(frame.encode()) - len(program.encode()) < most

    def test_without_scripts_a_still_picture_and_a_sentence_stay(self, browser, site, name):
        frame = frame_of(PANELS[name], name)
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

    def test_it_holds_and_is_released_at_rest(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        self.grab(panel, (2, 0), (0.0, 2.0))
        held = panel.values()
        assert abs(held["θ"]) == pytest.approx(180, abs=3)
        panel.run(0.3)
        assert panel.values()["θ"] == held["θ"], "it holds where it is held"
        panel.page.mouse.up()
        assert panel.values()["θ\u0307"] == 0

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

    def test_it_can_be_thrown(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        self.grab(panel, (2, 0), (1.41, 1.41))
        panel.page.mouse.up()
        assert panel.values()["θ\u0307"] > 10

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

    def test_a_finger_beside_the_body_scrolls_the_page(self, open_named):
        panel = open_named("servo_arm", width=390, has_touch=True, reduced_motion="reduce")
        before = panel.values()
        box = panel.canvas.bounding_box()
        client = panel.page.context.new_cdp_session(panel.page)
        scrolled = panel.page.evaluate("scrollY")
        place = {"x": box["x"] + 20, "y": box["y"] + 220}
        client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
        for _ in range(10):
            place = {**place, "y": place["y"] - 20}
            client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        panel.page.wait_for_function("(before) => scrollY > before", arg=scrolled)
        assert panel.values() == before


class TestTheServo:
    def test_pushes_by_button_and_key(self, open_named):
        panel = open_named("servo_arm", "#live&servo_arm.theta=0", reduced_motion="reduce")
        panel.waits_for("document.querySelector('.clock').textContent.includes('θ = 0.0°')")
        panel.button("push ▶").click()
        speed = panel.values()["θ\u0307"]
        assert speed == pytest.approx(np.rad2deg(20 / (2 * 2)), rel=1e-3)
        panel.press("a", "a")
        assert panel.values()["θ\u0307"] == pytest.approx(-speed, rel=1e-3)

    def test_the_goal_moves_by_keys(self, open_named):
        panel = open_named("servo_arm")
        panel.still()
        panel.press("e")
        assert panel.slider("θd").get_attribute("aria-valuetext") == "−63°"
        panel.press("q", "q")
        assert panel.slider("θd").get_attribute("aria-valuetext") == "−81°"

    def test_the_switch_takes_the_torque_away(self, open_named):
        panel = open_named("servo_arm", reduced_motion="reduce")
        assert panel.values()["torque"] != 0
        panel.press("c")
        assert not panel.frame.get_by_label(re.compile("^servo")).is_checked()
        assert panel.values()["torque"] == 0

    def test_it_reaches_its_goal(self, open_named):
        panel = open_named("servo_arm", "#live&servo_arm.k_d=150&servo_arm.k_i=0")
        panel.run(3)
        assert panel.values()["θ"] == pytest.approx(-70.6, abs=0.5)

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


class TestAddress:
    def test_the_setting_lives_in_the_address(self, open_named):
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

    def test_the_address_leads_to_the_simulation(self, fresh, site):
        page = fresh()
        page.goto(f"{site}alone/servo_arm/{PANELS['servo_arm']}?there#live&servo_arm.k_p=900")
        page.wait_for_function("scrollY > 1000")

    def test_nonsense_in_the_address_is_left_alone(self, open_named):
        nonsense = quote("servo_arm.k_p=many&servo_arm.h=-1&servo_arm.method=magic&x=1", safe="=&")
        panel = open_named("servo_arm", f"#live&{nonsense}&servo_arm.l=1.5")
        panel.waits_for("document.querySelector('textarea').value.includes('\"l\": 1.5')")
        assert panel.slider("kp").input_value() == "1500"
        assert "np.linspace(0, 10.0, 1001)" in panel.code()
        assert 'method="rk4"' in panel.code()


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


class TestMapOfStarts:
    """Chapter 2's map of flips: a click or a key chooses the start."""

    def open(self, open_named):
        panel = open_named("flips", reduced_motion="reduce")
        chart = panel.frame.locator("canvas.chart")
        chart.scroll_into_view_if_needed()
        return panel, chart

    def start(self, panel):
        values = [panel.slider(label).get_attribute("aria-valuetext") for label in ("θ₁", "θ₂")]
        return [float(value.replace("−", "-").removesuffix("°")) for value in values]

    def test_a_click_chooses_the_start_and_plays(self, open_named):
        panel, chart = self.open(open_named)
        box = chart.bounding_box()
        left, right, top, bottom = 58, 14, 8, 40  # the margins of chart.js
        x = left + 0.75 * (box["width"] - left - right)
        y = top + 0.25 * (box["height"] - top - bottom)
        chart.click(position={"x": x, "y": y})
        first, second = self.start(panel)
        assert abs(first - 90) < 2
        assert abs(second - 90) < 2
        panel.run(0.5)
        assert panel.values()["t"] > 0.2
        panel.still()
        assert abs(panel.values()["θ₁"] - first) < 0.1
        assert "Chosen: angle of the first rod θ₁ = " in chart.get_attribute("aria-label")
        panel.page.wait_for_function("location.hash.includes('theta_1=')")

    def test_arrow_keys_move_the_choice(self, open_named):
        panel, chart = self.open(open_named)
        before = self.start(panel)
        chart.focus()
        panel.page.keyboard.press("ArrowRight")
        panel.page.keyboard.press("ArrowDown")
        after = self.start(panel)
        assert abs(after[0] - before[0] - 3.58) < 0.1
        assert abs(after[1] - before[1] + 3.58) < 0.1


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
    panel.still()
    choice, step = (
        panel.frame.locator("label.slider", has_text=text) for text in ("integrator", "step size h")
    )
    assert choice.is_hidden()
    assert step.is_visible()
    panel.step(40)  # by then the energy has come back from its worst
    assert panel.values()["t"] == pytest.approx(2.0)
    found = panel.drifts()
    labels = {"Euler", "semi-implicit Euler", "predicted Verlet", "RK4"}
    assert labels < set(found)
    assert len(found) == 5
    assert found["Euler"].startswith("invented ")
    assert found["predicted Verlet"].startswith("wavers ")
    assert found["RK4"].startswith("kept ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_wrong_answer_in_motion_makes_energy_and_the_right_one_does_not(open_named, scheme):
    """The page for instructors shows it."""
    panel = open_named("rod_energy", scheme=scheme)
    panel.still()
    panel.step(40)
    right, yours = panel.drifts().values()
    assert right.startswith("kept ")
    assert re.match("(invented|lost) ", yours)


@pytest.mark.parametrize("path", WITH_FILM)
def test_the_opening_film_waits_for_its_reader_and_moves_at_true_speed(open_film, path):
    page, frame = open_film(path)
    page.clock.run_for(500)
    assert "t = 0.00 s of" in frame.evaluate("document.querySelector('output').textContent")
    frame.get_by_role("button", name="Play the film: ").click()
    frame.wait_for_function("document.querySelector('.controls button').textContent === 'Pause'")
    page.clock.run_for(1000)
    said = frame.evaluate("document.querySelector('output').textContent")
    assert 0.9 < float(re.search(r"t = ([\d.]+) s of", said)[1]) < 1.05
