"""Integrators: orders against exact motions, conserved quantities, published numbers, refusals."""

import warnings

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import interrupt_at_look
from tutlib import EquationsOfMotion, SimulationError, compiled, integrate
from tutlib.methods import (
    METHODS,
    Interrupted,
    UnstableWarning,
    energy_error,
    integrate_adaptive,
    observed_order,
)
from tutlib.models.pendulum import exact_motion, exact_period

pytestmark = pytest.mark.slow

ORDERS = {
    "euler": 1,
    "semi_implicit_euler": 1,
    "verlet": 2,
    "velocity_verlet": 2,
    "midpoint": 2,
    "heun": 2,
    "kutta3": 3,
    "rk4": 4,
    "cf4": 4,
}
SYMPLECTIC = ("semi_implicit_euler", "verlet", "velocity_verlet")


def oscillator(t, x, omega=1.0):
    return [x[1], -(omega**2) * x[0]]


def step_of_own(f, t, x, h):
    return x + h * np.asarray(f(t, x))


def emptied(t, x):
    """Empty a tank, from 1 to beyond zero: after 2 - ln 3."""
    return -np.sqrt(x) - 0.5


class TestOrders:
    @pytest.mark.parametrize("method", METHODS)
    def test_against_the_exact_pendulum(self, free_pendulum, method):
        """Jacobi's elliptic functions, released at 1.2 rad."""
        exact = exact_motion(3.0, 1.2)
        steps = (3200, 6400, 12800) if ORDERS[method] == 1 else (400, 800, 1600)
        found = observed_order(free_pendulum.compile(), (0, 3), [1.2, 0], method, exact, steps)
        assert found.order == pytest.approx(ORDERS[method], abs=0.05)
        assert (np.diff(found.error) < 0).all()

    @pytest.mark.parametrize("method", METHODS)
    def test_with_a_force_that_depends_on_time(self, method):
        """q'' = -q + 2 cos t has the solution q = t sin t."""
        exact = [2 * np.sin(2), np.sin(2) + 2 * np.cos(2)]
        steps = (1600, 3200, 6400) if ORDERS[method] == 1 else (100, 200, 400)
        found = observed_order(
            lambda t, x: [x[1], -x[0] + 2 * np.cos(t)], (0, 2), [0, 0], method, exact, steps
        )
        assert found.order == pytest.approx(ORDERS[method], abs=0.05)

    def test_velocity_verlet_drops_to_the_first_order_with_a_damper(self):
        """q'' = -q - 2 q' from (1, 0) has the solution (1 + t) exp(-t)."""
        exact = [3 * np.exp(-2), -2 * np.exp(-2)]
        f, steps = lambda t, x: [x[1], -x[0] - 2 * x[1]], (1600, 3200, 6400)
        found = observed_order(f, (0, 2), [1, 0], "velocity_verlet", exact, steps)
        assert found.order == pytest.approx(1, abs=0.05)


class TestStructure:
    @pytest.mark.parametrize("method", SYMPLECTIC)
    def test_the_energy_stays_bounded_over_a_thousand_periods(self, free_pendulum, method):
        """No trend: the second half errs as much as the first, and the whole no more than one."""
        amplitude, per_period = 1.5, 100
        h = exact_period(amplitude) / per_period
        t = h * np.arange(1000 * per_period + 1)
        run = integrate(free_pendulum.compile(), t, [amplitude, 0.0], method)
        error = np.abs(energy_error(free_pendulum.energies(run.t[:-1], run.x[:-1]).sum(axis=1)))
        one_period, half = error[:per_period].max(), len(error) // 2
        assert error.max() < 1.02 * one_period
        assert error[half:].max() == pytest.approx(error[:half].max(), rel=0.02)
        assert error[half:].mean() == pytest.approx(error[:half].mean(), rel=0.001)

    @pytest.mark.parametrize(
        ("method", "largest"),
        [
            ("euler", 2.623),
            ("semi_implicit_euler", 5.036e-2),
            ("velocity_verlet", 2.555e-3),
            ("midpoint", 7.142e-3),
            ("rk4", 6.364e-6),
        ],
    )
    def test_the_published_energy_errors(self, free_pendulum, method, largest):
        """l = 2 m, 20 s at h = 0.05 s from 90 degrees: the largest error over m g l (or J)."""
        model = free_pendulum.with_parameters({"l": 2.0})
        run = integrate(model.compile(), np.linspace(0, 20, 401), [np.pi / 2, 0], method)
        error = np.abs(energy_error(model.energies(run.t, run.x).sum(axis=1))).max()
        assert error == pytest.approx(largest, rel=0.01)


