"""The panel of a simulation: what it says, to those who cannot see too, and which way things go."""

import re
import statistics

import numpy as np
import pytest
import sympy as sm

from panels import animate, live
from tests.helpers import free
from tutlib import integrate
from tutlib.models import chain, pendulum

from .panel import Panel, work_of

# Of every element with a role or ARIA attributes: what it is, and which.
TOLD = """() => [...document.querySelector("main").querySelectorAll("*")].flatMap((e) => {
  const told = e.getAttributeNames().filter((n) => n.startsWith("aria-") || n === "role");
  const name = e.className && e.localName !== "svg" ? `${e.localName}.${e.className}` : e.localName;
  const values = told.sort().map((n) => `${n}=${e.getAttribute(n)}`);
  return told.length ? [[name, ...values].join(" ")] : [];
})"""
SEEN = "An arm swings. Drag a body, or move it with the arrow keys. The key i says where it is."
EVERYTHING = f"""\
canvas.mechanism aria-label={SEEN} role=application
span.scale aria-hidden=true
p.message role=status
p.said hidden-words aria-live=polite role=status
output.drift aria-live=off
canvas.strip aria-label=energy kept: nothing invented role=img
output.loop aria-live=off
canvas.strip gaps aria-label=gap of the loop role=img
button.primary aria-keyshortcuts=Space
button aria-keyshortcuts=r
kbd aria-hidden=true
button aria-keyshortcuts=s
kbd aria-hidden=true
button aria-keyshortcuts=a
kbd aria-hidden=true
button aria-keyshortcuts=d
kbd aria-hidden=true
kbd aria-hidden=true
kbd aria-hidden=true
input aria-label=gravity (g) aria-valuetext=9.81 m/s²
canvas.phase aria-label=phase portrait role=img
output.clock aria-live=off
input aria-label=angle of the arm at the start (θ) aria-valuetext=20°
input aria-label=step size h aria-valuetext=0.05 s
kbd aria-hidden=true
kbd aria-hidden=true
kbd aria-hidden=true
svg aria-hidden=true
button aria-keyshortcuts=i
kbd aria-hidden=true
button aria-pressed=false
textarea aria-label=Python code"""


def arm(start=(0.0, 0.0), **options):
    return live(free(pendulum()), list(start), "An arm swings.", name="arm", **options)


def with_everything():
    (tau,), k = pendulum().equations.inputs, sm.Symbol("k")
    return live(
        pendulum().with_inputs({tau: 2 * k}, parameters={k: 1.0}),
        [np.deg2rad(20), 0.0],
        "An arm swings.",
        name="arm",
        h=0.05,
        sliders={"g": (0, 20, "m/s²", "qe"), "theta": (-90, 90, "deg")},
        switches={k: ("motor", "w")},
        outputs={"torque": (2 * k, "N·m")},
    )


@pytest.fixture
def shown(show):
    """Show one simulation at the start of its motion, its clock still."""

    def one(widget, **options):
        page = show(widget, reduced_motion="reduce", **options)
        panel = Panel(page, widget.specification["name"], plays=False)
        panel.still()
        return panel

    return one


class TestWhatItSays:
    def test_twenty_steps_of_a_twentieth_are_one_second(self, shown):
        panel = shown(arm(h=0.05))
        panel.step(20)
        assert panel.clock().startswith("t = 1.00 s · ")

    def test_a_second_of_the_clock_is_a_second_of_the_motion(self, shown):
        panel = shown(arm(h=0.001))
        panel.button("Play").click()
        panel.run(2)
        panel.button("Pause").click()
        assert panel.values()["t"] == pytest.approx(2, abs=0.05)

    def test_every_value_has_its_unit(self, shown):
        panel = shown(with_everything())
        assert panel.clock() == "t = 0.00 s · θ = 20.0° · θ̇ = 0.0°/s · torque = 2.00 N·m · paused"

    def test_the_energy_that_a_method_makes_is_told_as_a_part_of_the_swing(self, shown):
        panel = shown(arm((1.0, 0.0), method="euler", h=0.05))
        panel.step(20)
        found = re.fullmatch(r"energy this method invented: (\d+) % of the swing", panel.drift())
        run = integrate(free(pendulum()).compile(), 0.05 * np.arange(21), [1.0, 0.0], "euler")
        energies = free(pendulum()).energies(run.t, run.x).sum(axis=1)
        swing = 9.81 * (1 - np.cos(1.0))
        assert int(found[1]) == pytest.approx(100 * (energies[-1] - energies[0]) / swing, abs=0.6)

    def test_the_step_size_is_told_in_seconds(self, shown):
        row = shown(arm(h=0.05)).frame.locator("label.slider", has_text="step size h")
        assert row.locator("output").inner_text() == "0.05 s"

    def test_roles_names_and_states_are_told_to_those_who_cannot_see(self, shown):
        panel = shown(with_everything())
        assert "\n".join(panel.inside.evaluate(TOLD)) == EVERYTHING

    def test_buttons_and_keys_that_they_name_do_the_same(self, shown):
        panel = shown(arm((1.0, 0.0)))
        for label, key in (("Step", "s"), ("Reset", "r"), ("◀ push", "a"), ("push ▶", "d")):
            panel.button("Reset").click()
            panel.step(3)
            panel.button(label).click()
            by_button = panel.clock()
            panel.button("Reset").click()
            panel.step(3)
            panel.press(key)
            assert panel.clock() == by_button
            assert panel.button(label).get_attribute("aria-keyshortcuts") == key

    def test_a_film_tells_its_time_in_seconds(self, show):
        model = free(pendulum())
        run = integrate(model.compile(), [0, 1, 2], [1.0, 0.0])
        page = show(animate(run, model, "An arm swings."), reduced_motion="reduce")
        frame = page.frame_locator("iframe")
        frame.get_by_role("slider", name="time in seconds").press("End")
        assert frame.locator("output").inner_text() == "t = 2.00 s of 2 s"
        assert frame.get_by_role("img", name="An arm swings.").count() == 1
        assert frame.get_by_role("slider").get_attribute("aria-valuetext") == "2.00 s"
        assert frame.locator("output").get_attribute("aria-live") == "off"


