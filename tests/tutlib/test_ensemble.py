"""Many starts at once are the same motions as one by one, to the last bit."""

import _thread
import pickle
import types

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from tests.helpers import called_in_python, free
from tests.helpers import compiled_ensemble as ensemble
from tests.helpers import same_ensembles as same
from tutlib import EquationsOfMotion, compiled, integrate
from tutlib.methods import CF4, DOP853, ButcherTableau
from tutlib.methods.ensembles import work as ensemble_work
from tutlib.models import chain, double_pendulum, pendulum, rigid_body, servo_arm
from tutlib.spaces import Sphere, VectorField

TIME = me.dynamicsymbols._t


def alone(f, start, steps, h, method="rk4"):
    """Return the motion from one start as `integrate` finds it, at all times."""
    f = compiled(f) if isinstance(f, types.FunctionType) else f
    return integrate(f, h * np.arange(steps + 1), start, method).x


def starts(model, count, seed=0, size=2.0):
    k = len(model.equations.states)
    return np.random.default_rng(seed).uniform(-size, size, (count, k))


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
@pytest.mark.parametrize("method", ["rk4", "euler", "cf4", DOP853], ids=str)
def test_every_model_and_method(model, method):
    f, x0 = model.compile(), starts(model, 9, size=1.0)
    found = ensemble(f, x0, 0.2, 0.002, method=method)
    for start, last in zip(x0, found.x):
        np.testing.assert_array_equal(last, alone(f, start, 100, 0.002, method)[-1])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_one_lane_or_two_and_plain_python(model, on_every_machine):
    x0 = starts(model, 7, size=1.5)
    limits = np.full(x0.shape[1], np.inf)
    limits[0] = np.median(np.abs(x0[:, 0])) + 0.1
    two = on_every_machine(lambda: ensemble(model.compile(), x0, 0.1, 0.002, limits))
    assert 0 < (two.t < 0.1).sum() < 7


def elementary(t, x):
    """Take every operation that a machine has, in arms that only some of the motions need."""
    wave = np.exp(-np.sin(x[1])) * np.cbrt(x[0]) * np.tanh(x[1])
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


def test_time_is_that_of_each_motion():
    """Lanes take up new starts at different moments, and each has a clock of its own."""
    model = pendulum().with_inputs({"tau": 2 * sm.sin(3 * TIME)})
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


@pytest.mark.parametrize("workers", [2, 16])
def test_the_number_of_threads_changes_nothing(workers):
    model = free(double_pendulum())
    usual = model.compile(), starts(model, 3000), 0.5, 0.01, [2.5, 2.5, np.inf, np.inf]
    same(ensemble(*usual, workers=1), ensemble(*usual, workers=workers))


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


IMPLICIT = ButcherTableau("implicit midpoint", c=["1/2"], A=[["1/2"]], b=[1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"starts": np.zeros((3, 4))}, "shape \\(N, 2\\)"),
        ({"starts": [[0, 1], [0, np.nan]]}, "row 1 is"),
        ({"h": 0.0}, "step h must be positive"),
        ({"t_end": 0.015}, "multiple of h"),
        ({"t_end": np.inf}, "multiple of h"),
        ({"t_end": "1"}, "t_end must be a real number"),
        ({"limits": [1.0]}, "a limit for each"),
        ({"limits": [np.nan, 1]}, "limits must be zero or positive, inf for none"),
        ({"limits": ["a", 1]}, "limits must hold real numbers"),
        ({"workers": 0}, "workers must be at least 1"),
        ({"workers": 10**9}, "workers must be at most"),
        ({"f": pendulum().equations}, "f must be a function .*: compile them first"),
        ({"method": "verlet"}, "explicit Runge-Kutta"),
        ({"method": "rk5"}, "explicit Runge-Kutta"),
        ({"method": IMPLICIT}, "explicit Runge-Kutta"),
        ({"f": lambda t, x: x[:1]}, "one rate per state"),
        ({"f": lambda t, x: x if x[0] < 1 else -x}, "<lambda> cannot be compiled: .*where\\("),
        ({"f": called_in_python(lambda t, x: x)}, "counted cannot be compiled: it keeps counted"),
    ],
)
def test_what_makes_no_sense_is_named(change, message, free_pendulum):
    usual = {"f": free_pendulum.compile(), "starts": np.zeros((3, 2)), "t_end": 1.0, "h": 0.01}
    with pytest.raises((TypeError, ValueError), match=message):
        ensemble(**(usual | change))


def test_a_start_that_is_not_on_the_space_is_named():
    field = VectorField(lambda t, x: np.array([0, 0, 1.0]), Sphere)
    with pytest.raises(ValueError, match="row 1 of starts is not on"):
        ensemble(field, [[0, 0, 1.0], [0, 0, 2.0]], 1.0, 0.1)
    with pytest.raises(ValueError, match="shape \\(N, 3\\)"):
        ensemble(field, np.zeros((2, 4)), 1.0, 0.1)
