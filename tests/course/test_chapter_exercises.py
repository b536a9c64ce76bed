"""Every exercise of every chapter: its answer in any form, its misconceptions, and no wrong one.

What is tried lies in the exercise's record, or is made from it by `tests.javascript.corpus`. What
is typed, in a cell and in a page, is in `tests/javascript/test_answers.py`.
"""

import importlib
import pkgutil
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import nbformat
import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

import course.exercises
from course import check
from course.desk import course_notebooks
from course.judge import (
    Array,
    Choice,
    Equation,
    Expression,
    Function,
    Machine,
    Number,
    forget_tries,
)
from tests.javascript.corpus import other_forms
from tutlib.reading.names import leaves

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("at_once")]

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = {
    module.name: importlib.import_module(f"course.exercises.{module.name}")
    for module in pkgutil.iter_modules(course.exercises.__path__)
}
EXERCISES = {e.name: e for chapter in CHAPTERS.values() for e in chapter.EXERCISES}
WITHOUT_PICTURES = {n: replace(e, reveal=None) if e.reveal else e for n, e in EXERCISES.items()}
SYMBOLIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Expression)]
NUMERIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Number | Array)]
CODE = [name for name, e in EXERCISES.items() if isinstance(e.answer, Function | Machine)]
theta = me.dynamicsymbols("theta")


def said(name, answer, show=False):
    """Return what is said of an answer; the pictures are in `test_exercise_pictures`."""
    return check(WITHOUT_PICTURES[name], answer, show)


def test_every_exercise_is_numbered_in_its_chapter():
    for name, chapter in CHAPTERS.items():
        numbers = sorted(int(e.name.rpartition("-")[2]) for e in chapter.EXERCISES)
        assert numbers == list(range(1, len(numbers) + 1))
        assert {e.name.rpartition("-")[0] for e in chapter.EXERCISES} <= {name.replace("_", "-")}


@pytest.mark.parametrize("name", EXERCISES)
def test_the_solution_is_right(name):
    exercise = EXERCISES[name]
    feedback = said(name, exercise.answer.value)
    assert feedback, feedback
    assert exercise.lesson in feedback.message


@pytest.mark.parametrize("name", EXERCISES)
def test_other_forms_of_it_are_right(name):
    exercise = EXERCISES[name]
    for form in (*exercise.forms, *other_forms(exercise.answer, exercise.answer.value)):
        feedback = said(name, form)
        assert feedback, f"{feedback} {form}"


@pytest.mark.parametrize("name", CODE)
def test_what_is_given_as_code_is_derived_in_another_way_too(name):
    assert EXERCISES[name].forms, f"{name}: give forms=, the right answer found in another way"


@pytest.mark.parametrize("name", EXERCISES)
def test_a_mistake_meets_its_hint_in_other_forms(name):
    """Those that cannot be mistaken for each other as they are; see `test_exercise_review`."""
    for mistake in EXERCISES[name].misconceptions:
        for form in (*mistake.also, *other_forms(EXERCISES[name].answer, mistake.answer)):
            forget_tries()
            feedback = said(name, form)
            place = f"{name}: {form} should meet the hint “{mistake.hint}”"
            assert feedback.message == f"Not yet. {mistake.hint}", place
            assert feedback.stage == "misconception"


@pytest.mark.parametrize("name", EXERCISES)
def test_hints_differ_and_are_at_least_three(name):
    hints = [mistake.hint for mistake in EXERCISES[name].misconceptions]
    assert len(set(hints)) == len(hints) >= 3, f"{name}: give at least three hints"
    for hint in hints:
        assert re.search(r"[.?]$", hint), hint
        assert len(hint) < 250, hint


@pytest.mark.parametrize("name", [n for n, e in EXERCISES.items() if isinstance(e.answer, Choice)])
def test_every_wrong_option_has_a_hint(name):
    answer = EXERCISES[name].answer
    hinted = [mistake.answer for mistake in EXERCISES[name].misconceptions]
    assert sorted([*hinted, answer.value]) == sorted(answer.options), f"{name}: one hint an option"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_hint_is_copied_within_its_chapter(chapter):
    """But for short ones, such as that it is the square: whether that is true, the review knows."""
    hints = Counter(m.hint for e in CHAPTERS[chapter].EXERCISES for m in e.misconceptions)
    copied = [hint for hint, count in hints.items() if count > 1 and len(hint.split()) > 4]
    assert not copied, "a hint was copied with its exercise"


@pytest.mark.parametrize("name", NUMERIC)
def test_no_hint_tells_the_number(name):
    answer = EXERCISES[name].answer
    for mistake in EXERCISES[name].misconceptions:
        for number in re.findall(r"\d+\.?\d*", mistake.hint):
            everywhere = np.full(np.shape(answer.value), float(number))
            assert not answer.same(everywhere, answer.value)


@cache
def headings():
    return {
        line.strip("# \n")
        for path in course_notebooks(ROOT)
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for line in cell.source.splitlines()
        if line.startswith("#")
    }


@pytest.mark.parametrize("name", EXERCISES)
def test_the_section_to_read_again_exists(name):
    assert EXERCISES[name].section in headings()


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
    for k, one in enumerate(symbols):
        for other in symbols[k + 1 :]:
            yield value.subs({one: other, other: one}, simultaneous=True)


