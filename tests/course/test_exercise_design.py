"""Answers are judged wherever they are tried, and a wrong function is shown where it fails.

What an author can see of an exercise is in `test_exercise_review`.
"""

import inspect
import random

import numpy as np
import pytest

from course.judge import Expression, Function, equivalence, functions
from tests.course.test_chapter_exercises import EXERCISES, said
from tests.javascript.corpus import right_symbols

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("at_once")]

FUNCTIONS = [name for name, e in EXERCISES.items() if isinstance(e.answer, Function)]
SYMBOLIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Expression)]


def test_the_two_sizes_of_a_regulator_are_those_of_states_and_inputs():
    shapes = {np.shape(problem[1]) for problem in EXERCISES["linearization-8"].answer.problems}
    assert {states for states, _ in shapes} == {2, 4}
    assert {inputs for _, inputs in shapes} == {1, 2}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_right_functions_are_right_wherever_they_are_tried(name, monkeypatch):
    """With room to spare: nobody's luck decides."""
    kind = EXERCISES[name].answer
    monkeypatch.setattr(functions, "DRAWN", 40)
    monkeypatch.setattr(functions, "_generator", np.random.default_rng(1))
    for form in EXERCISES[name].forms:
        reading = kind.read(form)
        for problem, value in zip(reading.problems, reading.values):
            expected = kind.value(*problem)
            if kind.effect:
                value, expected = (kind.effect(v, *problem) for v in (value, expected))
            assert np.allclose(value, expected, rtol=1e-10, atol=1e-12), problem


@pytest.mark.parametrize("name", SYMBOLIC)
def test_right_expressions_are_right_wherever_they_are_tried(name, monkeypatch):
    monkeypatch.setattr(equivalence, "_generator", random.Random(2))
    kind = EXERCISES[name].answer
    right = kind.read(kind.value)
    for form in right_symbols(kind, kind.value)[::4]:
        reading = kind.read(form)
        assert all(kind.same(reading, right) for _ in range(10))


def table_of(function, problems):
    """Return what a reader makes who has seen the problems: the nearest one's result."""

    def looked_up(*given):
        def away(problem):
            same = [a for a in zip(problem, given) if np.shape(a[0]) == np.shape(a[1])]
            pairs = [(a, b) for a, b in same if not callable(a)]
            return len(given) - len(same), sum(np.abs(np.subtract(a, b)).sum() for a, b in pairs)

        return function(*min(problems, key=away))

    return looked_up


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_table_of_the_problems_is_no_answer(name):
    kind = EXERCISES[name].answer
    answer = table_of(kind.value, kind.problems)
    for problem in kind.problems:
        assert np.allclose(answer(*problem), kind.value(*problem))
    assert not said(name, answer)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_function_is_shown_where_it_fails(name):
    """What it was given, what it returned, and what is right; in a few lines."""
    kind = EXERCISES[name].answer
    message = said(name, lambda *given: np.asarray(kind.value(*given)) * 1.25 + 0.5).message
    assert message.startswith("Not yet. For ")
    assert "yours returns" in message
    assert "right is" in message
    for argument in inspect.signature(kind.value).parameters:
        assert f"{argument} = " in message or f"{argument}(t, " in message
    assert "<" not in message
    assert len(message) < 500
