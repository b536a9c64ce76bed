"""Differences between a wrong expression and the right one, found by evaluation.

They are a sign, a factor, a limit, a term, or a symbol that is missing or has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import sympy as sm

from course.judge import equivalence
from course.judge.equivalence import Samples, Values, is_real, proportional, ratios, same, vanishes
from course.judge.sentences import RULES, said
from course.judge.stages import Finding
from course.judge.units import clash_sentence
from tutlib.reading.names import label_of, leaves, listed
from tutlib.units import Unit, Units, unit_text

#: Most terms of a sum that are checked one by one.
_MOST_TERMS = RULES["most terms"]


def of_the_whole(values: Values, right: Values, rounded: bool) -> str:
    """Return a sentence if a list of values equals another times -1 or times a constant."""
    if same([-x for x in values], right, rounded):
        return said("sign of the whole")
    factor = next((x / y for x, y in zip(values, right) if y), 0)
    times = factor and same(values, [factor * y for y in right], rounded)
    return said("constant factor") if times else ""


@dataclass(frozen=True, eq=False)
class AnswerPair:
    """A wrong expression and the right one.

    Parameters
    ----------
    samples : Samples
        Points at which both are compared.
    answer, right : Expr
    needs : sequence of str
        Names that every right answer contains.
    units : dict from name to Unit
        Units of the symbols; empty if they have none.
    rounded : bool
        Whether one of them contains a decimal number.
    """

    samples: Samples
    answer: sm.Expr
    right: sm.Expr
    needs: Sequence[str]
    units: dict[str, Unit]
    rounded: bool

    @cached_property
    def values(self) -> tuple[Values, Values]:
        """Values of both at all points."""
        return self.at(self.samples.points)

    @cached_property
    def terms(self) -> list[Values]:
        """Values of the answer's terms, if it is a sum of at most `_MOST_TERMS`."""
        terms = sm.Add.make_args(self.answer)
        return list(map(self.samples.values, terms)) if 1 < len(terms) <= _MOST_TERMS else []

    def at(self, points: Sequence[dict[str, Any]]) -> tuple[Values, Values]:
        """Return the values of both at some points."""
        return self.samples.values(self.answer, points), self.samples.values(self.right, points)


@dataclass(frozen=True)
class DifferenceSearch:
    """Comparison of answers of one kind, and the order of findings about differences.

    Parameters
    ----------
    equal : function (values, values, rounded) -> bool
    without_value : function (pair) -> str
        Returns a sentence if there is nothing to compare.
    stages : tuple of (stage, function (pair) -> str)
        Each function returns a sentence about one difference; empty if there is none.
    """

    equal: Callable[[Values, Values, bool], bool]
    without_value: Callable[[AnswerPair], str]
    stages: tuple[tuple[str, Callable[[AnswerPair], str]], ...]

    def findings(self, pair: AnswerPair) -> Iterator[Finding]:
        """Yield the findings, the most specific first."""
        if sentence := self.without_value(pair):
            yield Finding("value", sentence)
            return
        for stage, differing in self.stages:
            if sentence := differing(pair):
                yield Finding(stage, sentence)
        yield Finding("no clue", said("mind all"))


def _value_is_missing(pair: AnswerPair) -> str:
    values, right = pair.values
    if not all(map(is_real, values)):
        return said("not real")
    if not any(right):
        return said("nothing there")
    if not any(values):
        return said("zero" if leaves(pair.right) else "something there")
    close = all(abs(x - y) <= 0.01 * abs(y) for x, y in zip(values, right))
    return said("rounded") if pair.rounded and close else ""


def _clashes(pair: AnswerPair) -> str:
    """Return a sentence if the units of terms are inconsistent."""
    reader = Units(pair.units)
    reader.read(pair.answer)
    return min(map(clash_sentence, reader.clashes), default="") if pair.units else ""


def _units(pair: AnswerPair) -> str:
    """Return a sentence if units of terms are inconsistent, or the whole has a wrong unit."""
    if (sentence := _clashes(pair)) or not pair.units:
        return sentence
    unit, right = (Units(pair.units).read(expression) for expression in (pair.answer, pair.right))
    if unit is None or right is None or unit == right:
        return ""
    return said("unit", unit=unit_text(unit), right=unit_text(right))


def _sign_of_a_term(pair: AnswerPair, equal: Callable[[Values, Values, bool], bool]) -> str:
    """Return a sentence if the answer is right up to the sign of one term, or without it."""
    values, right = pair.values
    for share, name in ((2, "sign of a term"), (1, "term too many")):
        for term in pair.terms:
            if equal([x - share * y for x, y in zip(values, term)], right, pair.rounded):
                return said(name)
    return ""


def _of_a_term(pair: AnswerPair) -> str:
    """Return a sentence if the answer is right up to the sign or factor of one term."""
    if sentence := _sign_of_a_term(pair, same):
        return sentence
    return said("factor of a term") if any(_factor_is_off(pair, v) for v in pair.terms) else ""


def _factor_is_off(pair: AnswerPair, term: Values) -> bool:
    shares = ratios([x - y for x, y in zip(*pair.values)], term)
    return all(map(is_real, shares)) and same(shares, shares[:1] * len(shares), pair.rounded)


