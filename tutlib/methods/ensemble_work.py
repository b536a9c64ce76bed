"""Work of an ensemble: its motions, compiled and in parallel, or in Python one after another.

Compiled work can be sent to another process or computer, where it gives bitwise identical results.
Chapter 11 sends it.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.compiled_function import Compiled
from straightline.machine import Machine, Pace
from tutlib.fields import Field
from tutlib.methods.checks import check_next_state, is_finite
from tutlib.methods.ensemble_loop import APART, ATTEMPTS, FOUND, MOST_ATTEMPTS, ROOM, SMALL
from tutlib.methods.ensemble_results import Ensemble, nothing_yet, shapes_of
from tutlib.methods.steps import TableauStep


@dataclass(frozen=True)
class Work:
    """The data that all motions of a compiled ensemble share.

    Parameters
    ----------
    program : Machine
        The program of an `EnsembleLoop`.
    values : array
        The values of its parameters.
    h : float
        Step size [s].
    steps : int
        How many there are at most.
    limits : array, shape (k,)
    observed : tuple of int or None
        The shape of the observed values.
    """

    program: Machine
    values: Array
    h: float
    steps: int
    limits: Array
    observed: tuple[int, ...] | None


def carry_out(
    work: Work | PlainWork, starts: Array, values: Array, stop: Callable[[], bool] = lambda: False
) -> Ensemble:
    """Compute how these motions end, in a single thread.

    Parameters
    ----------
    work : Work or PlainWork
    starts : array, shape (n, k)
        At most `ROOM` of them.
    values : array, shape (n, number of varied parameters)
        The parameters that vary from motion to motion.
    stop : function () -> bool, optional
        Called from time to time; if it returns True, unfinished motions stay nan.
    """
    if isinstance(work, PlainWork):
        return work.ends(starts, values)
    machine = EnsembleMachine(work)
    machine.begin(starts, values)
    while machine.go_on() and not stop():
        pass
    return machine.results


class EnsembleMachine:
    """The loop of an ensemble with memory of its own, for one thread.

    Parameters
    ----------
    work : Work
    """

    def __init__(self, work: Work) -> None:
        self.work, self._count, self._pace = work, 0, Pace()
        machine = work.program.instance(work.values)
        self._view, self._run = machine.view, partial(machine.call, "run")
        self._view("h")[:], self._view("most")[:] = work.h, work.steps
        self._view("limits")[:] = work.limits

    def begin(self, starts: Array, values: Array) -> None:
        """Queue at most `ROOM` motions; every lane is free and takes one of them."""
        self._count = len(starts)
        self._view("starts")[: starts.size] = starts.ravel()
        self._view("values")[: values.size] = values.ravel()
        self._view("taken")[:] = np.nan
        self._view("count")[:], self._view("next")[:], self._view("busy")[:] = len(starts), 0, 0
        self._view("start")[:], self._view("steps")[:] = -1, self._view("most")[0]

    def go_on(self) -> bool:
        """Run for a time short enough for Ctrl-C; return whether motions are left."""
        self._pace.timed(self._run, self._pace.most)
        return bool(self._view("busy")[0] > 0)

    @property
    def results(self) -> Ensemble:
        """The results so far; nan for unfinished motions."""
        count, observed = self._count, self.work.observed
        ensemble = nothing_yet(shapes_of(count, len(self.work.limits), observed))
        taken = self._view("taken")[:count]
        over = np.isfinite(taken)
        ensemble.t[:] = self.work.h * taken
        ensemble.x[over] = self._view("ends").reshape(ROOM, -1)[:count][over]
        if ensemble.least is not None and ensemble.greatest is not None:
            both = self._view("extremes").reshape(ROOM, 2, *(observed or ()))[:count]
            ensemble.least[over], ensemble.greatest[over] = both[over, 0], both[over, 1]
        return ensemble


#: The name of the parameter by which a function gets the random generator of a motion.
RNG = "rng"


def names_taken(f: Any) -> list[str]:
    """Return the names of the arguments of a function after t and x; none for equations."""
    while isinstance(f, Field | Compiled):
        f = f.function
    with suppress(TypeError, ValueError):
        by_name = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
        named = list(inspect.signature(f).parameters.values())[2:]
        return [each.name for each in named if each.kind in by_name]
    return []


class Own:
    """The data of a single motion: values of parameters, and a random generator.

    Parameters
    ----------
    names : tuple of str
    values : array
        The values; that of ``rng`` is the number of the motion.
    seed : int, optional
    """

    def __init__(self, names: tuple[str, ...], values: Array, seed: int | None) -> None:
        self.values, self._rng = dict(zip(names, values.tolist())), None
        if seed is not None:
            self._rng = np.random.default_rng([int(self.values.pop(RNG)), seed])

    def __call__(self, f: Field) -> Field:
        """Return a function with the values and the generator of this motion."""
        f = f.with_parameters(self.values)
        if self._rng is None or RNG not in names_taken(f):
            return f
        return replace(f, function=partial(f.function, rng=self._rng))  # type: ignore[arg-type,misc]


@dataclass
class FirstCalls:
    """The initial state of the first motion, and the values of its functions there.

    The first motion reuses these values, so that a function is called exactly once for each state
    of a motion. Other motions do not: a random number is drawn for each.
    """

    x: Array
    values: Array
    slope: Array | None = None
    until: float | None = None
    observe: Array | None = None

    def taken(self, x: Array, values: Array) -> FirstCalls:
        """Return them for the first motion, once, and nothing for others."""
        found = FirstCalls(x, values)
        if np.array_equal(x, self.x) and np.array_equal(values, self.values):
            found.slope, found.until, found.observe = self.slope, self.until, self.observe
            self.slope = self.until = self.observe = None
        return found

    def __reduce__(self) -> tuple[type[FirstCalls], tuple[Array, Array]]:
        return FirstCalls, (self.x, self.values)  # in other processes there are several parts


@dataclass(frozen=True)
class PlainWork:
    """The data that all motions of an ensemble in Python share.

    Parameters
    ----------
    f : Field
    step : TableauStep
    h : float
        Step size [s].
    steps : int
        How many there are at most.
    limits : array, shape (k,)
    names : tuple of str
        Names of the parameters that vary from motion to motion.
    observed : tuple of int or None
        The shape of the observed values.
    functions : dict of Field
        The functions given among ``until``, ``observe``, and ``after_step``.
    seed : int, optional
        Seed of the random generators of the motions.
    first : FirstCalls
    """

    f: Field
    step: TableauStep
    h: float
    steps: int
    limits: Array
    names: tuple[str, ...]
    observed: tuple[int, ...] | None
    functions: dict[str, Field]
    seed: int | None
    first: FirstCalls

    def ends(self, starts: Array, values: Array) -> Ensemble:
        """Compute how these motions end."""
        ensemble = nothing_yet(shapes_of(len(starts), len(self.limits), self.observed))
        for row, (start, numbers) in enumerate(zip(starts, values)):
            motion = _PlainMotion(self, start, numbers)
            while motion.goes_on():
                motion.advance()
            ensemble.t[row], ensemble.x[row] = motion.steps * self.h, motion.x
            if ensemble.least is not None and ensemble.greatest is not None:
                ensemble.least[row], ensemble.greatest[row] = motion.seen
        return ensemble


class _PlainMotion:
    """A single motion, computed step by step as in the compiled loop.

    Parameters
    ----------
    work : PlainWork
    start : array, shape (k,)
    values : array
        Its values of the varied parameters.
    """

    def __init__(self, work: PlainWork, start: Array, values: Array) -> None:
        self.work, self.x, self.steps, self.ended = work, np.array(start), 0.0, False
        own = Own(work.names, values, work.seed)
        self.f = own(work.f)
        written = {name: own(each).written for name, each in work.functions.items()}
        self.until, self.observe = written.get("until"), written.get("observe")
        self.after = written.get("after_step")
        if work.seed is None:  # random numbers are drawn again
            first = work.first.taken(start, values)
            self.f = self.f if first.slope is None else self.f.knowing(first.slope)
            self.until = self.until and _knowing(self.until, first.until)
            self.observe = self.observe and _knowing(self.observe, first.observe)
        self.seen: tuple[Any, Any] = (np.nan, np.nan)
        self._look()
        self.value = self._until(0.0)

    def goes_on(self) -> bool:
        """Return whether the motion continues."""
        within = (np.abs(self.x) <= self.work.limits).all()
        return bool(self.steps < self.work.steps and within and not self.ended)

    def advance(self) -> None:
        """Take a step, or the part of it before the event."""
        h, before, low, t = self.work.h, self.x, self.value, self.steps * self.work.h
        then = (self.steps + 1.0) * h
        self.x = self._moved(before, t, then)
        self.value = high = self._until(then)
        if _opposite(low, high) or (high == 0.0 != low):
            self._find(before, t, low, high)
        self.steps += 0.0 if self.ended else 1.0
        self._look()

    def _moved(self, x: Array, t: float, then: float) -> Array:
        moved = np.asarray(self.work.step.advance(self.f, t, x, then - t), dtype=float)
        if self.after is None or not is_finite(moved):
            return moved
        return check_next_state(self.after(then, moved), len(x)).copy()

    def _until(self, t: float) -> float:
        return math.nan if self.until is None else float(self.until(t, self.x.copy()))

    def _find(self, before: Array, t: float, low: float, high: float) -> None:
        """Locate the event, from the line through both ends of the step, and end; pass a jump."""
        a, b, h, after, last, same = 0.0, 1.0, self.work.h, self.x, high, False
        small = SMALL * max(abs(low), abs(high))
        for count in range(MOST_ATTEMPTS):
            early = count < ATTEMPTS
            if not early and abs(high) <= small * FOUND:
                break
            part = (a + b) / 2
            if early:
                part = b - high * (b - a) / (high - low) if high != low else math.nan
            if not 0.0 <= part <= 1.0:
                break
            self.x = self._moved(before, t, t + part * h)
            value = self._until(t + part * h)
            same = same or (value == high and abs(part - b) > APART)
            a, low = (b, high) if _opposite(value, high) else (a, low / 2 if early else low)
            b, high = part, value
        self.ended = same or abs(high) <= small
        if self.ended:
            self.steps += b
        else:
            self.x, self.value = after, last

    def _look(self) -> None:
        """Update the observed extremes with the state."""
        if self.observe is not None:
            value = np.asarray(self.observe(self.steps * self.work.h, self.x.copy()), float)
            least, greatest = self.seen
            self.seen = np.fmin(least, value), np.fmax(greatest, value)


def _opposite(a: float, b: float) -> bool:
    """Return whether two values have opposite signs; their product could underflow."""
    return a < 0.0 < b or b < 0.0 < a


def _knowing(function: Callable[..., Any], value: object) -> Callable[..., Any]:
    """Return a function whose first call returns a value that is already computed."""
    known = [] if value is None else [value]
    return lambda t, x: known.pop() if known else function(t, x)
