"""The program of a live simulation: its steps are those of integrate, and its hands are laws."""

import base64
import zlib
from functools import cache

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from panels import live
from panels.simulations.packing import packed_motion
from straightline import Machine
from tests.helpers import free
from tutlib import integrate
from tutlib.methods import METHODS, ButcherTableau
from tutlib.models import chain, four_bar, pendulum

STEP = 2.0**-7  # so that all times are exact
RALSTON = ButcherTableau("Ralston", c=[0, "2/3"], A=[[], ["2/3"]], b=["1/4", "3/4"])
HOLD, THROW, PUSH = 0, 1, 2


def own_midpoint(f, t, x, h):
    """Take the step that a reader might write."""
    return x + h * f(t + h / 2, x + h / 2 * f(t, x))


def own_rk4(f, t, x, h):
    """Take the step that a reader of chapter 4 writes."""
    a = f(t, x)
    b = f(t + h / 2, x + h / 2 * a)
    c = f(t + h / 2, x + h / 2 * b)
    return x + h / 6 * (a + 2 * b + 2 * c + f(t + h, x + h * c))


def undecided(f, t, x, h):
    """Ask how large a number is."""
    return x + h * f(t, x) if x[0] > 0 else x


@cache
def compiled(widget):
    return Machine(widget.formulas.motion().program())


class Running:
    """One motion, as the page has it."""

    def __init__(self, widget, x=None):
        self.data = widget.specification
        self.parameters = {item["name"]: item["value"] for item in self.data["parameters"]}
        self.machine = compiled(widget).instance([*self.parameters.values()])
        self.k = self.data["size"]["states"]
        self.machine.view("x")[: self.k] = self.data["x0"] if x is None else x
        self.machine.view("clock")[:] = 0, STEP

    @property
    def x(self):
        return self.machine.view("x")[: self.k].copy()

    def run(self, method, count):
        names = [item["name"] for item in self.data["methods"]]
        return self.machine.call("run", names.index(method), count)

    def look(self, name="out"):
        self.machine.view("at")[:] = self.x
        self.machine.call("outputs")
        return self.machine.view(name).copy()

    def change(self, **parameters):
        self.parameters |= parameters
        self.machine.set_parameters([*self.parameters.values()])

    def drift(self, before):
        return self.look()[:2].sum() - before[:2].sum() - self.machine.view("x")[self.k]

    def grasp(self, what, x, y, point=0):
        self.machine.view("hand")[:] = x, y
        self.machine.call("grasp", point, what)


def shown(model, x=None, **options):
    start = np.zeros(len(model.equations.states)) if x is None else x
    return live(model, start, "A mechanism moves.", **options)


def linkage():
    model = four_bar().free().with_multipliers()
    return model, model.consistent_state([0.2, 0.4, -2.6, 1, 0, 0], model.equations.q[:1])


def servo():
    (theta,), (tau,) = pendulum().equations.q, pendulum().equations.inputs
    z, t = me.dynamicsymbols("z"), me.dynamicsymbols._t
    goal = sm.sin(3 * t) / 2
    law = 20 * (goal - theta) - 2 * theta.diff() + 5 * z
    return pendulum().with_inputs({tau: law}, states={z: goal - theta}), [1.0, 0.0, 0.0]


MOTIONS = {
    "pendulum": (free(pendulum()), [1.0, 0.0]),
    "servo": servo(),
    "double pendulum": (free(chain(2)), [1.0, -0.5, 0.3, 0.2]),
    "three relative links": (free(chain(3, "relative")), [1.0, -0.5, 0.3, 0.2, 0.0, 0.1]),
    "linkage": linkage(),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MOTIONS)
