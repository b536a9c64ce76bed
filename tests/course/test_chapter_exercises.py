"""Every exercise of every chapter: its answer in any form, its misconceptions, and no wrong one.

What is tried lies in the exercise's record, or is made from it by `tests.javascript.corpus`. What
is typed, in a cell and in a page, is in `tests/javascript/test_answers.py`.
"""

import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

import course.exercises
from course import check
from course.exercises import every_exercise, find
from course.judge import (
    Choice,
    Expression,
    Function,
    Machine,
    Number,
    NumberArray,
    forget_tries,
)
from tests.javascript.corpus import other_forms
from tutlib.reading.names import leaves

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("at_once")]


class Later(Mapping):
    """What is made when it is asked for: who collects tests needs the names of chapters alone."""

    def __init__(self, names, make):
        self.names, self.make = names, cache(make)

    def __getitem__(self, name):
        return self.make(name)

    def __iter__(self):
        return iter(self.names())

    def __len__(self):
        return len(self.names())


CHAPTERS = Later(
    lambda: [module.name for module in pkgutil.iter_modules(course.exercises.__path__)],
    lambda name: importlib.import_module(f"course.exercises.{name}"),
)
EXERCISES = Later(lambda: [e.name for e in every_exercise()], find)
WITHOUT_PICTURES = Later(
    EXERCISES.names, lambda name: replace(e, reveal=None) if (e := EXERCISES[name]).reveal else e
)


def said(name, answer, show=False):
    """Return what is said of an answer; the pictures are in `test_exercise_pictures`."""
    return check(WITHOUT_PICTURES[name], answer, show)


def test_every_exercise_is_numbered_in_its_chapter():
    for name, chapter in CHAPTERS.items():
        numbers = sorted(int(e.name.rpartition("-")[2]) for e in chapter.EXERCISES)
        assert numbers == list(range(1, len(numbers) + 1))
        assert {e.name.rpartition("-")[0] for e in chapter.EXERCISES} <= {name.replace("_", "-")}


