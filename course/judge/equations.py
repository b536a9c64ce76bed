"""Answers that are equations, given as expressions that are zero, in any form.

A wrong one is scaled so that one of its terms is right, and the rest is compared. Exercises use
them for equations of motion and constraints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import sympy as sm

from course.judge.answers import refuse_other_types
from course.judge.differences import EQUATIONS, DifferenceSearch
from course.judge.equivalence import proportional
from course.judge.symbolic_answers import Expression, Reading


@dataclass(frozen=True)
class Equation(Expression):
    """An equation, as ``sm.Eq(left, right)`` or as an expression that is zero; or several.

    It may be multiplied or divided by a factor that does not depend on the highest derivatives,
    such as constants, or the coordinates and speeds in an equation of motion.
    """

    comparison: ClassVar[DifferenceSearch] = EQUATIONS
    highest: ClassVar[bool] = True

    def _entries(self, answer: Any) -> list[sm.Expr]:
        return super()._entries(_difference(answer))

    def _entry(self, entry: Any) -> Any:
        return _difference(super()._entry(entry))

    def read(self, answer: Any) -> Reading:
        """Return an answer as a reading; raise UnreadableError if it cannot be read."""
        refuse_other_types(answer)
        return self._read(self._entries(answer))

    def _needed(self, right: Reading, k: int, name: str) -> bool:
        """Return whether a symbol is more than a common factor, which may be divided out."""
        shifted = self.samples.values(right.expressions[k], self.samples.shifted(name))
        return not proportional(shifted, right.values[k])


def _difference(answer: Any) -> Any:
    return answer.lhs - answer.rhs if isinstance(answer, sm.Equality) else answer