def test_the_steps_are_those_of_integrate_to_the_last_bit(name):
    model, x = MOTIONS[name]
    widget = shown(model, x, methods=(*METHODS, RALSTON, own_midpoint))
    after = {"after_step": model.projection()} if model.constraints else {}
    times = STEP * np.arange(301)
    for key in widget.methods:
        motion = Running(widget)
        assert motion.run(key, 300) == 300
        method = {"Ralston": RALSTON, "own_midpoint": own_midpoint}.get(key, key)
        expected = integrate(model.compile(), times, x, method, **after).x
        np.testing.assert_array_equal(motion.x, expected[-1])
        before = motion.machine.view("before")[: motion.k]
        np.testing.assert_array_equal(before, expected[-2])


def sampled_step(f, t, x, h):
    """Set a torque that is held for the step, and let the arm move."""
    x = np.array([*x[:2], -200 * x[0] - 4 * x[1]])
    for _ in range(4):
        x = own_rk4(f, t, x, h / 4)
    return x


class TestBooks:
    def test_a_torque_that_is_set_and_held_is_no_drift(self):
        held = me.dynamicsymbols("tau_0")
        arm = pendulum().with_inputs({"tau": held}, {held: 0})
        motion = Running(shown(arm, [1.0, 0.0, 0.0], methods=["rk4", sampled_step]))
        before = motion.look()
        motion.run("sampled_step", 256)
        assert before[:2].sum() - motion.look()[:2].sum() > 1  # the servo has taken energy out
        assert abs(motion.drift(before)) < 1e-3

    @pytest.fixture(scope="class")
    def servo_with_steps(self):
        return shown(*MOTIONS["servo"], methods=("rk4", "midpoint", own_rk4))

    @pytest.mark.parametrize(("method", "less"), [("rk4", 12), ("midpoint", 3.5), ("own_rk4", 12)])
    def test_what_a_motor_does_is_no_drift(self, servo_with_steps, method, less):
        """What is left is the method's error, and goes away with the step as its order says."""
        drifts = []
        for h in (STEP, STEP / 2):
            motion = Running(servo_with_steps)
            motion.machine.view("clock")[1] = h
            before = motion.look()
            motion.run(method, round(1 / h))
            drifts.append(abs(motion.drift(before)))
        assert drifts[1] < drifts[0] / less

    def test_the_drift_of_euler_is_seen(self):
        motion = Running(shown(*MOTIONS["pendulum"]))
        before = motion.look()
        motion.run("euler", 500)
        assert motion.drift(before) > 1


class TestStops:
    @pytest.mark.parametrize("speed", [1e11, -1e11])
    def test_a_motion_that_blows_up_stops_before_it(self, speed):
        motion = Running(shown(*MOTIONS["pendulum"]), [2.0, speed])
        motion.machine.view("clock")[1] = 1.0
        taken = motion.run("euler", 100)
        assert taken < 100
        assert np.abs(motion.x).max() < 1e12
        assert motion.machine.view("clock")[0] == taken
        assert motion.run("euler", 100) == 0

    def test_a_step_that_cannot_be_followed_is_refused(self):
        def remembers(f, t, x, h):
            calls.append(t)
            return x + h * len(calls) * f(t, x)

        calls = []
        for step, reason in (
            (undecided, r"undecided cannot run in the page: .* write np\.where"),
            (
                remembers,
                "remembers cannot run in the page: call 2 with the same .* a different value",
            ),
            (lambda f, t, x, h: x[:1], r"must return a state of shape \(2,\)"),
        ):
            with pytest.raises(ValueError, match=reason):
                shown(*MOTIONS["pendulum"], methods=["rk4", step])


