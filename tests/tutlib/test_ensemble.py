"""Many starts at once are the same motions as one by one, to the last bit.

What may vary from motion to motion, where it may end, what is seen on its way, and what is not
compiled.
"""

import _thread
import pickle
import types

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import compiled_ensemble as ensemble
from tests.helpers import free
from tests.tutlib.functions_as_written import two_faced
from tests.tutlib.test_ensemble_executors import ByPickle
from tutlib import EquationsOfMotion, Field, compiled, integrate, methods
from tutlib.methods import (
    CF4,
    DOP853,
    EnsembleError,
    InterruptedEnsemble,
    ensemble_work,
    ensembles,
    integrate_adaptive,
)
from tutlib.models import chain, double_pendulum, four_bar, pendulum, rigid_body, servo_arm
from tutlib.spaces import SO3, R, Sphere


def alone(f, start, steps, h, method="rk4", **options):
    """Return the motion from one start as `integrate` finds it, at all times."""
    f = compiled(f) if isinstance(f, types.FunctionType) else f
    return integrate(f, h * np.arange(steps + 1), start, method, **options).x


def starts(model, count, size=2.0):
    return np.random.default_rng(0).uniform(-size, size, (count, len(model.equations.states)))


@pytest.mark.parametrize("count", [1, 2, 3, 10000])
def test_any_number_of_starts(count, free_pendulum):
    f, x0 = free_pendulum.compile(), starts(free_pendulum, count)
    before = x0.copy()
    found = ensemble(f, x0, 1.0, 0.01)
    np.testing.assert_array_equal(x0, before)
    assert found.x.shape == (count, 2)
    for start, last in list(zip(x0, found.x))[-20:]:
        np.testing.assert_array_equal(last, alone(f, start, 100, 0.01)[-1])
    assert (found.t == 1.0).all()


MODELS = [free(double_pendulum()), free(chain(3)), free(chain(6)), servo_arm()]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
@pytest.mark.parametrize("method", ["rk4", "euler", "cf4", "dop853"])
def test_every_model_and_method(model, method):
    f, x0 = model.compile(), starts(model, 9, size=1.0)
    found = ensemble(f, x0, 0.2, 0.002, method=method)
    for start, last in zip(x0, found.x):
        np.testing.assert_array_equal(last, alone(f, start, 100, 0.002, method)[-1])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_one_lane_or_two(model, on_every_machine):
    x0 = starts(model, 7, size=1.5)
    limits = np.full(x0.shape[1], np.inf)
    limits[0] = np.median(np.abs(x0[:, 0])) + 0.1
    watched = {"until": upright_or_fast, "observe": energies}
    two = on_every_machine(lambda: ensemble(model.compile(), x0, 0.1, 0.002, limits, **watched))
    assert 0 < (two.t < 0.1).sum() < 7


def elementary(t, x):
    """Take every operation that a machine has, in arms that only some of the motions need."""
    wave = np.exp(-np.sin(x[1])) * np.sqrt(abs(x[0])) * np.tanh(x[1])
    far = np.where(x[0] > 0.5, wave, np.sin(3e5 * x[0]))
    near = np.arctan2(x[1], x[0]) + np.floor(4 * np.cos(x[0])) - np.log(x[0] ** 2 + 0.1)
    both = np.where((x[0] < 0) | ~(x[1] < 1), near, far)
    return np.array([x[1], both - x[1] - 9 * x[0] + abs(x[0]) ** (2 + np.cos(t)) / 9])


def test_every_operation(on_every_machine):
    """An angle needs the costly arm of its sine in some of the motions, and not in others."""
    x0 = np.random.default_rng(1).uniform(-3, 3, (40, 2))
    two = on_every_machine(lambda: ensemble(elementary, x0, 0.5, 0.01))
    assert np.isfinite(two.x).all()
    for start, last in zip(x0, two.x):
        np.testing.assert_array_equal(last, alone(elementary, start, 50, 0.01)[-1])


@pytest.mark.parametrize("method", ["rk4", CF4], ids=str)
def test_fields_on_spaces(method):
    field = rigid_body().field
    rng = np.random.default_rng(0)
    x0 = np.hstack([np.tile(np.eye(3).ravel(), (5, 1)), rng.normal(size=(5, 3))])
    for start, last in zip(x0, ensemble(field, x0, 1.0, 0.01, method=method).x):
        np.testing.assert_array_equal(last, alone(field, start, 100, 0.01, method)[-1])


