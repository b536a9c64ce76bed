"""Machines of many loops, and of more constraints than they need: elimination in loops."""

import numpy as np
import pytest
import sympy.physics.mechanics as me

from benchmarks.machines import bead, four_bars, parallel_cranks
from tutlib.mechanics import (
    ConstrainedEquations,
    EquationsOfMotion,
    linearize,
)
from tutlib.methods import SingularPoseWarning, integrate, integrate_adaptive

pytestmark = pytest.mark.slow


def upright(count, speed=-1.0):
    """Return all cranks upright and turning, and all rods level."""
    q = np.concatenate([np.full(count + 1, np.pi / 2), np.zeros(count)])
    return np.concatenate([q, np.full(count + 1, speed), np.zeros(count)])


class TestMoreConstraintsThanItNeeds:
    START = np.concatenate([np.full(3, 1.0), [0], np.full(3, 0.5), [0]])

    def test_it_moves_as_it_does_without_that_one(self):
        eom, closed = parallel_cranks()
        times = np.linspace(0, 2, 401)

        def run(constraints):
            loop = ConstrainedEquations(eom, constraints)
            f, m = loop.with_multipliers().compile({}), len(constraints)
            start = np.concatenate([self.START, np.zeros(m)])
            return integrate(f, times, start, after_step=loop.projection({}))

        less = run(closed[:3])
        np.testing.assert_allclose(run(closed).x[:, :8], less.x[:, :8], atol=1e-9)


class TestSingularPoses:
    """A parallelogram that falls through the pose in which all its bars lie on one line."""

    def run(self, end, damping):
        f = four_bars(1).with_multipliers(damping).compile({})
        start = np.concatenate([upright(1), np.zeros(2)])
        return integrate(f, np.linspace(0, end, 1001), start)

    def test_damping_of_constraints_says_that_it_passed(self):
        with pytest.warns(SingularPoseWarning, match=r"nearly singular pose at t = 0\.7"):
            self.run(1.2, 10)


class TestManyLoops:
    TIMES = np.linspace(0, 0.2, 201)

    def test_every_crank_moves_as_one_arm_of_all_their_mass(self):
        count = 4
        f = four_bars(count).with_multipliers().compile({})
        start = np.concatenate([upright(count), np.zeros(2 * count)])
        angles = integrate(f, self.TIMES, start).x[:, : count + 1]
        assert np.ptp(angles, axis=1).max() < 1e-12
        inertia, pull = (count + 1) / 3 + count, 9.81 * ((count + 1) / 2 + count)

        def arm(t, x):
            return np.array([x[1], -pull / inertia * np.cos(x[0])])

        alone = integrate(arm, self.TIMES, [np.pi / 2, -1.0])
        np.testing.assert_allclose(angles[:, 0], alone.x[:, 0], atol=1e-10)

    def test_independent_speeds_are_solved_for_where_they_are_computed(self):
        loop, start = four_bars(3), np.concatenate([upright(3)[:7], [-1.0]])
        whole = loop.with_multipliers().compile({})
        full = integrate(whole, self.TIMES, np.concatenate([upright(3), np.zeros(6)]))

        reduced = loop.with_independent_speeds(loop.equations.u[0])
        motion = integrate(reduced.compile({}), self.TIMES, start)
        np.testing.assert_allclose(motion.x[:, :7], full.x[:, :7], atol=1e-12)

    def test_their_small_motions_are_those_of_the_loop(self):
        loop, hanging = four_bars(2), -upright(2)[:5]
        reduced = loop.with_independent_speeds(loop.equations.u[0])
        by_speeds = linearize(reduced, [*hanging, 0.0], {})
        by_loop = linearize(loop, [*hanging, *np.zeros(5)], {})
        largest = [np.abs(np.linalg.eigvals(one.A)).max() for one in (by_speeds, by_loop)]
        np.testing.assert_allclose(*largest, rtol=1e-6)


class TestAdaptively:
    """A pendulum as a bead on a circle, and what keeps it there."""

    START = np.array([1.0, 0, 0, 0, 0])
    TIMES = np.linspace(0, 10, 101)

    @pytest.fixture(scope="class")
    def loop(self):
        x, y = me.dynamicsymbols("x y")
        T = (x.diff() ** 2 + y.diff() ** 2) / 2
        eom = EquationsOfMotion.from_lagrangian(T, 9.81 * y, [x, y])
        return ConstrainedEquations(eom, [x**2 + y**2 - 1])

    @pytest.mark.parametrize("method", ["dormand_prince", "dop853"])
    def test_a_projection_keeps_a_loop_closed_between_steps(self, loop, method):
        def run(written):
            f, project = loop.with_multipliers().compile({}), loop.projection({})
            after = (lambda t, x: project(t, x)) if written else project
            return [
                integrate_adaptive(f, times, self.START, 1e-8, 1e-10, method, after_step=after)
                for times in (self.TIMES, [0, 10])
            ]

        for single, plain in zip(run(False), run(True)):
            np.testing.assert_allclose(plain.x[-1], single.x[-1], atol=1e-6)
            x, y, v, w = single.x.T[:4]
            assert np.abs(np.hypot(x, y) - 1).max() < 1e-15
            assert np.abs(x * v + y * w).max() < 1e-13
            np.testing.assert_allclose((v**2 + w**2) / 2 + 9.81 * y, 0, atol=3e-6)
        drift = integrate_adaptive(f := loop.with_multipliers().compile({}), self.TIMES, self.START)
        assert np.abs(np.hypot(*drift.x.T[:2]) - 1).max() > 1e-9
        assert f.mechanism.multipliers == 1

    def test_an_event_is_found_on_the_circle(self, loop):
        motion = integrate_adaptive(
            loop.with_multipliers().compile({}),
            [0, 10],
            self.START,
            1e-9,
            1e-11,
            until=lambda t, x: x[0],
            after_step=loop.projection({}),
        )
        np.testing.assert_allclose(motion.x[-1, :3], [0, -1, -np.sqrt(2 * 9.81)], atol=1e-7)

    def test_a_start_that_it_would_move_is_refused(self, loop):
        f, project = loop.with_multipliers().compile({}), loop.projection({})
        with pytest.raises(ValueError, match="initial state is not consistent: after_step changes"):
            integrate_adaptive(f, [0, 1], 1.1 * self.START, after_step=project)


class TestForcesOfConstraintForces:
    """A bead on a rough wire: the wire's force is in the friction, and friction in its motion."""

    @pytest.mark.parametrize(("angle", "turning"), [(-1.0, 2.0), (2.0, -3.0), (0.5, 0.2)])
    def test_friction_is_that_of_the_force(self, angle, turning):
        across = np.array([np.cos(angle), np.sin(angle)])
        along_it = np.array([-np.sin(angle), np.cos(angle)])
        force = 9.81 * np.sin(angle) - turning**2
        slowed = -0.3 * abs(force) * np.tanh(100 * abs(turning)) * np.sign(turning)
        right = [*((slowed - 9.81 * np.cos(angle)) * along_it - turning**2 * across), force]
        start = [*across, *(turning * along_it), 0.0]
        rates = bead(0.3)[1].compile({})(0.0, start)
        np.testing.assert_allclose(rates[2:], right, rtol=1e-9)
