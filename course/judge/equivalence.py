"""Equivalence of expressions, by their values at random points to fifty digits.

Nothing is simplified, so an answer may have any form.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import mpmath
import sympy as sm

from course.judge.sentences import said
from tutlib.reading.names import UnreadableError, label_of, leaves

#: Most nodes of an answer; those of the course have less than a tenth.
MOST_NODES = 4000
#: Most digits of a number in an answer, or in the evaluation of one.
MOST_DIGITS = 10_000
#: Number of points at which the other names are constant.
_BLOCK = 4
_context = mpmath.MPContext()
_context.dps = 50
_FUNCTIONS = {name: getattr(_context, name) for name in dir(_context) if name[0] != "_"}
#: Generator of points unknown to the reader; a copy of the process draws the same.
_generator = random.Random()
#: Relative tolerances of an exact answer, and of one with decimal numbers.
EXACT, ROUNDED = _context.mpf("1e-30"), _context.mpf("1e-12")

Values = list[Any]


class _Ranges(NamedTuple):
    """Ranges from which points are drawn."""

    positive: tuple[float, float]
    real: float
    whole: int


_NEAR, _FAR = _Ranges((0.4, 2.4), 3.1, 9), _Ranges((0.05, 20), 20, 30)


def refuse_a_comma(answer: Any) -> None:
    """Reject with UnreadableError the tuple of numbers that 2,397 is in Python."""
    if not (isinstance(answer, tuple) and all(type(part) is int for part in answer)):
        return
    if len(answer) > 1 and min(answer[1:]) >= 0:
        written = ",".join(map(str, answer))
        ways = [f"{written.replace(',', '.')} with a point or "] if len(answer) == 2 else []
        raise UnreadableError(
            f"In Python, {written} is {len(answer)} numbers. "
            f"Write {''.join(ways)}{written.replace(',', '')} without a comma."
        )


def refuse_huge(expression: sm.Basic) -> None:
    """Reject with UnreadableError an expression with too many nodes, or with huge numbers."""
    nodes = list(islice(sm.preorder_traversal(expression), MOST_NODES + 1))
    if len(nodes) > MOST_NODES:
        raise UnreadableError(said("huge", nodes=MOST_NODES))
    if _digits(expression) > MOST_DIGITS:
        raise UnreadableError(
            f"A number in your answer has more than {MOST_DIGITS} digits and would take forever to "
            "compute. Look at its powers."
        )


def refuse_many(answer: Any, most: int = MOST_NODES) -> None:
    """Reject with UnreadableError an answer with too many entries, before reading any."""
    count = _entries(answer)
    if count > most:
        raise UnreadableError(f"Your answer has {count} entries, far more than the right answer.")


def _entries(answer: Any) -> int:
    """Return the number of entries of an array or a list, without counting one by one."""
    if isinstance(answer, list | tuple) and len(answer) <= MOST_NODES:
        return sum(map(_entries, answer))
    if hasattr(answer, "__len__") and not isinstance(answer, str | bytes):
        shape = getattr(answer, "shape", None)
        return len(answer) if shape is None else math.prod(shape)
    return 1


def _digits(expression: sm.Basic) -> float:
    """Return a bound on the digits of numbers in the evaluation; symbols are below three."""
    digits = [_digits(part) for part in expression.args]
    largest = max(digits, default=0.5)
    if isinstance(expression, sm.Rational):
        return 0.302 * max(int(expression.p).bit_length(), int(expression.q).bit_length())
    if isinstance(expression, sm.Float):
        return abs(0.302 * float(_context.mag(expression.num))) if expression else 0.0
    if isinstance(expression, sm.Pow):
        return max(largest, digits[0] * _size(expression.exp, digits[1]))
    if isinstance(expression, sm.exp) and isinstance(-expression.args[0], sm.log):
        return digits[0]  # exp(-log(x)), as SymPy writes 1/x
    if isinstance(expression, sm.exp | sm.sinh | sm.cosh | sm.factorial | sm.gamma):
        return max(largest, _size(expression.args[0], digits[0]) * max(digits[0], 0.5))
    return sum(digits) if isinstance(expression, sm.Mul) else largest + 0.3 * (len(digits) > 1)


def _size(expression: sm.Basic, digits: float) -> float:
    """Return a bound on a number's magnitude, given its number of digits."""
    if isinstance(expression, sm.Rational | sm.Float) and digits < 300:
        return abs(float(expression))
    return float(10 ** min(digits, 300.0))


