"""Answers that are equations, given as expressions that are zero, in any form.

Exercises use them for equations of motion and constraints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import sympy as sm

from course.judge.answers import refuse_other_types
from course.judge.equivalence import EXACT, Values, is_real, proportional
from course.judge.sentences import said
from course.judge.symbolic_answers import Expression, Reading


@dataclass(frozen=True)
class Equation(Expression):
    """An equation, as ``sm.Eq(left, right)`` or as an expression that is zero; or several.

    It may be multiplied or divided by a factor that does not depend on the highest derivatives,
    such as constants, or the coordinates and speeds in an equation of motion.
    """

    highest: ClassVar[bool] = True

    def _entries(self, answer: Any) -> list[sm.Expr]:
        return super()._entries(_difference(answer))

    def _entry(self, entry: Any) -> Any:
        return _difference(super()._entry(entry))

    def read(self, answer: Any) -> Reading:
        """Return an answer as a reading; raise UnreadableError if it cannot be read."""
        refuse_other_types(answer)
        return self._read(self._entries(answer))

    def equal(self, values: Values, right: Values, tolerance: Any = EXACT) -> bool:
        """Return whether values of one expression are those of another times a factor."""
        return all(map(is_real, values)) and proportional(values, right, tolerance)

    def _value_is_missing(self, reading: Reading, k: int) -> str:
        nothing = not any(reading.values[k])
        return said("zero equation") if nothing else super()._value_is_missing(reading, k)

    def _needed(self, k: int, name: str) -> bool:
        """Return whether a symbol is more than a common factor, which may be divided out."""
        shifted = self.samples.values(self._right.expressions[k], self.samples.shifted(name))
        return not proportional(shifted, self._right.values[k])


def _difference(answer: Any) -> Any:
    return answer.lhs - answer.rhs if isinstance(answer, sm.Equality) else answer
