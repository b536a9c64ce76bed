"""What may vary from motion to motion, where it may end, and what is seen on its way."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from tests.helpers import compiled_ensemble as ensemble
from tests.helpers import free
from tutlib import integrate
from tutlib.methods import DOP853, integrate_adaptive
from tutlib.models import double_pendulum, four_bar, pendulum, servo_arm


def released(count, seed=0):
    """Return double pendulums at rest."""
    x0 = np.zeros((count, 4))
    x0[:, :2] = np.random.default_rng(seed).uniform(-3, 3, (count, 2))
    return x0


class TestParameters:
    def test_each_motion_is_that_of_its_own_machine(self):
        model = free(double_pendulum())
        l_1, _, m_1, *_ = model.parameters
        x0, rng = released(7), np.random.default_rng(1)
        own = {l_1: rng.uniform(0.5, 2, 7), m_1: rng.uniform(0.5, 2, 7)}
        found = ensemble(model.compile(), x0, 2.0, 0.01, parameters=own)
        for i, last in enumerate(found.x):
            mine = model.parameters | {name: values[i] for name, values in own.items()}
            motion = integrate(model.equations.compile(mine), 0.01 * np.arange(201), x0[i])
            np.testing.assert_array_equal(last, motion.x[-1])

    def test_a_large_right_hand_side_is_a_routine_of_its_own(self):
        """It finds what varies there, too."""
        model = servo_arm()
        f = model.compile()
        name = next(n for n in f.parameter_names if "p" in n.lower())
        x0 = np.full(len(f.state_names), 0.1)
        values = f.parameter_values[f.parameter_names.index(name)] * np.array([0.5, 1.0, 2.0])
        found = ensemble(f, x0, 0.5, 0.005, parameters={name: values})
        alone = integrate(f, 0.005 * np.arange(101), x0).x[-1]
        np.testing.assert_array_equal(found.x[1], alone)
        assert not np.array_equal(found.x[0], found.x[2])

    @pytest.mark.parametrize(
        ("change", "error", "message"),
        [
            ({"parameters": {"z": [1.0]}}, ValueError, "no parameter 'z' can vary: there are"),
            ({"parameters": {"l": [1.0, 2.0]}}, ValueError, "l needs a value for each of 3"),
            ({"parameters": {"l": [1.0, 2.0, np.nan]}}, ValueError, "values of l must be|l must"),
            ({"parameters": [1.0]}, TypeError, "parameters must be"),
            ({"starts": np.zeros((0, 2))}, ValueError, "there are no starts"),
            ({"until": lambda t, x: x}, TypeError, "until\\(t, x\\) must be a real number"),
            ({"until": lambda t, x: 1.0 if x[0] < 1 else -1.0}, TypeError, "<lambda> cannot be"),
            ({"observe": lambda t, x: np.zeros((2, 2))}, ValueError, "a number or a row of them"),
            ({"after_step": lambda t, x: x}, TypeError, "after_step must be"),
            ({"executor": "dask"}, TypeError, "executor must be"),
            ({"store": 3}, TypeError, 'store must be a path, such as "work/flips"'),
        ],
    )
    def test_what_makes_no_sense_is_named(self, change, error, message, free_pendulum):
        usual = {"f": free_pendulum.compile(), "starts": np.zeros((3, 2)), "t_end": 1.0, "h": 0.1}
        with pytest.raises(error, match=message):
            ensemble(**(usual | change))

    def test_a_function_of_ones_own_has_no_parameters_by_name(self):
        with pytest.raises(ValueError, match="no parameter 'k' can vary: f has none by name"):
            ensemble(lambda t, x: -x, [1.0], 1.0, 0.1, parameters={"k": [1.0]})


class TestUntil:
    def test_the_event_is_found_to_the_order_of_the_method(self):
        f, x0 = free(double_pendulum()).compile(), released(12)

        def upright(t, x):
            return x[0]

        exact = {"rtol": 1e-13, "atol": 1e-13, "method": DOP853, "until": upright}
        ends = [integrate_adaptive(f, (0, 2), x, **exact).t[-1] for x in x0]
        assert np.sum(np.array(ends) < 2) > 3
        errors = [
            np.abs(ensemble(f, x0, 2.0, h, until=upright).t - ends).max() for h in (0.02, 0.01)
        ]
        assert errors[1] < 1e-5
        assert 12 < errors[0] / errors[1] < 25  # 2⁴ = 16

    def test_it_ends_there_and_nowhere_else(self):
        """A pendulum that falls passes the vertical after a quarter of its period."""
        f = free(pendulum()).compile()
        x0 = np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, 0.0], [3.0, 0.0], [0.5, 0.0]])
        found = ensemble(f, x0, 1.0, 0.01, until=lambda t, x: x[0])
        np.testing.assert_allclose(found.x[[0, 1, 4], 0], 0.0, atol=1e-15)
        assert found.t[0] == found.t[1] == found.t[4]
        assert found.t[2] == found.t[3] == 1.0  # at rest it begins there; too high, too slow
        whole = integrate(f, 0.01 * np.arange(101), x0[3]).x
        np.testing.assert_array_equal(found.x[3], whole[-1])

    def test_where_it_is_linear_the_time_is_exact(self):
        """x' = 1 passes each threshold when it should, at steps and between them."""
        x0 = -np.array([[0.25], [0.3], [1.0 / 3.0], [0.1], [0.999]])
        found = ensemble(lambda t, x: 0 * x + 1.0, x0, 1.0, 0.125, until=lambda t, x: x[0])
        np.testing.assert_allclose(found.t, -x0[:, 0], rtol=2.0**-52)

    def test_lanes_and_python_agree(self, on_every_machine):
        x0 = released(40)

        def run():
            f = free(double_pendulum()).compile()
            limits, watched = [3.1, 3.1, 9, 9], {"until": upright_or_fast, "observe": energies}
            return ensemble(f, x0, 0.4, 0.01, limits, **watched)

        assert 5 < np.sum(on_every_machine(run).t < 0.4) < 35


