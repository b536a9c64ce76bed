"""A reader's functions, followed once: the same numbers, or called in Python and told why."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tutlib.functions_as_written import two_faced
from tutlib import SimulationError, integrate
from tutlib.models import pendulum
from tutlib.programs import CannotFollowError, compiled, follow, where
from tutlib.programs.evaluation import Evaluator
from tutlib.programs.instead import BUILTINS

G, LENGTH = 9.81, 1.3
INERTIA = np.array([0.1, 0.2, 0.3])
swinging = pendulum().free().compile()


def mixed(t, x):
    q, w = x[:3], x[3:]
    M = np.outer(q, q) + np.eye(3)
    norm = np.linalg.norm(w)
    return np.concatenate(
        [M @ w / norm, np.cross(q, w) ** 2, [np.sin(t) - np.cos(q[0]), 1 / norm, np.exp(-t), 2.0]]
    )


@given(st.floats(-3, 3), st.lists(st.floats(0.1, 2), min_size=6, max_size=6))
def test_the_steps_give_what_the_function_gives(t, x):
    followed = follow(mixed, None, 6)
    found = Evaluator(lambda t, x, p: followed(t, x), 6, [])(np.array([t]), np.array([x]))[0]
    np.testing.assert_allclose(found, mixed(t, np.array(x)), rtol=1e-13, atol=1e-15)


def plain(t, x):
    return [x[1], -G / LENGTH * np.sin(x[0])]


def test_a_step_of_your_own_is_compiled_with_f(both_machines):
    def leapfrog(f, t, x, h):
        half = x[1:] + h / 2 * np.asarray(f(t, x))[1:]
        q = x[:1] + h * half
        return np.concatenate([q, half + h / 2 * np.asarray(f(t + h, np.hstack([q, half])))[1:]])

    t, x0 = np.linspace(0, 1, 101), [0.4, -0.7]
    step = compiled(leapfrog)
    made, printed = both_machines(lambda: integrate(compiled(plain), t, x0, step).x)
    np.testing.assert_array_equal(printed, made)
    X = [np.array(x0)]
    for a, b in pairwise(t):
        X.append(leapfrog(plain, a, X[-1], b - a))
    np.testing.assert_allclose(made, X, rtol=0, atol=1e-13)
    with pytest.raises(TypeError, match=r"leapfrog is to run compiled.*integrate compiled\(f\)"):
        integrate(plain, t, x0, step)


def test_what_has_changed_since_it_was_compiled_is_named(monkeypatch):
    t, x0, f = np.linspace(0, 1, 11), [0.4, -0.7], compiled(plain)
    before = integrate(f, t, x0).x
    monkeypatch.setitem(globals(), "G", 1.62)
    with pytest.raises(CannotFollowError, match=r"G has changed since .* make G a parameter"):
        integrate(f, t, x0)
    assert np.abs(integrate(compiled(plain), t, x0).x - before).max() > 0.1


def test_what_a_kernel_has_built_in_may_be_gone(monkeypatch):
    monkeypatch.setitem(BUILTINS, "gone_with_its_kernel", len)
    x = integrate(compiled(plain), [0.0, 0.1], [0.4, -0.7]).x
    np.testing.assert_allclose(x, integrate(plain, [0.0, 0.1], [0.4, -0.7]).x, rtol=1e-14)


def test_a_parameter_may_change():
    t, x0 = np.linspace(0, 1, 11), [0.4, -0.7]
    for k in (1.0, 4.0):
        found = integrate(compiled(spring_alone, stiffness=k), t, x0).x
        called = integrate(lambda t, x, k=k: spring_alone(t, x, k), t, x0).x
        np.testing.assert_allclose(found, called, rtol=1e-12)


def spring_alone(t, x, stiffness):
    return [x[1], -stiffness * x[0]]


@pytest.mark.parametrize("function", [dict, "swing", None, np.array(math.sin, dtype=object)])
def test_what_is_no_function_is_told(function):
    with pytest.raises(TypeError, match=r"function must be a function .*; got"):
        follow(function, None, 2)


def test_where_chooses_from_numbers():
    known = where(np.array([True, False]), np.array([1, 2]), 3)
    np.testing.assert_array_equal(known, [1.0, 3.0])
    with pytest.raises(TypeError, match="what where chooses from must hold real numbers; got"):
        where(np.array([True, False]), math.sin, 3)


class TestWhereItWent:
    def test_a_narrow_window_of_position_verlet_is_seen(self):
        """A function of an installed module may do what nobody sees while it is followed."""
        f = compiled(by_an_installed_function)
        for method in ("verlet", "velocity_verlet", "rk4"):
            with pytest.raises(SimulationError, match=r"something else compiled than as it is"):
                integrate(f, np.linspace(0, 1, 101), [0.4, 0.0], method)

    def test_a_step_whose_names_have_changed_is_named(self, monkeypatch):
        step, f, t = compiled(half_euler), compiled(plain), [0.0, 0.1]
        integrate(f, t, [0.4, 0.0], step)
        monkeypatch.setitem(globals(), "HALF", 0.25)
        with pytest.raises(CannotFollowError, match=r"half_euler .*: HALF has changed since"):
            integrate(f, t, [0.4, 0.0], step)


HALF = 0.5


def half_euler(f, t, x, h):
    return x + HALF * h * np.asarray(f(t, x))


def by_an_installed_function(t, x):
    return [x[1], -x[0] * (1.0 + two_faced(t))]