@pytest.mark.parametrize("asked", [compiled, lambda f: f], ids=["compiled", "plain"])
def test_states_on_a_space(asked):
    gyroscope = asked(lambda t, x: x[:9].reshape(3, 3) @ np.array([0.2, 0.5 * np.cos(t), -0.1]))
    x0 = [np.eye(3).ravel(), np.eye(3)[[1, 2, 0]].ravel()]
    found = methods.ensemble(gyroscope, x0, 0.2, 0.01, space=SO3)
    for start, last in zip(x0, found.x):
        motion = alone(gyroscope, start, 20, 0.01, space=SO3)
        np.testing.assert_allclose(last, motion[-1], rtol=0, atol=1e-15)


def test_time_is_that_of_each_motion():
    """Lanes take up new starts at different moments, and each has a clock of its own."""
    model = pendulum().with_inputs({"tau": 2 * sm.sin(3 * me.dynamicsymbols._t)})
    f, x0 = model.compile(), starts(model, 80)
    x0[:, 0] /= 2
    found = ensemble(f, x0, 2.0, 0.01, [1.2, np.inf])
    assert 0.1 < (found.t < 2.0).mean() < 0.9
    for start, t, last in zip(x0, found.t, found.x):
        np.testing.assert_array_equal(last, alone(f, start, round(t / 0.01), 0.01)[-1])


def test_a_motion_is_over_at_its_limit():
    model = free(double_pendulum())
    f, x0 = model.compile(), starts(model, 40)
    x0[:, 2:] = 0
    limits = np.array([np.pi, np.pi, np.inf, np.inf])
    found = ensemble(f, x0, 3.0, 0.01, limits)
    assert 0.05 < (found.t < 3.0).mean() < 0.95
    for start, t in zip(x0, found.t):
        beyond = (np.abs(alone(f, start, 300, 0.01)) > limits).any(axis=1)[1:]
        assert t == 0.01 * (np.argmax(beyond) + 1 if beyond.any() else 300)


def test_a_motion_that_is_lost_ends_and_the_others_go_on():
    q = me.dynamicsymbols("q")
    grows = EquationsOfMotion([q], [q.diff()], sm.Matrix([1]), sm.Matrix([q**3])).compile({})
    x0 = [[0.1, 0.0], [50.0, 50.0], [0.2, 0.0], [50.0, 49.0], [0.3, 0.0]]
    found = ensemble(grows, x0, 1.0, 0.01)
    np.testing.assert_array_equal(np.isfinite(found.x).all(axis=1), [1, 0, 1, 0, 1])
    np.testing.assert_array_equal(found.t < 1.0, [0, 1, 0, 1, 0])
    for row in (0, 2, 4):
        np.testing.assert_array_equal(found.x[row], alone(grows, x0[row], 100, 0.01)[-1])


def test_what_is_finished_is_kept_when_it_is_interrupted(monkeypatch):
    """Motions with a speed leave the interval at once; the others would rest for centuries."""
    x0 = np.array([[0, 1], [0, 2], [0, -1], [0, 3], [0, 1], [0, 0], [0, 0], [0, 0]], dtype=float)
    go_on, calls = ensemble_work.EnsembleMachine.go_on, []

    def interrupted(machine):
        calls.append(machine)
        if len(calls) == 6:
            _thread.interrupt_main()
        return go_on(machine)

    monkeypatch.setattr(ensemble_work.EnsembleMachine, "go_on", interrupted)
    with pytest.raises(KeyboardInterrupt, match="after 5 of 8 motions") as stopped:
        ensemble(drifting, x0, 2.0**40, 0.25, [4.0, 10.0], "midpoint", workers=1)
    found = stopped.value.ensemble
    np.testing.assert_array_equal(found.t[:5], [4.25, 2.25, 4.25, 1.5, 4.25])
    np.testing.assert_array_equal(found.x[:5, 0], [4.25, 4.5, -4.25, 4.5, 4.25])
    assert np.isnan(found.t[5:]).all()
    assert np.isnan(found.x[5:]).all()
    copy = pickle.loads(pickle.dumps(stopped.value))
    np.testing.assert_array_equal(copy.ensemble.t, found.t)
    assert str(copy) == str(stopped.value)


def drifting(t, x):
    return np.array([x[1], 0 * x[0]])


