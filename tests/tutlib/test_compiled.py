"""A reader's functions run as they are written; compiled, they are traced once.

Then they give the same numbers, or it is said why they cannot; their text gives them, too.
"""

import math
import traceback
from itertools import pairwise

import numpy as np
import pytest

from straightline import (
    CannotTrace,
    trace,
    where,
)
from tests.tutlib.functions_as_written import FUNCTIONS, two_faced
from tutlib import SimulationError, compiled, integrate

G, LENGTH = 9.81, 1.3


def plain(t, x):
    return [x[1], -G / LENGTH * np.sin(x[0])]


def leapfrog(f, t, x, h):
    half = x[1:] + h / 2 * np.asarray(f(t, x))[1:]
    q = x[:1] + h * half
    return np.concatenate([q, half + h / 2 * np.asarray(f(t + h, np.hstack([q, half])))[1:]])


def test_a_step_of_your_own_is_compiled_with_f():
    t, x0 = np.linspace(0, 1, 101), [0.4, -0.7]
    step = compiled(leapfrog)
    made = integrate(compiled(plain), t, x0, step).x
    np.testing.assert_allclose(made, integrate(plain, t, x0, leapfrog).x, rtol=0, atol=1e-13)
    with pytest.raises(TypeError, match=r"leapfrog is to run compiled.*integrate compiled\(f\)"):
        integrate(plain, t, x0, step)


def test_a_global_that_has_changed_counts_from_the_next_run_on(monkeypatch):
    t, x0, f = np.linspace(0, 1, 11), [0.4, -0.7], compiled(plain)
    before = integrate(f, t, x0).x
    monkeypatch.setitem(globals(), "G", 1.62)
    found = integrate(f, t, x0).x
    assert np.abs(found - before).max() > 0.1
    np.testing.assert_allclose(found, integrate(plain, t, x0).x, rtol=1e-12)


def test_a_parameter_may_change():
    t, x0 = np.linspace(0, 1, 11), [0.4, -0.7]
    for k in (1.0, 4.0):
        found = integrate(compiled(spring_alone, stiffness=k), t, x0).x
        called = integrate(lambda t, x, k=k: spring_alone(t, x, k), t, x0).x
        np.testing.assert_allclose(found, called, rtol=1e-12)


def spring_alone(t, x, stiffness):
    return [x[1], -stiffness * x[0]]


class TestComparison:
    """What tracing cannot see is found along the motion, and the sentence says what to do."""

    def test_of_rates(self):
        f = compiled(lambda t, x: [x[1], -x[0] * (1.0 + two_faced(t))])
        for method in ("verlet", "velocity_verlet", "rk4"):
            with pytest.raises(SimulationError, match=r"a stored value.* type of x.*leave out"):
                integrate(f, np.linspace(0, 1, 101), [0.4, 0.0], method)


class Counter:
    """A memory that shows itself after some calls."""

    calls = 0

    def value(self, t, x):
        self.calls += 1
        return x[0] if self.calls < 100 else 2 * x[0]

    def step(self, f, t, x, h):
        return x + h * self.value(t, x) * np.array([0.0, 1.0])


class TestMemory:
    """It is found before the run, wherever a compiled function has it."""

    def test_of_a_step(self):
        with pytest.raises(CannotTrace, match="step cannot be compiled: call 100 with the same"):
            integrate(compiled(plain), [0.0, 0.1], [1.0, 0.0], compiled(Counter().step))


class TestObjects:
    """A rejected function leaves no unknown number in what it writes to."""

    def test_an_attribute_is_a_number_again(self):
        class Controller:
            last = 0.0

            def __call__(self, t, x):
                self.last = 2 * x[0]
                return [x[1], -x[0]]

        controller = Controller()
        with pytest.raises(CannotTrace, match="it keeps unknown numbers for its next call"):
            integrate(compiled(controller), [0.0, 0.1], [1.0, 0.0])
        assert controller.last == 2.0


TIMES = np.linspace(0.0, 3.0, 61)
METHODS = ("euler", "rk4")
REJECTED = [name for name, (*_, reason) in FUNCTIONS.items() if reason]


def new(name):
    """Return f, made anew, and its start."""
    make, start, _ = FUNCTIONS[name]
    return make(), np.array(start, dtype=float)


def slope(f, t, x):
    """Return the value of f, which may be filled again at its next call, as an array of its own."""
    return np.array(f(t, x.copy()), dtype=float).reshape(x.shape)


def euler(f, t, x, h):
    return x + h * slope(f, t, x)


def kutta(f, t, x, h):
    k1 = slope(f, t, x)
    k2 = slope(f, t + h / 2, x + h * (0.5 * k1))
    k3 = slope(f, t + h / 2, x + h * (0.5 * k2))
    k4 = slope(f, t + h, x + h * k3)
    return x + h * (1 / 6 * k1 + 1 / 3 * k2 + 1 / 3 * k3 + 1 / 6 * k4)