def now_and_then():
    """Yield what is 0 at t = 0 only, or at one angle only."""
    time, angle = me.dynamicsymbols._t, me.dynamicsymbols("theta")
    yield from (time, sm.sin(time), angle, 1 - sm.cos(angle), sm.sin(angle - 1))


def equal_now_and_then(value):
    for extra in now_and_then():
        yield rebuilt(value, [entry + extra for entry in entries(value)])


WRONG_TYPES = [
    "m", b"m", True, None, ..., object(), {}, lambda: 0, print, float("nan"), sm.nan, sm.zoo, sm.oo,
    [], [[1]], [1, 2, 3], np.zeros((1, 3)), np.zeros((2, 2, 2)), sm.zeros(3, 1),
    sm.Add(*[sm.sin(k * theta) for k in range(1, 1000)]), 10**4000, 1 + 1j, 0, -1, 1e-6,
]  # fmt: skip


@pytest.mark.parametrize("name", EXERCISES)
def test_wrong_types_and_shapes_are_not_accepted(name):
    for answer in WRONG_TYPES:
        assert not said(name, answer)


@pytest.mark.parametrize("name", SYMBOLIC)
@pytest.mark.parametrize("change", [one_term_changed, equal_now_and_then])
def test_a_slightly_wrong_expression_is_not_accepted(name, change):
    for answer in change(EXERCISES[name].answer.value):
        assert not said(name, answer), answer


@pytest.mark.parametrize("name", SYMBOLIC)
def test_only_an_equation_of_motion_may_be_multiplied_and_only_by_its_own_coordinates(name):
    kind = EXERCISES[name].answer
    given = {leaf for leaf in kind.samples.moving if leaf not in kind.samples.varying}
    for extra in now_and_then():
        answer = rebuilt(kind.value, [entry * (1 + extra) for entry in entries(kind.value)])
        assert bool(said(name, answer)) == (set(leaves(extra).values()) <= given), answer


@pytest.mark.parametrize("name", SYMBOLIC)
def test_exchanged_symbols_are_accepted_only_where_nothing_changes(name):
    kind = EXERCISES[name].answer
    for answer in names_exchanged(kind.value):
        difference = sm.expand(answer - kind.value)
        assert bool(said(name, answer)) == (difference == 0 * difference)


WITH_ANGLE = [
    name for name in SYMBOLIC if EXERCISES[name].answer.value.has(me.dynamicsymbols("theta"))
]


@pytest.mark.parametrize("name", WITH_ANGLE)
def test_a_plain_symbol_for_a_function_of_time_has_a_hint_of_its_own(name):
    value, angle = EXERCISES[name].answer.value, me.dynamicsymbols("theta")
    plain = value.subs(angle.diff(), 0).subs(angle, sm.Symbol("theta"))
    assert "plain symbol" in said(name, plain).message


@pytest.mark.parametrize("name", NUMERIC)
def test_a_number_outside_of_its_tolerance_is_not_accepted(name):
    kind = EXERCISES[name].answer
    value = np.asarray(kind.value, dtype=float)
    for factor in (1 + 1.1 * kind.tolerance, 1 - 1.1 * kind.tolerance, 0, 2, 0.5, np.nan):
        assert not said(name, (factor * value).tolist())
    assert bool(said(name, (-value).tolist())) == getattr(kind, "either_sign", False)


def perturbed(function, **how):
    """Return the function with something off by a millionth."""

    def other(f, t, x, h):
        wrong = function(f, t, x, h)
        return wrong * (1 + how.get("all", 0)) + how.get("h", 0) * h + how.get("t", 0) * t

    return other


@pytest.mark.parametrize(
    "how", [{"all": 1e-6}, {"h": 1e-6}, {"t": 1e-6}, {"all": -2}], ids=lambda how: next(iter(how))
)
def test_a_slightly_wrong_step_is_not_accepted(how):
    assert not said("pendulum-3", perturbed(EXERCISES["pendulum-3"].answer.value, **how))


def test_an_arm_must_stretch_out():
    def fails_at_full_stretch(x, y):
        swing = np.arccos((x**2 + y**2 - 2) / 2)
        lead = np.arctan2(np.sin(swing), 1 + np.cos(swing))
        shoulder = np.arctan2(x, -y) - lead
        return np.array([np.arctan2(np.sin(shoulder), np.cos(shoulder)), swing])

    feedback = said("double-pendulum-8", fails_at_full_stretch)
    assert "not at full stretch" in feedback.message


@pytest.mark.parametrize("name", [n for n, e in EXERCISES.items() if e.show])
def test_every_wrong_answer_that_can_move_does(name):
    """All that were listed as frequent run beside the true one, and so does the solution."""
    exercise = EXERCISES[name]
    assert "<iframe" in said(name, exercise.answer.value, show=True).picture
    for mistake in exercise.misconceptions:
        feedback = said(name, mistake.answer, show=True)
        assert "<iframe" in feedback.picture or "Nothing moves" in feedback.message


@pytest.mark.parametrize("name", EXERCISES)
def test_every_kind_that_moves_can_be_shown(name):
    """Equations of motion, torques, forces: chapter by chapter, at least these have a motion."""
    exercise = EXERCISES[name]
    if isinstance(exercise.answer, Equation):
        rates = exercise.answer.value.atoms(sm.Derivative)
        assert bool(exercise.show) == any(rate.derivative_count == 2 for rate in rates)
    if isinstance(exercise.answer, Choice):
        assert exercise.reveal is not None
    assert not (isinstance(exercise.answer, Function) and exercise.show)
