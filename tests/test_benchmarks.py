"""A comparison is fair only if both sides are equally wrong."""

import pytest

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
