"""Judge of answers: kinds of answers, misconceptions, and their hints."""

from course.judge.answers import Choice, Number, NumberArray
from course.judge.equations import Equation
from course.judge.exercise import Exercise, Feedback, Misconception, judged
from course.judge.functions import Function
from course.judge.machines import Machine
from course.judge.stages import forget_tries
from course.judge.symbolic_answers import Expression

__all__ = [
    "Choice",
    "Equation",
    "Exercise",
    "Expression",
    "Feedback",
    "Function",
    "Machine",
    "Misconception",
    "Number",
    "NumberArray",
    "forget_tries",
    "judged",
]
