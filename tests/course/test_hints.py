"""Hints answer mistakes: every one is met by the mistake that it names, as a reader would make it.

The mistakes and the words by which each hint is known are in `hints`, chapter by chapter.
"""

import importlib

import pytest
import sympy as sm

from course.judge import Expression
from tests.course.test_chapter_exercises import CHAPTERS, EXERCISES, said

TABLES = {
    name: importlib.import_module(f"tests.course.hints.{name}")
    for name, chapter in CHAPTERS.items()
    if chapter.EXERCISES
}
ROWS = {
    exercise: rows for table in TABLES.values() for exercise, rows in table.HINTS.items()
}  # {exercise: [(mistake, words, ...), ...]}
MISTAKES = [(name, k) for name, rows in ROWS.items() for k in range(len(rows))]


def hints(name):
    return [mistake.hint for mistake in EXERCISES[name].misconceptions]


def as_given(name, mistake):
    """Return a mistake as a reader gives it: what is text becomes symbols."""
    if not isinstance(EXERCISES[name].answer, Expression):
        return mistake
    chapter = name.rpartition("-")[0].replace("-", "_")
    return sm.sympify(mistake, locals=TABLES[chapter].NAMES)


@pytest.mark.parametrize(("name", "number"), MISTAKES)
def test_a_mistake_meets_the_hint_that_names_it(name, number):
    mistake, *words = ROWS[name][number]
    feedback = said(name, as_given(name, mistake))
    assert feedback.verdict == "wrong"
    assert any(hint in feedback.message for hint in hints(name)), "a hint of this exercise"
    for phrase in words:
        assert phrase in feedback.message


@pytest.mark.parametrize("name", EXERCISES)
def test_every_hint_has_one_mistake_and_its_words_fit_no_other(name):
    fitting = [
        [hint for hint in hints(name) if all(phrase in hint for phrase in words)]
        for _, *words in ROWS[name]
    ]
    assert all(len(found) == 1 for found in fitting), fitting
    assert sorted(found[0] for found in fitting) == sorted(hints(name))


def test_there_are_rows_for_the_exercises_and_for_no_others():
    assert set(ROWS) == set(EXERCISES)
