"""A comparison is fair only if both sides are equally wrong."""

import pytest

from benchmarks.exercises import long_equation, slowest_check
from benchmarks.imports import import_times
from benchmarks.pendulum import equal_error


def test_the_pendulum_is_compared_at_equal_error():
    run = equal_error(duration=5.0, steps=1000)
    assert run["error"] > 0
    assert run["peer_error"] == pytest.approx(run["error"], rel=0.02)


def test_the_time_of_an_import_is_measured_in_a_fresh_interpreter():
    sympy, tutlib = import_times(rounds=1)
    assert sympy > 0
    assert tutlib > 0


def test_the_slowest_check_is_that_of_an_exercise():
    name, seconds = slowest_check()
    assert name.startswith("pendulum-")
    assert seconds > 0


def test_a_long_equation_is_seen_to_be_right():
    assert long_equation() > 0
