"""Where a wrong expression differs from the right one, found by evaluation alone.

Answers in symbols use this: a sign, a factor, a limit, a term, a symbol on which nothing depends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial

import sympy as sm

from course.judge.equivalence import Samples, Values, is_real, proportional, ratios, same, vanishes
from course.judge.sentences import RULES, said
from course.judge.stages import Finding
from course.judge.units import clash_sentence
from tutlib.mechanics.units import Unit, Units, unit_text
from tutlib.reading.names import label_of, leaves
from tutlib.reading.words import listed

#: Of longer sums, no single term is looked at.
_MOST_TERMS = RULES["most terms"]


def of_the_whole(one: Values, other: Values, rounded: bool) -> str:
    """Say that one list of values is the other times -1, or times another constant."""
    if same([-x for x in one], other, rounded):
        return said("sign of the whole")
    factor = next((x / y for x, y in zip(one, other) if y), 0)
    return (
        said("constant factor")
        if factor and same(one, [factor * y for y in other], rounded)
        else ""
    )


class Differences:
    """What differs in a wrong expression.

    Parameters
    ----------
    samples : Samples
        The points where both are compared.
    given, right : Expr
    needs : sequence of str
        The names without which the right one cannot be written.
    units : dict from name to Unit
        Of the symbols; empty where they have none.
    rounded : bool
        Whether a decimal number is in one of them.
    """

    def __init__(
        self,
        samples: Samples,
        answer: sm.Expr,
        right: sm.Expr,
        needs: Sequence[str],
        units: dict[str, Unit],
        rounded: bool,
    ) -> None:
        self.samples, self.answer, self.right = samples, answer, right
        self.needs, self.units, self.rounded = needs, units, rounded

    @cached_property
    def values(self) -> tuple[Values, Values]:
        """Values of both at all points."""
        return self.samples.values(self.answer), self.samples.values(self.right)

    def findings(self) -> Iterator[Finding]:
        """Yield what differs, the most telling first."""
        if sentence := self._without_value():
            yield Finding("value", sentence)
            return
        stages = {
            "units": (self._units,),
            "sign and factor": (self._of_the_whole, self._of_a_term),
            "limit": (self._limits,),
            "part": (self._part,),
        }
        for stage, kinds in stages.items():
            for kind in kinds:
                if sentence := kind():
                    yield Finding(stage, sentence)
        yield Finding("no clue", said("mind all"))

    def _without_value(self) -> str:
        one, other = self.values
        if not all(map(is_real, one)):
            return said("not real")
        if not any(one):
            return said("zero")
        close = all(abs(x - y) <= 0.01 * abs(y) for x, y in zip(one, other))
        return said("rounded") if self.rounded and close else ""

    def _units(self) -> str:
        """Say that terms do not fit together, or that the whole has another unit."""
        if not self.units:
            return ""
        reader = Units(self.units)
        unit, right = reader.read(self.answer), Units(self.units).read(self.right)
        if reader.clashes:
            return min(map(clash_sentence, reader.clashes))
        if unit is None or right is None or unit == right:
            return ""
        return said("unit", given=unit_text(unit), right=unit_text(right))

    def _of_the_whole(self) -> str:
        return of_the_whole(*self.values, self.rounded)

    def _equal(self, one: Values, other: Values) -> bool:
        return same(one, other, self.rounded)

    def _of_a_term(self) -> str:
        """Say that the rest would be right with another sign or factor of one term."""
        terms = sm.Add.make_args(self.answer)
        if not 1 < len(terms) <= _MOST_TERMS:
            return ""
        values = [self.samples.values(term) for term in terms]
        one, other = self.values
        for share, name in ((2, "sign of a term"), (1, "term too many")):
            for term in values:
                if self._equal([x - share * y for x, y in zip(one, term)], other):
                    return said(name)
        return said("factor of a term") if any(map(self._has_wrong_factor, values)) else ""

    def _has_wrong_factor(self, term: Values) -> bool:
        shares = ratios([x - y for x, y in zip(*self.values)], term)
        return all(map(is_real, shares)) and same(shares, shares[:1] * len(shares), self.rounded)

    def _limits(self) -> str:
        """Say which symbols make the right one vanish and this one not, or the reverse."""
        if not any(self.values[1]):  # it vanishes everywhere
            return ""
        zeros: dict[str, list[str]] = {"must vanish": [], "must stay": []}
        for name, leaf in self.samples.leaf_by_name.items():
            points = self.samples.vanishing(name)
            pair = [self.samples.values(e, points) for e in (self.answer, self.right)]
            if all(is_real(value) for values in pair for value in values):
                one, other = (vanishes(v, whole) for v, whole in zip(pair, self.values))
                if one != other:
                    zeros["must vanish" if other else "must stay"].append(f"{label_of(leaf)} = 0")
        sentences = (said(k, names=listed(sorted(n), "or")) for k, n in zeros.items() if n)
        return next(sentences, "")

    def _part(self) -> str:
        return self._missing() or self._term() or self._dependence()

    def _missing(self) -> str:
        present = set(leaves(self.answer).values())
        missing = [name for name in self.needs if name not in present]
        labels = sorted(label_of(self.samples.leaf_by_name[name]) for name in missing)
        return said("independent", names=listed(labels)) if missing else ""

    def _term(self, scale: Callable[[str], Values] | None = None) -> str:
        """Say which symbols the difference hangs on: those without which there is none."""
        labels = []
        for name, leaf in self.samples.leaf_by_name.items():
            points = self.samples.vanishing(name)
            a, b = (self.samples.values(e, points) for e in (self.answer, self.right))
            a = [x * factor for x, factor in zip(a, scale(name))] if scale else a
            if any(b) and same(a, b, self.rounded):  # where all is 0, nothing is learned
                labels.append(label_of(leaf))
        if not labels:
            return ""
        names = sorted(labels)
        return said("term", any=listed(names, "or"), all=listed(names))

    def _dependence(self) -> str:
        """Say what the quotient of both depends on, if that is not everything."""
        wanted = set(leaves(self.right).values())
        every = wanted | set(leaves(self.answer).values())
        before, involved = ratios(*self.values), set()
        for name in every:
            points = self.samples.shifted(name)
            after = ratios(*(self.samples.values(e, points) for e in (self.answer, self.right)))
            if not same(before, after, self.rounded):
                involved.add(name)
        if not involved or not wanted - involved:
            return ""
        wrong, fine = (
            listed(sorted(label_of(self.samples.leaf_by_name[name]) for name in names))
            for names in (involved, wanted - involved)
        )
        return said("dependence", fine=fine, wrong=wrong)


class DifferencesOfEquations(Differences):
    """What differs in a wrong equation, which may be multiplied by what its block keeps."""

    def _without_value(self) -> str:
        if not all(map(is_real, self.values[0])):
            return said("not real")
        return "" if any(self.values[0]) else said("zero equation")

    def _units(self) -> str:
        reader = Units(self.units)
        reader.read(self.answer)
        return min(map(clash_sentence, reader.clashes), default="") if self.units else ""

    def _of_the_whole(self) -> str:
        return ""

    def _equal(self, one: Values, other: Values) -> bool:
        return all(map(is_real, one)) and proportional(one, other, self.rounded)

    def _has_wrong_factor(self, term: Values) -> bool:
        return False

    def _limits(self) -> str:
        """Say that all is at rest in the right one, where nothing moves, and not in this one."""
        points = self.samples.resting()
        one, other = (self.samples.values(e, points) for e in (self.answer, self.right))
        holds = vanishes(other, self.values[1]) and not vanishes(one, self.values[0])
        if not (holds and all(map(is_real, one))):
            return ""
        moving = (self.samples.leaf_by_name[name] for name in self.samples.moving)
        return said("must hold", names=listed(sorted(f"{label_of(leaf)} = 0" for leaf in moving)))

    def _dependence(self) -> str:
        return ""

    def _term(self, scale: Callable[[str], Values] | None = None) -> str:
        """Scale the answer so that the terms with one symbol are right; then look for the rest."""
        for anchor in self.samples.moving:
            scaled = partial(self._scale, anchor)
            fits = proportional(scaled(anchor), [1] * len(self.values[0]), self.rounded)
            told = super()._term(scaled) if fits else ""
            if told:
                return told
        return ""

    def _scale(self, anchor: str, name: str) -> Values:
        """Return by what the terms with an anchor are too small, where a name vanishes."""
        points = self.samples.points if name == anchor else self.samples.vanishing(name)
        one, other = (self._terms(e, anchor, points) for e in (self.right, self.answer))
        return ratios(one, other)

    def _terms(
        self, expression: sm.Expr, anchor: str, points: Sequence[dict[str, object]]
    ) -> Values:
        """Return the values of what vanishes with a name; its derivatives stay."""
        rest = [{**point, anchor: 0 * point[anchor]} for point in points]  # type: ignore[operator]
        values = (self.samples.values(expression, where) for where in (points, rest))
        return [one - other for one, other in zip(*values)]