class TestHands:
    def test_a_bob_is_held_and_thrown_as_it_can_move(self):
        motion = Running(shown(*MOTIONS["pendulum"]), [2.0, 3.0])
        motion.grasp(HOLD, 3.0, 0.0)
        np.testing.assert_allclose(motion.x, [np.pi / 2, 0], atol=1e-6)
        assert motion.x[1] == 0
        motion.grasp(THROW, 0.0, 2.0)
        assert motion.x[1] == pytest.approx(2, rel=2e-3)

    def test_a_push_of_a_chain_changes_its_speeds_by_the_mass_matrix(self):
        model, x = MOTIONS["double pendulum"]
        motion, q = Running(shown(model, x)), list(model.equations.q)
        motion.grasp(PUSH, 0.3, -0.2, point=1)
        place = sm.Matrix(model.skeleton.points[model.skeleton.bodies[1]])
        values = dict(zip(model.equations.states, x)) | dict(model.parameters)
        J, M = (
            np.array(e.xreplace(values).evalf(), float)
            for e in (place.jacobian(q), model.equations.mass_matrix)
        )
        expected = x[2:] + np.linalg.solve(M, J.T @ [0.3, -0.2])
        np.testing.assert_allclose(motion.x[2:], expected, rtol=1e-13)

    @pytest.mark.parametrize("point", [0, 1])
    def test_each_body_can_be_taken_hold_of(self, point):
        model, x = MOTIONS["double pendulum"]
        motion = Running(shown(model, x))
        target = [0.3, -0.4]
        motion.grasp(HOLD, *target, point=point)
        at = model.skeleton.bodies[point]
        place = motion.look()[2 + 2 * at : 4 + 2 * at]
        if point:
            np.testing.assert_allclose(place, target, atol=1e-6)
        else:  # along the line to the target, as far as the link reaches
            np.testing.assert_allclose(place / np.hypot(*place), [0.6, -0.8], atol=1e-3)

    def test_a_linkage_is_closed_by_new_measures(self):
        model, x = MOTIONS["linkage"]
        motion = Running(shown(model, x))
        motion.change(l_a=1.02 * motion.parameters["l_a"])
        motion.machine.call("close")
        changed = model.with_parameters(motion.parameters)
        open_by = changed.compile_outputs(model.constraints)(0.0, motion.x)
        assert np.abs(open_by).max() < 1e-13

    def test_without_a_share_of_the_projection_steps_open_a_linkage_and_hands_do_not(self):
        part = sm.Symbol("part", nonnegative=True)
        model = four_bar().with_multipliers().with_projection(part, {part: 1.0})
        x = model.consistent_state(np.deg2rad([10, 20, -150]))
        widget = shown(model, x, switches={part: ["projection"]})
        gap, gaps = model.compile_outputs(model.constraints), {}
        for share in (1.0, 0.0):
            motion = Running(widget)
            motion.change(part=share)
            motion.run("euler", 200)
            gaps[share] = np.abs(gap(0.0, motion.x)).max()
            motion.grasp(HOLD, 0.3, 0.7)
            assert np.abs(gap(0.0, motion.x)).max() < 1e-9
        assert gaps[1.0] < 1e-6
        assert gaps[0.0] > 1e-2

    def test_equations_that_see_a_projected_state_take_the_steps_of_python(self):
        placed = sm.Symbol("placed", nonnegative=True)
        model = four_bar().with_multipliers().with_projection(0, {placed: 1.0}, evaluated=placed)
        x = model.consistent_state(np.deg2rad([10, 20, -150]))
        motion = Running(shown(model, x, switches={placed: ["in each evaluation"]}))
        times = STEP * np.arange(101)
        motion.run("heun", 100)
        expected = integrate(model.compile(), times, x, "heun").x[-1]
        np.testing.assert_allclose(motion.x[: len(x)], expected, rtol=1e-10, atol=1e-10)
        bare = integrate(four_bar().with_multipliers().compile(), times, x, "heun").x[-1]
        assert np.abs(expected - bare).max() > 1e-6


def test_a_packed_program_is_its_bytes_and_the_places_of_its_arrays():
    widget = shown(free(pendulum()))
    code = zlib.decompress(base64.b64decode(widget.program["bytes"]), wbits=-zlib.MAX_WBITS)
    assert code.startswith(b"\0asm\1\0\0\0")
    sizes = {name: size for name, (_, size, *_) in widget.program["layout"].items()}
    assert sizes | {"p": 3, "x": 3, "clock": 2, "out": 9} == sizes
    assert packed_motion(widget.formulas.motion()) == widget.program
