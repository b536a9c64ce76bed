"""Generic mistakes in answers with symbols, as rows of values at sample points.

The rows are generated from the right answer: signs, factors, lost terms, powers, special cases. A
cell and a page compare a wrong answer with the same rows, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import sympy as sm

from course.judge.equivalence import Samples, Values, is_real, vanishes
from course.judge.sentences import RULES, said
from course.judge.stages import Finding
from tutlib.reading.names import label_of, leaves, listed

#: Most terms of a sum that are changed one by one.
_MOST_TERMS = RULES["most terms"]
#: For each kind of place: its marker in a right answer, and in answers with a mistake.
_NEUTRAL = {"term": 1, "power": 0, "swap": 0, "argument": 1, "function": 1}
_CHANGES = (
    ("sign and factor", "sign of a term", "term", (-1,)),
    ("sign and factor", "factor of a term", "term", (2, 0.5)),
    ("part", "lost term", "term", (0,)),
    ("part", "swapped", "swap", (1,)),
    ("part", "power", "power", (1, -1, 0.5)),
    ("part", "argument", "argument", (2, 0.5, sm.pi / 180)),
    ("part", "no sine", "function", (0,)),
)


class Mistake(NamedTuple):
    """A row: the values of a wrong answer at some points, and what is said about it.

    Parameters
    ----------
    stage, sentence : str
        As in `Finding`.
    values : list of number
        Values at ``samples.few``; empty for zeros.
    zero : tuple of str
        Names that are set to 0 at these points.
    differs : bool
        Whether the mistake is made by answers with other values.
    """

    stage: str
    sentence: str
    values: Values
    zero: tuple[str, ...] = ()
    differs: bool = False


Equal = Callable[[Values, Values], bool]


def mistakes_in(samples: Samples, right: sm.Expr, equal: Equal) -> list[Mistake]:
    """Return the rows of a right expression, in the order in which an answer is compared.

    Parameters
    ----------
    samples : Samples
    right : Expr
    equal : function (values, values) -> bool
        Comparison of answers.
    """
    cases = _resting if samples.highest else _limits
    changed = list(_changed(samples, right, equal))
    factors = [mistake for mistake in changed if mistake.stage != "part"]
    parts = [mistake for mistake in changed if mistake.stage == "part"]
    return [*factors, *cases(samples, right), *parts, *_terms(samples, right, equal)]


def matching(
    samples: Samples, answer: sm.Expr, mistakes: list[Mistake], equal: Equal
) -> Iterator[Finding]:
    """Yield for each stage the finding of the first row that matches an answer."""

    @cache
    def at(zero: tuple[str, ...]) -> Values:
        return samples.values(answer, samples.few_with(zero))

    found = set()
    for stage, sentence, values, zero, differs in mistakes:
        if stage in found or not all(map(is_real, at(zero))):
            continue
        alike = equal(at(zero), values) if values else vanishes(at(zero), at(()))
        if alike != differs:
            found.add(stage)
            yield Finding(stage, sentence)


def _changed(samples: Samples, right: sm.Expr, equal: Equal) -> Iterator[Mistake]:
    """Yield the right expression with one change each, as it is and expanded."""
    forms = [_marked(form) for form in dict.fromkeys((right, sm.expand(right)))]
    known = [samples.values(right, samples.few)]
    for stage, name, kind, changes in _CHANGES:
        for marked, kinds in forms:
            neutral = {marker: _NEUTRAL[place] for marker, place in kinds.items()}
            for marker in (marker for marker, place in kinds.items() if place == kind):
                for change in changes:
                    points = [p | neutral | {marker: change} for p in samples.few]
                    values = samples.values(marked, points)
                    if all(map(is_real, values)) and not any(equal(values, v) for v in known):
                        known.append(values)
                        yield Mistake(stage, said(name), values)


def _marked(expression: sm.Expr) -> tuple[sm.Expr, dict[str, str]]:
    """Return an expression with a symbol at each place of a mistake, and the kinds of places."""
    kinds: dict[str, str] = {}

    def marker(kind: str) -> sm.Symbol:
        name = f"marker{len(kinds)}"
        kinds[name] = kind
        return sm.Symbol(name)

    def mark(part: sm.Expr) -> sm.Expr:
        if part in own or not part.args:
            return part
        inside = [mark(operand) for operand in part.args]
        if part.is_Add and len(inside) <= _MOST_TERMS:
            inside = [marker("term") * term for term in inside]
        elif part.is_Pow:
            inside[1] += marker("power")
        elif isinstance(part, sm.sin | sm.cos):
            quarter = sm.pi / 2 if isinstance(part, sm.sin) else -sm.pi / 2
            value = part.func(marker("argument") * inside[0] + marker("swap") * quarter)
            share = marker("function")
            return share * value + (1 - share) * inside[0]
        return part.func(*inside)

    own = leaves(expression)
    return mark(expression), kinds


def _limits(samples: Samples, right: sm.Expr) -> Iterator[Mistake]:
    """Yield for each symbol whether an expression vanishes with it."""
    whole = samples.values(right, samples.few)
    for name in samples.by_label if any(whole) else ():
        values = samples.values(right, samples.few_with((name,)))
        if all(map(is_real, values)):
            must_vanish = vanishes(values, whole)
            label = f"{label_of(samples.leaf_by_name[name])} = 0"
            sentence = said("must vanish" if must_vanish else "must stay", names=label)
            yield Mistake("limit", sentence, [], (name,), must_vanish)


def _resting(samples: Samples, right: sm.Expr) -> Iterator[Mistake]:
    """Yield the state of rest, if an equation holds there."""
    rest = tuple(samples.moving)
    values = samples.values(right, samples.few_with(rest))
    if vanishes(values, samples.values(right, samples.few)):
        labels = sorted(f"{label_of(samples.leaf_by_name[name])} = 0" for name in rest)
        yield Mistake("limit", said("must hold", names=listed(labels)), [], rest, True)


def _terms(samples: Samples, right: sm.Expr, equal: Equal) -> Iterator[Mistake]:
    """Yield the symbols without which an answer may be right, unless this is always the case."""
    for name in samples.by_label:
        values = samples.values(right, samples.few_with((name,)))
        telling = any(values) and not (samples.highest and equal(values, [1] * len(values)))
        if telling and all(map(is_real, values)):
            label = label_of(samples.leaf_by_name[name])
            yield Mistake("part", said("term", any=label, all=label), values, (name,))
