"""Answers that are equations: what must be zero, in any form.

A wrong one is scaled so that one of its terms is right, and the rest is told. The exercises that
ask for equations of motion or constraints use them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy as sm

from tutlib.exercises.answers import refuse_other_types
from tutlib.exercises.equivalence import Samples, Values, is_real, proportional, ratios
from tutlib.exercises.sentences import said
from tutlib.exercises.symbolic_answers import MIND_ALL, Expression, Reading


@dataclass(frozen=True)
class Equation(Expression):
    """An equation, as ``sm.Eq(left, right)`` or as an expression that is zero; or several.

    It may be multiplied or divided by whatever the highest derivatives do not change: constants,
    and the coordinates and speeds of an equation of motion.
    """

    def _samples(self, references: Sequence[sm.Expr], where: Sequence[sm.Rel]) -> Samples:
        return Samples(references, where, highest=True)

    def _entries(self, answer: Any) -> list[sm.Expr]:
        return super()._entries(_difference(answer))

    def _entry(self, entry: Any) -> Any:
        return _difference(super()._entry(entry))

    def read(self, answer: Any) -> Reading:
        """Understand an answer; raise UnreadableError with what is in the way."""
        refuse_other_types(answer)
        return self._read(self._entries(answer))

    def _equal(self, one: Values, other: Values, rounded: bool) -> bool:
        return all(map(is_real, one)) and proportional(one, other, rounded)

    def _explain_entry(self, reading: Reading, right: Reading, k: int) -> str:
        values = reading.values[k]
        if not all(map(is_real, values)):
            return said("not real")
        if not any(values):
            return said("zero equation")
        return self._missing(reading, right, k) or self._term(reading, right, k) or MIND_ALL

    def _needed(self, right: Reading, k: int, name: str) -> bool:
        """Whether a symbol is more than a common factor, which may be divided out."""
        shifted = self.samples.values(right.expressions[k], self.samples.shifted(name))
        return not proportional(shifted, right.values[k])

    def _term(
        self, reading: Reading, right: Reading, k: int, scale: Callable[[str], Values] | None = None
    ) -> str:
        """Scale the answer so that the terms with one symbol are right; then look for the rest."""
        for anchor in self.samples.moving:
            scaled = partial(self._scale, reading, right, k, anchor)
            fits = proportional(scaled(anchor), [1] * len(reading.values[k]), reading.rounded)
            told = super()._term(reading, right, k, scaled) if fits else ""
            if told:
                return told
        return ""

    def _scale(self, reading: Reading, right: Reading, k: int, anchor: str, name: str) -> Values:
        """Return by what the terms with an anchor are too small, where a name vanishes."""
        points = self.samples.points if name == anchor else self.samples.vanishing(name)
        one, other = (self._terms(r.expressions[k], anchor, points) for r in (right, reading))
        return ratios(one, other)

    def _terms(self, expression: sm.Expr, anchor: str, points: Sequence[dict[str, Any]]) -> Values:
        """Return the values of what vanishes with a name; its derivatives stay."""
        rest = [{**point, anchor: 0 * point[anchor]} for point in points]
        values = (self.samples.values(expression, where) for where in (points, rest))
        return [one - other for one, other in zip(*values)]


def _difference(answer: Any) -> Any:
    return answer.lhs - answer.rhs if isinstance(answer, sm.Equality) else answer
