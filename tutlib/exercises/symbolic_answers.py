"""Answers that are expressions or matrices of them: any equivalent form is right.

A wrong one is told where it differs, found by evaluation again. Equations are in `equations`. The
exercises of every chapter use them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from numbers import Number
from typing import Any

import numpy as np
import sympy as sm
from sympy.logic.boolalg import BooleanAtom

from tutlib.exercises.answers import (
    RIGHT,
    agree,
    as_read,
    entries_wrong,
    listed,
    refuse_other_types,
)
from tutlib.exercises.equivalence import (
    Samples,
    UnreadableError,
    Values,
    is_real,
    leaf_name,
    leaves,
    ratios,
    refuse_huge,
    same,
)
from tutlib.exercises.sentences import said
from tutlib.programs.arguments import instance, several, whole_number
from tutlib.programs.names import label_of

#: What is said where nothing better is known.
MIND_ALL = said("mind all")


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

    A row is as good as a column.

    Parameters
    ----------
    value : Expr or Matrix
        The right answer. Its symbols' assumptions say where answers are compared.
    also : sequence of Expr
        What does not belong into the answer, but into wrong ones that have a hint.
    given : sequence of Expr
        What does not belong into the answer, but the prompt names it.
    where : sequence of relations
        What the lesson takes for granted, such as ``J_1 < J_2``.
    means : dict from leaf to Expr
        Other ways to write what is known, such as ``x.diff(t)`` for ``v_x``.
    """

    value: Any
    also: Sequence[sm.Expr] = ()
    given: Sequence[sm.Expr] = ()
    where: Sequence[sm.Rel] = ()
    means: dict[sm.Expr, sm.Expr] = field(default_factory=dict)
    samples: Samples = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        further = [
            *several(self.also, "also", _with_value),
            *several(self.given, "given", _with_value),
        ]
        references = [*self._entries(self.value), *further]
        where = several(self.where, "where", lambda one: instance(one, "a condition", sm.Rel))
        instance(self.means, "means", dict)
        object.__setattr__(self, "samples", self._samples(references, where))

    def _samples(self, references: Sequence[sm.Expr], where: Sequence[sm.Rel]) -> Samples:
        return Samples(references, where)

    def _entries(self, answer: Any) -> list[sm.Expr]:
        """Return the expressions of an answer, a matrix by rows; refuse any other shape."""
        several, shape = hasattr(answer, "__len__"), getattr(self.value, "shape", None)
        if several and shape is None:
            raise UnreadableError(said("one expression"))
        try:
            array = np.array(answer if several else [answer], dtype=object)
            entries = [self._entry(entry) for entry in array.ravel()]
            rows, columns = array.shape if array.ndim != 1 else (len(array), 1)
        except (sm.SympifyError, TypeError, ValueError, NotImplementedError) as error:
            raise UnreadableError(said("no symbols", type=type(answer).__name__)) from error
        turned = 1 in (rows, columns) and shape == (columns, rows)
        if shape not in (None, (rows, columns)) and not turned:
            raise UnreadableError(said("shape", given=(rows, columns), shape=shape))
        return entries

    def _entry(self, entry: Any) -> Any:
        return _symbolic(entry)

    def read(self, answer: Any) -> Reading:
        """Understand an answer; raise UnreadableError with what is in the way."""
        if isinstance(answer, bool | np.bool_ | BooleanAtom) or _is_inequality(answer):
            raise UnreadableError(
                f"Your answer is a comparison, {answer}. Give the expression itself, without <, > "
                "or ==."
            )
        refuse_other_types(answer)
        answer = self._one_side(answer) if isinstance(answer, sm.Equality) else answer
        return self._read(self._entries(answer))

    def _read(self, entries: Sequence[sm.Expr]) -> Reading:
        expressions = tuple(self._in_own_symbols(entry) for entry in entries)
        values = tuple(self.samples.values(expression) for expression in expressions)
        return Reading(expressions, values, any(e.has(sm.Float) for e in expressions))

    def _one_side(self, equation: sm.Equality) -> Any:
        """Return what an equation such as S = m g says that a new name is."""
        if 0 in equation.args:
            raise UnreadableError(said("is zero"))
        for name, told in (equation.args, equation.args[::-1]):
            found = leaves(name)
            if name in found and found[name] not in self.samples.leaf_by_name:
                return told
        raise UnreadableError(said("right side"))

    def _in_own_symbols(self, expression: sm.Expr) -> sm.Expr:
        refuse_huge(expression)
        expression = _with_value(_with_value(expression).doit()).removeO()
        found, own = leaves(expression), self.samples.leaf_by_name
        meant = {leaf_name(leaf): told for leaf, told in self.means.items()}
        self._refuse_strangers({name for name in found.values() if name not in own | meant})
        for leaf, name in found.items():
            if leaf.is_Symbol and name in own and not own[name].is_Symbol:
                raise UnreadableError(
                    f"Your {name} is a plain symbol, a constant: its derivative with respect to "
                    f'time is 0. Make it with me.dynamicsymbols("{name}").'
                )
        foreign = {leaf: (own | meant)[name] for leaf, name in found.items()}
        return _with_value(expression.xreplace(foreign))

    def _refuse_strangers(self, strangers: set[str]) -> None:
        """Refuse with UnreadableError what is not known; say what it may be called here."""
        if not strangers:
            return
        known = {name.strip("'") for name in self.samples.leaf_by_name}
        nearest = {name: nearest_name(name.strip("'"), known) for name in sorted(strangers)}
        advice = {name.strip("'"): near for name, near in nearest.items() if near}
        labels = [_label(name) for name, near in nearest.items() if not near]
        told = []
        if advice:
            better = listed([f"{near} for {name}" for name, near in advice.items()])
            are = agree([*advice], "is", "are")
            told.append(said("nearest", names=listed([*advice]), are=are, advice=better))
        if labels:
            kind = "stranger" if self.expected else "stranger among numbers"
            do, expected = agree(labels, "does", "do"), listed(self.expected)
            told.append(said(kind, names=listed(labels), do=do, known=expected))
        raise UnreadableError(" ".join(told))

    @property
    def expected(self) -> list[str]:
        """The names, for people, of what belongs into the answer or is named by the prompt."""
        named = [*self._entries(self.value), *self.given]
        return sorted(label_of(leaf) for leaf in {leaf for one in named for leaf in leaves(one)})

    def _reading(self, value: Any) -> Reading:
        return as_read(value, Reading, math.prod(getattr(self.value, "shape", ())))

    @cached_property
    def _right(self) -> Reading:
        return self.read(self.value)

    def same(self, one: Reading, other: Reading) -> bool:
        """Whether two readings are equal wherever both have values: also at points drawn anew."""
        one, other = self._reading(one), self._reading(other)
        rounded = one.rounded or other.rounded
        if not all(self._equal(a, b, rounded) for a, b in zip(one.values, other.values)):
            return False
        points = self.samples.anew(far=not rounded)
        pairs = zip(one.expressions, other.expressions)
        anew = ([self.samples.values(e, points) for e in pair] for pair in pairs)
        return all(self._equal(a, b, rounded) for a, b in anew)

    def _equal(self, one: Values, other: Values, rounded: bool) -> bool:
        return same(one, other, rounded)

    def explain(self, reading: Reading) -> str:
        """Say where a wrong answer differs."""
        right, rounded = self._right, self._reading(reading).rounded
        if self.same(reading, right):
            return RIGHT
        pairs = list(zip(reading.values, right.values))
        wrong = [k for k, (a, b) in enumerate(pairs) if not self._equal(a, b, rounded)]
        if not wrong:
            return said("some values")
        if len(pairs) == 1:
            return self._explain_entry(reading, right, 0)
        columns = self.value.shape[1]
        places = [f"[{k // columns}, {k % columns}]" for k in wrong]
        told = entries_wrong(places, places)
        more = f" {self._explain_entry(reading, right, wrong[0])}" if len(wrong) == 1 else ""
        return told + more

    def _explain_entry(self, reading: Reading, right: Reading, k: int) -> str:
        a, b = reading.values[k], right.values[k]
        if not all(map(is_real, a)):
            return said("not real")
        if not any(a):
            return said("zero")
        if reading.rounded and all(abs(x - y) <= 0.01 * abs(y) for x, y in zip(a, b)):
            return said("rounded")
        if same([-x for x in a], b, reading.rounded):
            return said("sign of the whole")
        factor = next((x / y for x, y in zip(a, b) if y), 0)
        if same(a, [factor * y for y in b], reading.rounded):
            return said("constant factor")
        kinds = (self._missing, self._term, self._dependence)
        return next((told for kind in kinds if (told := kind(reading, right, k))), MIND_ALL)

    def _missing(self, reading: Reading, right: Reading, k: int) -> str:
        given = set(leaves(reading.expressions[k]).values())
        missing = [name for name in self.needs(right, k) if name not in given]
        labels = sorted(label_of(self.samples.leaf_by_name[name]) for name in missing)
        return said("independent", names=listed(labels)) if missing else ""

    def needs(self, right: Reading, k: int) -> list[str]:
        """Return the names without which entry k of the right answer cannot be written."""
        expressions = instance(right, "right", Reading, "as read returns it").expressions
        k = whole_number(k, "k", least=0, most=len(expressions) - 1)
        wanted = set(leaves(expressions[k]).values())
        return [name for name in sorted(wanted) if self._needed(right, k, name)]

    def _needed(self, right: Reading, k: int, name: str) -> bool:
        """Whether the right answer cannot do without a symbol."""
        return True

    def _term(
        self, reading: Reading, right: Reading, k: int, scale: Callable[[str], Values] | None = None
    ) -> str:
        """Say which symbols the difference hangs on: those without which there is none."""
        found = []
        for name, leaf in self.samples.leaf_by_name.items():
            points = self.samples.vanishing(name)
            a, b = (self.samples.values(r.expressions[k], points) for r in (reading, right))
            a = [x * factor for x, factor in zip(a, scale(name))] if scale else a
            if any(b) and same(a, b, reading.rounded):  # where all is 0, nothing is learned
                found.append(label_of(leaf))
        if not found:
            return ""
        names = sorted(found)
        return said("term", any=listed(names, "or"), all=listed(names))

    def _dependence(self, reading: Reading, right: Reading, k: int) -> str:
        """Say what the quotient of both depends on, if that is not everything."""
        wanted = set(leaves(right.expressions[k]).values())
        own = wanted | set(leaves(reading.expressions[k]).values())
        pair = (reading.expressions[k], right.expressions[k])
        before = ratios(reading.values[k], right.values[k])
        found = set()
        for name in own:
            points = self.samples.shifted(name)
            after = ratios(*(self.samples.values(e, points) for e in pair))
            if not same(before, after, reading.rounded):
                found.add(name)
        if not found or not wanted - found:
            return ""
        wrong, fine = (
            listed(sorted(label_of(self.samples.leaf_by_name[name]) for name in names))
            for names in (found, wanted - found)
        )
        return said("dependence", fine=fine, wrong=wrong)


