"""Wrong calls of methods and of models on spaces: each is answered by a sentence."""

import concurrent.futures
import threading

import numpy as np
import pytest

from tests.helpers import needs_sundials
from tutlib.methods import (
    RK4,
    ImplicitEquations,
    SimulationError,
    Trajectory,
    energy_error,
    ensemble,
    integrate,
    integrate_adaptive,
    integrate_dae,
    observed_order,
    step,
)
from tutlib.methods.partitioned import semi_implicit_euler, velocity_verlet
from tutlib.models import pendulum, rigid_body, spherical_pendulum
from tutlib.models.quadrotors import two_quadrotors


def circle(t, x):
    return np.array([x[1], -x[0]])


USUAL = {"f": circle, "t": [0, 0.1, 0.2], "x0": [1.0, 0.0]}
SINGLE = {"f": circle, "t": 0.0, "x": np.array([1.0, 0.0]), "h": 0.1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "verlet"}, "a step needs an explicit Runge-Kutta method, .*; got 'verlet'"),
        ({"h": "0.1"}, "the step h must be a real number; got '0.1'"),
        ({"f": pendulum().equations}, "f must be a function .* call their method compile"),
        ({"f": lambda x: x}, r"f must be a function \(t, x\); got one that takes \(x\)"),
        ({"f": lambda t, x: x[:1]}, r"one derivative per state, shape \(2,\); got shape \(1,\)"),
    ],
)
def test_a_step_that_makes_no_sense(change, message):
    with pytest.raises((TypeError, ValueError), match=message):
        step(**(SINGLE | change))
    if "method" not in change:
        for partitioned in (semi_implicit_euler, velocity_verlet):
            with pytest.raises((TypeError, ValueError), match=message):
                partitioned(**(SINGLE | change))


@pytest.mark.parametrize("run", [integrate, integrate_adaptive])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"f": pendulum().equations}, "f must be a function .* call their method compile"),
        ({"f": rigid_body()}, "a SpatialModel is a model: pass its field"),
        ({"f": lambda x: x}, r"f must be a function \(t, x\); got one that takes \(x\)"),
        ({"f": lambda x, t: x}, r"got one that takes \(x, t\): time comes first"),
        ({"f": lambda t, x: None}, "it|None: is a return missing"),
        ({"f": lambda t, x: [1.0]}, r"one derivative per state, shape \(2,\); got shape \(1,\)"),
        ({"f": lambda t, x: x * 1j}, "got dtype complex128"),
        ({"t": [0, 1, 1]}, r"must increase: t\[2\] = 1 follows t\[1\] = 1"),
        ({"x0": [np.nan, 0]}, "every entry of x0 must be finite"),
        ({"method": "rk5"}, r"unknown method 'rk5'; choose from .*"),
    ],
)
def test_a_run_that_makes_no_sense(run, change, message):
    with pytest.raises((TypeError, ValueError), match=message):
        run(**(USUAL | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rtol": "1e-6"}, "rtol must be a real number; got '1e-6'"),
        ({"until": lambda x, t: x[0]}, r"until must be .* takes \(x, t\): time comes first"),
        ({"max_step": 0.0}, "max_step must be positive and no nan; got 0"),
    ],
)
def test_adaptive_steps_that_make_no_sense(change, message):
    with pytest.raises((TypeError, ValueError), match=message):
        integrate_adaptive(**(USUAL | change))


def order(**change):
    usual = {"f": circle, "span": (0, 1), "x0": [1.0, 0.0], "method": "rk4"}
    return observed_order(**(usual | {"exact": [np.cos(1), -np.sin(1)]} | change))


