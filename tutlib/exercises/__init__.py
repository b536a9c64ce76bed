"""Answers and their checking: kinds of answers, misconceptions and their hints."""

from tutlib.exercises.answers import Array, Choice, Function, Number
from tutlib.exercises.equivalence import UnreadableError
from tutlib.exercises.exercise import Exercise, Feedback, Misconception, check, find
from tutlib.exercises.symbolic_answers import Equation, Expression

__all__ = [
    "Array",
    "Choice",
    "Equation",
    "Exercise",
    "Expression",
    "Feedback",
    "Function",
    "Misconception",
    "Number",
    "UnreadableError",
    "check",
    "find",
]
