"""A reader's functions, followed once: the same numbers, or called in Python and told why."""

import math
import random
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

from tutlib import SimulationError, integrate
from tutlib.models import pendulum
from tutlib.programs import CannotFollowError, compiled, follow, where
from tutlib.programs.assignments import Unknown
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


def zeros_and_assignments(t, x):
    dx = np.zeros(2)
    dx[0] = x[1]
    dx[1] = -G / LENGTH * np.sin(x[0])
    dx[1] -= 0.1 * x[1]
    return dx


def empty_full_and_ones(t, x):
    dx, pull, one = np.empty(2), np.full(2, -G), np.ones(2, dtype=float)
    dx[0], dx[1] = x[1] * one[0], pull[0] * x[0]
    return dx


def spring(x, stiffness=4.0, *, damping=0.1):
    return -stiffness * x[0] - damping * x[1]


def helped(t, x):
    theta, omega = x
    return [omega, spring(x) + spring(x, damping=0.0) * np.cos(theta)]


def by_a_model(t, x):
    return swinging(t, x) - np.array([0.0, 0.3]) * x


def by_powers(t, x):
    return [x[1], -(x[0] ** 3) - x[1] ** 2 / (1 + x[0] ** 2) + abs(x[1]) ** 1.5 - x[0] % 0.7]


def depends_on_known_numbers_alone(t, x):
    if G > 5 and len(x) == 2:
        return [x[1], -x[0]]
    return [x[1], x[0]]


FOLLOWED = [
    plain, zeros_and_assignments, empty_full_and_ones, helped, by_a_model, by_powers,
    depends_on_known_numbers_alone,
]  # fmt: skip


def by_hand(f, t, x0):
    """Return Kutta's method, written once more."""
    X = [np.array(x0, dtype=float)]
    for a, b in pairwise(t):
        x, h = X[-1], b - a
        k1 = np.asarray(f(a, x))
        k2 = np.asarray(f(a + h / 2, x + h / 2 * k1))
        k3 = np.asarray(f(a + h / 2, x + h / 2 * k2))
        k4 = np.asarray(f(b, x + h * k3))
        X.append(x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return np.array(X)


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: getattr(f, "__name__", type(f).__name__))
def test_what_a_student_writes_is_compiled(f, both_machines):
    """They move as the plain loop does, and as they do when they are called."""
    t, x0 = np.linspace(0, 1, 101), [0.4, -0.7]
    made, printed = both_machines(lambda: integrate(compiled(f), t, x0).x)
    np.testing.assert_array_equal(printed, made)
    np.testing.assert_allclose(made, by_hand(f, t, x0), rtol=0, atol=1e-13)
    np.testing.assert_allclose(made, integrate(f, t, x0).x, rtol=0, atol=1e-13)


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
    np.testing.assert_allclose(integrate(plain, t, x0).x, by_hand(plain, t, x0), atol=1e-13)
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
        np.testing.assert_allclose(found, by_hand(lambda t, x: spring_alone(t, x, k), t, x0))  # noqa: B023


def spring_alone(t, x, stiffness):
    return [x[1], -stiffness * x[0]]


calls, count = [], 0
table = CubicSpline([0, 1, 2], [0, 1, 0])


def asks(t, x):
    return [x[1], -x[0] if x[0] > 0 else -2 * x[0]]


def compares(t, x):
    return [x[1], -x[0] * (x[1] == 0.0)]


def needs_a_float(t, x):
    return [x[1], -float(x[0])]


def needs_true_floats(t, x):
    return [x[1], -Rotation.from_rotvec([0, 0, x[0]]).magnitude()]


def takes_the_larger(t, x):
    return [x[1], -max(x[0], 0.1)]


def sorts(t, x):
    return np.sort(x)


def interpolates(t, x):
    return [x[1], table(t) - x[0]]


def noisy(t, x):
    return [x[1], -x[0] + 1e-9 * np.random.default_rng().normal()]


def noisy_by_python(t, x):
    return [x[1], -x[0] + 1e-9 * random.random()]


def counts_by_a_list(t, x):
    calls.append(t)
    return [x[1], -x[0]]


def counts_by_a_global(t, x):
    global count
    count += 1
    return [x[1], -x[0]]


def add_one():
    global count
    count += 1


def counts_through_a_helper(t, x):
    add_one()
    return [x[1], -x[0]]


def counts_by_an_attribute(t, x):
    counts_by_an_attribute.calls += 1
    return [x[1], -x[0]]


