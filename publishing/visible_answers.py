"""Which values that a notebook shows, or binds to names, outside of solutions are right answers.

The notebook's kernel notes them as its cells run; `tests.notebooks.test_visible_answers` allows
none, so that a copy without solutions does not tell them either.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from functools import cached_property
from io import StringIO
from types import FunctionType
from typing import Any

LARGEST = 64  # entries of an array or a list
DEEPEST = 2


class Seen:
    """What a reader without solutions has seen of one notebook so far.

    Parameters
    ----------
    chapter : str
        Its name, such as ``"double-pendulum"``.
    """

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.known: dict[str, Any] = {}
        self.values: list[tuple[str, str, Any]] = []

    def add(self, cell: str, names: dict[str, Any], shown: Any) -> None:
        """Note what a cell has bound anew, and each part of what it shows."""
        fresh = {k: v for k, v in names.items() if self.known.get(k, self) is not v}
        self.known = names
        self.values += [(cell, name, value) for name, value in fresh.items()]
        self.values += [(cell, "", part) for part in values_in(shown)]

    @cached_property
    def _exercises(self) -> list[Any]:
        module = f"course.exercises.{self.chapter.replace('-', '_')}"
        known = self.chapter and importlib.util.find_spec(module)
        return list(importlib.import_module(module).EXERCISES) if known else []

    def answers(self) -> list[list[str]]:
        """Return each exercise that is answered, with the cell and the name, empty if shown."""
        with redirect_stdout(StringIO()):
            answered = [
                [exercise.name, cell, name]
                for cell, name, value in self.values
                for exercise in self._exercises
                if answers(exercise, value)
            ]
        return sorted(answered)


def values_in(value: Any, depth: int = 0) -> Iterator[Any]:
    """Yield a value and, of a short list, matrix, table or dict of values, each of them."""
    from sympy import MatrixBase

    if value is None:
        return
    yield value
    inner = list(value.values()) if isinstance(value, Mapping) else value
    many = isinstance(inner, list | tuple | MatrixBase) or getattr(inner, "ndim", 0)
    if many and depth < DEEPEST and len(inner) <= LARGEST:
        for one in inner:
            yield from values_in(one, depth + 1)


def answers(exercise: Any, value: Any) -> bool:
    """Return whether a value answers an exercise; a choice's letter is no value."""
    from course.judge import Expression, Function, Number, NumberArray

    kind = exercise.answer
    fits = {Number: is_number, NumberArray: is_short, Function: is_own, Expression: is_like}
    fitting = next((fit for each, fit in fits.items() if isinstance(kind, each)), None)
    try:
        if fitting is None or not fitting(value, exercise):
            return False
        return bool(kind.same(kind.read(value), exercise.right))
    except Exception:  # what cannot be read, or has another shape, is no answer
        return False


def is_number(value: Any, exercise: Any) -> bool:
    import numpy as np
    import sympy as sm

    number = isinstance(value, int | float | np.number) or getattr(value, "ndim", 1) == 0
    return (number and not isinstance(value, bool)) or isinstance(value, sm.Number)


def is_short(value: Any, exercise: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str) and len(value) <= LARGEST


def is_own(value: Any, exercise: Any) -> bool:
    """Whether a value is a function of the notebook that takes what the exercise's does."""
    if not isinstance(value, FunctionType) or value.__module__ != "__main__":
        return False
    inspect.signature(value).bind(*exercise.answer.problems[0])
    return True


def is_like(value: Any, exercise: Any) -> bool:
    """Whether expressions have the symbols of the answer, as few comparisons are worth while."""
    import numpy as np
    import sympy as sm

    from course.judge import Equation
    from tutlib.reading.names import leaves

    if not isinstance(value, sm.Basic | sm.MatrixBase | list | tuple | np.ndarray):
        return False
    entries = [value] if isinstance(value, sm.Basic) else [*np.ravel(np.array(value, dtype=object))]
    if len(entries) > LARGEST or not all(isinstance(one, sm.Basic) for one in entries):
        return False
    kind = exercise.answer
    names = {name for entry in entries for name in leaves(entry).values()}
    right = {name for one in exercise.right.expressions for name in leaves(one).values()}
    others = {name for leaf in kind.means for name in leaves(leaf).values()}
    known = names <= {*kind.samples.leaf_by_name, *others}
    whole = right <= names or bool(names & others) or isinstance(kind, Equation)
    return known and whole
