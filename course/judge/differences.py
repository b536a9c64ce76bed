"""Where a wrong expression differs from the right one, found by evaluation alone.

Answers in symbols use this: a sign, a factor, a limit, a term, a symbol on which nothing depends.
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

#: Of longer sums, no single term is looked at.
_MOST_TERMS = RULES["most terms"]


def of_the_whole(one: Values, other: Values, rounded: bool) -> str:
    """Say that one list of values is the other times -1, or times another constant."""
    if same([-x for x in one], other, rounded):
        return said("sign of the whole")
    factor = next((x / y for x, y in zip(one, other) if y), 0)
    times = factor and same(one, [factor * y for y in other], rounded)
    return said("constant factor") if times else ""


@dataclass(frozen=True, eq=False)
class Pair:
    """A wrong expression beside the right one.

    Parameters
    ----------
    samples : Samples
        The points where both are compared.
    answer, right : Expr
    needs : sequence of str
        The names without which the right one cannot be written.
    units : dict from name to Unit
        Of the symbols; empty where they have none.
    rounded : bool
        Whether a decimal number is in one of them.
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
        """Values of the answer's terms, if it is a sum that is not too long."""
        terms = sm.Add.make_args(self.answer)
        return list(map(self.samples.values, terms)) if 1 < len(terms) <= _MOST_TERMS else []

    def at(self, points: Sequence[dict[str, Any]]) -> tuple[Values, Values]:
        """Return values of both at some points."""
        return self.samples.values(self.answer, points), self.samples.values(self.right, points)


@dataclass(frozen=True)
class Comparison:
    """How answers of one kind are compared, and in which order it is said what differs.

    Parameters
    ----------
    equal : function (values, values, rounded) -> bool
    without_value : function (pair) -> str
        Says if there is nothing to compare.
    stages : tuple of (stage, function (pair) -> str)
        Each says one thing that may differ; empty if that does not.
    """

    equal: Callable[[Values, Values, bool], bool]
    without_value: Callable[[Pair], str]
    stages: tuple[tuple[str, Callable[[Pair], str]], ...]

    def findings(self, pair: Pair) -> Iterator[Finding]:
        """Yield what differs, the most telling first."""
        if sentence := self.without_value(pair):
            yield Finding("value", sentence)
            return
        for stage, differing in self.stages:
            if sentence := differing(pair):
                yield Finding(stage, sentence)
        yield Finding("no clue", said("mind all"))


def _value_is_missing(pair: Pair) -> str:
    one, other = pair.values
    if not all(map(is_real, one)):
        return said("not real")
    if not any(other):
        return said("nothing there")
    if not any(one):
        return said("zero" if leaves(pair.right) else "something there")
    close = all(abs(x - y) <= 0.01 * abs(y) for x, y in zip(one, other))
    return said("rounded") if pair.rounded and close else ""


def _clashes(pair: Pair) -> str:
    """Say that terms do not fit together."""
    reader = Units(pair.units)
    reader.read(pair.answer)
    return min(map(clash_sentence, reader.clashes), default="") if pair.units else ""


def _units(pair: Pair) -> str:
    """Say that terms do not fit together, or that the whole has another unit."""
    if (sentence := _clashes(pair)) or not pair.units:
        return sentence
    unit, right = (Units(pair.units).read(one) for one in (pair.answer, pair.right))
    if unit is None or right is None or unit == right:
        return ""
    return said("unit", unit=unit_text(unit), right=unit_text(right))


def _sign_of_a_term(pair: Pair, equal: Callable[[Values, Values, bool], bool]) -> str:
    """Say that the rest would be right with another sign of one term, or without it."""
    one, other = pair.values
    for share, name in ((2, "sign of a term"), (1, "term too many")):
        for term in pair.terms:
            if equal([x - share * y for x, y in zip(one, term)], other, pair.rounded):
                return said(name)
    return ""


def _of_a_term(pair: Pair) -> str:
    """Say that the rest would be right with another sign or factor of one term."""
    if sentence := _sign_of_a_term(pair, same):
        return sentence
    return said("factor of a term") if any(_factor_is_off(pair, v) for v in pair.terms) else ""


