"""Right answers among the values that a notebook shows or binds to names outside of solutions.

The notebook's kernel records such values as cells run; `tests.notebooks.test_visible_answers`
allows none, so that a copy without solutions does not reveal answers.
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
    """Record of the values that a reader without solutions has seen in one notebook.

    Parameters
    ----------
    chapter : str
        Name of the chapter, such as ``"double-pendulum"``.
    """

    def __init__(self, chapter: str) -> None:
        self.chapter = chapter
        self.known: dict[str, Any] = {}
        self.values: list[tuple[str, str, Any]] = []

    def add(self, cell: str, names: dict[str, Any], shown: Any) -> None:
        """Record the new values of a cell, and each part of what it shows."""
        fresh = {k: v for k, v in names.items() if self.known.get(k, self) is not v}
        self.known = names
        self.values += [(cell, name, value) for name, value in fresh.items()]
        self.values += [(cell, "", part) for part in values_in(shown)]

    @cached_property
    def _exercises(self) -> list[Any]:
        module = f"course.exercises.{self.chapter.replace('-', '_')}"
        exists = self.chapter and importlib.util.find_spec(module)
        return list(importlib.import_module(module).EXERCISES) if exists else []

    def answers(self) -> list[list[str]]:
        """Return each answered exercise with the cell and the name, which is empty if shown."""
        with redirect_stdout(StringIO()):
            answered = [
                [exercise.name, cell, name]
                for cell, name, value in self.values
                for exercise in self._exercises
                if answers(exercise, value)
            ]
        return sorted(answered)


def values_in(value: Any, depth: int = 0) -> Iterator[Any]:
    """Yield a value and, for a short list, matrix, table, or dict, each of its values."""
    from sympy import MatrixBase

    if value is None:
        return
    yield value
    inner = list(value.values()) if isinstance(value, Mapping) else value
    many = isinstance(inner, list | tuple | MatrixBase) or getattr(inner, "ndim", 0)
    if many and depth < DEEPEST and len(inner) <= LARGEST:
        for entry in inner:
            yield from values_in(entry, depth + 1)


def answers(exercise: Any, value: Any) -> bool:
    """Return whether a value answers an exercise; the letter of a choice does not count."""
    from course.judge import Expression, Function, Number, NumberArray

    kind = exercise.answer
    fits = {Number: is_number, NumberArray: is_short, Function: is_own, Expression: is_like}
    fitting = next((fit for each, fit in fits.items() if isinstance(kind, each)), None)
    try:
        if fitting is None or not fitting(value, exercise):
            return False
        return bool(kind.same(kind.read(value), exercise.right))
    except Exception:  # an unreadable value or another shape is not an answer
        return False


def is_number(value: Any, exercise: Any) -> bool:
    import numpy as np
    import sympy as sm

    number = isinstance(value, int | float | np.number) or getattr(value, "ndim", 1) == 0
    return (number and not isinstance(value, bool)) or isinstance(value, sm.Number)


def is_short(value: Any, exercise: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str) and len(value) <= LARGEST


def is_own(value: Any, exercise: Any) -> bool:
    """Return whether a value is a function of the notebook with the right arguments."""
    if not isinstance(value, FunctionType) or value.__module__ != "__main__":
        return False
    inspect.signature(value).bind(*exercise.answer.problems[0])
    return True


def is_like(value: Any, exercise: Any) -> bool:
    """Return whether expressions have the symbols of the answer, because comparison is slow."""
    import numpy as np
    import sympy as sm

    from course.judge import Equation
    from tutlib.reading.names import leaves

    if not isinstance(value, sm.Basic | sm.MatrixBase | list | tuple | np.ndarray):
        return False
    entries = [value] if isinstance(value, sm.Basic) else [*np.ravel(np.array(value, dtype=object))]
    if len(entries) > LARGEST or not all(
        isinstance(expression, sm.Basic) for expression in entries
    ):
        return False
    kind = exercise.answer
    names = {name for entry in entries for name in leaves(entry).values()}
    right = {
        name for expression in exercise.right.expressions for name in leaves(expression).values()
    }
    others = {name for leaf in kind.means for name in leaves(leaf).values()}
    all_known = names <= {*kind.samples.leaf_by_name, *others}
    whole = right <= names or bool(names & others) or isinstance(kind, Equation)
    return all_known and whole