def _limits(pair: AnswerPair) -> str:
    """Return a sentence on symbols for which only one of both vanishes."""
    if not any(pair.values[1]):  # the right one is zero everywhere
        return ""
    zeros: dict[str, list[str]] = {"must vanish": [], "must stay": []}
    for name, leaf in pair.samples.leaf_by_name.items():
        both = pair.at(pair.samples.vanishing(name))
        if all(is_real(value) for values in both for value in values):
            vanishing, must_vanish = (vanishes(v, whole) for v, whole in zip(both, pair.values))
            if vanishing != must_vanish:
                zeros["must vanish" if must_vanish else "must stay"].append(f"{label_of(leaf)} = 0")
    sentences = (said(k, names=listed(sorted(n), "or")) for k, n in zeros.items() if n)
    return next(sentences, "")


def _missing(pair: AnswerPair) -> str:
    present = set(leaves(pair.answer).values())
    missing = [name for name in pair.needs if name not in present]
    labels = sorted(label_of(pair.samples.leaf_by_name[name]) for name in missing)
    return said("independent", names=listed(labels)) if missing else ""


def _term(pair: AnswerPair, scale: Callable[[str], Values] | None = None) -> str:
    """Return a sentence on the symbols without which there is no difference."""
    labels = []
    for name, leaf in pair.samples.leaf_by_name.items():
        a, b = pair.at(pair.samples.vanishing(name))
        a = [x * factor for x, factor in zip(a, scale(name))] if scale else a
        if any(b) and same(a, b, pair.rounded):  # if b is 0 everywhere, nothing is learned
            labels.append(label_of(leaf))
    names = sorted(labels)
    return said("term", any=listed(names, "or"), all=listed(names)) if names else ""


def _dependence(pair: AnswerPair) -> str:
    """Return a sentence on the symbols that the quotient of both depends on, if not all."""
    wanted = set(leaves(pair.right).values())
    before, involved = ratios(*pair.values), set()
    for name in wanted | set(leaves(pair.answer).values()):
        after = ratios(*pair.at(pair.samples.shifted(name)))
        if not same(before, after, pair.rounded):
            involved.add(name)
    if not involved or not wanted - involved:
        return ""
    wrong, fine = (
        listed(sorted(label_of(pair.samples.leaf_by_name[name]) for name in names))
        for names in (involved, wanted - involved)
    )
    return said("dependence", fine=fine, wrong=wrong)


def _equation_is_missing(pair: AnswerPair) -> str:
    if not all(map(is_real, pair.values[0])):
        return said("not real")
    if not any(pair.values[0]):
        return said("zero equation")
    return said("rounded") if pair.rounded and equivalence.nearly_proportional(*pair.values) else ""


def _proportional(values: Values, right: Values, rounded: bool) -> bool:
    return all(map(is_real, values)) and proportional(values, right, rounded)


def _at_rest(pair: AnswerPair) -> str:
    """Return a sentence if the right equation holds at rest, and this one does not."""
    values, right = pair.at(pair.samples.resting())
    holds = vanishes(right, pair.values[1]) and not vanishes(values, pair.values[0])
    if not (holds and all(map(is_real, values))):
        return ""
    moving = (pair.samples.leaf_by_name[name] for name in pair.samples.moving)
    return said("must hold", names=listed(sorted(f"{label_of(leaf)} = 0" for leaf in moving)))


def _scaled_term(pair: AnswerPair) -> str:
    """Return a sentence on the rest, after scaling so that the terms with one symbol are right."""
    for anchor in pair.samples.moving:
        scaled = partial(_scale, pair, anchor)
        fits = proportional(scaled(anchor), [1] * len(pair.values[0]), pair.rounded)
        if fits and (sentence := _term(pair, scaled)):
            return sentence
    return ""


def _scale(pair: AnswerPair, anchor: str, name: str) -> Values:
    """Return the factor by which terms with an anchor are too small, with a name set to zero."""
    points = pair.samples.points if name == anchor else pair.samples.vanishing(name)
    rest = [{**point, anchor: 0 * point[anchor]} for point in points]  # derivatives are unchanged
    both = zip(pair.at(points), pair.at(rest))
    terms, right_terms = ([x - y for x, y in zip(*values)] for values in both)
    return ratios(right_terms, terms)


EXPRESSIONS = DifferenceSearch(
    same,
    _value_is_missing,
    (
        ("units", _units),
        ("sign and factor", lambda pair: of_the_whole(*pair.values, pair.rounded)),
        ("sign and factor", _of_a_term),
        ("limit", _limits),
        ("part", lambda pair: _missing(pair) or _term(pair) or _dependence(pair)),
    ),
)
#: An equation may be multiplied by a factor that is constant within each block of points.
EQUATIONS = DifferenceSearch(
    _proportional,
    _equation_is_missing,
    (
        ("units", _clashes),
        ("sign and factor", lambda pair: _sign_of_a_term(pair, _proportional)),
        ("limit", _at_rest),
        ("part", lambda pair: _missing(pair) or _scaled_term(pair)),
    ),
)
