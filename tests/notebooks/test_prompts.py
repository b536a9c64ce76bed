"""What a prompt asks for is what its exercise takes: the unit, the symbols, and the numbers."""

import ast
import re

import numpy as np
import pytest

from course.exercises import every_exercise
from course.judge import Array, Function, Number
from course.judge.prompts import asked_units, prompt_flaws, spans_of_code
from tests.course.test_exercise_numbers import descriptions, facts, unproved
from tests.notebooks.prompts import CELLS, prompt

EXERCISES = {exercise.name: exercise for exercise in every_exercise()}
NUMERIC = [name for name, e in EXERCISES.items() if isinstance(e.answer, Number | Array)]
FUNCTIONS = [name for name, e in EXERCISES.items() if isinstance(e.answer, Function)]
SHORT = {"s": "seconds", "N": "newtons", "deg": "degrees", "°": "degrees"}
# What is a formula, a shape or a unit in a prompt, and no number of it.
NO_NUMBERS = r"`[^`]*`|\$[^$]*\$|shape \([^)]*\)|\\mathrm\{.*?\}"


@pytest.mark.parametrize("name", EXERCISES)
def test_a_prompt_states_units_digits_and_names(name):
    assert prompt_flaws(EXERCISES[name], prompt(name)) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_asked_for_in_its_unit(name):
    assert set(asked_units(prompt(name))) <= {"radians"}, f"{name}: code keeps angles in radians"


@pytest.mark.parametrize("name", NUMERIC)
def test_the_comment_beside_an_answer_is_its_unit(name):
    comment = re.search(r"_answer = \.\.\.  # (.*)", CELLS[name].answer.source)
    if comment:
        unit = EXERCISES[name].answer.unit
        assert SHORT.get(comment[1], comment[1]) == unit


@pytest.mark.parametrize("name", [n for n, c in CELLS.items() if "def " in c.answer.source])
def test_a_function_is_asked_for_by_the_name_and_arguments_of_its_cell(name):
    (function,) = (
        node for node in ast.parse(CELLS[name].answer.source).body if type(node) is ast.FunctionDef
    )
    signature = f"{function.name}({', '.join(a.arg for a in function.args.args)})"
    for span in spans_of_code(prompt(name)):
        called = re.match(r"(\w+)\(", span)
        if called and called[1].endswith("_answer"):
            assert span == signature


@pytest.mark.parametrize("name", NUMERIC)
def test_the_numbers_of_a_prompt_lead_to_the_answer(name):
    rest, answer = prompt(name), EXERCISES[name].answer
    if EXERCISES[name].asked:
        pattern, solve = EXERCISES[name].asked
        found = re.search(pattern, rest)
        assert found, f"{name}: its prompt has no “{pattern}” of asked="
        followed = answer.read(solve(*map(float, found.groups())))
        assert answer.same(followed, answer.read(answer.value)), (
            f"{name}: from asked= follows {followed}"
        )
        rest = rest.replace(found[0], "")
    numbers = unproved(re.sub(r"\\mathrm\{.*?\}", "", rest), facts(name))
    assert numbers == [], f"{name}: say in asked= what follows from {numbers} of the prompt"


@pytest.mark.parametrize("name", sorted(set(EXERCISES) - set(NUMERIC)))
def test_the_numbers_of_other_prompts_are_those_of_their_models(name):
    question = re.split(r"- \*\*a\*\*", prompt(name))[0]
    numbers = unproved(re.sub(NO_NUMBERS, "", question), facts(name))
    assert numbers == [], f"{name}: compute {numbers} of the prompt in facts="


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_shape_that_is_asked_for_is_that_of_the_answer(name):
    asked = re.search(r"[Rr]eturns? [^.]*shape (\([\d, ]+\))", prompt(name).replace("\n", " "))
    answer = EXERCISES[name].answer
    if asked:
        assert asked[1] == str(np.shape(answer.value(*answer.problems[0])))


@pytest.mark.parametrize("name", [name for name, e in EXERCISES.items() if e.show])
def test_a_moving_picture_is_said_to_move_by_what_the_prompt_asks_for(name):
    (said,) = (text for text in descriptions(name) if "true" in text or name == "pendulum-1")
    moved = re.search(r"one by the true (?:\w+ )?(\w+), one by yours", said)
    noun = moved[1] if moved else re.search(r"each (pull)ed", said)[1]
    assert re.search(rf"\b{noun}\b", prompt(name))
