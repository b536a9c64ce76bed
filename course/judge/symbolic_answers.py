"""Answers that are expressions or matrices of them, in any equivalent form.

Differences of a wrong one are found by evaluation. Equations are in `equations`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from numbers import Number
from typing import Any, ClassVar

import numpy as np
import sympy as sm
from sympy.logic.boolalg import BooleanAtom

from course.judge.answers import entries_wrong, refuse_other_types
from course.judge.bounds import Bound, bounded
from course.judge.equivalence import (
    EXACT,
    ROUNDED,
    Samples,
    Values,
    is_real,
    refuse_huge,
    same,
)
from course.judge.generic_mistakes import Mistake, matching, mistakes_in
from course.judge.sentences import placed, said, sized
from course.judge.stages import STAGES, Finding
from course.judge.units import known_units, unit_sentence
from straightline.arguments import instance, several
from tutlib.reading.names import UnreadableError, agree, label_of, leaf_name, leaves, listed
from tutlib.units import Unit


@dataclass(frozen=True)
class Reading:
    """Reading of an answer with symbols.

    Parameters
    ----------
    expressions : tuple of Expr
        One expression, or the entries of a matrix by rows, in the exercise's own symbols.
    values : tuple of list
        Values of each expression at the points of comparison.
    tolerance : float
        Relative tolerance of values, which is larger if it contains a decimal number.
    """

    expressions: tuple[sm.Expr, ...]
    values: tuple[Values, ...]
    tolerance: Any


@dataclass(frozen=True)
class Expression:
    """An expression or a matrix of expressions, in any equivalent form.

    A row is also right for a column.

    Parameters
    ----------
    value : Expr or Matrix
        The right answer. Assumptions of its symbols determine the points of comparison.
    also : sequence of Expr
        Symbols that only wrong answers with a hint contain.
    named : sequence of Expr
        Symbols that the prompt names, although the answer does not contain them.
    where : sequence of relations
        Conditions that the lesson assumes, such as ``J_1 < J_2``.
    means : dict from leaf to Expr
        Other ways to write a symbol, such as ``x.diff(t)`` for ``v_x``.
    units : mapping from name to str
        Units of the symbols, such as ``{"m": "kg", "theta": "rad"}``, possibly of more symbols. A
        derivative has the unit per second. Without units, they are not checked.
    bound : {"", "least", "most"}
        Whether an inequality such as ``k > g`` is right as well, and its direction.

    Attributes
    ----------
    samples : Samples
    dimensions : dict from name to Unit
        Unit of each symbol, function of time, and derivative; empty if there are no units.
    """

    value: Any
    also: Sequence[sm.Expr] = ()
    named: Sequence[sm.Expr] = ()
    where: Sequence[sm.Rel] = ()
    means: dict[sm.Expr, sm.Expr] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    bound: Bound = ""
    samples: Samples = field(init=False, repr=False, compare=False)
    _mistakes: dict[int, list[Mistake]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    dimensions: dict[str, Unit] = field(init=False, repr=False, compare=False)
    highest: ClassVar[bool] = False

    def __post_init__(self) -> None:
        further = [
            *several(self.also, "also", _with_value),
            *several(self.named, "named", _with_value),
        ]
        references = [*self._entries(self.value), *further]
        where = several(self.where, "where", lambda item: instance(item, "a condition", sm.Rel))
        instance(self.means, "means", dict)
        object.__setattr__(self, "samples", Samples(references, where, self.highest))
        object.__setattr__(self, "means", {**self._rates(), **self.means})
        dimensions = known_units(self.units, self.samples.leaf_by_name, self._entries(self.value))
        object.__setattr__(self, "dimensions", dimensions)

    def _rates(self) -> dict[sm.Expr, sm.Expr]:
        """Return the meanings of omega_1, its derivative, and alpha_1: derivatives of theta_1."""
        leaf_by_name, t = self.samples.leaf_by_name, sm.Symbol("t")
        if any(name.startswith(("omega", "alpha")) for name in leaf_by_name):
            return {}
        rates = {name: leaf for name, leaf in leaf_by_name.items() if re.match("theta.*'", name)}
        speed = {name: sm.Function(f"omega{name[5:]}".strip("'"))(t) for name in rates}
        more = {sm.Function("alpha" + n[5:-2])(t): f for n, f in rates.items() if n[-2:] == "''"}
        return more | {speed[n].diff(t, n.count("'") - 1): leaf for n, leaf in rates.items()}

    def _entries(self, answer: Any) -> list[sm.Expr]:
        """Return the expressions in an answer, a matrix by rows; reject other shapes."""
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
            wanted, actual = (sized(s, "expression") for s in (shape, (rows, columns)))
            raise UnreadableError(said("size", wanted=wanted, actual=actual))
        return entries

    def _entry(self, entry: Any) -> Any:
        return _symbolic(entry)

    def read(self, answer: Any) -> Reading:
        """Return an answer as a reading; raise UnreadableError if it cannot be read."""
        answer = bounded(answer, self.bound)
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
        tolerance = ROUNDED if any(e.has(sm.Float) for e in expressions) else EXACT
        return Reading(expressions, values, tolerance)

    def _one_side(self, equation: sm.Equality) -> Any:
        """Return the side of an equation such as S = m g that is not a new name."""
        if 0 in equation.args:
            raise UnreadableError(said("is zero"))
        for name, meaning in (equation.args, equation.args[::-1]):
            by_name = leaves(name)
            if name in by_name and by_name[name] not in self.samples.leaf_by_name:
                return meaning
        raise UnreadableError(said("right side"))

    def _in_own_symbols(self, expression: sm.Expr) -> sm.Expr:
        refuse_huge(expression)
        expression = _with_value(_with_value(expression).doit()).removeO()
        names, known = leaves(expression), self.samples.leaf_by_name
        meant = {leaf_name(leaf): meaning for leaf, meaning in self.means.items()}
        every = known | meant
        plain = {name.replace("_", ""): name for name in every}  # tau1 is tau_1, as on paper
        names = {leaf: plain.get(name.replace("_", ""), name) for leaf, name in names.items()}
        rates = {leaf: rate for leaf, name in names.items() if (rate := _rate(name, plain))}
        names |= rates
        self._refuse_strangers({name for name in names.values() if name not in every})
        for leaf, name in names.items():
            # a reader who uses names for derivatives has differentiated by hand
            if leaf.is_Symbol and name in known and not known[name].is_Symbol and not rates:
                raise UnreadableError(
                    f"Your {name} is a plain symbol, which is constant: its derivative with "
                    "respect "
                    f'to time is 0. Define it with me.dynamicsymbols("{name}").'
                )
        foreign = {leaf: every[name] for leaf, name in names.items()}
        return _with_value(expression.xreplace(foreign))

    def _refuse_strangers(self, strangers: set[str]) -> None:
        """Reject unknown names with UnreadableError, and suggest similar ones."""
        if not strangers:
            return
        candidates = {name.strip("'") for name in self.samples.leaf_by_name}
        nearest = {name: nearest_name(name.strip("'"), candidates) for name in sorted(strangers)}
        advice = {name.strip("'"): near for name, near in nearest.items() if near}
        labels = [_label(name) for name, near in nearest.items() if not near]
        sentences = []
        if advice:
            better = listed([f"{near} for {name}" for name, near in advice.items()])
            are = agree([*advice], "is", "are")
            sentences.append(said("nearest", names=listed([*advice]), are=are, advice=better))
        if labels:
            kind = "stranger" if self.expected else "stranger among numbers"
            do, expected = agree(labels, "does", "do"), listed(self.expected)
            sentences.append(said(kind, names=listed(labels), do=do, known=expected))
        raise UnreadableError(" ".join(sentences))

    @property
    def expected(self) -> list[str]:
        """Names, as text, of symbols in the answer or in the prompt."""
        named = [*self._entries(self.value), *self.named]
        return sorted(
            label_of(leaf) for leaf in {leaf for expression in named for leaf in leaves(expression)}
        )

    @cached_property
    def _right(self) -> Reading:
        return self.read(self.value)

    def equal(self, values: Values, right: Values, tolerance: Any = EXACT) -> bool:
        """Return whether values of two expressions are as good as each other."""
        return same(values, right, tolerance)

    def same(self, one: Reading, other: Reading) -> bool:
        """Return whether two readings are equal where both have values, also at random points."""
        tolerance = max(one.tolerance, other.tolerance)
        if not all(self.equal(a, b, tolerance) for a, b in zip(one.values, other.values)):
            return False
        points = self.samples.anew(far=tolerance == EXACT)
        pairs = zip(one.expressions, other.expressions)
        anew = ([self.samples.values(e, points) for e in pair] for pair in pairs)
        return all(self.equal(a, b, tolerance) for a, b in anew)

    def findings(self, reading: Reading) -> Iterator[Finding]:
        """Return the findings about a wrong answer, the most specific first: see `stages`."""
        right = self._right
        pairs = zip(reading.values, right.values)
        wrong = [k for k, (a, b) in enumerate(pairs) if not self.equal(a, b, reading.tolerance)]
        if not wrong:
            return iter([Finding("part", said("some values"))])
        first = self._of_entry(reading, wrong[0])
        return first if len(right.values) == 1 else self._of_entries(reading, wrong, first)

    def _of_entry(self, reading: Reading, k: int) -> Iterator[Finding]:
        """Yield the findings about entry k."""
        answer, right = reading.expressions[k], self._right.expressions[k]
        if sentence := self._value_is_missing(reading, k):
            yield Finding("value", sentence)
            return
        if sentence := unit_sentence(self.dimensions, answer, None if self.highest else right):
            yield Finding("units", sentence)
        values, of_right = reading.values[k], self._right.values[k]
        if not self.highest and (sentence := of_the_whole(values, of_right, reading.tolerance)):
            yield Finding("sign and factor", sentence)

        def equal(values: Values, right: Values) -> bool:
            return self.equal(values, right, reading.tolerance)

        found = list(matching(self.samples, answer, self.mistakes(k), equal))
        if missing := set(self.needs(k)) - set(leaves(answer).values()):
            labels = sorted(label_of(self.samples.leaf_by_name[name]) for name in missing)
            found.insert(0, Finding("part", said("independent", names=listed(labels))))
        yield from sorted(found, key=lambda finding: STAGES.index(finding.stage))
        yield Finding("no clue", said("mind all"))

    def mistakes(self, k: int) -> list[Mistake]:
        """Return the rows of generic mistakes in entry k."""
        if k not in self._mistakes:
            right = self._right.expressions[k]
            self._mistakes[k] = mistakes_in(self.samples, right, self.equal)
        return self._mistakes[k]

    def _value_is_missing(self, reading: Reading, k: int) -> str:
        """Return a sentence if the values of entry k cannot be compared."""
        values, right = reading.values[k], self._right.values[k]
        if not all(map(is_real, values)):
            return said("not real")
        if not any(right):
            return said("nothing there")
        if not any(values):
            return said("zero" if self.needs(k) else "something there")
        return (
            said("rounded") if reading.tolerance > EXACT and self.equal(values, right, 0.01) else ""
        )

    def _of_entries(
        self, reading: Reading, wrong: list[int], first: Iterator[Finding]
    ) -> Iterator[Finding]:
        """Yield findings on which entries are wrong, and on the first of them."""
        places = [placed(self.value.shape, k) for k in wrong]
        which = entries_wrong(places if len(places) < 4 else [*places[:2], "more"])
        if len(wrong) == 1:
            stage, sentence = next(first)
            yield Finding(stage, f"{which} {sentence}")
            yield from first
            return
        values, right = ([v for one in r.values for v in one] for r in (reading, self._right))
        if whole := of_the_whole(values, right, reading.tolerance):
            yield Finding("sign and factor", whole)
            return
        yield Finding("part", which)
        for stage, sentence in first:
            yield Finding(stage, said("entry first", place=places[0], sentence=sentence))

    def needs(self, k: int) -> list[str]:
        """Return the names that entry k of every right answer contains."""
        wanted = set(leaves(self._right.expressions[k]).values())
        return [name for name in sorted(wanted) if self._needed(k, name)]

    def _needed(self, k: int, name: str) -> bool:
        """Return whether every right answer contains a symbol."""
        return True


def of_the_whole(values: Values, right: Values, tolerance: Any) -> str:
    """Return a sentence if a list of values equals another times a constant."""
    factor = next((x / y for x, y in zip(values, right) if y), 0)
    if not factor or not same(values, [factor * y for y in right], tolerance):
        return ""
    return said("sign of the whole" if same([factor], [-1], tolerance) else "constant factor")


# Spellings of derivatives without a dot: thetadot_1, theta_d, dtheta_dt, ddtheta, d2theta_dt2.
_RATES = (
    r"(?P<name>.+?)_?(?P<ds>d*)dot(?P<number>_?\d*)",
    r"(?P<name>.+?)_?(?P<ds>d?)d(?P<number>_?\d*)",
    r"(?P<ds>d?)d_?(?P<name>.+?)(?P<number>)(_?dt)?",
    r"(?P<ds>d)2_?(?P<name>.+?)(?P<number>)_?dt2",
)


def _rates(name: str) -> Iterator[tuple[str, int]]:
    """Yield the names that a name may be the derivative of, without underscores, and the orders."""
    for match in (re.fullmatch(pattern, name) for pattern in _RATES):
        if match:
            stem = f"{match['name']}{match['number']}".replace("_", "")
            yield stem, len(match["ds"]) + 1


def _rate(name: str, by_stem: Mapping[str, str]) -> str:
    """Return the known derivative that an unknown name stands for; empty if there is none."""
    if name.replace("_", "") in by_stem:
        return ""
    plain = name.rstrip("'")
    primes = len(name) - len(plain)
    candidates = (by_stem.get(stem + "'" * (order + primes), "") for stem, order in _rates(plain))
    return next(filter(None, candidates), "")


def _is_inequality(answer: Any) -> bool:
    return isinstance(answer, sm.Rel) and not isinstance(answer, sm.Equality)


def nearest_name(name: str, candidates: set[str]) -> str:
    """Return the closest known name, such as tau_1 for tau1; empty if there is none."""
    stems = {text.replace("_", "") for text in candidates}
    if name in candidates or any(stem in stems for stem, _ in _rates(name)):  # not a misspelling
        return ""
    plain = {
        text.replace("_", ""): text for text in candidates if _number_in(text) == _number_in(name)
    }
    near = get_close_matches(name.replace("_", ""), plain, 1, 0.75)
    return plain[near[0]] if near else ""


def _number_in(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _label(name: str) -> str:
    """Return a name with dots, as text."""
    symbol = sm.Function(name.strip("'"))(sm.Symbol("t"))
    order = name.count("'")
    return label_of(symbol.diff(sm.Symbol("t"), order) if order else symbol)


def _symbolic(entry: Any) -> sm.Basic:
    """Return a number or a SymPy object; SymPy might run other objects as Python code."""
    if not isinstance(entry, sm.Basic | Number):
        raise TypeError(f"{type(entry).__name__} is not a type that SymPy can compute with")
    return sm.sympify(entry, strict=True)


def _with_value(expression: Any) -> sm.Expr:
    if not isinstance(expression, sm.Expr) or expression.has(sm.nan, sm.zoo, sm.oo):
        raise UnreadableError(said("no value", expression=expression))
    return expression
