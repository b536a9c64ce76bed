"""Events: zeros of a function of time and state, located within a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from straightline.aliases import Array
from straightline.arguments import real_number

Until = Callable[[float, Array], float]
Inside = Callable[[Array], Array]

#: The slope of a value is its difference over this part of a step.
_PART = 1e-3
DIRECTIONS = ("rising", "falling", None)


class Event:
    """The moment at which ``until`` passes through zero in a direction.

    Parameters
    ----------
    until : function (t, x) -> float
    direction : "rising", "falling" or None
        None is either.
    t : float
    x : array, shape (k,)
        The start, where a zero is no event: a motion that goes on from one would not go on.
    near : float
        States that differ by less in every entry are the same.
    """

    def __init__(
        self, until: Until, direction: str | None, t: float, x: Array, near: float
    ) -> None:
        self.until, self.direction, self.near = until, direction, near
        self.start: Array | None = x
        self.value = self._value(t, x)

    def within(self, begin: float, end: float, x: Array, inside: Inside) -> float | None:
        """Return when it happens within the next step, if it does.

        A step is looked at in two halves. Where the value has the same sign at both ends of one
        but goes towards zero at the first and away at the last, its turning point is looked for:
        two zeros may lie within one step.

        Parameters
        ----------
        begin, end : float
            Of the step [s].
        x : array, shape (k,)
            The state at its end.
        inside : function (times) -> array, shape (m, k)
            The states at increasing times within the step.

        Returns
        -------
        float or None

        Raises
        ------
        TypeError, ArithmeticError
            If ``until`` gives no real number, or nan.
        """
        first, self.value = self.value, self._value(end, x)
        start, self.start = self.start, None
        for t, rising in self._zeros(begin, end, first, inside):
            if start is not None and self._is(t, begin, start, inside):
                continue
            if self.direction in (None, "rising" if rising else "falling"):
                return t
        return None

    def _is(self, t: float, begin: float, start: Array, inside: Inside) -> bool:
        """Return whether a time is the initial time, up to rounding."""
        soon = t - begin <= 16 * np.spacing(abs(begin))
        return bool(soon or np.abs(inside(np.array([t]))[0] - start).max() <= self.near)

    def _zeros(
        self, begin: float, end: float, first: float, inside: Inside
    ) -> Iterator[tuple[float, bool]]:
        """Yield the zeros of the step in their order, and whether the value rises there."""
        from scipy.optimize import brentq

        h, known = end - begin, {0.0: first, 1.0: self.value}

        def value(part: float) -> float:
            if part not in known:
                t = np.array([begin + part * h])
                known[part] = self._value(float(t[0]), inside(t)[0])
            return known[part]

        for a, b in pairwise(_separators(value)):
            if value(b) == 0.0 != value(a):
                yield begin + b * h, value(a) < 0.0
            elif min(value(a), value(b)) < 0.0 < max(value(a), value(b)):
                yield begin + float(brentq(value, a, b, xtol=1e-15)) * h, value(a) < 0.0

    def _value(self, t: float, x: Array) -> float:
        """Return a real number; refuse a condition, nan, and what is no number."""
        value = self.until(t, x)
        if np.asarray(value).dtype == bool:
            raise TypeError(
                f"until(t, x) is {value} at t = {t:g}, and must be a number that passes through "
                "zero: instead of x[0] < 1 return x[0] - 1"
            )
        if isinstance(value, float) and math.isnan(value):
            raise ArithmeticError(
                f"until(t, x) is nan at t = {t:g}: it must be a number everywhere"
            )
        return real_number(value, "until(t, x)", finite=False)


def _separators(value: Callable[[float], float]) -> Iterator[float]:
    """Yield parts of a step, from 0 to 1, between which the value changes its sign at most once."""
    from scipy.optimize import minimize_scalar

    ends = (0.0 if value(0.0) else _PART, 0.5, 1.0)
    slopes = (
        value(_PART) - value(0.0),
        value(0.5 + _PART) - value(0.5),
        value(1.0) - value(1.0 - _PART),
    )
    for (left, right), (at_left, at_right) in zip(pairwise(ends), pairwise(slopes)):
        yield left
        sign = math.copysign(1.0, value(left))
        if sign * value(right) > 0.0 and sign * at_left < 0.0 < sign * at_right:
            turn = minimize_scalar(
                lambda part, sign=sign: sign * value(part),
                bounds=(left, right),
                method="bounded",
                options={"xatol": 1e-9},
            )
            yield float(turn.x)
    yield 1.0
