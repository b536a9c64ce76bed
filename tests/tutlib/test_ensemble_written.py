"""Ensembles that nobody has asked to compile: each motion as it is written, in processes."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.tutlib.functions_as_written import two_faced
from tutlib import compiled, integrate
from tutlib.methods import EnsembleError, ensemble, integrate_adaptive
from tutlib.models import pendulum
from tutlib.programs import SlowWarning
from tutlib.spaces import R, VectorField

STARTS = np.column_stack([np.linspace(-2, 2, 9), np.linspace(0.5, 3, 9)])


def swing(t, x, k=4.0):
    return [x[1], -k * np.sin(x[0]) + 0.1 * np.cos(t)]


def turned(t, x):
    return x[0] - 1.9


def both(t, x):
    return [x[0] * x[1], x[1] - t]


def test_it_is_the_compiled_one_and_says_what_would_be_faster():
    usual = (STARTS, 1.0, 0.01, [2.5, np.inf])
    with pytest.warns(SlowWarning, match=r"swing and turned and both called in Python .*compiled"):
        plain = ensemble(swing, *usual, until=turned, observe=both)
    fast = ensemble(compiled(swing), *usual, until=compiled(turned), observe=compiled(both))
    for name in ("t", "x", "least", "greatest"):
        np.testing.assert_allclose(
            getattr(plain, name), getattr(fast, name), rtol=1e-11, atol=1e-13
        )
    assert 0 < (plain.t < 1.0).sum() < 9


@pytest.mark.filterwarnings("ignore::tutlib.programs.SlowWarning")
@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(1)], ids=["processes", "given"])
def test_each_motion_is_that_of_integrate(executor):
    def late(t, x):  # a memory, an if: nothing that could be followed
        line.append(x[0])
        return [x[1], -line[0] if t > 0.02 else 0.0]

    line = deque([0.0] * 5, maxlen=5)
    found = ensemble(late, [[1.0, 0.0]], 0.3, 0.01, method="euler", executor=executor)
    line = deque([0.0] * 5, maxlen=5)
    alone = integrate(late, 0.01 * np.arange(31), [1.0, 0.0], "euler")
    np.testing.assert_array_equal(found.x[0], alone.x[-1])


@pytest.mark.filterwarnings("ignore::tutlib.programs.SlowWarning")
def test_parameters_vary_and_plain_events_stop_compiled_equations():
    field = VectorField(swing, R(2), {"k": 4.0})
    found = ensemble(field, [1.0, 0.0], 0.5, 0.01, parameters={"k": [1.0, 9.0]})
    for k, last in zip([1.0, 9.0], found.x):
        alone = integrate(lambda t, x, k=k: swing(t, x, k), 0.01 * np.arange(51), [1.0, 0.0])
        np.testing.assert_array_equal(last, alone.x[-1])
    f = pendulum().free().compile()
    when = ensemble(f, [[1.0, 0.0]], 2.0, 0.01, until=lambda t, x: x[0]).t[0]
    exact = integrate_adaptive(f, (0, 2), [1.0, 0.0], 1e-12, 1e-12, until=lambda t, x: x[0]).t[-1]
    assert abs(when - exact) < 1e-7


@pytest.mark.filterwarnings("ignore::tutlib.programs.SlowWarning")
def test_what_f_raises_and_a_store_are_told():
    def broken(t, x):
        return [1.0 if t < 0.055 else [][0], 0.0]

    with pytest.raises(EnsembleError, match="IndexError"):
        ensemble(broken, STARTS, 0.1, 0.01)
    with pytest.raises(ValueError, match=r"a store keeps what is compiled"):
        ensemble(swing, STARTS, 0.1, 0.01, store="unused")


@pytest.mark.parametrize("place", ["f", "until", "observe"])
def test_what_is_something_else_compiled_is_refused_and_nothing_is_lost(place):
    functions = {
        "f": lambda t, x: [x[1], -x[0] - two_faced(t)],
        "until": lambda t, x: x[0] - 9.0 - two_faced(t),
        "observe": lambda t, x: x[1] + two_faced(t),
    }
    chosen = {"f": swing} | {place: functions[place]}
    asked = {name: compiled(function) for name, function in chosen.items()}
    with pytest.raises(EnsembleError, match="something else compiled than as it is") as caught:
        ensemble(starts=STARTS, t_end=1.0, h=0.01, **asked)
    assert np.isfinite(caught.value.ensemble.x).all()