counts_by_an_attribute.calls = 0


def counts_in_a_closure():
    number = 0

    def counting(t, x):
        nonlocal number
        number += 1
        return [x[1], -x[0]]

    return counting


class Counter:
    def __init__(self):
        self.calls = 0

    def __call__(self, t, x):
        self.calls += 1
        return [x[1], -x[0]]


class Servo:
    """Keeps the sum of its errors, as servos in programs do."""

    def __init__(self):
        self.total = 0.0

    def torque(self, x):
        self.total += 1e-9 * x[0]
        return -self.total


servo = Servo()


def asks_a_servo(t, x):
    return [x[1], servo.torque(x) - x[0]]


def prints(t, x):
    print(t)
    return [x[1], -x[0]]


def catches(t, x):
    try:
        k = [1.0, 2.0][int(t)]
    except TypeError:
        k = 3.0
    return [x[1], -k * x[0]]


def looks_at_its_kind(t, x):
    return [x[1], -x[0] if isinstance(t, float) else 0.0]


def looks_at_a_dtype(t, x):
    return [x[1], -x[0] if x.dtype == float else 0.0]


def matches(t, x):
    match t:
        case float():
            return [x[1], -x[0]]
    return [x[1], 0.0]


def writes_into(t, x):
    return np.multiply(np.sin(x, out=np.empty(2)), 1.0)


def rounds(t, x):
    return np.array([x[1], -x[0]], dtype=int)


def looks_up(t, x):
    return [x[1], {True: -x[0], False: x[0]}.get(t > 1, x[0])]


def by_a_text(t, x):
    return [x[1], -x[0] if f"{t:.1f}" == "0.0" else x[0]]


numbers = iter(range(1000))


def takes_the_next(t, x):
    return [x[1], -x[0] + 1e-9 * next(numbers)]


ADVICE = r"instead of if, == or float\(\) write where\(condition, this, that\)"
REFUSED = [
    (asks, f"{ADVICE}, in line .* if x.0. > 0"), (compares, ADVICE), (needs_a_float, ADVICE),
    (takes_the_larger, ADVICE), (sorts, ADVICE), (needs_true_floats, ""), (interpolates, ""),
    (noisy, "it does something else at every call|np.random"), (noisy_by_python, "random.random"),
    (counts_by_a_list, "it keeps calls for its next call"),
    (counts_by_a_global, "it keeps count for its next call"),
    (counts_through_a_helper, "it keeps count for its next call"),
    (counts_by_an_attribute, "it keeps counts_by_an_attribute for its next call"),
    (counts_in_a_closure(), "it keeps number for its next call"),
    (Counter(), "it keeps self for its next call"),
    (asks_a_servo, "it keeps servo for its next call"), (prints, "print"),
    (catches, "try: nothing is raised"),
    (looks_at_its_kind, "isinstance"), (looks_at_a_dtype, "dtype"), (matches, "match"),
    (writes_into, "out="), (rounds, "dtype int"), (looks_up, ADVICE), (by_a_text, "no digits"),
    (takes_the_next, "range_iterator"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("f", "reason"), REFUSED, ids=lambda f: getattr(f, "__name__", type(f).__name__)
)
def test_what_is_not_asked_for_is_called_and_what_cannot_be_compiled_is_refused(f, reason):
    t, x0 = np.linspace(0, 1, 11), [0.4, -0.7]
    name = getattr(f, "__name__", type(f).__name__)
    with pytest.raises(CannotFollowError, match=f"^{name} cannot be compiled: .*({reason})"):
        integrate(compiled(f), t, x0)
    np.testing.assert_allclose(integrate(f, t, x0).x, by_hand(f, t, x0), rtol=0, atol=1e-6)


def test_what_a_function_keeps_holds_numbers_alone():
    """Nobody finds unknown numbers in a list of his own, and every call counts once."""
    for run in (lambda f: f, compiled):
        calls.clear()
        servo.total = 0.0
        with suppress(CannotFollowError):
            integrate(run(counts_by_a_list), [0.0, 0.1, 0.2], [1.0, 0.0], "euler")
            assert calls == [0.0, 0.1]
        assert all(type(t) is float for t in calls)
        with suppress(CannotFollowError):
            integrate(run(asks_a_servo), [0.0, 0.1, 0.2], [1.0, 0.0], "euler")
        assert type(servo.total) in (float, np.float64)


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


def two_faced(t):
    return 0.0 if isinstance(t, Unknown) else 0.5


two_faced.__module__ = "numpy"
