"""Programs of simulations: the steps, the outputs to draw, and the handles.

The page runs the bytes that are made here. The steps in them are those of the methods that the
chapters print. `live` and `live_in_space` use them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from panels.simulations.handles import Handles
from straightline.aliases import Array
from straightline.assignments import Condition, Number
from straightline.compiled_function import compiled
from straightline.evaluator import Formula
from straightline.numpy_protocol import is_unknown
from straightline.routines import Program, Routine, Whole
from straightline.shared_sines import share_sines
from tutlib.fields import Field
from tutlib.methods.partitioned import (
    PositionVerlet,
    central_speeds,
    first_positions,
    next_positions,
)
from tutlib.methods.steps import Method, Tableau, step
from tutlib.spaces.space import Space

#: Largest absolute value of a state; a motion that exceeds it stops.
LARGEST = 1e12
#: Number of projections that close a mechanism after a parameter has changed.
CLOSINGS = 5

#: A tableau, a method of `tutlib.methods`, or the reader's own step.
AnyMethod = Tableau | Method | Callable[..., Any]


@dataclass(frozen=True)
class Motion:
    """Ingredients of the program of a motion.

    Parameters
    ----------
    states, parameters : int
        Lengths of x and p.
    rates : function (t, x, p) -> sequence of numbers
        On a space an element of the algebra.
    outputs : function (t, x, p) -> sequence of numbers
        Energies, points, and numbers to show.
    methods : sequence of methods
        The first is number 0.
    power : function (t, x, p, rates) -> number, optional
        The power that may change the energy [W]. Its integral is stored after the states.
    coordinates : int, optional
        Number of states that are coordinates.
    space : Space, optional
        State space; the default is ℝᵏ.
    correction : function (t, x, p) -> x, optional
        Correction of the state after each step.
    closing : function (t, x, p) -> x, optional
        Correction that closes the mechanism while it is dragged, and after its dimensions have
        changed; by default the same as ``correction``.
    handles : Handles, optional
        The points that can be dragged.
    """

    states: int
    parameters: int
    rates: Formula
    outputs: Formula
    methods: Sequence[AnyMethod]
    power: Callable[[Any, Any, Any, Any], Any] = lambda t, x, p, rates: 0.0
    coordinates: int | None = None
    space: Space | None = None
    correction: Formula | None = None
    closing: Formula | None = None
    handles: Handles | None = None

    def program(self) -> Program:
        """Return the motion as a program.

        Its arrays are ``clock`` with t and h; ``x`` with k states and the integral of the power;
        ``before``, the same before the last step; ``at``, a state to look at; ``out``, ``dx`` and
        ``begun``, which is zero where the methods restart. Their parts have names: see `parts`.

        Its routines are ``run(method, count)``, which takes ``count`` steps, or fewer if a state is
        not finite or too large, and returns their number; ``outputs``, which fills ``out`` for the
        state in ``at``; ``rates``, which fills ``dx`` for the state in ``x``; ``close``, and the
        routines of `Handles`.
        """
        program = Program(self.parameters)
        lengths = {"clock": 2, "x": self.states + 1, "before": self.states + 1, "at": self.states}
        for name, length in lengths.items():
            program.array(name, length)
        program.array("following", self.states + 1)
        program.array("begun", 1 + self.states)
        held: list[int] = []
        f = self._field(program, held)
        self._run(program, f, held)
        self._looks(program, f)
        closing = self.closing or self.correction
        if closing:
            self._close(program, closing)
        if self.handles:
            self.handles.add_to(program, self.states, closing)
        share_sines(program)
        return program

    def parts(self) -> dict[str, tuple[str, int, int]]:
        """Return the named parts of the program's arrays: name -> (array, start, count)."""
        k = self.states
        return {
            "t": ("clock", 0, 1),
            "h": ("clock", 1, 1),
            "states": ("x", 0, k),
            "work": ("x", k, 1),
            "previous": ("before", 0, k),
            "carries": ("begun", 0, 1),
            "carried": ("begun", 1, self.coordinates or 0),
        }

    def _field(self, program: Program, held: list[int]) -> Field:
        """Return f(t, x) followed by the power: one routine that all methods call.

        Fill ``held`` with the states whose rate is zero, such as a torque that a computer sets.
        """

        def rates(t: Number, x: Array) -> list[Number]:
            derivatives = list(self.rates(t, x, program.p))
            held[:] = [i for i, rate in enumerate(derivatives) if type(rate) is float and not rate]
            return [*derivatives, self.power(t, x, program.p, derivatives)]

        call = program.function("f", rates, self.states)

        return Field(lambda t, x: call(t, x[: self.states]), coordinates=self.coordinates)

    def _run(self, program: Program, f: Field, held: Sequence[int]) -> None:
        advance = _Steps(self, program, f, held)
        run = program.routine("run", "method", "count", result=True)
        method, i = run.argument("method"), run.whole("i")
        t, h = run.read("clock", 0), run.read("clock", 1)
        length = self.states + 1
        with run.repeat(i < run.argument("count")):
            self._choose(run, method, 0, advance)
            following = run.read("following", 0, length)
            if self.correction:
                closed = self.correction(t + h, following[:-1], program.p)
                run.store("following", 0, closed[: self.states])
            with run.when(~_bounded(following)):
                run.leave(i)
            run.store("before", 0, run.read("x", 0, length))
            run.store("x", 0, following)
            run.store("clock", 0, [t + h])
            run.set(i, i + 1)
        run.leave(i)

    def _choose(self, run: Routine, method: Whole, number: int, advance: _Steps) -> None:
        """Write the step of a method, or of the following ones if it is not chosen."""
        if number == len(self.methods) - 1:
            advance.write(run, self.methods[number])
            return
        with run.when(method < number + 1):
            advance.write(run, self.methods[number])
        with run.otherwise():
            self._choose(run, method, number + 1, advance)

    def _looks(self, program: Program, f: Field) -> None:
        outputs, rates = program.routine("outputs"), program.routine("rates")
        t = outputs.read("clock", 0)
        shown = list(self.outputs(t, outputs.read("at", 0, self.states), program.p))
        outputs.store(program.array("out", len(shown)), 0, shown)
        derivatives = list(f(t, rates.read("x", 0, self.states)))
        rates.store(program.array("dx", len(derivatives)), 0, derivatives)

    def _close(self, program: Program, correction: Formula) -> None:
        close = program.routine("close")
        i, t = close.whole("i"), close.read("clock", 0)
        with close.repeat(i < CLOSINGS):
            close.store("x", 0, correction(t, close.read("x", 0, self.states), program.p))
            close.set(i, i + 1)


