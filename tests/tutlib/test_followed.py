"""The text of a followed function is that function: run as Python, it gives the same numbers."""

import math

import numpy as np
import pytest

from tutlib.methods import RK4, step
from tutlib.programs import followed_source, operation_count, where


def swing(t, x):
    return np.array([x[1], -4.0 * np.sin(x[0]) + np.cos(t)])


def heun(f, t, x, h):
    slope = f(t, x)
    return x + h / 2 * (slope + f(t + h, x + h * slope))


def run(text, **names):
    names |= {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "where": np.where}
    exec(text, names)
    return names


def rk4(f, t, x, h):
    return step(f, t, x, h, RK4)


@pytest.mark.parametrize("one_step", [heun, rk4])
def test_it_runs_and_gives_the_same(one_step):
    made = run(followed_source(one_step, swing, None, 2, None))[one_step.__name__]
    expected = one_step(swing, 0.3, np.array([1.2, -0.4]), 0.1)
    assert made(0.3, [1.2, -0.4], 0.1) == pytest.approx(expected, rel=1e-15)


def test_each_operation_stands_once_and_only_if_it_is_needed():
    def twice(x, y):
        unused = x / y
        return (x * y) + np.sqrt(x * y) if unused is not None else 0.0

    assert followed_source(twice, None, None).splitlines() == [
        "def twice(x, y):",
        "    _1 = x * y",
        "    _2 = sqrt(_1)",
        "    _3 = _1 + _2",
        "    return _3",
    ]


def test_a_branch_is_a_where_and_infinity_is_python_too():
    def cushion(x):
        return np.where(x < 0, -x, -np.inf)

    text = followed_source(cushion, None)
    assert "where(_1, _2, -inf)" in text
    assert [run(text)["cushion"](x) for x in (-2.0, 3.0)] == [2.0, -np.inf]


def test_what_asks_for_a_value_is_refused():
    def asks(x):
        return x if x > 0 else -x

    with pytest.raises(TypeError, match=r"write where\(condition, this, that\)"):
        followed_source(asks, None)


@pytest.mark.parametrize("arguments", [(), (None, None), (None, 2, None, 3)])
def test_every_argument_needs_its_kind(arguments):
    with pytest.raises(TypeError, match=r"for each of t, x, h; got \d"):
        followed_source(lambda t, x, h: x, *arguments)


@pytest.mark.parametrize(
    ("function", "lengths", "message"),
    [
        (heun, (dict, None, 2, None), r"f must be a function .*; got <class 'dict'>"),
        ("swing", (None, 2), "function must be a function .*got 'swing'"),
        (lambda x: None, (2,), "a formula must give real numbers; got None"),
        (lambda x: x[0], (10**9,), "the length of an array must be at most 100000"),
    ],
)
def test_what_is_no_formula_is_told(function, lengths, message):
    with pytest.raises((TypeError, ValueError), match=message):
        followed_source(function, *lengths)


def test_operations_are_counted_as_they_are_executed():
    """A sine is written out; a branch that is seldom needed is left out."""
    assert operation_count(lambda x: x * x + 2.0, None) == 2
    sine = operation_count(lambda x: np.sin(x), None)
    both = operation_count(lambda x: np.array([np.sin(x), np.cos(x)]), None)
    assert 20 < sine < both < 80

    def long_way(x):
        for _ in range(20):
            x = x * x + 1.0
        return x

    assert operation_count(lambda x: where(x < 1.0, x, long_way(x)), None) < 5
    assert operation_count(long_way, None) == 40
