"""Answers with symbols are compared as they were read, and nothing else is."""

import pytest
import sympy as sm

from course.exercises import find
from course.judge import Equation, Expression

a, b = sm.symbols("a b")


@pytest.mark.parametrize("kind", [Expression(a + b), Equation(a - b)])
@pytest.mark.parametrize("given", [None, "a + b", a + b])
def test_what_was_not_read_is_told(kind, given):
    read = kind.read(kind.value)
    for use in (
        lambda: kind.same(given, read),
        lambda: kind.same(read, given),
        lambda: kind.explain(given),
    ):
        with pytest.raises(TypeError, match=r"an answer must be a Reading; got .*read it first"):
            use()


@pytest.mark.parametrize("name", [None, 1, ["pendulum-1"]])
def test_an_exercise_is_found_by_its_name(name):
    with pytest.raises(TypeError, match=r"name must be a str; got .*pendulum-1"):
        find(name)
