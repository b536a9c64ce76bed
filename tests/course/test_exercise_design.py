"""Answers are judged wherever they are tried, and a wrong function is shown where it fails.

What an author can see of an exercise is in `test_exercise_review`.
"""

import inspect
import random

import numpy as np
import pytest

from course.judge import Expression, Function, equivalence, functions
from tests.course.test_chapter_exercises import CHAPTERS, EXERCISES, of_a_kind, said
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


def in_order(value):
    return sorted(value) if isinstance(value, list) else np.sort(value)


def without_corners(value):
    return np.diag(np.diag(value))


def first_three(value):
    return np.where(np.arange(len(value)) < 3, value, 0.0)


#: Ways to read less of an argument than there is, and to which it can be done.
POORER = {
    in_order: lambda value: np.ndim(value) == 1 and len(value) > 1,
    np.abs: lambda value: not isinstance(value, list) and not callable(value),
    without_corners: lambda value: np.ndim(value) == 2 and len(value) == len(value[0]) > 1,
    first_three: lambda value: isinstance(value, np.ndarray) and value.ndim == 1,
}
#: Where reading less does no harm, and why.
HARMLESS = {
    ("holonomic-constraints-11", "speed", "absolute"): "its square alone counts",
    ("quadrotors-9", "omega", "absolute"): "its square alone counts",
    ("quadrotors-9", "omega", "in_order"): "its length alone counts",
    ("relative-vs-absolute-9", "omega", "absolute"): "its squares alone count",
    ("your-own-machine-5", "times", "in_order"): "a clock runs forward",
    ("your-own-machine-8", "time", "always 1"): "who arrives before the time is not late",
}


def read_less(kind, place, problems):
    """Yield (name, right function that reads less of one of its arguments)."""

    def instead(poorer):
        return lambda *given: kind.value(*given[:place], poorer(given[place]), *given[place + 1 :])

    for number, problem in enumerate(kind.problems):
        yield f"always {number}", instead(lambda _, problem=problem: problem[place])
    for poorer, fits in POORER.items():
        values = [problem[place] for problem in problems if fits(problem[place])]
        if poorer is np.abs and all(np.min(value) >= 0 for value in values):
            continue  # a mass
        if poorer is first_three and kind.one_size:
            continue
        if values:
            yield (
                poorer.__name__,
                instead(lambda own, poorer=poorer, fits=fits: poorer(own) if fits(own) else own),
            )


def fails(kind, function, problem):
    try:
        value = np.asarray(function(*problem), float)
    except (ValueError, IndexError, TypeError, np.linalg.LinAlgError):
        return True
    right = np.asarray(kind.value(*problem), float)
    if value.shape != right.shape:
        return True
    if kind.effect:
        value, right = kind.effect(value, *problem), kind.effect(right, *problem)
    return not np.allclose(value, right, rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_who_reads_less_of_an_argument_is_wrong(chapter):
    """Gravity that is always 9.81, a list in another order, a matrix without its corners.

    One of the fixed problems tells, or nearly all that are drawn: nobody's luck decides.
    """
    for name in named(chapter, Function):
        kind, generator = EXERCISES[name].answer, np.random.default_rng(5)
        drawn = [kind.draw(generator) for _ in range(40)]
        accepted = set()
        for place, argument in enumerate(list(inspect.signature(kind.value).parameters)):
            for how, less in read_less(kind, place, [*kind.problems, *drawn]):
                if any(fails(kind, less, problem) for problem in kind.problems):
                    continue
                by_luck = np.mean([fails(kind, less, problem) for problem in drawn]) < 0.9
                if by_luck and all(law(less) for law, _ in kind.laws):
                    accepted.add((name, argument, how))
        assert accepted == {one for one in HARMLESS if one[0] == name}


def somewhat_off(function):
    return lambda *given: np.asarray(function(*given)) * 1.25 + 0.5


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_wrong_function_is_shown_where_it_fails(chapter):
    """What it was given, what it returned, and what is right; in a few lines."""
    for name in named(chapter, Function):
        kind = EXERCISES[name].answer
        message = said(name, somewhat_off(kind.value)).message
        assert message.startswith("Not yet. For ")
        assert "yours" in message
        assert kind.in_words or "right is" in message
        for argument in inspect.signature(kind.value).parameters:
            assert f"{argument} = " in message or f"{argument}(t, " in message
        assert "<" not in message
        assert len(message) < 500
