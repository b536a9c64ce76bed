"""The report on exercises: nothing to mend in the course's own, and each fault is found."""

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
import sympy as sm

from course.__main__ import main
from course.boxes import side_by_side
from course.boxes.distinct_motions import alike_motions
from course.desk.exercise_tests import FILES
from course.desk.review import full_name
from course.exercises import every_exercise
from course.judge import (
    Choice,
    Exercise,
    Expression,
    Function,
    Machine,
    Misconception,
    Number,
    NumberArray,
)
from course.judge.prompts import prompt_flaws
from course.judge.review import flaws
from tests.texts import ROOT
from tutlib.models import pendulum

pytestmark = pytest.mark.slow

x, y = sm.symbols("x y", positive=True)


def exercise(answer, *misconceptions, **options):
    mistakes = tuple(Misconception(wrong, hint) for wrong, hint in misconceptions)
    return Exercise("own-1", answer, mistakes, "A section", **options)


def one_flaw(made):
    (found,) = flaws(made)
    return found


def test_there_is_nothing_to_mend_in_the_course(capsys, monkeypatch):
    """Each machine is tried once, although several rules ask for what it does."""
    known, read = {}, Machine.read

    def read_once(kind, answer):
        key = id(kind), id(answer)
        if key not in known:
            known[key] = read(kind, answer)
        return known[key]

    monkeypatch.setattr(Machine, "read", read_once)
    assert main(["exercises"]) == 0, capsys.readouterr().out
    assert capsys.readouterr().out == f"{len(every_exercise())} exercises: nothing to fix.\n"


def test_two_mistakes_that_are_the_same_answer_and_one_that_is_right_or_cannot_be_read():
    made = exercise(Number(5.0), (2.0, "Half of it?"), (2.001, "Less than half of it?"))
    assert one_flaw(made) == (
        "Two mistakes are the same answer, so the hint “Less than half of it?” is never said: "
        "“Half of it?” comes first."
    )
    square = x**2 + 2 * x * y + y**2
    made = exercise(Expression((x + y) ** 2), (square, "Square the sum."))
    assert one_flaw(made) == "The mistake with the hint “Square the sum.” is a right answer."
    made = exercise(Number(5.0), ("two", "Too little."))
    assert one_flaw(made).startswith("The mistake with the hint “Too little.” cannot be read.")
    assert flaws(exercise(Choice("a", {"a": "up", "b": "down"}), ("c", "There is no c.")))


class TestHints:
    @pytest.mark.parametrize(
        "hint",
        [
            "Wrong.",
            "No, think again.",
            "Check your calculation again carefully.",
        ],
    )
    def test_one_that_fits_any_wrong_answer(self, hint):
        assert "fits every wrong answer" in one_flaw(exercise(Number(5.0), (2.0, hint)))

    def test_one_for_several_mistakes(self):
        made = exercise(Number(5.0), (2.0, "Which half?"), (3.0, "Which half?"))
        assert one_flaw(made) == "Different mistakes have one hint: “Which half?”"

    def test_one_that_asks_for_the_unit_that_the_right_answer_has(self):
        made = exercise(Number(5.0, "cosines"), (4.0, "Is it in cosines?"))
        assert one_flaw(made).startswith("The right answer is in cosines, too")
        made = exercise(Number(5.0, "seconds"), (5000.0, "Is it in seconds?"))
        assert flaws(made) == []

    @pytest.mark.parametrize(
        ("hint", "right", "wrong", "found"),
        [
            ("Where is y?", x + y, x * y, "y is not missing in the mistake"),
            ("You forgot y.", x**2, x, "y is missing in the right answer as well"),
            ("In yours y is missing.", x**2, x, "y is missing in the right answer as well"),
            ("Where is y?", x + y, x, ""),
        ],
    )
    def test_one_that_misses_a_symbol(self, hint, right, wrong, found):
        made = exercise(Expression(right, also=[y]), (wrong, hint))
        assert (one_flaw(made) if found else "".join(flaws(made))).startswith(found)
        assert bool(flaws(made)) == bool(found)

    def test_one_that_gives_the_number_away(self):
        made = exercise(Number(3.132, "rad/s"), (2.0, "It should be about 3.13 rad/s."))
        assert one_flaw(made).startswith("A hint contains the right number")
        assert flaws(exercise(Number(3.132), (2.0, "Not for 2 m, and not for 0.8 m."))) == []


class TestSizes:
    @staticmethod
    def flaws_of(problem, drawn_like=None, **options):
        """Return the flaws of a function that is tried with a problem, and with drawn ones."""

        def draw(rng):
            return (rng.normal(size=drawn_like),)

        drawing = draw if drawn_like else None
        kind = Function(lambda *given: given[0], [(problem,)], draw=drawing, **options)
        return " ".join(flaws(exercise(kind)))

    def test_the_same_problems_for_everybody(self):
        assert "a table of results would pass" in self.flaws_of(1.0)

    def test_arrays_of_one_size(self):
        assert self.flaws_of(np.zeros(2), 2) == (
            "The function is tested only with arrays of one size, of the shapes (2,)."
        )
        assert self.flaws_of(np.zeros(2), 3) == ""
        told = self.flaws_of(np.zeros((2, 1)), (4, 1))
        assert told.startswith("Axis 1 of argument 1 always has length 1")