SPINNING = Field(lambda t, x: np.array([0, 0, 1.0]), Sphere)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"starts": np.zeros((3, 4))}, "shape \\(N, 2\\)"),
        ({"starts": [[0, 1], [0, np.nan]]}, "row 1 of starts is"),
        ({"t_end": 0.015}, "multiple of h"),
        ({"limits": [np.nan, 1]}, "limits must be zero or positive, inf for no limit"),
        ({"f": pendulum().equations}, "f must be a function .* not compiled yet"),
        ({"method": "verlet"}, "explicit Runge-Kutta"),
        ({"f": lambda t, x: x if x[0] < 1 else -x}, "<lambda> cannot be compiled: .*where\\("),
        ({"f": SPINNING, "starts": [[0, 0, 1.0], [0, 0, 2.0]]}, "row 1 of starts is not on"),
        ({"parameters": {"z": [1.0]}}, "no parameter 'z' can vary: choose from"),
        ({"parameters": {"l": [1.0, 2.0]}}, "l needs a value for each of 3"),
        ({"executor": "dask"}, "executor must be"),
        ({"starts": np.zeros((3, 9)), "f": lambda t, x: x, "space": SO3}, "row 0 .* not on SO"),
        ({"seed": 1}, "a seed is for functions with a parameter rng"),
        ({"seed": 1, "f": lambda t, x, rng: x}, "f draws random numbers"),
        ({"f": lambda t, x, rng: x}, "that takes \\(t, x, rng\\); a seed gives rng"),
        ({"until": lambda t, x, m: x[0] - m}, "until must .*; parameters gives values by name"),
        ({"store": 3}, 'store must be a path, such as "work/flips"'),
    ],
)
def test_what_makes_no_sense_is_named(change, message, free_pendulum):
    usual = {"f": free_pendulum.compile(), "starts": np.zeros((3, 2)), "t_end": 1.0, "h": 0.01}
    with pytest.raises((TypeError, ValueError), match=message):
        ensemble(**(usual | change))


def released(count):
    """Return double pendulums at rest."""
    x0 = np.zeros((count, 4))
    x0[:, :2] = np.random.default_rng(0).uniform(-3, 3, (count, 2))
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
            motion = alone(model.equations.compile(mine), x0[i], 200, 0.01)
            np.testing.assert_array_equal(last, motion[-1])

    @pytest.mark.parametrize("asked", [compiled, lambda f: f], ids=["compiled", "plain"])
    def test_each_function_gets_the_value_of_its_motion(self, asked):
        """Energies of springs, tops of throws, and a damper that acts after each step."""

        def spring(t, x, m):
            return [x[1], -4.0 / m * x[0]]

        def fall(t, x, g):
            return [x[1], -g]

        m, g = np.array([1.0, 2.0, 5.0]), np.array([9.81, 3.71, 1.62])
        energy = asked(lambda t, x, m: m * x[1] ** 2 / 2 + 2 * x[0] ** 2)
        found = methods.ensemble(
            asked(spring), [1.0, 0.0], 3.0, 0.01, parameters={"m": m}, observe=energy
        )
        np.testing.assert_allclose([found.least, found.greatest], 2.0, rtol=1e-7)
        top = asked(lambda t, x, g: 12.0 - g * t)
        found = methods.ensemble(
            asked(fall), [0.0, 12.0], 8.0, 0.01, parameters={"g": g}, until=top
        )
        np.testing.assert_allclose(found.t, 12 / g, rtol=1e-14)
        share = np.array([1.0, 0.9])
        damped = asked(lambda t, x, c, g=0.0: x * c)
        found = methods.ensemble(
            compiled(fall, g=0.0), [1, 2], 1, 0.5, parameters={"c": share}, after_step=damped
        )
        np.testing.assert_allclose(found.x, np.outer(share**2, [3, 2]), rtol=1e-15)

    def test_what_does_not_vary_keeps_its_own_value(self):
        apart = compiled(lambda t, x, k, s: k * s * x[0], k=2.0)
        options = {"parameters": {"s": [1.0, 3.0]}, "observe": apart}
        found = methods.ensemble(compiled(swing, k=4.0), [0.1, 0.0], 0.1, 0.1, **options)
        np.testing.assert_array_equal(found.greatest, [0.2, 2.0 * 3.0 * 0.1])


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
        np.testing.assert_array_equal(found.x[3], alone(f, x0[3], 100, 0.01)[-1])

    def test_where_it_is_linear_the_time_is_exact_and_the_state_there_counts(self):
        """x' = 1 passes each threshold when it should, at steps and between them."""
        x0 = -np.array([[0.25], [0.3], [1.0 / 3.0], [0.1], [0.999]])
        watched = dict.fromkeys(("until", "observe"), lambda t, x: x[0])
        found = ensemble(lambda t, x: 0 * x + 1.0, x0, 1.0, 0.125, **watched)
        np.testing.assert_allclose(found.t, -x0[:, 0], rtol=2.0**-52)
        np.testing.assert_array_equal(found.least, x0[:, 0])
        np.testing.assert_allclose(found.greatest, 0.0, atol=1e-16)

    @pytest.mark.parametrize(
        ("until", "start", "right"),
        [
            (lambda t, x: np.arctan2(np.sin(x[0]), np.cos(x[0])), 1.0, 2 * np.pi - 1),
            (lambda t, x: np.tan(x[0]), 1.0, np.pi - 1),
            (lambda t, x: 1 / (x[0] - 0.003), -1.0, 8),
            (lambda t, x: np.sign(x[0] - 1.234), 0.0, 1.234),
            (lambda t, x: np.floor(1000 * x[0]) - 1000.5, 0.3, 0.701),
            (lambda t, x: np.tanh(1e6 * (x[0] - 1.23456)), 0.0, 1.23456),
            (lambda t, x: 1e-300 * (x[0] - 1.23456), 0.0, 1.23456),
            (lambda t, x: (x[0] - 1.23456) ** 3, 0.0, 1.23456),
            (lambda t, x: x[0] % 1 - 0.25, 0.5, 0.75),
        ],
        ids=["wrapped", "tangent", "pole", "switch", "encoder", "steep", "tiny", "flat", "hours"],
    )
    @pytest.mark.parametrize("chosen", [compiled, lambda f: f], ids=["compiled", "plain"])
    def test_jumps_and_poles_are_no_zeros_but_switches_are(self, until, start, right, chosen):
        f, starts = chosen(lambda t, x: [1.0 + 0 * x[0]]), [[start], [start], [start + 0.1]]
        found = methods.ensemble(f, starts, 8, 0.01, until=chosen(until))
        np.testing.assert_allclose(found.t[:2], right, atol=1e-5 if right == 1.23456 else 1e-9)
        np.testing.assert_allclose(found.x[:, 0] - found.t, [start, start, start + 0.1], atol=1e-9)


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