def of_a_kind(chapter, *kinds):
    """Return the exercises of a chapter, or those whose answers are of some kinds."""
    return [e for e in CHAPTERS[chapter].EXERCISES if isinstance(e.answer, kinds or object)]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_solution_is_right_in_any_form(chapter):
    wrong = []
    for exercise in of_a_kind(chapter):
        kind, forms = exercise.answer, exercise.forms
        feedback = said(exercise.name, kind.value)
        if not feedback or exercise.lesson not in feedback.message:
            wrong.append(str(feedback))
        if isinstance(kind, Function | Machine) and not forms:
            wrong.append(f"{exercise.name}: give forms=, the right answer found in another way")
        for form in (*forms, *other_forms(kind, kind.value)):
            feedback = said(exercise.name, form)
            if not feedback:
                wrong.append(f"{feedback} {form}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_mistake_meets_its_hint_in_other_forms(chapter):
    """Those that cannot be mistaken for each other as they are; see `test_exercise_review`.

    A machine is judged by what it does: its coordinates are those of `test_machines`.
    """
    missed = []
    for exercise in of_a_kind(chapter):
        kind = exercise.answer
        for mistake in exercise.misconceptions:
            others = [] if isinstance(kind, Machine) else other_forms(kind, mistake.answer)
            for form in (*mistake.also, *others):
                forget_tries()
                feedback = said(exercise.name, form)
                told = f"Not yet. {mistake.hint}", "misconception"
                if (feedback.message, feedback.stage) != told:
                    missed.append(f"{exercise.name}: {form} should meet the hint “{mistake.hint}”")
    assert not missed, "\n".join(missed)


def test_hints_are_sentences_and_at_least_three_and_every_wrong_option_has_one():
    """That they differ, and tell no number, the review knows."""
    for name, exercise in EXERCISES.items():
        hints, answer = [mistake.hint for mistake in exercise.misconceptions], exercise.answer
        assert len(hints) >= 3, f"{name}: give at least three hints"
        for hint in hints:
            assert re.search(r"[.?]$", hint), hint
            assert len(hint) < 250, hint
        if isinstance(answer, Choice):
            every = sorted([answer.value, *(mistake.answer for mistake in exercise.misconceptions)])
            assert every == sorted(answer.options), f"{name}: one hint an option"


def test_no_hint_is_copied_within_its_chapter():
    """But for short ones, such as that it is the square: whether that is true, the review knows."""
    for chapter in CHAPTERS:
        hints = Counter(m.hint for e in of_a_kind(chapter) for m in e.misconceptions)
        copied = [hint for hint, count in hints.items() if count > 1 and len(hint.split()) > 4]
        assert not copied, f"{chapter}: a hint was copied with its exercise"


def entries(value):
    return list(value) if isinstance(value, sm.MatrixBase) else [value]


def rebuilt(value, changed):
    return type(value)(*value.shape, changed) if isinstance(value, sm.MatrixBase) else changed[0]


def one_term_changed(value):
    """Yield the answer with one term of one entry reversed, dropped, or off by a millionth."""
    for k, entry in enumerate(entries(value)):
        terms = sm.Add.make_args(sm.expand(entry))
        for term in filter(None, terms):
            for factor in (-1, 0, sm.Rational(1000001, 1000000), 1.000001):
                changed = entries(value)
                changed[k] = entry + (factor - 1) * term
                yield rebuilt(value, changed)


def names_exchanged(value):
    symbols = sorted(value.free_symbols - {me.dynamicsymbols._t}, key=str)
    for one, other in combinations(symbols, 2):
        yield value.subs({one: other, other: one}, simultaneous=True)


def now_and_then():
    """Yield what is 0 at t = 0 only, or at one angle only."""
    time, angle = me.dynamicsymbols._t, me.dynamicsymbols("theta")
    yield from (time, sm.sin(time), angle, 1 - sm.cos(angle), sm.sin(angle - 1))


def changed(kind):
    """Yield answers that are near the right one, and whether they are right."""
    value, given = kind.value, {x for x in kind.samples.moving if x not in kind.samples.varying}
    yield from ((wrong, False) for wrong in one_term_changed(value))
    for extra in now_and_then():
        yield rebuilt(value, [entry + extra for entry in entries(value)]), False
        # only an equation of motion may be multiplied, and only by its own coordinates
        factor = rebuilt(value, [entry * (1 + extra) for entry in entries(value)])
        yield factor, set(leaves(extra).values()) <= given
    for exchanged in names_exchanged(value):
        difference = sm.expand(exchanged - value)
        yield exchanged, difference == 0 * difference


WRONG_VALUES = [
    0,
    -1,
    1e-6,
    [[1]],
    [1, 2, 3],
    np.zeros((1, 3)),
    np.zeros((2, 2, 2)),
    sm.zeros(3, 1),
]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_wrong_shapes_and_values_are_not_accepted(chapter):
    """What is no answer of any kind is tried in `test_exercises`."""
    tried = [(exercise.name, wrong) for exercise in of_a_kind(chapter) for wrong in WRONG_VALUES]
    assert [one for one in tried if said(*one)] == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_slightly_changed_expression_is_right_only_where_it_says_the_same(chapter):
    for exercise in of_a_kind(chapter, Expression):
        for answer, right in changed(exercise.answer):
            assert bool(said(exercise.name, answer)) == right, f"{exercise.name}: {answer}"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_number_outside_of_its_tolerance_is_not_accepted(chapter):
    for exercise in of_a_kind(chapter, Number, NumberArray):
        name, kind = exercise.name, exercise.answer
        value = np.asarray(kind.value, dtype=float)
        for factor in (1 + 1.1 * kind.tolerance, 1 - 1.1 * kind.tolerance, 0, 2, 0.5, np.nan):
            assert not said(name, (factor * value).tolist()), f"{name}: {factor}"
        assert bool(said(name, (-value).tolist())) == getattr(kind, "either_sign", False), name


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_wrong_answer_that_can_move_does(chapter):
    """All that were listed as frequent run beside the true one, and so does the solution."""
    for exercise in of_a_kind(chapter):
        if exercise.show:
            assert "<iframe" in said(exercise.name, exercise.answer.value, show=True).picture
        for mistake in exercise.misconceptions if exercise.show else ():
            feedback = said(exercise.name, mistake.answer, show=True)
            assert "<iframe" in feedback.picture or "Nothing moves" in feedback.message