def upright_or_fast(t, x):
    return x[0] * (x[2] - 2.0)


def energies(t, x):
    return np.array([x[2] ** 2 + x[3] ** 2, np.cos(x[0]) * t])


class TestObserve:
    def test_the_extremes_are_those_of_the_whole_motion(self):
        f, x0 = free(double_pendulum()).compile(), released(9)
        found = ensemble(f, x0, 1.5, 0.01, [2.5, 2.5, np.inf, np.inf], observe=energies)
        assert 0 < np.sum(found.t < 1.5) < 9
        for i, start in enumerate(x0):
            t = 0.01 * np.arange(round(found.t[i] / 0.01) + 1)
            seen = np.array([energies(s, x) for s, x in zip(t, integrate(f, t, start).x)])
            np.testing.assert_allclose(found.least[i], seen.min(axis=0), rtol=1e-15, atol=1e-15)
            np.testing.assert_allclose(found.greatest[i], seen.max(axis=0), rtol=1e-15)

    def test_one_number_or_a_row(self):
        f = free(pendulum()).compile()
        one = ensemble(f, [[1.0, 0.0]] * 3, 1.0, 0.1, observe=lambda t, x: x[1])
        row = ensemble(f, [[1.0, 0.0]] * 3, 1.0, 0.1, observe=lambda t, x: [x[1]])
        assert one.least.shape == (3,)
        assert row.least.shape == (3, 1)
        np.testing.assert_array_equal(one.least, row.least[:, 0])

    def test_the_state_at_the_event_counts(self):
        watched = {"until": lambda t, x: x[0], "observe": lambda t, x: x[0]}
        found = ensemble(lambda t, x: 0 * x + 1.0, [[-0.3], [-0.7]], 1.0, 0.25, **watched)
        np.testing.assert_allclose(found.least, [-0.3, -0.7])
        np.testing.assert_allclose(found.greatest, 0.0, atol=1e-16)


class TestConstraints:
    def test_what_follows_each_step_follows_it_here(self):
        linkage = four_bar()
        start = linkage.consistent_state([0.5, 0.3, 1.2], keep=linkage.equations.q[:1])
        held = linkage.with_multipliers()
        f, project, x0 = held.compile(), held.projection(), np.array([*start, 0, 0])
        weights = {"g": np.array([9.81, 1.62, 3.71])}
        found = ensemble(f, x0, 0.5, 0.005, parameters=weights, after_step=project)
        for g, last in zip(weights["g"], found.x):
            there = held.with_parameters({"g": g})
            times, follow = 0.005 * np.arange(101), there.projection()
            motion = integrate(there.compile(), times, x0, after_step=follow)
            np.testing.assert_array_equal(last, motion.x[-1])
        without = ensemble(f, x0, 0.5, 0.005, parameters=weights)
        assert not np.array_equal(without.x, found.x)


class _Endless:
    """Starts that are made when they are asked for, as a file would give them."""

    def __init__(self, count):
        self.shape = (count, 2)

    def __getitem__(self, rows):
        count = rows.stop - rows.start
        return np.stack([np.linspace(0.1, 1.0, count), np.zeros(count)], axis=1)


class TestMemory:
    def test_however_many_there_are(self):
        """With `each` nothing grows with the number of motions."""
        f = free(pendulum()).compile()

        def most(count):
            total = np.zeros(10)

            def take(rows, part):
                total[:] += np.histogram(part.x[:, 0], 10, (-1.1, 1.1))[0]

            tracemalloc.start()
            kept = ensemble(f, _Endless(count), 0.2, 0.1, each=take)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert total.sum() == count
            assert kept.t.shape == (0,)
            return peak

        most(70_000)
        assert most(700_000) < most(70_000) + 200_000  # bytes; all states would be 11 million

    def test_parts_come_in_order(self):
        f, rows_seen = free(pendulum()).compile(), []
        ensemble(f, np.zeros((5000, 2)), 0.1, 0.1, each=lambda rows, part: rows_seen.append(rows))
        assert rows_seen[0].start == 0
        assert rows_seen[-1].stop == 5000
        assert all(a.stop == b.start for a, b in pairwise(rows_seen))

    def test_a_memory_map_is_read_in_pieces(self, tmp_path):
        f, x0 = free(pendulum()).compile(), np.random.default_rng(0).normal(size=(3000, 2))
        mapped = np.memmap(tmp_path / "starts", np.float64, "w+", shape=x0.shape)
        mapped[:] = x0
        np.testing.assert_array_equal(ensemble(f, mapped, 0.2, 0.1).x, ensemble(f, x0, 0.2, 0.1).x)