class _Steps:
    """Writer of the steps of all methods, from ``x`` to ``following``."""

    def __init__(self, motion: Motion, program: Program, f: Field, held: Sequence[int]) -> None:
        self.motion, self.f, self.held = motion, f, held
        self.space = motion.space and _with_routines(program, motion.space)

    def write(self, routine: Routine, method: AnyMethod) -> None:
        """Write one step."""
        t, h = routine.read("clock", 0), routine.read("clock", 1)
        x = routine.read("x", 0, self.motion.states + 1)
        if isinstance(method, PositionVerlet):
            self._verlet(routine, t, h, x)
        elif self.space is not None:
            f = lambda t, x: self.f(t, x)[:-1]  # noqa: E731
            moved = step(f, t, x[:-1], h, method, self.space)  # type: ignore[arg-type]
            routine.store("following", 0, [*moved, x[-1]])
        elif isinstance(method, Tableau):
            routine.store("following", 0, list(step(self.f, t, x, h, method)))
        elif isinstance(method, Method):
            routine.store("following", 0, method.advance(self.f, t, x, h))
        else:
            routine.store("following", 0, self._own(method, t, x, h))

    def _verlet(self, routine: Routine, t: Number, h: Any, x: Array) -> None:
        """Position Verlet: the positions after the next step are carried in ``begun``."""
        n = self.motion.states // 2
        f, power = self._without_power()
        with routine.when(routine.read("begun").condition("eq", 0.0)):
            first = first_positions(f, t, x[:-1], h)
            routine.store("begun", 0, [1.0, *first[n:]])
        q = routine.read("begun", 1, n)
        following = next_positions(f, t, np.concatenate([x[:n], q]), h)
        speeds = central_speeds(x[:n], following[n:], h)
        book = x[-1] + h * power[-1]
        values = [*q, *speeds, book, *following[n:]]
        targets = [("memory", "following", ("constant", 0), i) for i in range(2 * n + 1)]
        targets += [("memory", "begun", ("constant", 0), 1 + i) for i in range(n)]
        routine.assign(targets, values)

    def _own(self, method: Callable[..., Array], t: Any, x: Array, h: Any) -> list[Number]:
        """Take a user-defined step; the power is integrated with Simpson's rule.

        The state in the middle is that of the cubic with the derivatives at both ends. A state
        whose derivative is zero, such as a torque that is set, can only jump: it is assumed to do
        so at the beginning.
        """
        f, power = self._without_power()
        old, book = x[:-1], x[-1]
        new = np.ravel(np.asarray(compiled(method)(f, t, old.copy(), h), dtype=object))
        old = np.where(np.isin(range(len(old)), self.held), new, old)
        before, after = f(t, old), f(t + h, new)
        f(t + h / 2, (old + new) / 2 + h / 8 * (before - after))
        first, last, middle = power[-3:]
        return [*new, book + h / 6 * (first + 4 * middle + last)]

    def _without_power(self) -> tuple[Field, list[Any]]:
        """Return f(t, x) without the power behind the rates, and the list that takes the powers."""
        power: list[Any] = []

        def f(t: Any, x: Array) -> Array:
            *rates, last = self.f(t, np.asarray(x, dtype=object))
            power.append(last)
            return np.array(rates, dtype=object)

        return Field(f, coordinates=self.motion.coordinates), power


def _with_routines(program: Program, space: Space) -> Space:
    """Return the space with its maps as routines, which all stages of all methods call."""

    def routine(name: str, function: Callable[..., Array], states: int) -> Callable[..., Array]:
        a = space.algebra
        called = program.function(
            name,
            lambda first, rest: function(np.array([first, *rest[: a - 1]]), rest[a - 1 :]),
            a - 1 + states,
        )

        def call(xi: Array, x: Array) -> Array:
            return called(xi[0], [*xi[1:], *x]) if is_unknown(xi) else function(xi, x)

        return call

    flow = routine("flow", space.maps[0], space.dimension)
    dexp_inverse = routine("dexp_inverse", space.maps[1], space.algebra)
    return Space(space.name, space.dimension, flow, dexp_inverse, space.algebra)


def _bounded(x: Sequence[Number]) -> Condition:
    """Return the condition that every entry is within bounds; nan is not."""
    condition: Any = True
    for entry in x:
        condition = (abs(entry) < LARGEST) & condition
    return condition  # type: ignore[no-any-return]