def _factor_is_off(pair: Pair, term: Values) -> bool:
    shares = ratios([x - y for x, y in zip(*pair.values)], term)
    return all(map(is_real, shares)) and same(shares, shares[:1] * len(shares), pair.rounded)


def _limits(pair: Pair) -> str:
    """Say which symbols make the right one vanish and this one not, or the reverse."""
    if not any(pair.values[1]):  # it vanishes everywhere
        return ""
    zeros: dict[str, list[str]] = {"must vanish": [], "must stay": []}
    for name, leaf in pair.samples.leaf_by_name.items():
        both = pair.at(pair.samples.vanishing(name))
        if all(is_real(value) for values in both for value in values):
            one, other = (vanishes(v, whole) for v, whole in zip(both, pair.values))
            if one != other:
                zeros["must vanish" if other else "must stay"].append(f"{label_of(leaf)} = 0")
    sentences = (said(k, names=listed(sorted(n), "or")) for k, n in zeros.items() if n)
    return next(sentences, "")


def _missing(pair: Pair) -> str:
    present = set(leaves(pair.answer).values())
    missing = [name for name in pair.needs if name not in present]
    labels = sorted(label_of(pair.samples.leaf_by_name[name]) for name in missing)
    return said("independent", names=listed(labels)) if missing else ""


def _term(pair: Pair, scale: Callable[[str], Values] | None = None) -> str:
    """Say which symbols the difference hangs on: those without which there is none."""
    labels = []
    for name, leaf in pair.samples.leaf_by_name.items():
        a, b = pair.at(pair.samples.vanishing(name))
        a = [x * factor for x, factor in zip(a, scale(name))] if scale else a
        if any(b) and same(a, b, pair.rounded):  # where all is 0, nothing is learned
            labels.append(label_of(leaf))
    names = sorted(labels)
    return said("term", any=listed(names, "or"), all=listed(names)) if names else ""


def _dependence(pair: Pair) -> str:
    """Say what the quotient of both depends on, if that is not everything."""
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


def _equation_is_missing(pair: Pair) -> str:
    if not all(map(is_real, pair.values[0])):
        return said("not real")
    if not any(pair.values[0]):
        return said("zero equation")
    return said("rounded") if pair.rounded and equivalence.nearly_proportional(*pair.values) else ""


def _proportional(one: Values, other: Values, rounded: bool) -> bool:
    return all(map(is_real, one)) and proportional(one, other, rounded)


def _at_rest(pair: Pair) -> str:
    """Say that all is at rest in the right one, where nothing moves, and not in this one."""
    one, other = pair.at(pair.samples.resting())
    holds = vanishes(other, pair.values[1]) and not vanishes(one, pair.values[0])
    if not (holds and all(map(is_real, one))):
        return ""
    moving = (pair.samples.leaf_by_name[name] for name in pair.samples.moving)
    return said("must hold", names=listed(sorted(f"{label_of(leaf)} = 0" for leaf in moving)))


def _scaled_term(pair: Pair) -> str:
    """Scale the answer so that the terms with one symbol are right; then look for the rest."""
    for anchor in pair.samples.moving:
        scaled = partial(_scale, pair, anchor)
        fits = proportional(scaled(anchor), [1] * len(pair.values[0]), pair.rounded)
        if fits and (sentence := _term(pair, scaled)):
            return sentence
    return ""


def _scale(pair: Pair, anchor: str, name: str) -> Values:
    """Return by what the terms with an anchor are too small, where a name vanishes."""
    points = pair.samples.points if name == anchor else pair.samples.vanishing(name)
    rest = [{**point, anchor: 0 * point[anchor]} for point in points]  # derivatives stay
    both = zip(pair.at(points), pair.at(rest))
    one, other = ([x - y for x, y in zip(*values)] for values in both)
    return ratios(other, one)


EXPRESSIONS = Comparison(
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
#: An equation may be multiplied by what its block keeps.
EQUATIONS = Comparison(
    _proportional,
    _equation_is_missing,
    (
        ("units", _clashes),
        ("sign and factor", lambda pair: _sign_of_a_term(pair, _proportional)),
        ("limit", _at_rest),
        ("part", lambda pair: _missing(pair) or _scaled_term(pair)),
    ),
)
