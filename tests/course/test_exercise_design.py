"""Answers are judged wherever they are tried, and a wrong function is shown where it fails.

What an author can see of an exercise is in `test_exercise_review`.
"""

import random

import numpy as np
import pytest

from course.judge import Expression, Function, equivalence, functions
from tests.course.test_chapter_exercises import CHAPTERS, EXERCISES, of_a_kind
from tests.javascript.corpus import right_symbols

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("at_once")]


def named(chapter, kind):
    """Return the names of a chapter's exercises whose answers are of a kind."""
    return [exercise.name for exercise in of_a_kind(chapter, kind)]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_right_functions_are_right_wherever_they_are_tried(chapter, monkeypatch):
    """With room to spare: nobody's luck decides."""
    for name in named(chapter, Function):
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


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_right_expressions_are_right_wherever_they_are_tried(chapter, monkeypatch):
    for name in named(chapter, Expression):
        monkeypatch.setattr(equivalence, "_generator", random.Random(2))
        kind = EXERCISES[name].answer
        right = kind.read(kind.value)
        for form in right_symbols(kind, kind.value)[::4]:
            reading = kind.read(form)
            assert all(kind.same(reading, right) for _ in range(10))
