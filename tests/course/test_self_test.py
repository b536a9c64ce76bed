"""The questions before all chapters: right answers are right, and each hint is given."""

import re

import pytest

from course import check
from publishing.self_test import SELF_TEST
from tests.texts import ROOT

PAGE = (ROOT / "book/ready.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("exercise", SELF_TEST, ids=lambda exercise: exercise.name)
class TestSelfTest:
    def test_the_right_answer_is_right(self, exercise):
        feedback = check(exercise, exercise.answer.value)
        assert feedback, feedback
        assert exercise.lesson in feedback.message

    def test_each_mistake_has_its_hint(self, exercise):
        assert len({m.hint for m in exercise.misconceptions}) >= 2
        for mistake in exercise.misconceptions:
            feedback = check(exercise, mistake.answer)
            assert not feedback
            assert mistake.hint in feedback.message

    def test_it_stands_in_the_section_that_it_names(self, exercise):
        section = PAGE.partition(f"\n## {exercise.section}\n")[2].partition("\n## ")[0]
        assert f'data-exercise="{exercise.name}"' in section
        assert f'id="exercise-{exercise.name}"' in section


def test_what_the_loop_and_the_array_do_is_what_python_does():
    loop, array = re.findall(r"(?s)```py\n(.*?)```", PAGE)
    space, printed = {}, []
    exec(loop, space)
    assert space["x"] == SELF_TEST[3].answer.value
    exec(array, {"print": printed.append})
    assert SELF_TEST[4].answer.options[SELF_TEST[4].answer.value] == str(printed[0])