class TestCompiled:
    def test_a_run_that_diverges_stops_at_a_finite_state(self):
        q = me.dynamicsymbols("q")
        eom = EquationsOfMotion([q], [q.diff()], sm.eye(1), sm.Matrix([q**3]))

        with pytest.raises(SimulationError, match=r"state \d \(.*\) is (inf|nan) at t") as caught:
            integrate(eom.compile({}), np.linspace(0, 10, 1001), [1.0, 1.0])
        kept = caught.value.trajectory
        assert 0 < len(kept) < 1001
        assert np.isfinite(kept.x).all()

    def test_a_long_run_equals_the_short_ones(self, free_pendulum):
        """It goes in pieces of rows, which leave no trace."""
        t = np.linspace(0, 20, 20_002)
        rhs = free_pendulum.compile()
        long = integrate(rhs, t, [1.0, 0.0])
        np.testing.assert_array_equal(long.x[:1001], integrate(rhs, t[:1001], [1.0, 0.0]).x)
        rest = integrate(rhs, t[7777:], long.x[7777])
        np.testing.assert_array_equal(rest.x, long.x[7777:])
        np.testing.assert_allclose(long.x, exact_motion(t, 1.0), atol=1e-10)


class TestInterrupted:
    def test_a_compiled_run_hears_ctrl_c_and_keeps_the_motion(self, free_pendulum, monkeypatch):
        """A long run, stopped when it has begun."""
        interrupt_at_look(monkeypatch, 9)
        f, t, x0 = free_pendulum.compile(), np.arange(2_000_000) * 1e-3, [1.0, 0.0]
        with pytest.raises(Interrupted) as stop:
            integrate(f, t, x0)
        kept = stop.value.trajectory
        assert str(stop.value) == (
            f"stopped at t = {kept.t[-1]:g}; the result so far is in .trajectory"
        )
        assert 50 < len(kept) == len(kept.x) < len(t) / 10
        np.testing.assert_array_equal(kept.x, integrate(f, kept.t, x0).x)
        assert kept.names[0] == r"\theta"


class TestYourOwnStep:
    def test_it_is_called_with_the_time_and_the_step_and_may_write_into_what_it_gets(self):
        seen = []

        def forward(f, t, x, h):
            seen.append((t, h))
            x += h * np.asarray(f(t, x))
            return x

        t = [0.0, 0.1, 0.3, 0.35]
        own = integrate(oscillator, t, [1.0, 0.0], forward)
        np.testing.assert_array_equal(seen, list(zip(t, np.diff(t))))
        np.testing.assert_array_equal(own.x, integrate(oscillator, t, [1.0, 0.0], "euler").x)


class TestRefusals:
    @pytest.mark.parametrize("method", SYMPLECTIC)
    def test_partitioned_methods_need_speeds(self, method):
        with pytest.raises(ValueError, match=r"needs x = \[q, q̇\]: the first derivatives must be"):
            integrate(lambda t, x: [-x[0], x[1]], [0, 1], [1.0, 0.5], method)
        with pytest.raises(ValueError, match="even number of states; got 3"):
            integrate(lambda t, x: x, [0, 1], [1.0, 0.5, 0.1], method)

    def test_verlet_needs_equal_steps(self):
        with pytest.raises(ValueError, match="equal steps"):
            integrate(oscillator, [0, 0.1, 0.3], [1.0, 0.0], "verlet")

    @pytest.mark.parametrize("method", METHODS)
    def test_what_is_no_longer_finite_stops_the_run_and_is_kept(self, method):
        with (
            np.errstate(over="ignore", invalid="ignore"),
            pytest.raises(SimulationError, match=r"state \d is -?(inf|nan) at t = ") as caught,
        ):
            integrate(lambda t, x: [x[1], 1e200 * x[0]], np.arange(10.0), [1.0, 0.0], method)
        kept = caught.value.trajectory
        assert 0 < len(kept) < 10
        assert len(kept.t) == len(kept.x)
        assert np.isfinite(kept.x).all()

    @pytest.mark.parametrize("method", ["euler", "rk4", "velocity_verlet", "verlet"])
    def test_an_unstable_run_goes_on_and_says_when_it_ran_away(self, method):
        t = np.arange(0, 60, 3.2)
        with pytest.warns(UnstableWarning, match=rf"has grown to .* of {method}: the step h = 3.2"):
            run = integrate(oscillator, t, [1.0, 0.0], method)
        assert len(run) == len(t)
        assert np.abs(run.x).max() > 1e6


def gap(t, x):
    return [x[1], np.interp(t, [0, 1, 1.1, 2], [0.0, 1.0, np.nan, 0.0]) - x[0]]


