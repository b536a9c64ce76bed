"""What makes an exercise a good one, found by machine.

Its misconceptions are told apart, its functions are tried on more than one size and on problems
that no one has seen, and its motions show each mistake.
"""

import inspect
import random
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
import sympy as sm

from tests.unit.test_chapter_exercises import EXERCISES, FORMS, said
from tutlib.exercises import Expression, Function, equivalence, functions
from tutlib.methods import SimulationError, integrate

pytestmark = pytest.mark.slow

FUNCTIONS = [name for name, e in EXERCISES.items() if isinstance(e.answer, Function)]
MOVING = [name for name, e in EXERCISES.items() if e.show]
SYMBOLIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Expression)]
#: Functions whose arrays have one size by what they are about: places, directions, rotations.
OF_ONE_SIZE = {
    "double-pendulum-8",
    "holonomic-constraints-6",
    "lie-group-integrators-2",
    "lie-group-integrators-3",
    "lie-group-integrators-8",
    "quadrotors-7",
}


@pytest.mark.parametrize("name", EXERCISES)
def test_no_two_mistakes_are_the_same_and_none_is_right(name):
    exercise = EXERCISES[name]
    for wrong, hint in exercise.known:
        assert not exercise.answer.same(wrong, exercise.right), hint
    for (one, first), (other, second) in combinations(exercise.known, 2):
        assert not exercise.answer.same(one, other), (first, second)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_tried_on_more_than_one_size(name):
    """Along every axis of every array whose size is not fixed, there are two sizes or more."""
    kind = EXERCISES[name].answer
    drawn = [kind.draw(np.random.default_rng(seed)) for seed in range(20)]
    shapes = [tuple(map(np.shape, problem)) for problem in (*kind.problems, *drawn)]
    assert (len(set(shapes)) > 1) == (name not in OF_ONE_SIZE)


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
    for form in FORMS[name]:
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
    for form in FORMS[name]:
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
def test_complex_numbers_are_no_answer(name):
    value = EXERCISES[name].answer.value
    feedback = said(name, lambda *given: np.asarray(value(*given)) + 5j)
    assert "returns complex numbers" in feedback.message


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


@cache
def motions(name):
    """Return the places of all joints in six seconds: of the true motion, and by each mistake."""
    exercise = EXERCISES[name]
    right = exercise.show.model(*exercise.right.expressions)
    times = np.linspace(0, 6, 1201)
    q = [*right.equations.q]
    points = [[c.subs(right.parameters) for c in point] for point in right.skeleton.points]
    place = sm.lambdify([q], points)

    def places(reading):
        model = exercise.show.model(*reading.expressions)
        f = replace(model, parameters={**model.parameters, **right.parameters}).compile()
        try:
            states = integrate(f, times, exercise.show.x0).x
        except SimulationError as error:
            states = error.trajectory.x
        states = states[np.isfinite(states).all(axis=1)]
        return np.array([np.array(place(x[: len(q)]), float) for x in states[::4]])

    found = {}
    for reading, hint in exercise.known:
        try:
            found[hint] = places(reading)
        except ValueError:
            continue  # it says so: nothing moves
    return places(exercise.right), found


@pytest.mark.parametrize("name", MOVING)
def test_every_mistake_shows_in_its_motion(name):
    """A joint is a tenth of the arm away from where it belongs, within two seconds."""
    right, wrong = motions(name)
    assert len(wrong) >= len(EXERCISES[name].known) - 1
    soon = 101
    for hint, places in wrong.items():
        count = min(len(right), len(places), soon)
        away = np.linalg.norm(places[:count] - right[:count], axis=-1)
        assert away.max() > 0.1 * np.linalg.norm(right, axis=-1).max(), hint


@pytest.mark.parametrize("name", MOVING)
def test_no_two_mistakes_move_alike(name):
    _, wrong = motions(name)
    for (one, first), (other, second) in combinations(wrong.items(), 2):
        count = min(len(first), len(second))
        assert np.abs(first[:count] - second[:count]).max() > 0.01, (one, other)


@pytest.mark.parametrize("name", MOVING)
def test_sizes_in_motion_are_all_different_and_none_is_one(name):
    """What is 1 hides in products, and what is alike can be exchanged."""
    exercise = EXERCISES[name]
    values = exercise.show.model(*exercise.right.expressions).parameters
    lengths = [value for symbol, value in values.items() if str(symbol)[0] == "l"]
    masses = [value for symbol, value in values.items() if str(symbol)[0] in "mM"]
    for sizes in (lengths, masses):
        assert len(set(sizes)) == len(sizes)
    assert 1 not in lengths + masses