def test_what_follows_each_step_follows_it_here():
    linkage = four_bar()
    start = linkage.consistent_state([0.5, 0.3, 1.2], keep=linkage.equations.q[:1])
    held = linkage.with_multipliers()
    f, project, x0 = held.compile(), held.projection(), np.array([*start, 0, 0])
    weights = {"g": np.array([9.81, 1.62, 3.71])}
    found = ensemble(f, x0, 0.5, 0.005, parameters=weights, after_step=project)
    for g, last in zip(weights["g"], found.x):
        there = held.with_parameters({"g": g})
        motion = alone(there.compile(), x0, 100, 0.005, after_step=there.projection())
        np.testing.assert_array_equal(last, motion[-1])
    without = ensemble(f, x0, 0.5, 0.005, parameters=weights)
    assert not np.array_equal(without.x, found.x)


STARTS = np.column_stack([np.linspace(-2, 2, 9), np.linspace(0.5, 3, 9)])


def swing(t, x, k=4.0):
    return [x[1], -k * np.sin(x[0]) + 0.1 * np.cos(t)]


def pushed(t, x, rng):
    return x + np.array([0, 0.1 * rng.normal()])


def turned(t, x):
    return x[0] - 1.9


def both(t, x):
    return [x[0] * x[1], x[1] - t]


