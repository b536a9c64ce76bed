"""Answers and their checking: kinds of answers, misconceptions and their hints."""

from tutlib.exercises.answers import Array, Choice, Number
from tutlib.exercises.equations import Equation
from tutlib.exercises.equivalence import UnreadableError
from tutlib.exercises.exercise import Exercise, Feedback, Misconception, check, find
from tutlib.exercises.functions import Function
from tutlib.exercises.machines import Machine
from tutlib.exercises.stages import forget_tries
from tutlib.exercises.symbolic_answers import Expression

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
    "UnreadableError",
    "check",
    "find",
    "forget_tries",
]
