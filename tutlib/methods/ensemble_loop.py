"""Compiled loop of an ensemble: parallel motions, each replaced with the next when it ends.

`ensemble` runs it for the map of flips in chapter 2, the basin in chapter 7, and all of chapter 11.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.assignments import Condition, Number, Numbers, Unknown, where
from straightline.machine import Machine
from straightline.routines import Program, Routine, Whole
from tutlib.aliases import Rate
from tutlib.methods.loops import as_function
from tutlib.methods.steps import Method

#: Numbers of motions that a machine stores at a time, and that it processes in one instruction.
ROOM, LANES = 1024, 2
#: Attempts to locate an event: from a straight line across the step, ten are enough. If the value
#: is not small then, the interval is halved. A value that repeats at another part of a step, so far
#: away that rounding cannot be the reason, indicates a switch.
ATTEMPTS, APART, MOST_ATTEMPTS = 10, 1e-7, 50
#: At a zero, the value of a function is less than this fraction of the values at the ends; the
#: search goes on until it is less than the second fraction of these.
SMALL, FOUND = 1e-4, 1e-6

#: A function (t, x, p) of the state and all parameters, with floats or symbolic unknowns.
OfAll = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class EnsembleLoop:
    """The compiled loop of an ensemble.

    Parameters
    ----------
    field : function (t, x, p) -> sequence of numbers
    coordinates : int or None
    method : Method
    states, parameters : int
        Numbers of states, and of parameters of all functions together.
    of_field : int
        Number of parameters of f; they come first.
    varied : tuple of int
        Indices of the parameters that vary from motion to motion.
    correction : function (t, x, p) -> x, or None
        Correction of the state after each step; p are all parameters, here and below.
    until : function (t, x, p) -> sequence of one number, or None
        A motion ends where this function passes through zero.
    observe : function (t, x, p) -> sequence of numbers, or None
        The minima and maxima of these numbers are kept.
    observed : int
        Number of observed values.
    lanes : int
        Number of motions that one instruction advances.
    """

    field: Callable[..., Any]
    coordinates: int | None
    method: Method
    states: int
    parameters: int
    of_field: int
    varied: tuple[int, ...] = ()
    correction: OfAll | None = None
    until: OfAll | None = None
    observe: OfAll | None = None
    observed: int = 0
    lanes: int = 1

    def program(self) -> Program:
        """Return the loop as a program.

        The array ``starts`` holds the initial states of ``count`` motions, and ``given`` their
        parameters. When a motion ends, its final state is stored in ``ends``, the number of its
        steps in ``taken``, and the observed extremes in ``extremes``. The routine ``run(rounds)``
        takes ``rounds`` steps of each lane, or fewer if no lane is ``busy``, and returns their
        number. A lane without a motion repeats the last initial state, and its result is not used.
        """
        program = Program(self.parameters)
        k, m, v = self.states, 2 * self.observed, len(self.varied)
        for name in ("h", "most", "count", "next", "busy"):
            program.array(name, 1)
        program.array("limits", k)
        waiting = {"starts": k, "values": v, "ends": k, "taken": 1, "extremes": m}
        going = {"x": k, "steps": 1, "start": 1, "varied": v, "seen": m}
        going |= {"before": k, "after": k, "ended": 1, "bracket": 8} if self.until else {}
        for arrays, room in ((waiting, ROOM), (going, self.lanes)):
            for name, length in arrays.items():
                program.array(name, room * length)
        self._write(program, program.routine("run", "rounds", result=True))
        return program

    def _write(self, program: Program, run: Routine) -> None:
        p = list(program.p)
        for j, index in enumerate(self.varied):
            p[index] = run.read("varied", j)
        p_field = p[: self.of_field]
        f = as_function(program, self.field, p_field, self.states, self.coordinates, self.lanes)
        i, lane, row = run.whole("i"), run.whole("lane"), run.whole("row")
        with run.repeat(i < run.argument("rounds")):
            with run.side_by_side(self.lanes), run.when(self._over(run)):
                self._look(run, p)
                with run.side_by_side(1):
                    run.set(lane, 0)
                    with run.repeat(lane < self.lanes):
                        self._exchange(run, lane, row)
                        run.set(lane, lane + 1)
                    with run.when(run.read("busy") <= 0.0):
                        run.leave(i)
            with run.side_by_side(self.lanes):
                self._look(run, p)
                self._step(run, f, p)
            run.set(i, i + 1)
        run.leave(i)

    def _over(self, run: Routine, lane: Whole | int = 0, apart: int = 1) -> Condition:
        """Return whether the motion of a lane (with a stride), or of each lane, is over."""
        assignments = run.program.assignments
        within: Condition = run.read("steps", lane) < assignments.unknown("input", "most", 0)
        x = run.read("x", lane, self.states * apart)[::apart]
        for entry, limit in zip(x, assignments.inputs("limits", self.states)):
            within = within & (abs(entry) <= limit)
        if self.until:
            within = within & (run.read("ended", lane) <= 0.0)
        return ~within

    def _exchange(self, run: Routine, lane: Whole, row: Whole) -> None:
        """If the motion of a lane is over, store its result and begin the next motion."""
        start = run.read("start", lane)
        following, busy, count = run.read("next"), run.read("busy"), run.read("count")
        with run.when(self._over(run, lane, self.lanes)):
            with run.when(start >= 0.0):
                run.set(row, start)
                for array, source, length in self._results():
                    entries = run.read(source, lane, length * self.lanes)[:: self.lanes]
                    run.store(array, row * length, entries)
                run.store("busy", 0, [busy - 1.0])
            waits = following < count
            run.set(row, where(waits, following, count - 1.0))
            run.store("start", lane, [where(waits, following, -1.0)])
            run.store("busy", 0, [where(waits, busy + 1.0, busy)])
            run.store("next", 0, [where(waits, following + 1.0, following)])
            for name in ("steps", *["ended"] * bool(self.until)):
                run.store(name, lane, [0.0])
            for array, source, length in self._beginnings():
                for r in range(length):
                    entry = run.read(source, row * length + r)
                    run.store(array, lane + r * self.lanes, [entry])

    def _results(self) -> list[tuple[str, str, int]]:
        """Return targets, sources, and numbers of the results of a motion."""
        every = [
            ("ends", "x", self.states),
            ("taken", "steps", 1),
            ("extremes", "seen", 2 * self.observed),
        ]
        return [part for part in every if part[2]]

    def _beginnings(self) -> list[tuple[str, str, int]]:
        """Return targets, sources, and numbers of the initial values of a motion."""
        every = [("x", "starts", self.states), ("varied", "values", len(self.varied))]
        return [part for part in every if part[2]]

    def _look(self, run: Routine, p: list[Number]) -> None:
        """Update the observed extremes with the state of each lane."""
        if self.observe is None:
            return
        steps, m = run.read("steps"), self.observed
        values = self.observe(steps * self._h(run), run.read("x", 0, self.states), p)
        seen = run.read("seen", 0, 2 * m)
        first = steps <= 0.0
        anew = [first | ~s.condition("eq", s) for s in seen]  # nan is not an extreme
        least = [where(n | (v < s), v, s) for n, v, s in zip(anew, values, seen[:m])]
        greatest = [where(n | (v > s), v, s) for n, v, s in zip(anew[m:], values, seen[m:])]
        run.store("seen", 0, [*least, *greatest])

    def _step(self, run: Routine, f: Rate, p: list[Number]) -> None:
        """Take a step of each lane, at its own time."""
        h, steps, x = self._h(run), run.read("steps"), run.read("x", 0, self.states)
        if self.until:
            run.store("before", 0, x)
        t = steps * h
        run.store("x", 0, self._moved(f, p, t, x, (steps + 1.0) * h))
        run.store("steps", 0, [steps + 1.0])
        if self.until:
            self._find(run, f, p)

    def _moved(
        self,
        f: Rate,
        p: list[Number],
        t: Number,
        x: Array,
        then: Number,
    ) -> list[Number]:
        """Return the state at a later time."""
        moved: Any = np.ravel(np.asarray(self.method.advance(f, t, x, then - t), dtype=object))
        if self.correction:
            moved = self.correction(then, moved, p)
        return list(moved)

    def _find(self, run: Routine, f: Rate, p: list[Number]) -> None:
        """End at an event: go back and take only part of the step."""
        until: Any = lambda t, x: self.until(t, x, p)[0]  # type: ignore[misc] # noqa: E731
        h, steps = self._h(run), run.read("steps")
        before, t = run.read("before", 0, self.states), (steps - 1.0) * h
        low, high = until(t, before), until(steps * h, run.read("x", 0, self.states))
        arrives = high.condition("eq", 0.0) & ~low.condition("eq", 0.0)
        passed = _opposite(low, high) | arrives
        with run.when(passed):
            run.store("ended", 0, [where(passed, 1.0, 0.0)])
            run.store("after", 0, run.read("x", 0, self.states))
            largest = where(abs(low) > abs(high), abs(low), abs(high))
            run.store("bracket", 0, [0.0, low, 1.0, high, 0.0, 0.0, largest * SMALL, 1.0])
            with run.repeat(self._searching(run)):
                part = self._next_part(run.read("bracket", 0, 8))
                moved = self._moved(f, p, t, before, t + part * h)
                self._narrow(run, part, moved, until(t + part * h, np.array(moved, dtype=object)))
            _, _, part, value, _, same, small, _ = run.read("bracket", 0, 8)
            jumped = self._ended(run) & ~((abs(value) <= small) | (same > 0.0))
            x, after = run.read("x", 0, self.states), run.read("after", 0, self.states)
            run.store("x", 0, [where(jumped, old, new) for new, old in zip(x, after)])
            run.store("ended", 0, [where(jumped, 0.0, run.read("ended"))])
            run.store("steps", 0, [where(self._ended(run), steps - 1.0 + part, steps)])

    def _next_part(self, bracket: Numbers) -> Number:
        """Return the zero of the line through two values; after some attempts, the midpoint."""
        a, low, b, high, count = bracket[:5]
        return where(count < float(ATTEMPTS), b - high * (b - a) / (high - low), (a + b) / 2)

    def _narrow(self, run: Routine, part: Number, moved: list[Number], value: Number) -> None:
        """Replace an end of the interval; if the other end stays, halve its value."""
        bracket, going = run.read("bracket", 0, 8), self._searching(run)
        a, low, b, high, count, same, small, _ = bracket
        turned, early = _opposite(value, high), count < float(ATTEMPTS)
        older = where(turned, high, where(early, low / 2, low))
        repeats = (value - high).condition("eq", 0.0) & (abs(part - b) > APART)
        same, count = where(repeats, 1.0, same), count + 1.0
        searches = (abs(value) > small * FOUND) & (count < float(MOST_ATTEMPTS))
        searches = where((count < float(ATTEMPTS)) | searches, 1.0, 0.0)
        entries = [where(turned, b, a), older, part, value, count, same, small, searches]
        x = run.read("x", 0, self.states)
        for array, new, old in (("bracket", entries, bracket), ("x", moved, x)):
            run.store(array, 0, [where(going, n, o) for n, o in zip(new, old)])

    def _searching(self, run: Routine) -> Condition:
        """Return whether a lane is still locating an event within the step."""
        condition: Condition = self._ended(run) & (run.read("bracket", 7) > 0.0)
        return condition

    def _ended(self, run: Routine) -> Condition:
        return run.read("ended") > 0.0  # type: ignore[no-any-return]

    def _h(self, run: Routine) -> Unknown:
        return run.program.assignments.unknown("input", "h", 0)


def _opposite(a: Number, b: Number) -> Condition:
    """Return the condition that two values have opposite signs."""
    condition: Any = ((a < 0.0) & (b > 0.0)) | ((a > 0.0) & (b < 0.0))
    return condition  # type: ignore[no-any-return]


@lru_cache(maxsize=16)
def ensemble_program(loop: EnsembleLoop) -> Machine:
    """Return a loop as a compiled program that advances two motions in parallel.

    Parameters
    ----------
    loop : EnsembleLoop
    """
    return Machine(replace(loop, lanes=LANES).program())