class TestPlain:
    """Plain functions run one motion after another, in this process."""

    def test_the_motions_are_those_of_the_compiled_functions(self, monkeypatch):
        monkeypatch.setattr(ensembles, "_LONG", 0.0)
        usual = (STARTS, 1.0, 0.01, [2.5, np.inf])
        with pytest.warns(UserWarning, match=r"compiled\(f\) would run"):
            plain = methods.ensemble(swing, *usual, until=turned, observe=both)
        watched = {"until": compiled(turned), "observe": compiled(both)}
        fast = methods.ensemble(compiled(swing), *usual, **watched)
        for name in ("t", "x", "least", "greatest"):
            found, expected = getattr(plain, name), getattr(fast, name)
            np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)
        assert 0 < (plain.t < 1.0).sum() < 9

    def test_parameters_vary_and_plain_events_stop_compiled_equations(self):
        field = Field(swing, R(2), {"k": 4.0})
        found = methods.ensemble(field, [1.0, 0.0], 0.5, 0.01, parameters={"k": [1.0, 9.0]})
        for k, last in zip([1.0, 9.0], found.x):
            motion = integrate(lambda t, x, k=k: swing(t, x, k), 0.01 * np.arange(51), [1.0, 0.0])
            np.testing.assert_array_equal(last, motion.x[-1])
        f, until = pendulum().free().compile(), lambda t, x: x[0]
        when = methods.ensemble(f, [[1.0, 0.0]], 2.0, 0.01, until=until).t[0]
        exact = integrate_adaptive(f, (0, 2), [1.0, 0.0], 1e-12, 1e-12, until=until).t[-1]
        assert abs(when - exact) < 1e-7

    @pytest.mark.parametrize("error", [IndexError, KeyboardInterrupt])
    def test_what_had_ended_is_kept(self, error):
        def broken(t, x):
            if x[0] > 3.0:
                raise error("no more")
            return np.ones(1)

        kind = EnsembleError if error is IndexError else InterruptedEnsemble
        with pytest.raises(kind, match="stopped after 2 of 4 motions") as stopped:
            methods.ensemble(broken, [[0.0], [1.0], [2.5], [0.0]], 1.0, 0.25, method="midpoint")
        np.testing.assert_array_equal(stopped.value.ensemble.x[:, 0], [1.0, 2.0, np.nan, np.nan])

    def test_random_motions_are_independent_and_come_again(self):
        def run(f=swing, seed=3, **options):
            return methods.ensemble(f, STARTS, 0.5, 0.1, after_step=pushed, seed=seed, **options).x

        found = run()
        assert len(np.unique(found[:, 0])) == len(STARTS)
        assert not np.isclose(found, run(seed=4)).any()
        for executor in (None, ByPickle()):
            np.testing.assert_array_equal(found, run(executor=executor))
        np.testing.assert_allclose(found, run(compiled(swing)), rtol=1e-14)
        x, rng = STARTS[4].copy(), np.random.default_rng([4, 3])
        for t in 0.1 * np.arange(5):
            x = pushed(t, methods.step(swing, t, x, 0.1), rng)
        np.testing.assert_allclose(found[4], x, rtol=1e-14)

    @pytest.mark.parametrize("asked", [compiled, lambda f: f], ids=["compiled", "plain"])
    def test_a_gap_in_one_motion_ends_it_alone(self, asked):
        f = asked(lambda t, x: [np.where((t > 0.5) & (x[0] > 1.5), np.nan, 1.0)])
        root = asked(lambda t, x: np.where(x[0] < 0.2, np.nan, np.sqrt(abs(x[0]))))
        found = methods.ensemble(f, [[0.0], [1.2], [0.5]], 1.0, 0.125, observe=root)
        np.testing.assert_array_equal(found.t, [1.0, 0.625, 1.0])
        np.testing.assert_allclose(found.x[:, 0], [1.0, np.nan, 1.5], rtol=1e-15)
        np.testing.assert_allclose(found.least[[0, 2]], np.sqrt([0.25, 0.5]))  # nan is no extreme
        np.testing.assert_allclose(found.greatest[[0, 2]], np.sqrt([1.0, 1.5]))

    @pytest.mark.parametrize("asked", [compiled, lambda f: f], ids=["compiled", "plain"])
    def test_a_kick_after_each_step_may_move_the_start(self, asked):
        f, kick = asked(lambda t, x: -x), lambda t, x: x + 0.25
        end = methods.ensemble(f, [[1.0]], 0.5, 0.25, method="euler", after_step=asked(kick)).x
        np.testing.assert_array_equal(end, [[1.0]])

    def test_a_function_is_called_for_each_motion_though_they_begin_alike(self):
        random = np.random.default_rng(0)
        f = lambda t, x: random.normal(size=1)  # noqa: E731
        ends = methods.ensemble(f, np.zeros((5, 1)), 0.5, 0.5, method="euler").x[:, 0]
        np.testing.assert_array_equal(ends, 0.5 * np.random.default_rng(0).normal(size=5))

    def test_a_store_is_for_compiled_functions(self):
        with pytest.raises(ValueError, match=r"a store needs compiled functions"):
            methods.ensemble(swing, STARTS, 0.1, 0.01, store="unused")


@pytest.mark.parametrize("place", ["f", "until", "observe"])
def test_what_is_something_else_compiled_is_refused_and_nothing_is_lost(place):
    functions = {
        "f": lambda t, x: [x[1], -x[0] - two_faced(t)],
        "until": lambda t, x: x[0] - 9.0 - two_faced(t),
        "observe": lambda t, x: x[1] + two_faced(t),
    }
    chosen = {"f": swing} | {place: functions[place]}
    asked = {name: compiled(function) for name, function in chosen.items()}
    with pytest.raises(EnsembleError, match="other values when compiled than in Python") as caught:
        methods.ensemble(starts=STARTS, t_end=1.0, h=0.01, **asked)
    assert np.isfinite(caught.value.ensemble.x).all()