class Samples:
    """Random points at which expressions in the same names are compared.

    Parameters
    ----------
    references : sequence of Expr
        Expressions that are real at every point. The assumptions of their symbols determine the
        ranges: positive lengths, real angles, integers.
    conditions : sequence of relations
        Conditions at every point, such as ``J_1 < J_2``.
    highest : bool
        Whether only the highest derivatives vary within a block, instead of all functions of
        time. Where there are none, all names vary.

    Attributes
    ----------
    leaf_by_name : dict from name to Symbol, function of time or derivative
    moving : list of str
        Names of functions of time.
    varying : list of str
        Names that vary within a block.
    points : list of dict from name to number
        Three blocks of four points, with constant values of the names that do not vary in a block.
    few : list of dict from name to number
        Those of them that suffice for recognizing a mistake.
    by_label : list of str
        All names, in the order of their labels.
    """

    blocks = 3

    def __init__(
        self,
        references: Sequence[sm.Expr],
        conditions: Sequence[sm.Rel] = (),
        highest: bool = False,
    ) -> None:
        self._references = [*references, *(sm.sqrt(c.gts - c.lts) for c in conditions)]
        names = {
            leaf: name for reference in self._references for leaf, name in leaves(reference).items()
        }
        self.leaf_by_name = {name: leaf for leaf, name in sorted(names.items(), key=str)[::-1]}
        self._functions: dict[sm.Expr, tuple[Callable[..., Any], list[str]]] = {}
        self.moving = [n for n, leaf in self.leaf_by_name.items() if n == "t" or not leaf.is_Symbol]
        lower = {n.rstrip("'") + k * "'" for n in self.moving for k in range(n.count("'"))}
        free = [n for n in self.moving if not highest or n not in lower]
        self.varying = free or [*self.leaf_by_name]
        generator = random.Random(20)
        self.highest = highest
        self.points = [p for _ in range(self.blocks) for p in self._block(generator, _NEAR)]
        self.few = self.points[:_BLOCK] if highest else self.points[::_BLOCK]
        self.by_label = sorted(self.leaf_by_name, key=lambda n: label_of(self.leaf_by_name[n]))

    def anew(self, far: bool) -> list[dict[str, Any]]:
        """Return a new block of points; ``far`` includes small lengths and large angles."""
        return self._block(_generator, _FAR if far else _NEAR)

    def _block(self, generator: random.Random, reach: _Ranges) -> list[dict[str, Any]]:
        """Return four points that differ in the varying names, at which every reference is real."""
        for _ in range(100):
            points: list[dict[str, Any]] = []
            point = {name: self._draw(name, generator, reach) for name in self.leaf_by_name}
            for _ in range(60):
                changes = {name: self._draw(name, generator, reach) for name in self.varying}
                if self._all_real(point | changes):
                    points.append(point | changes)
                if len(points) == _BLOCK:
                    return points
        raise ValueError(f"{self._references} have no value at the points tested")

    def _all_real(self, point: Mapping[str, Any]) -> bool:
        return all(
            is_real(v) for reference in self._references for v in self.values(reference, [point])
        )

    def _draw(self, name: str, generator: random.Random, reach: _Ranges) -> Any:
        leaf = self.leaf_by_name[name]
        if leaf.is_integer:
            return _context.mpf(generator.randint(1, reach.whole))
        low, high = reach.positive if leaf.is_nonnegative else (-reach.real, reach.real)
        return _context.mpf(round(generator.uniform(low, high), 4))

    def values(
        self,
        expression: sm.Expr,
        points: Sequence[Mapping[str, Any]] | None = None,
    ) -> Values:
        """Return the values at every point; nan where there is none."""
        points = self.points if points is None else points
        if expression.has(sm.nan, sm.zoo, sm.oo):
            return [_context.nan] * len(points)
        (function, names), results = self._function(expression), []
        for point in points:
            try:
                results.append(_context.convert(function(*(point[name] for name in names))))
            except (ArithmeticError, ValueError, TypeError, NameError, KeyError):
                results.append(_context.nan)
        return results

    def _function(self, expression: sm.Expr) -> tuple[Callable[..., Any], list[str]]:
        """Return the function of an expression, and the names of its arguments."""
        if expression not in self._functions:
            names = leaves(expression)
            plain = {leaf: sm.Symbol(f"x_{k}") for k, leaf in enumerate(names)}
            closed = sm.sympify(expression).xreplace(plain)
            try:
                function = sm.lambdify(
                    list(plain.values()), closed, modules=[_FUNCTIONS, "mpmath"], docstring_limit=0
                )
            except (NotImplementedError, KeyError) as error:
                raise UnreadableError(
                    "Something in your answer has no value, such as an integral or a series that "
                    "is not worked out."
                ) from error
            self._functions[expression] = function, list(names.values())
        return self._functions[expression]

    def few_with(self, zero: Sequence[str]) -> list[dict[str, Any]]:
        """Return `few` with some of the names set to 0."""
        return [point | dict.fromkeys(zero, _context.zero) for point in self.few]

    def shifted(self, name: str) -> list[dict[str, Any]]:
        """Return the points with one of the names increased."""
        more = 1 if self.leaf_by_name[name].is_integer else _context.mpf("0.37")
        return [{**point, name: point[name] + more} for point in self.points]


def is_real(value: Any) -> bool:
    """Return whether a value is a finite real number."""
    return bool(_context.isfinite(value)) and abs(_context.im(value)) <= EXACT * abs(value)


def vanishes(values: Values, elsewhere: Values) -> bool:
    """Return whether values are all 0, compared with values at other points."""
    size = max((abs(value) for value in elsewhere if is_real(value)), default=1)
    return all(abs(value) <= EXACT * size for value in values)


def same(values: Values, right: Values, tolerance: Any = EXACT) -> bool:
    """Return whether two lists of values agree to a relative tolerance."""
    return all(
        abs(a - b) <= tolerance * max(abs(a), abs(b)) for a, b in zip(values, right, strict=True)
    )


def ratios(values: Values, divisors: Values) -> Values:
    """Return one / other, or nan where it does not exist."""
    return [a / b if b else _context.nan for a, b in zip(values, divisors, strict=True)]


def proportional(values: Values, right: Values, tolerance: Any = EXACT) -> bool:
    """Return whether one list equals the other times a factor that is constant in each block."""
    quotients = ratios(values, right)
    blocks = [quotients[i : i + _BLOCK] for i in range(0, len(quotients), _BLOCK)]
    return all(
        bool(_context.isfinite(block[0]))
        and block[0] != 0
        and same(block, block[:1] * len(block), tolerance)
        for block in blocks
    )