class TestMotions:
    arm = pendulum()
    g, l, m = arm.equations.parameters
    theta = arm.equations.q[0]

    def falls(self, mistakes, **sizes):
        """Return an exercise whose answer is what turns an arm."""
        arm = self.arm.with_parameters(sizes).free()

        def model(torque):
            forcing = sm.Matrix([torque])
            return replace(arm, equations=replace(arm.equations, forcing=forcing))

        right = -self.m * self.g * self.l * sm.sin(self.theta)
        show = side_by_side(model, [1.0, 0.0], "Two arms.", name="arms")
        return exercise(Expression(right), *((f(right), hint) for f, hint in mistakes), show=show)

    def test_mistakes_that_move_as_the_truth_or_as_each_other(self):
        often = (lambda right: right * self.l, "Once too often.")
        half = (lambda right: right * sm.Rational(1, 2), "Half of it is lost.")
        assert [*alike_motions(self.falls([often, half], l=0.8, m=1.3))] == []
        assert [*alike_motions(self.falls([often], l=1, m=1.3))] == [
            "One of the lengths of what moves is 1: forgetting it is no mistake to be seen.",
            "Within 2 s the mistake with the hint “Once too often.” moves as the truth does.",
        ]
        assert [*alike_motions(self.falls([often, half], l=0.5, m=1.3))] == [
            "The mistakes with the hints “Once too often.” and “Half of it is lost.” move alike."
        ]


class TestPrompts:
    @pytest.mark.parametrize(
        ("answer", "prompt", "found"),
        [
            (Number(np.pi, "seconds"), "How long, in seconds? Three digits will do.", ""),
            (
                Number(np.pi, "seconds"),
                "How long? Three digits will do.",
                "does not say that the answer must be in seconds",
            ),
            (
                Number(np.pi, "degrees"),
                "Which one, in radians? Three digits will do.",
                "asks for radians; the answer must be in degrees",
            ),
            (Number(np.pi), "Which one, in meters? Three digits will do.", "without a unit"),
            (Number(np.pi), "Which number?", "how many digits to give; the check compares 3"),
            (
                Number(np.pi),
                "Which number? Give five digits.",
                "asks for 5 digits; the check compares 3",
            ),
            (NumberArray([1 / 3, 0.75], digits=3), "Which two?", "how many digits"),
            (Expression(x * y), "Use `x` and `y`.", ""),
            (Expression(x * y), "Use `x`.", "omits y, which the answer needs"),
            (
                Expression(x * y),
                "Give it by `x` and `z`.",
                "names z, but the right answer does not",
            ),
            (Expression(sm.Symbol("k_p") * x), "Write `kp`, `sm.Eq(...)`, `x`.", ""),
        ],
    )
    def test_what_it_must_say(self, answer, prompt, found):
        told = prompt_flaws(exercise(answer), f"> {prompt}")
        assert bool(told) == bool(found)
        assert re.search(re.escape(found), " ".join(told))


class TestCommand:
    """As an instructor meets it: a module and a notebook of one's own."""

    MODULE = """
from course.judge import Exercise, Misconception, Number
fall = Exercise("fall-1", Number(0.6386, "seconds"), (Misconception({wrong}, "{hint}"),), "Falls")
"""

    @pytest.fixture
    def own(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "my_exercises", raising=False)

        def write(wrong, hint, prompt):
            text = self.MODULE.format(wrong=wrong, hint=hint)
            (tmp_path / "my_exercises.py").write_text(text, encoding="utf-8")
            source = ["> **Exercise 1** (`fall-1`)\n", ">\n", f"> {prompt}"]
            cells = [{"cell_type": "markdown", "source": source}]
            (tmp_path / "own.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")

        yield write
        sys.modules.pop("my_exercises", None)

    def test_a_sound_exercise(self, own, capsys):
        own(0.4, "Which height?", "How long, in seconds? Three digits will do.")
        assert main(["exercises", "--module", "my_exercises", "--notebook", "own.ipynb"]) == 0
        assert capsys.readouterr().out == "1 exercise: nothing to fix.\n"

    def test_faults_of_exercise_and_prompt_in_one_report(self, own, capsys):
        own(0.6386, "Try again.", "How long?")
        assert main(["exercises", "--module", "my_exercises", "--notebook", "own.ipynb"]) == 1
        assert capsys.readouterr().out.splitlines() == [
            "fall-1",
            "  - The mistake with the hint “Try again.” is a right answer.",
            "  - A hint that fits every wrong answer does not help with this one: “Try again.”",
            "  - The prompt does not say that the answer must be in seconds.",
            "  - The prompt does not say how many digits to give; the check compares 3.",
            "",
            "1 of 1 exercise to fix.",
        ]

    def test_the_tests_of_a_chapter_exist(self):
        assert [file for file in FILES if not (ROOT / file).is_file()] == []

    def test_a_chapter_is_named_by_number_folder_or_module(self):
        for name in ("10", "10-your-own-machine", "your-own-machine", "your_own_machine"):
            assert full_name(name) == "your-own-machine"

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["44"], "there is no chapter '44' with exercises; choose from double-pendulum"),
            (["--notebook", __file__], "is not a notebook"),
        ],
    )
    def test_a_wrong_call_is_answered_by_a_sentence(self, arguments, told, capsys):
        assert main(["exercises", *arguments]) == 1
        assert told in capsys.readouterr().err