class TestWhichWay:
    """What is called right goes right on the screen; where the ink of the picture is tells it."""

    @pytest.mark.parametrize(("does", "sign"), [("push ▶", 1), ("◀ push", -1), ("d", 1), ("a", -1)])
    def test_a_push_moves_the_body_that_way(self, shown, does, sign):
        panel = shown(arm())
        right, _ = panel.ink()
        panel.press(does) if len(does) == 1 else panel.button(does).click()
        panel.step(10)
        assert sign * (panel.ink()[0] - right) > 5

    @pytest.mark.parametrize(
        ("key", "right", "down"),
        [("ArrowRight", 1, 0), ("ArrowLeft", -1, 0), ("ArrowUp", 0, -1), ("ArrowDown", 0, 1)],
    )
    def test_arrow_keys_move_the_body_that_way(self, shown, key, right, down):
        panel = shown(arm((0.0, 0.0) if right else (1.57, 0.0)))
        before = panel.ink()
        panel.press(*[key] * 4)
        after = panel.ink()
        moved = (after[0] - before[0]) * right + (after[1] - before[1]) * down
        assert moved > 2

    def test_gravity_pulls_the_body_down(self, shown):
        panel = shown(arm((1.57, 0.0)))
        _, down = panel.ink()
        panel.step(30)
        assert panel.ink()[1] > down + 5

    def test_a_body_at_a_positive_angle_is_on_the_right(self, shown):
        right, _ = shown(arm((1.0, 0.0))).ink()
        left, _ = shown(arm((-1.0, 0.0))).ink()
        assert right > left + 20

    def test_the_keys_of_a_slider_move_it_down_and_up(self, shown):
        panel = shown(with_everything())
        values = []
        for keys in ("q", "ee"):
            panel.press(*keys)
            values.append(float(panel.slider("g").input_value()))
        assert values[0] < 9.81 < values[1]


class TestSeveral:
    def test_two_simulations_do_not_disturb_each_other(self, show):
        widgets = [
            live(free(pendulum()), [1.0, 0.0], "One arm swings.", name=name, height=600)
            for name in ("one", "two")
        ]
        page = show(*widgets, reduced_motion="reduce")
        one, two = (Panel(page, name, plays=False) for name in ("one", "two"))
        one.step()
        assert one.values()["t"] > 0
        assert two.values()["t"] == 0

    def test_methods_and_parameters_are_compared_in_one_drawing(self, shown):
        panel = shown(
            live(
                free(pendulum()),
                [2.0, 0.0],
                "Three arms swing.",
                runs={"Euler": {"method": "euler"}, "RK4": {}, "long": {"l": 2.0, "theta": 1.0}},
                name="three",
            )
        )
        panel.step(50)
        drift = panel.drifts()
        assert set(drift) == {"Euler", "RK4", "long"}
        assert drift["Euler"].startswith("invented ")
        assert re.fullmatch("kept to 10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+ J", drift["RK4"])

    def test_eight_links_are_drawn_sixty_times_a_second(self, show):
        """Sixty pictures are a quarter of a second's work at most."""
        start = [2.0] * 8 + [0.0] * 8
        page = show(live(free(chain(8)), start, "Eight links tumble.", name="eight", h=0.005))
        panel, worked = Panel(page, "eight"), work_of(page)
        spent = []
        for _ in range(3):
            begin = worked()
            panel.run(1)
            spent.append(worked() - begin)
        assert 0 < statistics.median(spent) < 0.25
        assert panel.values()["t"] > 2.8
        assert int(re.search(r"(\d+) frames/s", panel.clock())[1]) >= 55
