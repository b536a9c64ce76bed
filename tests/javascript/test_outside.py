"""Simulations that take the reader's answer from the page: all equations around it are Python's."""

import numpy as np
import pytest
import sympy as sm

from course.boxes.comparison import moving_names
from course.exercises import find

from .test_javascript import node, pytestmark  # noqa: F401  (for want of Node.js, none runs)

EXERCISES = [
    "pendulum-1", "pendulum-2", "pendulum-7", "double-pendulum-1", "double-pendulum-2",
    "double-pendulum-4", "relative-vs-absolute-4",
]  # fmt: skip


def functions_of(asked, expressions, names):
    """Return what the page must give, as JavaScript in the array a."""
    numbers = [sm.Symbol(f"a_{i}") for i in range(len(names))]
    entries = {sm.Symbol(f"a[{i}]"): number for i, number in enumerate(numbers)}
    found = {}
    for name in asked:
        number, _, orders = name.removeprefix("answer_").partition("_d_")
        formula = expressions[int(number)].xreplace(dict(zip(names, numbers)))
        for variable, order in zip(numbers, orders.split("_")):
            formula = formula.diff(variable, int(order))
        found[name] = sm.jscode(formula.xreplace({b: a for a, b in entries.items()}))
    return found


@pytest.fixture(scope="module")
def moved():
    """Return the states of both bodies of every exercise, with the right answer and a wrong one."""
    jobs = []
    for exercise in map(find, EXERCISES):
        names = moving_names(exercise.right, exercise.answer.samples.leaf_by_name.values())
        panel = exercise.show.awaiting(exercise.right, names)
        same = {"program": panel.program, "specification": panel.specification}
        for answer in (exercise.right, exercise.known[0][0]):
            given = functions_of(panel.program["outside"], answer.expressions, names)
            jobs.append(same | {"functions": given})
    found = node("outside.mjs", jobs)
    return dict(zip(EXERCISES, zip(found[::2], found[1::2])))


@pytest.mark.parametrize("name", EXERCISES)
def test_the_right_answer_moves_as_the_true_one(moved, name):
    """To rounding, which chaotic double pendulums enlarge within two seconds."""
    true, yours = moved[name][0]
    np.testing.assert_allclose(yours, true, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", EXERCISES)
def test_a_wrong_one_moves_away(moved, name):
    (true, yours), (again, _) = moved[name][1], moved[name][0]
    assert true == again  # what is wrong with one body does not reach the other
    assert np.abs(np.subtract(true, yours)).max() > 0.1


def test_accelerations_that_nothing_gives_cannot_drive():
    exercise = find("pendulum-1")
    every = exercise.answer.samples.leaf_by_name
    left = {
        name for name, leaf in every.items() if leaf in moving_names(exercise.right, every.values())
    }
    assert set(every) - left == {"theta''"}
