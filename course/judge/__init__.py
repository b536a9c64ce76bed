"""Answers and their checking: kinds of answers, misconceptions and their hints."""

from course.judge.answers import Array, Choice, Number
from course.judge.equations import Equation
from course.judge.exercise import Exercise, Feedback, Misconception, judged
from course.judge.functions import Function
from course.judge.machines import Machine
from course.judge.stages import forget_tries
from course.judge.symbolic_answers import Expression

__all__ = [
    "Array",
    "Choice",
    "Equation",
    "Exercise",
    "Expression",
    "Feedback",
    "Function",
    "Machine",
    "Misconception",
    "Number",
    "forget_tries",
    "judged",
]
