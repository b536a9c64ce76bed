"""Ensembles in Python, for functions that nobody asked to be compiled.

The loop does what the compiled one does, state by state; chapter 11 says what that costs.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from straightline.aliases import Array
from tutlib.fields import Field
from tutlib.methods.ensembles.loop import ATTEMPTS
from tutlib.methods.ensembles.parts import Ensemble, nothing_yet, shapes_of
from tutlib.methods.steps import TableauStep

Watched = Callable[..., Any]


@dataclass(frozen=True)
class AsWritten:
    """Everything that is the same for all motions of an ensemble that is not compiled.

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
        Of the parameters that each motion has for itself.
    observed : tuple of int or None
        The shape of what is observed.
    until, observe : function (t, x), optional
    after_step : Field, optional
    first : (array, array or None)
        A start, and f there, if it has been called once to look at its value.
    """

    f: Field
    step: TableauStep
    h: float
    steps: int
    limits: Array
    names: tuple[str, ...]
    observed: tuple[int, ...] | None
    until: Watched | None
    observe: Watched | None
    after_step: Field | None
    first: tuple[Array, Array | None]

    def ends(self, starts: Array, values: Array, stop: Callable[[], bool]) -> Ensemble:
        """Return how these motions end; what has not ended when it is stopped stays nan."""
        ensemble = nothing_yet(shapes_of(len(starts), len(self.limits), self.observed))
        for row, (start, numbers) in enumerate(zip(starts, values)):
            motion = _Motion(self, start, dict(zip(self.names, numbers.tolist())))
            while motion.goes_on() and not stop():
                motion.advance()
            if stop():
                break
            ensemble.t[row], ensemble.x[row] = motion.steps * self.h, motion.x
            if ensemble.least is not None and ensemble.greatest is not None:
                ensemble.least[row], ensemble.greatest[row] = motion.seen
        return ensemble


class _Motion:
    """One of the motions.

    Parameters
    ----------
    work : AsWritten
    start : array, shape (k,)
    own : dict
        Its own values of parameters.
    """

    def __init__(self, work: AsWritten, start: Array, values: dict[str, float]) -> None:
        self.work, self.x, self.steps, self.ended = work, np.array(start), 0.0, False
        self.f, (first, slope) = work.f.with_parameters(values), work.first
        if slope is not None and not values and np.array_equal(start, first):
            self.f = self.f.knowing(slope)
        self.after = work.after_step and work.after_step.with_parameters(values)
        self.seen: tuple[Any, Any] = (np.inf, -np.inf)
        self._look()

    def goes_on(self) -> bool:
        """Return whether the motion is not over yet."""
        within = (np.abs(self.x) <= self.work.limits).all()
        return bool(self.steps < self.work.steps and within and not self.ended)

    def advance(self) -> None:
        """Take a step, or the part of it until the event."""
        h, until, before, t = self.work.h, self.work.until, self.x, self.steps * self.work.h
        self.x = self._moved(before, t, (self.steps + 1.0) * h)
        if until is not None:
            low, high = float(until(t, before.copy())), float(until(t + h, self.x.copy()))
            if low * high < 0.0 or (high == 0.0 != low):
                self._find(before, t, low, high)
        self.steps += 0.0 if self.ended else 1.0
        self._look()

    def _moved(self, x: Array, t: float, then: float) -> Array:
        moved = np.asarray(self.work.step.advance(self.f, t, x, then - t), dtype=float)
        return moved if self.after is None else np.asarray(self.after(then, moved), dtype=float)

    def _find(self, before: Array, t: float, low: float, high: float) -> None:
        """End at the event: from a straight line through both ends of the step (Illinois)."""
        until: Any = self.work.until
        a, b, h, self.ended = 0.0, 1.0, self.work.h, True
        for _ in range(ATTEMPTS):
            part = b - high * (b - a) / (high - low) if high != low else math.nan
            if not 0.0 <= part <= 1.0:
                break
            self.x = self._moved(before, t, t + part * h)
            value = float(until(t + part * h, self.x.copy()))
            a, low = (b, high) if value * high < 0.0 else (a, low / 2)
            b, high = part, value
        self.steps += b

    def _look(self) -> None:
        """Take account of the state."""
        if self.work.observe is not None:
            value = np.asarray(self.work.observe(self.steps * self.work.h, self.x.copy()), float)
            least, greatest = self.seen
            self.seen = np.fmin(least, value), np.fmax(greatest, value)


_remembered: list[AsWritten] = []


def remember(work: AsWritten) -> None:
    """Keep what a process of ours will be asked for: a function in a cell cannot be sent to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _remembered[:] = [work]


def carry_out_remembered(starts: Array, values: Array) -> Ensemble:
    """Return how these motions end."""
    return _remembered[0].ends(starts, values, lambda: False)
