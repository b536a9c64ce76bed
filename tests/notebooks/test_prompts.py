"""What a prompt asks for is what its exercise takes: the unit, the symbols, and the numbers."""

import ast
import re

import numpy as np
import pytest

from course.judge import Function, Number, NumberArray
from course.judge.prompts import asked_units, prompt_flaws, spans_of_code
from tests.course.test_chapter_exercises import CHAPTERS, EXERCISES
from tests.course.test_exercise_numbers import facts, unproved
from tests.notebooks.prompts import CELLS, prompt

SHORT = {"s": "seconds", "N": "newtons", "deg": "degrees", "°": "degrees"}
# What is a formula, a shape or a unit in a prompt, and no number of it.
NO_NUMBERS = r"`[^`]*`|\$[^$]*\$|shape \([^)]*\)|\\mathrm\{.*?\}"


def of_kinds(*kinds):
    """Return the names of the exercises whose answers are of some kinds."""
    return [name for name, exercise in EXERCISES.items() if isinstance(exercise.answer, kinds)]


def test_a_prompt_states_units_digits_and_names():
    found = {name: prompt_flaws(EXERCISES[name], prompt(name)) for name in EXERCISES}
    assert {name: flaws for name, flaws in found.items() if flaws} == {}


def test_the_comment_beside_a_number_is_its_unit():
    for name in of_kinds(Number, NumberArray):
        comment = re.search(r"_answer = \.\.\.  # (.*)", CELLS[name].answer.source)
        if comment:
            unit = EXERCISES[name].answer.unit
            assert SHORT.get(comment[1], comment[1]) == unit, name


def test_a_function_is_asked_for_by_the_name_and_arguments_of_its_cell():
    for name, cells in CELLS.items():
        for function in ast.parse(cells.answer.source).body:
            if isinstance(function, ast.FunctionDef):
                signature = f"{function.name}({', '.join(a.arg for a in function.args.args)})"
                called = [s for s in spans_of_code(prompt(name)) if re.match(r"\w+_answer\(", s)]
                assert set(called) <= {signature}, name


def numbers_of(name):
    """Return what is wrong with the numbers of a prompt, as a sentence."""
    rest, exercise = prompt(name), EXERCISES[name]
    if not isinstance(exercise.answer, Number | NumberArray):
        question = re.split(r"- \*\*a\*\*", rest)[0]
        numbers = unproved(re.sub(NO_NUMBERS, "", question), facts(name))
        return numbers and f"{name}: compute {numbers} of the prompt in facts="
    if exercise.asked:
        pattern, solve = exercise.asked
        found = re.search(pattern, rest)
        if not found:
            return f"{name}: its prompt has no “{pattern}” of asked="
        answer = exercise.answer
        followed = answer.read(solve(*map(float, found.groups())))
        if not answer.same(followed, answer.read(answer.value)):
            return f"{name}: from asked= follows {followed}"
        rest = rest.replace(found[0], "")
    numbers = unproved(re.sub(r"\\mathrm\{.*?\}", "", rest), facts(name))
    return numbers and f"{name}: say in asked= what follows from {numbers} of the prompt"


@pytest.mark.slow
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_numbers_of_a_prompt_lead_to_the_answer(chapter):
    """Of those that ask for no number, they are those of the model."""
    assert [*filter(None, (numbers_of(e.name) for e in CHAPTERS[chapter].EXERCISES))] == []


def test_a_function_is_asked_for_in_its_unit_and_its_shape():
    for name in of_kinds(Function):
        assert set(asked_units(prompt(name))) <= {"radians"}, f"{name}: code has angles in radians"
        asked = re.search(r"[Rr]eturns? [^.]*shape (\([\d, ]+\))", prompt(name).replace("\n", " "))
        answer = EXERCISES[name].answer
        if asked:
            assert asked[1] == str(np.shape(answer.value(*answer.problems[0]))), name


def test_a_moving_picture_is_said_to_move_by_what_the_prompt_asks_for():
    for name in (name for name, e in EXERCISES.items() if e.show):
        said = EXERCISES[name].show.description
        moved = re.search(r"one by the true (?:\w+ )?(\w+), one by yours", said)
        noun = moved[1] if moved else re.search(r"each (pull)ed", said)[1]
        assert re.search(rf"\b{noun}\b", prompt(name)), name