def _is_inequality(answer: Any) -> bool:
    return isinstance(answer, sm.Rel) and not isinstance(answer, sm.Equality)


def nearest_name(name: str, known: set[str]) -> str:
    """Return the known name that is meant, such as tau_1 for tau1; empty if there is none."""
    if name in known:
        return ""
    plain = {one.replace("_", ""): one for one in known if _number_in(one) == _number_in(name)}
    near = get_close_matches(name.replace("_", ""), plain, 1, 0.75)
    return plain[near[0]] if near else ""


def _number_in(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _label(name: str) -> str:
    """Return a name with its dots for people."""
    symbol = sm.Function(name.strip("'"))(sm.Symbol("t"))
    order = name.count("'")
    return label_of(symbol.diff(sm.Symbol("t"), order) if order else symbol)


def _symbolic(entry: Any) -> sm.Basic:
    """Return a number or what SymPy made; anything else it might run as text of Python."""
    if not isinstance(entry, sm.Basic | Number):
        raise TypeError(f"{type(entry).__name__} is nothing that SymPy computes with")
    return sm.sympify(entry, strict=True)


def _with_value(expression: Any) -> sm.Expr:
    if not isinstance(expression, sm.Expr) or expression.has(sm.nan, sm.zoo, sm.oo):
        raise UnreadableError(said("no value", expression=expression))
    return expression
