"""The loop of an ensemble: several motions side by side; one that is over makes room for the next.

`ensemble` runs it for chapter 2's map of flips and chapter 7's basin.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from tutlib.methods.loops import LARGEST_INSIDE, PATIENCE, as_function
from tutlib.programs.assignments import Condition, where
from tutlib.programs.evaluation import Formula
from tutlib.programs.machine import CompiledProgram, side_by_side
from tutlib.programs.right_hand_side import Array
from tutlib.programs.routines import Program, Routine, Whole
from tutlib.programs.vectors import VectorProgram, installed

#: As many motions one machine holds at a time.
ROOM = 1024
#: From so many steps on, of all motions together, it is worth the wait until Numba has compiled.
LONG = 200_000_000
_VECTOR = 32
#: Numba takes only what is written inside the step, and long for what is large.
_INSIDE_A_VECTOR = 400


@dataclass(frozen=True)
class EnsembleLoop:
    """What the compiled loop of an ensemble is made of.

    Parameters
    ----------
    field : function (t, x, p) -> sequence of numbers
    coordinates : int or None
    advance : function step(f, t, x, h) -> x
    states, parameters : int
        How many states there are, and parameters of f.
    lanes : int
        How many motions go side by side in one instruction.
    """

    field: Formula
    coordinates: int | None
    advance: Callable[..., Any]
    states: int
    parameters: int
    lanes: int = 1

    def program(self) -> CompiledProgram:
        """Return the loop as a program.

        ``count`` motions wait in the array ``starts``. As each is over, its last state goes to
        ``ends`` and the number of its steps to ``taken``. The routine ``run(rounds)`` takes so
        many steps of each lane, or fewer if none is ``busy`` any more, and returns how many; a lane
        that has no motion repeats the last start for nobody.
        """
        return CompiledProgram(self.text())

    def text(self) -> Program:
        """Return the program before it is compiled."""
        program = Program(self.parameters)
        for name in ("h", "most", "count", "next", "busy"):
            program.array(name, 1)
        for name, length in {"starts": ROOM, "ends": ROOM, "limits": 1, "x": self.lanes}.items():
            program.array(name, length * self.states)
        for name, length in {"taken": ROOM, "start": self.lanes, "steps": self.lanes}.items():
            program.array(name, length)
        inside = _INSIDE_A_VECTOR if self.lanes == _VECTOR else LARGEST_INSIDE
        parts = (program, self.field, program.p, self.states, self.coordinates, self.lanes)
        f = as_function(*parts, largest=inside)
        run = program.routine("run", "rounds", result=True)
        i, lane, row = run.whole("i"), run.whole("lane"), run.whole("row")
        with run.repeat(i < run.argument("rounds")):
            with run.side_by_side(self.lanes), run.when(self._over(run)), run.side_by_side(1):
                run.set(lane, 0)
                with run.repeat(lane < self.lanes):
                    self._exchange(run, lane, row)
                    run.set(lane, lane + 1)
                with run.when(run.read("busy") <= 0.0):
                    run.leave(i)
            with run.side_by_side(self.lanes):
                self._step(run, f)
            run.set(i, i + 1)
        run.leave(i)
        return program

    def _over(self, run: Routine, lane: Whole | int = 0, apart: int = 1) -> Condition:
        """Return whether the motion of a lane is over, its entries lying apart; or of each lane."""
        assignments = run.program.assignments
        within: Condition = run.read("steps", lane) < assignments.unknown("input", "most", 0)
        x = run.read("x", lane, self.states * apart)[::apart]
        for entry, limit in zip(x, assignments.inputs("limits", self.states)):
            within = within & (abs(entry) <= limit)
        return ~within

    def _exchange(self, run: Routine, lane: Whole, row: Whole) -> None:
        """If the motion of a lane is over, write down its end and begin the next."""
        k, start = self.states, run.read("start", lane)
        following, busy, count = run.read("next"), run.read("busy"), run.read("count")
        x = run.read("x", lane, k * self.lanes)[:: self.lanes]
        with run.when(self._over(run, lane, self.lanes)):
            with run.when(start >= 0.0):
                run.set(row, start)
                run.store("ends", row * k, x)
                run.store("taken", row, [run.read("steps", lane)])
                run.store("busy", 0, [busy - 1.0])
            waits = following < count
            run.set(row, where(waits, following, count - 1.0))
            run.store("start", lane, [where(waits, following, -1.0)])
            run.store("busy", 0, [where(waits, busy + 1.0, busy)])
            run.store("next", 0, [where(waits, following + 1.0, following)])
            run.store("steps", lane, [0.0])
            for r in range(k):
                run.store("x", lane + r * self.lanes, [run.read("starts", row * k + r)])

    def _step(self, run: Routine, f: Callable[[Any, Any], Any]) -> None:
        """Take a step of each lane, at its own time."""
        h, steps = run.program.assignments.unknown("input", "h", 0), run.read("steps")
        t = steps * h
        x = self.advance(f, t, run.read("x", 0, self.states), (steps + 1.0) * h - t)
        run.store("x", 0, list(np.ravel(np.asarray(x, dtype=object))))
        run.store("steps", 0, [steps + 1.0])


def _compiled(loop: EnsembleLoop, long: bool) -> CompiledProgram | VectorProgram:
    if long and installed():
        program = replace(loop, lanes=_VECTOR).text()
        if not program.outputs:  # f is written inside
            return VectorProgram(program)
    return replace(loop, lanes=side_by_side()).program()


_lasting = lru_cache(maxsize=16)(_compiled)


def ensemble_program(
    loop: EnsembleLoop, lasting: bool, steps: int
) -> CompiledProgram | VectorProgram:
    """Return a loop as a program with as many lanes as there are here.

    Parameters
    ----------
    loop : EnsembleLoop
    lasting : bool
        Whether its functions are values of their own, and not functions whose names may change.
    steps : int
        How many there are to take, of all motions together.
    """
    return (_lasting if lasting else _compiled)(loop, steps >= LONG)


class EnsembleMachine:
    """The loop of an ensemble with memory of its own, for one thread.

    Parameters
    ----------
    program : CompiledProgram or VectorProgram
        Of an `EnsembleLoop`.
    parameters : array
        Of f.
    h : float
        Step size [s].
    steps : int
        How many there are at most.
    limits : array, shape (k,)
    """

    def __init__(
        self,
        program: CompiledProgram | VectorProgram,
        parameters: Array,
        h: float,
        steps: int,
        limits: Array,
    ) -> None:
        self._machine, self._rounds, self._count = program.machine(parameters), 64, 0
        self._view = self._machine.view
        self._view("h")[:], self._view("most")[:], self._view("limits")[:] = h, steps, limits

    def begin(self, starts: Array) -> None:
        """Let motions wait, at most `ROOM` of them: every lane is over, and takes one of them."""
        self._count = len(starts)
        self._view("starts")[: starts.size] = starts.ravel()
        self._view("taken")[:] = np.nan
        self._view("count")[:], self._view("next")[:], self._view("busy")[:] = len(starts), 0, 0
        self._view("start")[:], self._view("steps")[:] = -1, self._view("most")[0]

    def go_on(self) -> bool:
        """Run for at most about `PATIENCE` seconds; return whether motions are left."""
        began = time.perf_counter()
        rounds = self._machine.call("run", self._rounds)
        spent = time.perf_counter() - began
        if rounds == self._rounds:  # else nothing is left, and how long it took tells little
            self._rounds = max(1, min(2 * rounds, int(rounds * PATIENCE / max(spent, 1e-9))))
        return bool(self._view("busy")[0] > 0)

    @property
    def ends(self) -> tuple[Array, Array]:
        """The steps that each motion took, nan if it is not over, and its last state."""
        states = self._view("limits").size
        return self._view("taken")[: self._count], self._view("ends").reshape(ROOM, states)[
            : self._count
        ]