def motion(f, x, advance):
    """Return all states of a plain loop, without any other call of f."""
    states = [x]
    for t, following in pairwise(TIMES.tolist()):
        states.append(advance(f, t, states[-1], following - t))
    return np.array(states)


class TestPlain:
    @pytest.mark.parametrize(("advance", "method"), [(euler, "euler"), (kutta, "rk4")])
    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_it_is_the_loop_of_a_textbook_to_the_last_bit(self, name, advance, method):
        by_hand = motion(*new(name), advance)
        f, x = new(name)
        np.testing.assert_array_equal(integrate(f, TIMES, x, method).x, by_hand)


class TestCompiled:
    @pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in REJECTED])
    def test_it_gives_the_same_numbers(self, name):
        f, x = new(name)
        plain = integrate(f, TIMES, x).x
        f, x = new(name)
        fast = integrate(compiled(f), TIMES, x).x
        np.testing.assert_allclose(fast, plain, rtol=1e-12, atol=1e-13)

    @pytest.mark.parametrize("name", REJECTED)
    def test_it_says_why_it_cannot_and_f_still_runs_as_it_is_written(self, name):
        """Before the first step; and no unknown number stays in what f keeps."""
        f, x = new(name)
        *_, reason = FUNCTIONS[name]
        with pytest.raises(CannotTrace, match=f" cannot be compiled: .*({reason})"):
            integrate(compiled(f), TIMES, x)
        assert np.isfinite(integrate(f, TIMES, x).x).all()


def divides(t, x):
    return [x[1], 1.0 / (int(t) - 2)]


ERRORS = {
    divides: ZeroDivisionError,
}


class TestErrorsOfF:
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("f", ERRORS, ids=lambda f: f.__name__)
    def test_it_is_the_cause_and_what_is_done_is_kept(self, f, method):
        with pytest.raises(SimulationError) as caught:
            integrate(f, TIMES, [1.0, 0.5], method)
        self.check_cause(caught.value.__cause__, f)
        motion = caught.value.trajectory
        # The last stage of rk4 is at the end of the step, and Euler's only one at its beginning.
        last = {"euler": 40, "rk4": 39}[method]
        np.testing.assert_array_equal(motion.t, TIMES[: last + 1])
        before = integrate(f, TIMES[: last + 1], [1.0, 0.5], method).x
        np.testing.assert_array_equal(motion.x, before)

    @staticmethod
    def check_cause(cause, f):
        assert type(cause) is ERRORS[f]
        frames = traceback.extract_tb(cause.__traceback__)
        (own,) = (frame for frame in frames if frame.name == f.__name__)
        assert own.filename == __file__
        assert own.line


def swing(t, x):
    return np.array([x[1], -4.0 * np.sin(x[0]) + np.cos(t)])


def heun(f, t, x, h):
    slope = f(t, x)
    return x + h / 2 * (slope + f(t + h, x + h * slope))


def run(text, **names):
    names |= {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "where": np.where}
    exec(text, names)
    return names


def test_it_runs_and_gives_the_same():
    made = run(trace(heun, swing, None, 2, None).source())["heun"]
    expected = heun(swing, 0.3, np.array([1.2, -0.4]), 0.1)
    assert made(0.3, [1.2, -0.4], 0.1) == pytest.approx(expected, rel=1e-15)


def test_a_branch_is_a_where_and_infinity_is_python_too():
    def cushion(x):
        return np.where(x < 0, -x, -np.inf)

    text = trace(cushion, None).source()
    assert "where(_1, _2, float('-inf'))" in text
    assert [run(text)["cushion"](x) for x in (-2.0, 3.0)] == [2.0, -np.inf]


@pytest.mark.parametrize(
    ("function", "lengths", "message"),
    [
        (swing, (), "for each of t, x; got 0"),
        (heun, (dict, None, 2, None), r"f must be a function .*; got <class 'dict'>"),
        (lambda x: None, (2,), "a formula must return real numbers; got None"),
    ],
)
def test_what_is_no_formula_is_told(function, lengths, message):
    with pytest.raises((TypeError, ValueError), match=message):
        trace(function, *lengths).source()


def test_operations_are_counted_as_they_are_executed():
    """A sine is written out; a branch that is seldom needed is left out."""
    assert trace(lambda x: x * x + 2.0, None).operations == 2
    sine = trace(lambda x: np.sin(x), None).operations
    both = trace(lambda x: np.array([np.sin(x), np.cos(x)]), None).operations
    assert 20 < sine < both < 80

    def long_way(x):
        for _ in range(20):
            x = x * x + 1.0
        return x

    assert trace(lambda x: where(x < 1.0, x, long_way(x)), None).operations < 5
    assert trace(long_way, None).operations == 40
