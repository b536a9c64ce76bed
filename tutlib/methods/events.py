"""Events: zeros of a function of time and state, located within a step."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sized
from itertools import pairwise

import numpy as np

from straightline.aliases import Array
from straightline.arguments import real_number

Until = Callable[[float, Array], float]
Inside = Callable[[Array], Array]
Value = Callable[[float], float]

DIRECTIONS = ("rising", "falling", None)
#: Largest number of bisections of a step, and the number after many values have been computed.
_DEPTH, _VALUES, _SMALL_DEPTH = 20, 4000, 10
#: At this distance from a zero, the value has grown; next to a jump it has not.
_NEAR = 1e-6


def _between(a: float, b: float) -> float:
    """Return a point near the middle; equal distances could coincide with a period."""
    return a + 0.47 * (b - a)


def _first_parts() -> list[float]:
    """Return the interior points of a step, as fractions, at which each step is examined."""
    parts = [0.0, 1.0]
    for _ in range(3):
        parts = sorted([*parts, *(_between(a, b) for a, b in pairwise(parts))])
    return parts[1:-1]


_PARTS = _first_parts()


class Event:
    """Detector of the time at which ``until`` passes through zero in a direction.

    Parameters
    ----------
    until : function (t, x) -> float
    direction : "rising", "falling" or None
        None for both directions.
    t : float
    x : array, shape (k,)
        The initial state. A zero there is not an event, so that a motion can continue from one.
    near : float
        States that differ by less in every entry count as equal.
    """

    def __init__(
        self, until: Until, direction: str | None, t: float, x: Array, near: float
    ) -> None:
        self.until, self.direction, self.near = until, direction, near
        self.start: Array | None = x
        self.value = self._value(t, x)

    def within(self, begin: float, end: float, x: Array, inside: Inside) -> float | None:
        """Return the time of the first event within the next step, or None.

        Parameters
        ----------
        begin, end : float
            Initial and final time of the step [s].
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
            If ``until`` returns nan or anything but a real number.
        """
        first, self.value = self.value, self._value(end, x)
        start, self.start = self.start, None
        h, seen = end - begin, {0.0: first, 1.0: self.value}

        def look(*parts: float) -> None:
            times = begin + np.array(parts) * h
            seen.update(zip(parts, map(self._value, times.tolist(), inside(times))))

        def value(part: float) -> float:
            if part not in seen:
                look(part)
            return seen[part]

        look(*_PARTS)
        finest = max(float(np.spacing(max(abs(begin), abs(end)))) / h, 1e-15)
        for part, rising in zeros(value, seen, finest):
            t = begin + part * h
            if start is not None and self._is(t, begin, start, inside):
                continue
            if self.direction in (None, "rising" if rising else "falling"):
                return t
        return None

    def _is(self, t: float, begin: float, start: Array, inside: Inside) -> bool:
        """Return whether a time is the initial time, up to rounding."""
        soon = t - begin <= 16 * np.spacing(abs(begin))
        return bool(soon or np.abs(inside(np.array([t]))[0] - start).max() <= self.near)

    def _value(self, t: float, x: Array) -> float:
        """Return the value of ``until``; reject conditions, nan, and anything but a number."""
        value = self.until(t, x)
        if isinstance(value, float):
            if math.isnan(value):
                raise ArithmeticError(
                    f"until(t, x) is nan at t = {t:g}: it must be a number everywhere"
                )
            return float(value)
        if np.asarray(value).dtype == bool:
            raise TypeError(
                f"until(t, x) must return a number that passes through zero; got {value} at "
                f"t = {t:g}: instead of x[0] < 1, return x[0] - 1"
            )
        return real_number(value, "until(t, x)", finite=False)


def zeros(value: Value, seen: Sized, finest: float) -> Iterator[tuple[float, bool]]:
    """Yield the zeros of a function between 0 and 1 in order, and whether it rises there.

    The function is evaluated at further points wherever a zero may have been missed. A jump across
    zero or a pole does not count as a zero; a switch from one constant to another does.

    Parameters
    ----------
    value : function (part) -> float
        A function that records its values.
    seen : sized
        These values; their number limits how finely the interval is divided.
    finest : float
        The smallest difference between two arguments that exceeds rounding.
    """
    y = [value(part) for part in (0.0, *_PARTS, 1.0)]
    low, high = min(y), max(y)
    if max(low, -high) > 2 * (high - low):  # the usual case: far from zero
        return
    largest = max(map(abs, filter(math.isfinite, y)), default=0.0)
    for a, b in _brackets(value, seen, (0.0, _between(0.0, 1.0), 1.0), 1000 * finest):
        part = _zero(value, a, b, 1e-6 * largest, finest)
        if part is not None:
            yield part, value(a) < 0.0


def _brackets(
    value: Value,
    seen: Sized,
    parts: tuple[float, float, float],
    finest: float,
    depth: int = 0,
    before: float = 0.0,
) -> Iterator[tuple[float, float]]:
    """Yield intervals, in order, at whose end the value has the opposite sign, or is zero.

    The deviation from a parabola through three points estimates how the value varies in between.
    """
    a, m, b = parts
    q, r = _between(a, m), _between(m, b)
    every = value(a), value(q), value(m), value(r), value(b)
    p, _ = _parabola(parts, every[::2])
    unsure = max(8 * abs(value(q) - p(q)), 8 * abs(value(r) - p(r)), before / 2)
    unsure = min(unsure, 4 * (max(every) - min(every)))
    for left, middle, right in ((a, q, m), (m, r, b)):
        y = value(left), value(middle), value(right)
        if not any(y):
            continue
        p, turn = _parabola((left, middle, right), y)
        one_sign, turns = min(y) > 0.0 or max(y) < 0.0, left < turn < right
        if one_sign and depth:
            lowest = min(map(abs, y))
            if turns:
                lowest = min(lowest, math.copysign(1.0, y[0]) * p(turn))
            if lowest > unsure:
                continue
        monotone = not turns and (y[0] < y[1] < y[2] or y[0] > y[1] > y[2])
        settled = monotone and unsure <= min(abs(y[1] - y[0]), abs(y[2] - y[1]))
        deepest = _DEPTH if len(seen) < _VALUES else _SMALL_DEPTH
        if depth == 0 or (depth < deepest and right - left > finest and not settled):
            if depth and one_sign and turns:
                edge = 0.1 * (right - left)
                middle = min(max(turn, left + edge), right - edge)
            part = left, middle, right
            yield from _brackets(value, seen, part, finest, depth + 1, unsure)
            continue
        for begin, end in pairwise((left, middle, right)):
            if _passes(value(begin), value(end)):
                yield begin, end


def _passes(low: float, high: float) -> bool:
    """Return whether two successive values have opposite signs, or the second is zero."""
    return low != 0.0 and (high == 0.0 or (low < 0.0) != (high < 0.0))


def _parabola(
    parts: tuple[float, float, float], y: tuple[float, float, float]
) -> tuple[Value, float]:
    """Return the parabola through three points, and its vertex: inf if it is a line."""
    a, m, b = parts
    slope = (y[1] - y[0]) / (m - a)
    bend = ((y[2] - y[1]) / (b - m) - slope) / (b - a)
    turn = (a + m) / 2 - slope / (2 * bend) if bend else math.inf
    return lambda part: y[0] + (part - a) * (slope + (part - m) * bend), turn


def _zero(value: Value, a: float, b: float, rounding: float, finest: float) -> float | None:
    """Return the zero in an interval; None if the value jumps across it.

    Near a zero, the value is small and grows with the distance on both sides; near a jump, it is as
    large close to the jump as a little farther away.
    """
    from scipy.optimize import brentq

    part = float(brentq(value, a, b, xtol=1e-15))
    close, far = 2 * finest, max(1000 * finest, _NEAR)
    before, after = value(max(part - close, 0.0)), value(min(part + close, 1.0))
    before_that, after_that = value(max(part - far, 0.0)), value(min(part + far, 1.0))
    small = abs(before) <= max(rounding, 0.5 * abs(before_that))
    if value(b) != 0.0:
        small = small or abs(after) <= max(rounding, 0.5 * abs(after_that))
    switches = before == before_that and after == after_that
    return part if small or switches else None