class TestNanOfF:
    @pytest.mark.parametrize("method", ["euler", "rk4", "dop853", "velocity_verlet", step_of_own])
    def test_a_gap_is_reported_with_its_time(self, method):
        with pytest.raises(
            SimulationError, match=r"f\(t, x\) is nan at t = 1\.0\S*, in entry 1"
        ) as e:
            integrate(gap, np.linspace(0, 2, 201), [0.0, 0.0], method)
        assert "smaller step" not in str(e.value)
        assert 0.99 <= e.value.trajectory.t[-1] <= 1.01

    @pytest.mark.parametrize("times", [(0, 2), np.linspace(0, 2, 201)])
    def test_adaptive_steps_report_it_too(self, times):
        for f, x0, when in ((gap, [0.0, 0.0], 1.0), (emptied, [1.0], 2 - np.log(3))):
            with pytest.raises(SimulationError, match=r"f\(t, x\) is nan at t = ") as e:
                integrate_adaptive(f, times, x0, 1e-8, 1e-12)
            found = float(str(e.value).split("nan at t = ")[1].split(",")[0])
            assert found == pytest.approx(when, abs=1e-6)

    @pytest.mark.parametrize("method", ["euler", "rk4", step_of_own])
    def test_a_pole_and_what_follows_a_step_are_reported_as_well(self, method):
        t = np.linspace(0, 2, 201)
        with pytest.raises(SimulationError, match=r"f\(t, x\) is inf at t = 1, .* division"):
            integrate(lambda t, x: [np.inf if t >= 1 else 0.0, 0.0], t, [1.0, 0.0], method)
        with pytest.raises(SimulationError, match=r"after_step\(t, x\) is not finite at t = 1,"):
            integrate(oscillator, t, [1.0, 0.0], method, after_step=lambda t, x: x / (t < 1))
        with pytest.raises(SimulationError, match=r"f\(t, x\) is inf at t = 1, "):
            integrate_adaptive(compiled(lambda t, x: [np.where(t < 1, 0, np.inf)]), (0, 2), [1.0])

    def test_an_unstable_step_is_still_advised_to_be_smaller(self):
        with pytest.raises(SimulationError, match="A smaller step or another method may help"):
            integrate(lambda t, x: x**3 - x**2, np.linspace(0, 1, 101), [2.0])


class TestAfterStep:
    def test_it_is_called_once_at_the_end_of_each_step_and_may_be_noise(self):
        t, called, generator = np.linspace(0, 1, 11), [], np.random.default_rng(1)

        def kicked(t, x):
            called.append(t)
            return x + generator.normal(size=1)

        x, noise = integrate(lambda t, x: -x, t, [1.0], "euler", after_step=kicked).x, [1.0]
        for kick in np.random.default_rng(1).normal(size=10):
            noise.append(0.9 * noise[-1] + kick)
        np.testing.assert_allclose(x[:, 0], noise, rtol=1e-13)
        np.testing.assert_array_equal(called, t[1:])

    @pytest.mark.parametrize("run", [integrate, integrate_adaptive])
    def test_a_missing_return_is_named(self, run):
        with pytest.raises((TypeError, SimulationError), match="after_step must return the state"):
            run(oscillator, np.linspace(0, 1, 11), [1.0, 0.0], after_step=lambda t, x: None)


class TestTwoTimes:
    @pytest.mark.parametrize("method", ["euler", "rk4", "verlet", "dop853"])
    def test_a_start_and_an_end_are_warned_of_as_one_step(self, method):
        with pytest.warns(UserWarning, match=r"\(0, 10\) is a single step of h = 10.*np\.linspace"):
            integrate(oscillator, (0, 10), [1.0, 0.0], method)

    def test_one_step_that_is_meant_is_not(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            integrate(oscillator, (0, 0.1), [1.0, 0.0])
            integrate(oscillator, [0, 3], [1.0, 0.0])
            integrate(oscillator, (0, 3), [1.0, 0.0], step_of_own)


class TestCopies:
    @pytest.mark.parametrize("method", METHODS)
    def test_a_right_hand_side_may_write_into_its_argument_and_reuse_its_result(self, method):
        buffer = np.zeros(2)

        def careless(t, x):
            buffer[:] = x[1], -x[0]
            x[:] = 99.0
            return buffer

        t = np.linspace(0, 1, 11)
        one, other = (integrate(f, t, [1.0, 0.0], method).x for f in (careless, oscillator))
        np.testing.assert_array_equal(one, other)


class TestOrderOfStates:
    """What needs x = [q, q̇] looks at more than the start, where another order may not be seen."""

    @pytest.mark.parametrize("method", SYMPLECTIC)
    @pytest.mark.parametrize(
        ("f", "start"),
        [
            (lambda t, s: np.array([s[1], 0.0, s[3], -9.81]), [0, 0, 0, 0]),  # of [x, vx, y, vy]
            (lambda t, s: np.array([np.sin(t), s[0]]), [0, 0]),  # of [speed, place]
            (lambda t, s: np.array([s[1] * (1 + t), -s[0]]), [1, 0]),  # the speed at t = 0 alone
        ],
    )
    def test_another_order_is_refused(self, f, start, method):
        with pytest.raises(ValueError, match=r"must be the speeds, and are not at t = 0\.5"):
            integrate(f, np.linspace(0, 1, 101), start, method)
