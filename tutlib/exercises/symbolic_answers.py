"""Answers that are expressions, matrices or equations: any equivalent form is right.

A wrong one is told where it differs, found by evaluation again. The exercises of every chapter use
them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Number
from typing import Any

import numpy as np
import sympy as sm

from tutlib.exercises.answers import RIGHT, agree, as_read, listed, refuse_other_types
from tutlib.exercises.equivalence import (
    Samples,
    UnreadableError,
    Values,
    is_real,
    leaves,
    proportional,
    ratios,
    refuse_huge,
    same,
)
from tutlib.programs.arguments import several
from tutlib.programs.names import label_of

_SEVERAL = "Compare it term by term, and mind each sign: several differ, or one should go."


@dataclass(frozen=True)
class Reading:
    """An answer with symbols as it was understood.

    Parameters
    ----------
    expressions : tuple of Expr
        One, or the entries of a matrix by rows, in the exercise's own symbols.
    values : tuple of list
        Of each of them, at the points where they are compared.
    rounded : bool
        Whether a decimal number is in it.
    """

    expressions: tuple[sm.Expr, ...]
    values: tuple[Values, ...]
    rounded: bool


@dataclass(frozen=True)
class Expression:
    """An expression or a matrix of them; every equivalent form is right.

    Parameters
    ----------
    value : Expr or Matrix
        The right answer. Its symbols' assumptions say where answers are compared.
    also : sequence of Expr
        What does not belong into the answer, but into wrong ones that have a hint.
    """

    value: Any
    also: Sequence[sm.Expr] = ()
    samples: Samples = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        references = [*self._entries(self.value), *several(self.also, "also", _with_value)]
        object.__setattr__(self, "samples", Samples(references))

    def _entries(self, answer: Any) -> list[sm.Expr]:
        """Return the expressions of an answer, a matrix by rows; refuse any other shape."""
        several, shape = hasattr(answer, "__len__"), getattr(self.value, "shape", None)
        if several and shape is None:
            raise UnreadableError("One expression is asked for: take the entry that you mean.")
        try:
            array = np.array(answer if several else [answer], dtype=object)
            entries = [_symbolic(entry) for entry in array.ravel()]
            rows, columns = array.shape if array.ndim != 1 else (len(array), 1)
        except (sm.SympifyError, TypeError, ValueError, NotImplementedError) as error:
            raise UnreadableError(
                f"What you gave, of type {type(answer).__name__}, is no answer in symbols. Build "
                "it from them, such as m * l**2."
            ) from error
        if shape not in (None, (rows, columns)):
            given = f"{(rows, columns)}; asked for is shape {shape}"
            raise UnreadableError(f"Your answer has shape {given}.")
        return entries

    def read(self, answer: Any) -> Reading:
        """Understand an answer; raise UnreadableError with what is in the way."""
        refuse_other_types(answer)
        if isinstance(answer, sm.Equality):
            raise UnreadableError("Your answer is an equation. Give its right side alone.")
        expressions = tuple(self._in_own_symbols(entry) for entry in self._entries(answer))
        values = tuple(self.samples.values(expression) for expression in expressions)
        return Reading(expressions, values, any(e.has(sm.Float) for e in expressions))

    def _in_own_symbols(self, expression: sm.Expr) -> sm.Expr:
        refuse_huge(expression)
        expression = _with_value(_with_value(expression).doit())
        found, own = leaves(expression), self.samples.leaf_by_name
        strangers = sorted({str(label_of(leaf)) for leaf, name in found.items() if name not in own})
        if strangers:
            raise UnreadableError(
                f"{listed(strangers)} {agree(strangers, 'does', 'do')} not belong here. What is "
                f"known: {listed(sorted(map(label_of, own.values())))}."
            )
        for leaf, name in found.items():
            if leaf.is_Symbol and not own[name].is_Symbol:
                raise UnreadableError(
                    f"Your {name} is a plain symbol, a constant: its derivative with respect to "
                    f'time is 0. Make it with me.dynamicsymbols("{name}").'
                )
        foreign = {leaf: own[name] for leaf, name in found.items() if leaf != own[name]}
        return _with_value(expression.xreplace(foreign)) if foreign else expression

    def _reading(self, value: Any) -> Reading:
        return as_read(value, Reading, math.prod(getattr(self.value, "shape", ())))

    @cached_property
    def _right(self) -> Reading:
        return self.read(self.value)

    def same(self, one: Reading, other: Reading) -> bool:
        """Whether two readings are equal wherever both have values."""
        one, other = self._reading(one), self._reading(other)
        rounded = one.rounded or other.rounded
        return all(same(a, b, rounded) for a, b in zip(one.values, other.values))

    def explain(self, reading: Reading) -> str:
        """Say where a wrong answer differs."""
        right, rounded = self._right, self._reading(reading).rounded
        if self.same(reading, right):
            return RIGHT
        pairs = list(zip(reading.values, right.values))
        wrong = [k for k, (a, b) in enumerate(pairs) if not same(a, b, rounded)]
        if len(pairs) == 1:
            return self._explain_entry(reading, right, 0)
        columns = self.value.shape[1]
        places = [f"[{k // columns}, {k % columns}]" for k in wrong]
        told = f"Not right yet: {agree(places, 'entry', 'entries')} {listed(places)}."
        more = f" {self._explain_entry(reading, right, wrong[0])}" if len(wrong) == 1 else ""
        return told + more

    def _explain_entry(self, reading: Reading, right: Reading, k: int) -> str:
        a, b = reading.values[k], right.values[k]
        if not all(map(is_real, a)):
            return "It has no real value where the right one has: a division by 0, a negative root?"
        if reading.rounded and all(abs(x - y) <= 0.01 * abs(y) for x, y in zip(a, b)):
            return "It is close, but a number is rounded: write fractions as sm.Rational(1, 3)."
        quotients = ratios(a, b)
        if same(quotients, [-1] * len(quotients), reading.rounded):
            return "Only the sign of the whole is wrong."
        if same(quotients, quotients[:1] * len(quotients), reading.rounded):
            return "Only a constant factor is wrong."
        return self._missing(reading, right, k) or self._term(reading, right, k) or _SEVERAL

    def _missing(self, reading: Reading, right: Reading, k: int) -> str:
        given = set(leaves(reading.expressions[k]).values())
        wanted = leaves(right.expressions[k])
        missing = sorted(label_of(leaf) for leaf, name in wanted.items() if name not in given)
        return f"Nothing in it depends on {listed(missing)}." if missing else ""

    def _term(self, reading: Reading, right: Reading, k: int) -> str:
        """Say which symbols the difference hangs on: those without which there is none."""
        found = []
        for name, leaf in self.samples.leaf_by_name.items():
            points = self.samples.vanishing(name)
            a, b = (self.samples.values(r.expressions[k], points) for r in (reading, right))
            if same(a, b, reading.rounded):
                found.append(label_of(leaf))
        if not found:
            return ""
        names = sorted(found)
        return (
            f"If {listed(names, 'or')} were 0, it would be right. Look at the terms with "
            f"{listed(names)}."
        )


def _symbolic(entry: Any) -> sm.Basic:
    """Return a number or what SymPy made; anything else it might run as text of Python."""
    if not isinstance(entry, sm.Basic | Number):
        raise TypeError(f"{type(entry).__name__} is nothing that SymPy computes with")
    return sm.sympify(entry, strict=True)


def _with_value(expression: Any) -> sm.Expr:
    if not isinstance(expression, sm.Expr) or expression.has(sm.nan, sm.zoo, sm.oo):
        raise UnreadableError(f"{expression} is no expression with a value.")
    return expression


def _difference(answer: Any) -> Any:
    return answer.lhs - answer.rhs if isinstance(answer, sm.Equality) else answer


class Equation(Expression):
    """An equation, as ``sm.Eq(left, right)`` or as an expression that is zero.

    It may be multiplied through by whatever does not change with time.
    """

    def _entries(self, answer: Any) -> list[sm.Expr]:
        return super()._entries(_difference(answer))

    def read(self, answer: Any) -> Reading:
        """Understand an answer; raise UnreadableError with what is in the way."""
        return super().read(_difference(answer))

    def same(self, one: Reading, other: Reading) -> bool:
        """Whether one is the other times a constant."""
        one, other = self._reading(one), self._reading(other)
        rounded = one.rounded or other.rounded
        return proportional(one.values[0], other.values[0], rounded)

    def _explain_entry(self, reading: Reading, right: Reading, k: int) -> str:
        return self._missing(reading, right, k) or self._term(reading, right, k) or _SEVERAL

    def _term(self, reading: Reading, right: Reading, k: int) -> str:
        """Scale the answer so that the terms with one symbol are right; then look for the rest."""
        for anchor in self.samples.varying:
            scaled = self._scaled(reading, right, anchor)
            told = super()._term(scaled, right, k) if scaled else ""
            if told:
                return told
        return ""

    def _scaled(self, reading: Reading, right: Reading, anchor: str) -> Reading | None:
        # derivatives of the anchor stay: every leaf becomes a symbol of its own first
        plain = {leaf: sm.Dummy() for leaf in self.samples.leaf_by_name.values()}
        back = {dummy: leaf for leaf, dummy in plain.items()}
        without = {plain[self.samples.leaf_by_name[anchor]]: sm.S.Zero}
        one, other = (r.expressions[0].xreplace(plain) for r in (reading, right))
        parts = [(e - e.xreplace(without)).xreplace(back) for e in (one, other)]
        a, b = (self.samples.values(part) for part in parts)
        if not proportional(a, b, reading.rounded):
            return None
        scaled = reading.expressions[0] * parts[1] / parts[0]
        return Reading((scaled,), (self.samples.values(scaled),), reading.rounded)