BOX, ROW = rigid_body(), "coefficients must be a row of numbers; got"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: order(span=(0, 1, 2)), r"span must be \(initial time, final time\)"),
        (lambda: energy_error(np.ones((3, 2))), r"got shape \(3, 2\): if these are kinetic and"),
        (lambda: Trajectory([0, 1], np.eye(3)), r"must have shape \(2, k\); got shape \(3, 3\)"),
        (lambda: spherical_pendulum(m=-1), "the mass m must be positive; got -1"),
        (lambda: BOX.with_parameters({"J_1": -1}), r"three moments; got \[-1.0, 0.2, 0.3\]"),
        (lambda: two_quadrotors().model("none"), "control must be a function"),
    ],
)
def test_what_makes_no_sense_is_told(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


LOST = 0.5


def falling(residual):
    return ImplicitEquations(residual, lambda t, x: np.ones(1), ())


class TestImplicitEquations:
    @needs_sundials
    @pytest.mark.parametrize("what", ["nan", "raises", "shape"])
    def test_a_residual_that_is_lost_ends_the_motion_and_keeps_it(self, what):
        def residual(t, x, rate):
            if t <= LOST:
                return rate - 1
            if what == "raises":
                raise ValueError("lost")
            return rate * np.nan if what == "nan" else np.zeros(3)

        with pytest.raises(SimulationError, match="IDA stopped after t = 0") as caught:
            integrate_dae(falling(residual), np.linspace(0, 1, 11), [0.0])
        motion = caught.value.trajectory
        assert 1 < len(motion) < 7
        np.testing.assert_allclose(motion.x[:, 0], motion.t, atol=1e-9)

    @needs_sundials
    @pytest.mark.parametrize("times", [[0, 1, 4], np.linspace(0, 4, 9)])
    @pytest.mark.parametrize("on", [np.greater, np.greater_equal])
    def test_an_algebraic_state_jumps_at_a_break(self, times, on):
        rates = lambda t, x: np.array([x[1], -x[1]])  # noqa: E731
        filling = ImplicitEquations(
            lambda t, x, rate: [rate[0] - x[1], x[1] + x[0] - on(t, 1.0)], rates, (1,)
        )
        motion = integrate_dae(filling, times, [0.0, 0.0], 1e-8, 1e-10, breaks=1.0)
        left = np.where(motion.t > 1, np.exp(-np.maximum(motion.t - 1, 0)), 0)
        right = np.transpose([np.where(motion.t > 1, 1 - left, 0), left])
        np.testing.assert_allclose(motion.x, right, atol=1e-7)

    @needs_sundials
    @pytest.mark.parametrize("seen", [{"breaks": [40, 40.05]}, {"max_step": 0.02}])
    def test_a_short_pulse_is_seen(self, seen):
        pulse = lambda t: float(40 <= t < 40.05)  # noqa: E731
        pushed = ImplicitEquations(lambda t, x, rate: rate - pulse(t), lambda t, x: [pulse(t)], ())
        end = integrate_dae(pushed, [0, 100], [0.0], **seen).x[-1, 0]
        assert end == pytest.approx(0.05, abs=1e-6)

    @needs_sundials
    def test_each_state_has_its_own_tolerance(self):
        def motion(size, atol):
            rates = lambda t, x: np.array([-x[0], size * x[0] - x[1]])  # noqa: E731
            decay = ImplicitEquations(lambda t, x, rate: rate - rates(t, x), rates, ())
            return integrate_dae(decay, [0, 1, 2], [1.0, 0.0], 1e-12, atol).x

        np.testing.assert_allclose(
            motion(1e6, [1e-6, 1.0]), motion(1.0, [1e-6, 1e-6]) * [1, 1e6], rtol=1e-6
        )

    @needs_sundials
    @pytest.mark.parametrize(
        ("algebraic", "message"),
        [
            ((0,), r"algebraic = \(0,\) does not fit .* that is \(1,\)"),
            ((), "derivative of state 1 appears in no row, so 1 belongs in algebraic"),
            ((5,), "one of 2 states in algebraic must be at most 1; got 5"),
            ((-1,), "in algebraic must be at least 0; got -1"),
            (1, "algebraic, .*, must be a sequence; got 1"),
        ],
    )
    def test_algebraic_states_that_do_not_fit(self, algebraic, message):
        sine = ImplicitEquations(
            lambda t, x, rate: [x[1] - np.cos(t), rate[0] - x[1]], lambda t, x: [1, 0], algebraic
        )
        with pytest.raises((TypeError, ValueError), match=message):
            integrate_dae(sine, [0, 1], [0.0, 1.0])

    @needs_sundials
    @pytest.mark.parametrize(
        ("constraint", "accepted"),
        [
            (lambda x, rate: x[0] ** 2 + x[1] ** 2 - 1, False),
            (lambda x, rate: x[0] * x[2] + x[1] * x[3], False),
            (lambda x, rate: x[0] * rate[2] + x[1] * rate[3] + x[2] ** 2 + x[3] ** 2, True),
        ],
        ids=["index 3", "index 2", "index 1"],
    )
    def test_a_higher_index_is_seen_at_the_start(self, constraint, accepted):
        def rates(t, x):
            return np.array([x[2], x[3], -x[4] * x[0], -x[4] * x[1] - 9.81, -29.43 * x[3]])

        pendulum = ImplicitEquations(
            lambda t, x, rate: [*(rate - rates(t, x))[:4], constraint(x, rate)], rates, (4,)
        )
        start = [1.0, 0.0, 0.0, 0.0, 0.0]
        if not accepted:
            with pytest.raises(ValueError, match="of these equations is higher than 1"):
                integrate_dae(pendulum, [0, 1], start)
            return
        _, y, u, v, _ = integrate_dae(pendulum, [0, 1], start, 1e-9).x[-1]
        assert u**2 + v**2 == pytest.approx(-2 * 9.81 * y, abs=1e-4)

    @needs_sundials
    def test_capacitors_between_two_nodes_are_of_index_1(self):
        matrix = np.array([[1.0, -1.0], [1.0, 1.0]])  # both rows at t = 0 know both rates

        def residual(t, x, rate):
            current = rate[0] - rate[1]
            return [current + x[0] - np.sin(t), x[1] - current]

        rates = lambda t, x: np.linalg.solve(matrix, [x[1], np.cos(t)])  # noqa: E731
        run = integrate_dae(ImplicitEquations(residual, rates, ()), [0, 2], [0.0, 0.0])
        # the voltage between them follows c' = (sin t - c)/2
        between = (2 * np.exp(-1) + np.sin(2) - 2 * np.cos(2)) / 5
        assert run.x[-1] @ [1, -1] == pytest.approx(between, abs=1e-5)

    @needs_sundials
    def test_ctrl_c_keeps_the_motion(self):
        def residual(t, x, rate):
            if t > LOST:
                raise KeyboardInterrupt
            return rate - 1

        with pytest.raises(KeyboardInterrupt) as caught:
            integrate_dae(falling(residual), np.linspace(0, 1, 11), [0.0])
        assert 1 < len(caught.value.trajectory) < 7


class TestThreads:
    def test_new_equations_run_in_many_threads_at_once(self):
        model = pendulum().free()
        f, alone = model.compile(), model.compile()
        t, x0, together = np.linspace(0, 1, 21), np.array([0.3, 0.0]), threading.Barrier(6)

        def run(i):
            together.wait()
            if i % 3 == 0:
                return ensemble(f, [x0, x0], 1.0, 0.05, workers=2).x[0]
            if i % 3 == 1:
                return integrate(f, t, x0, RK4).x[-1]
            return np.array([f(0.0, x0) for _ in range(5)])[-1]

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            found = list(pool.map(run, range(6)))
        expected = (
            ensemble(alone, [x0], 1.0, 0.05).x[0],
            integrate(alone, t, x0).x[-1],
            alone(0.0, x0),
        )
        for i, value in enumerate(found):
            np.testing.assert_array_equal(value, expected[i % 3])
