"""The capstones: numbers that stay a student's own, answers in any form, and hints that fit."""

import itertools
import re
import sys
from functools import cache

import numpy as np
import pytest
import sympy as sm
from scipy.integrate import quad, solve_ivp

from course import check
from course.capstones import (
    CAPSTONES,
    capstone,
    chaplygin_sleigh,
    double_cart,
    slider_crank,
    tethered_drone,
    trifilar_pendulum,
    walking_linkage,
)
from course.capstones.tasks import Assignment
from course.judge import Number, NumberArray, forget_tries
from course.judge.review import flaws
from tests.capstones.other_ways import OTHER_WAYS, leg_by_three_angles
from tutlib.mechanics import linearize
from tutlib.methods import integrate_adaptive
from verification import verify

pytestmark = pytest.mark.slow

VARIANTS = (0, 17)
#: Machines that exist: all variants have the same numbers.
MEASURED = ("triple-pendulum",)


def stages_of(name):
    return range(1, len(CAPSTONES[name].stages) + 1)


@pytest.fixture(scope="module", autouse=True)
def course_answers():
    """Judge answers of the course in this process, where no copy tries them first, by models that
    are derived once: the variants differ in numbers alone."""
    modules = [sys.modules[one.model.__module__] for one in CAPSTONES.values()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("course.judge.exercise.in_time", lambda action, reference: action())
        for module in modules:
            patch.setattr(module, "model", cache(module.model))
        yield


def told(exercise, answer):
    forget_tries()
    return check(exercise, answer)


def test_an_assignment_is_one_line_in_text():
    assert repr(capstone("slider-crank", 17)) == "capstone('slider-crank', variant=17)"


class TestNumbers:
    def test_a_variant_has_the_same_numbers_wherever_it_is_drawn(self):
        """Students have solved with them: what draws must never change."""
        assert capstone("slider-crank", 17).values == {
            "l_a": 0.297,
            "l_b": 0.85,
            "d": 0.364,
            "m_b": 1.2,
            "J_b": 0.115,
            "m_c": 2.03,
            "J_a": 0.202,
            "g": 9.81,
        }
        assert capstone("chaplygin-sleigh", 5).values == {
            "m": 1.89,
            "J": 0.357,
            "a": 0.425,
            "m_w": 0.749,
            "J_w": 0.127,
            "b": 0.57,
        }

    @pytest.mark.parametrize("name", [name for name in CAPSTONES if name not in MEASURED])
    def test_variants_differ_and_stay_near(self, name):
        first = capstone(name)
        assert first.values == {c.name: c.value for c in first.capstone.constants}
        seen = [tuple(capstone(name, k).truth.values()) for k in range(200)]
        assert len(set(seen)) == len(seen)
        share = np.array(seen[1:]) / np.array(seen[0])
        assert share.min() > 0.87
        assert share.max() < 1.13

    @pytest.mark.parametrize("name", CAPSTONES)
    def test_the_constants_are_those_of_the_model_and_all_differ(self, name):
        mine = capstone(name)
        model, values = mine.capstone.model(), [*mine.truth.values()]
        assert len(set(values)) == len(values)
        assert 1.0 not in values
        assert {s.name: v for s, v in model.parameters.items()}.items() <= mine.truth.items()
        shown = repr(mine.constants)
        for constant in mine.capstone.constants:
            assert constant.meaning in shown
        for constant in mine.units.keys() & {str(s) for s in model.parameters}:
            assert model.units[constant] == mine.units[constant]
            assert model.meaning(constant) == mine.names[constant]

    def test_a_stage_is_the_same_exercise_each_time(self):
        """So wrong answers are counted."""
        mine = capstone("slider-crank", 3)
        assert mine.stage(1) is mine.stage(1)
        assert "that you may open" not in told(mine.stage(1), [1, 2, 3]).message

    def test_no_solution_stands_beside_it_and_no_section_is_sent_to(self):
        mine = capstone("double-cart", 4).stage(3)
        messages = [check(mine, answer).message for answer in (0.1, 0.2, 0.3, -mine.answer.value)]
        assert not [one for one in messages if "Read again" in one or "folded" in one]
        assert messages[-1] == "Not yet. Only the sign is wrong."

    def test_what_is_wrong_is_named(self):
        for make, error, words in (
            (lambda: capstone("crank"), ValueError, "no capstone 'crank'; there are slider-crank"),
            (lambda: capstone(3), TypeError, "name"),
            (lambda: capstone("slider-crank", -1), ValueError, "variant"),
            (lambda: capstone("slider-crank", 10**6), ValueError, "variant"),
            (lambda: Assignment("slider-crank"), TypeError, "capstone"),
            (lambda: capstone("slider-crank").stage(9), ValueError, "no stage 9; there are 1 "),
        ):
            with pytest.raises(error, match=words):
                make()


class TestStages:
    @pytest.mark.parametrize(
        ("name", "number"), [(name, number) for name in CAPSTONES for number in stages_of(name)]
    )
    def test_right_is_right_and_each_mistake_meets_its_hint(self, name, number):
        for variant in VARIANTS:
            exercise = capstone(name, variant).stage(number)
            assert told(exercise, exercise.answer.value).verdict == "right"
            for mistake in exercise.misconceptions:
                assert mistake.hint in told(exercise, mistake.answer).message
            if not isinstance(exercise.answer, Number | NumberArray):
                break  # machines of the other variant are tried below, in further forms
            other = capstone(name, variant + 1).stage(number)
            if name in MEASURED:
                break
            assert told(exercise, other.answer.value).verdict == "wrong"

    @pytest.mark.parametrize("name", CAPSTONES)
    def test_hints_differ_and_hold_no_answer(self, name):
        for exercise in map(capstone(name).stage, stages_of(name)):
            assert flaws(exercise) == []
            if isinstance(exercise.answer, Number | NumberArray):
                assert len(exercise.misconceptions) >= 3
                values = np.ravel(exercise.answer.value)
                numbers = map(float, re.findall(r"\d+\.\d+", exercise.lesson))
                assert not any(np.isclose(values, n, rtol=1e-2).any() for n in numbers)

    @pytest.mark.parametrize("name", OTHER_WAYS)
    def test_a_machine_by_another_way_is_right_and_its_mistakes_are_known(self, name):
        machine, mistakes = OTHER_WAYS[name]
        stage = capstone(name, VARIANTS[1]).stage(2)
        assert told(stage, machine).verdict == "right"
        for words, missing in mistakes.items():
            assert words in told(stage, lambda missing=missing: machine(**{missing: 0})).message

    @pytest.mark.parametrize("name", CAPSTONES)
    def test_the_right_machine_passes_the_ladder_and_is_drawn(self, name):
        ladder = verify(CAPSTONES[name].model())
        assert ladder.passed, ladder
        drawn = capstone(name).sketch()
        assert drawn.description
        assert "svg" in drawn.svg

    @pytest.mark.parametrize("name", CAPSTONES)
    def test_the_prompt_names_what_the_answer_needs(self, name):
        mine = capstone(name)
        stages = mine.capstone.stages
        for output in stages[1].answer(mine.truth).asked.outputs:
            assert f'"{output}": ...' in stages[1].task
            assert f"`{output}`" in stages[1].task
        for number, stage in enumerate(stages, 1):
            answer = mine.stage(number).answer
            if isinstance(answer, Number | NumberArray) and answer.digits:
                unit = answer.unit
                assert not unit or f"[{unit}]" in stage.task or "seconds" in stage.task
                digits = {3: "three", 4: "four"}[answer.digits]
                assert re.search("(three|four) digits", stage.task)[1] == digits


class TestSliderCrank:
    VALUES = capstone("slider-crank", 8).values

    def test_the_fall_is_an_integral_of_energy(self):
        """Half of I θ̇² is the height lost: t = ∫ dθ / θ̇, where θ = −s² takes the root away."""
        felt, v = slider_crank.inertia(self.VALUES), self.VALUES

        def slowness(s):
            pin = v["l_a"] * np.sin(-(s**2))
            lost = -v["m_b"] * v["g"] * pin * (1 - v["d"] / v["l_b"])
            return 2 * s * np.sqrt(felt(-(s**2)) / (2 * lost)) if s else 0.0

        start = np.sqrt(2 * felt(0.0) / (v["m_b"] * v["g"] * v["l_a"] * (1 - v["d"] / v["l_b"])))
        time, _ = quad(lambda s: slowness(s) if s > 1e-9 else start, 0, np.sqrt(np.pi / 2))
        assert np.isclose(slider_crank.fall(self.VALUES), time, rtol=1e-7)

    def test_a_run_with_the_flywheel_is_as_even_as_was_asked(self):
        heavy = {**self.VALUES, "J_a": self.VALUES["J_a"] + slider_crank.flywheel(self.VALUES)}
        f = slider_crank.model(lifted=0).with_parameters({**heavy}).free().compile()
        rate = integrate_adaptive(f, np.linspace(0, 2, 4001), [0.0, 10.0], 1e-11, 1e-12).x[:, 1]
        assert np.isclose((rate.max() - rate.min()) / ((rate.max() + rate.min()) / 2), 0.02, 1e-4)


class TestTrifilarPendulum:
    VALUES = capstone("trifilar-pendulum", 8).values

    def test_small_swings_follow_the_formula(self):
        small = trifilar_pendulum.small_period(self.VALUES)
        away = [trifilar_pendulum.period(self.VALUES, angle) / small - 1 for angle in (0.1, 0.05)]
        assert 3.9 < away[0] / away[1] < 4.1
        assert abs(away[1]) < 1e-3

    def test_a_plate_with_the_body_on_it_swings_as_was_measured(self):
        v = self.VALUES
        loaded = {**v, "m": v["m"] + v["m_L"], "J": trifilar_pendulum.moment(v)}
        assert np.isclose(trifilar_pendulum.period(loaded, 1e-3), v["T_L"], rtol=1e-6)

    def test_the_body_has_a_moment_of_inertia_in_every_variant(self):
        for values in (capstone("trifilar-pendulum", k).values for k in range(200)):
            assert trifilar_pendulum.moment(values) > 1.5 * values["J"]


class TestChaplyginSleigh:
    VALUES = capstone("chaplygin-sleigh", 8).values

    def test_a_run_turns_round_when_the_formula_says(self):
        still = chaplygin_sleigh.model().with_parameters({**self.VALUES, "b": 0}).free()
        thrown = [0, 0, 0.3, 0, -1.2, 0.2, 0]
        run = integrate_adaptive(
            still.compile(), [0, 20], thrown, 1e-11, 1e-12, "dop853", until=lambda t, x: x[4]
        )
        assert np.isclose(run.t[-1], chaplygin_sleigh.turned_round(self.VALUES), rtol=1e-9)

    def test_small_strokes_follow_the_formula(self):
        by_hand = chaplygin_sleigh.by_hand(self.VALUES)
        shares = [
            chaplygin_sleigh.cruise(self.VALUES, s * by_hand) / (0.5 * s**2) for s in (0.2, 0.1)
        ]
        assert abs(shares[1] - 1) < 1e-3
        assert abs(shares[1] - 1) < abs(shares[0] - 1) / 3

    def test_the_design_has_settled(self):
        amplitude = chaplygin_sleigh.amplitude(self.VALUES)
        assert np.isclose(chaplygin_sleigh.cruise(self.VALUES, amplitude), 0.5, atol=1e-4)


class TestTetheredDrone:
    VALUES = capstone("tethered-drone", 8).values

    def newton(self, angles, rates, thrusts):
        """Return how both angles are accelerated, and the pull: a free drone and a force on it.

        Unknown are the center's acceleration, that of the pitch and the pull; the hook's distance
        from the foot stays.
        """
        v, (theta, phi), (first, second) = self.VALUES, angles, rates
        tether = np.array([np.cos(theta), np.sin(theta)])
        axis, along = np.array([-np.sin(phi), np.cos(phi)]), np.array([np.cos(phi), np.sin(phi)])
        couple = -v["h"] * (axis[0] * -tether[1] - axis[1] * -tether[0])  # of a pull of 1 N
        # tether · (a + h (φ̈ along + φ̇² axis)) = −l θ̇²
        equations = np.array(
            [
                [v["m"], 0, 0, tether[0]],
                [0, v["m"], 0, tether[1]],
                [0, 0, v["J"], -couple],
                [*tether, v["h"] * tether @ along, 0],
            ]
        )
        one, two = thrusts
        loads = [
            *((one + two) * axis - [0, v["m"] * v["g"]]),
            v["b"] * (two - one),
            -v["l"] * first**2 - v["h"] * second**2 * tether @ axis,
        ]
        *center, pitching, pull = np.linalg.solve(equations, loads)
        hook = center + v["h"] * (pitching * along + second**2 * axis)
        return [hook @ [-tether[1], tether[0]] / v["l"], pitching], pull

    def test_a_drone_at_rest_has_the_pull_that_is_asked(self):
        pitch, *thrusts = tethered_drone.balance(self.VALUES)
        faster, pull = self.newton([np.deg2rad(50), pitch], [0, 0], thrusts)
        assert np.allclose(faster, 0, atol=1e-12)
        assert np.isclose(pull, 6, rtol=1e-12)

    def test_the_tether_is_slack_when_newton_says(self):
        def f(t, x):
            return [*x[2:], *self.newton(x[:2], x[2:], (5, 13))[0]]

        def pull(t, x):
            return self.newton(x[:2], x[2:], (5, 13))[1]

        pull.terminal = True
        run = solve_ivp(
            f, (0, 2), [np.pi / 2, 0, 0, 0], "DOP853", events=pull, rtol=1e-10, atol=1e-12
        )
        assert pull(0, [np.pi / 2, 0, 0, 0]) > 1
        assert np.isclose(tethered_drone.slack(self.VALUES), run.t_events[0][0], rtol=1e-8)

    @pytest.mark.parametrize("signs", list(itertools.product((-1, 1), repeat=3)))
    def test_the_tether_falls_slack_even_where_variants_end(self, signs):
        """Short, hard to turn, and light or heavy: a drone that stays up is drawn by none."""
        values = capstone("tethered-drone").values
        shares = {"l": 0.88, "J": 1.12, **{n: 1 + 0.12 * s for n, s in zip("hbm", signs)}}
        worst = {name: value * shares.get(name, 1) for name, value in values.items()}
        assert tethered_drone.slack(worst) < 0.5

    def test_the_gains_place_the_eigenvalues_of_newtons_laws(self):
        pitch, one, two = tethered_drone.balance(self.VALUES)
        there = np.array([np.deg2rad(50), pitch, 0, 0])
        gains = tethered_drone.gains(self.VALUES)

        def f(x):
            u = -np.dot(gains, x - there)
            return np.array([*x[2:], *self.newton(x[:2], x[2:], (one - u, two + u))[0]])

        step = 1e-5
        columns = [(f(there + step * e) - f(there - step * e)) / (2 * step) for e in np.eye(4)]
        found = np.sort_complex(np.linalg.eigvals(np.column_stack(columns)))
        assert np.allclose(found, [-6 - 3j, -6 + 3j, -1.5 - 1.5j, -1.5 + 1.5j], rtol=1e-6)


class TestDoubleCart:
    VALUES = capstone("double-cart", 8).values

    def newton(self, x):
        """Return the rates of x_1, x_2, θ and of theirs: three bodies, and the forces of a pin.

        Unknown are the accelerations of carts, pendulum's center and angle, and both forces.
        """
        v, (one, two, theta, first, second, turning) = self.VALUES, x
        s, c = v["a"] * np.sin(theta), v["a"] * np.cos(theta)
        pull = v["k"] * (two - one - v["s_0"]) + v["c"] * (second - first)
        m = v["m_p"]
        equations = [  # of ẍ_1, ẍ_2, Ẍ, Ÿ, θ̈, and of the forces H, V on the pendulum at its pin
            [v["m_1"], 0, 0, 0, 0, 0, 0],
            [0, v["m_2"], 0, 0, 0, 1, 0],
            [0, 0, m, 0, 0, -1, 0],
            [0, 0, 0, m, 0, 0, -1],
            [0, 0, 0, 0, v["J_p"], c, s],
            [0, -1, 1, 0, -c, 0, 0],
            [0, 0, 0, 1, -s, 0, 0],
        ]
        loads = [pull, -pull, 0, -m * v["g"], 0, -s * turning**2, c * turning**2]
        found = np.linalg.solve(equations, loads)
        return np.array([first, second, turning, *found[[0, 1, 4]]])

    def test_it_turns_back_where_newton_says(self):
        level = [0, self.VALUES["s_0"], np.pi / 2, 0, 0, 0]

        def turns(t, x):
            return x[5]

        turns.direction = 1
        run = solve_ivp(
            lambda t, x: self.newton(x),
            (0, 1.5),
            level,
            "DOP853",
            events=turns,
            rtol=1e-11,
            atol=1e-12,
        )
        found = next(x[2] for x in run.y_events[0] if x[2] < 0)
        assert np.isclose(double_cart.other_side(self.VALUES), -found, rtol=1e-8)

    def hanging(self, stiffness, damping):
        """Return the matrix A of small motions."""
        values = {**self.VALUES, "k": stiffness, "c": damping}
        return linearize(double_cart.model().equations, [0, values["s_0"], 0, 0, 0, 0], values).A

    def test_at_the_best_the_eigenvalues_meet_in_pairs(self):
        """They are roots of a square: of a double one rounding leaves half of its digits."""
        found = np.linalg.eigvals(self.hanging(*double_cart.best(self.VALUES)))
        upper = found[found.imag > 1]
        assert len(upper) == 2
        assert np.isclose(*upper, rtol=1e-6)


class TestWalkingLinkage:
    VALUES = capstone("walking-linkage", 8).values

    def test_a_chain_that_multipliers_close_takes_as_long(self):
        """Where the leg ends is all the same to it."""
        names = [s.name for s in walking_linkage.symbols if s.name != "h"]
        v = {name: self.VALUES[name] for name in names}
        loop, _ = leg_by_three_angles()
        crank = loop.equations.q[0]
        at_rest = loop.consistent_state(v, [np.pi, 0.7, 1.9], keep="one")
        share = 1 - crank.diff() / self.VALUES["omega_0"]
        motor = {"tau": self.VALUES["tau_0"] * share, "F_x": 0, "F_y": 0}
        f = loop.with_multipliers().with_inputs(motor).compile(v)
        run = integrate_adaptive(
            f,
            [0, 5],
            [*at_rest, 0, 0],
            1e-11,
            1e-12,
            "dop853",
            until=lambda t, x: x[0] - 3 * np.pi,
        )
        assert np.isclose(run.t[-1], walking_linkage.first_turn(self.VALUES), rtol=1e-7)

    def test_the_level_leg_and_its_stride_follow_formulas(self):
        """Level: 4 l_b² = (1 + 2 l_n/l_a)(l_n² + l_a²), which Chebyshev's 2, 4 and 5 fulfil."""
        for v in (self.VALUES, {**self.VALUES, "l_a": 0.2, "l_n": 0.4}):
            a, n = v["l_a"], v["l_n"]
            coupler = np.sqrt((1 + 2 * n / a) * (n**2 + a**2))
            stride = np.sqrt(8 * a * n)
            assert np.allclose(
                walking_linkage.design(v), [coupler / 2, np.pi * v["v"] / stride], rtol=1e-12
            )
        assert np.isclose(coupler / 2, 0.5)

    def test_the_level_leg_nods_little_and_lifts_its_foot_on_the_way_back(self):
        half, rate = walking_linkage.design(self.VALUES)
        v = {s.name: self.VALUES[s.name] for s in walking_linkage.symbols} | {"l_b": half}
        angles = np.linspace(np.pi / 2, 5 * np.pi / 2, 401)
        model = walking_linkage.model().with_parameters(v)
        foot = model.positions(angles / rate, np.column_stack([angles, 0 * angles + rate]))[:, 4]
        step, back = foot[:201], foot[200:]
        time = (angles[200] - angles[0]) / rate
        stride = step[0, 0] - step[-1, 0]
        assert np.isclose(stride / time, self.VALUES["v"], rtol=1e-12)
        assert np.ptp(step[:, 1]) < 0.01 * stride
        assert back[:, 1].min() >= step[:, 1].min()
        assert np.ptp(back[:, 1]) > 0.15 * stride

    def test_every_variant_turns_around_and_its_motor_is_strong_enough(self):
        model = walking_linkage.model()
        pull = sm.lambdify(
            [walking_linkage.theta, *walking_linkage.symbols],
            model.potential_energy.diff(walking_linkage.theta),
        )
        angles = np.linspace(0, 2 * np.pi, 181)
        for v in (capstone("walking-linkage", k).values for k in range(200)):
            assert 2 * v["l_b"] > 1.2 * (v["l_a"] + v["l_n"])
            weight = pull(angles, *(v[s.name] for s in walking_linkage.symbols))
            assert np.abs(weight).max() < 0.8 * v["tau_0"]
