"""Loops of adaptive steps: one in Python and one compiled, around the same step.

`integrate_adaptive` runs one of them. The compiled loop fills a block of rows at a time; the Python
loop fills one row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.assignments import Number, Numbers, Truth
from straightline.machine import Instance, Machine
from straightline.powers import logarithm
from straightline.routines import Program, Routine, Target, Whole, whole
from tutlib.aliases import Rate
from tutlib.fields import Field
from tutlib.methods.adaptive_step import LARGEST_GROWTH, SMALLEST_ERROR, AdaptiveStep, Goal
from tutlib.methods.checks import AfterStep, check_next_state
from tutlib.methods.tableaus import ButcherTableau
from tutlib.spaces.space import R, Space

_FLOATS = 1 << 16
_BEFORE = logarithm(SMALLEST_ERROR)


def too_small(t: Number, h: Number) -> Truth:
    """Return whether a step from t is too small: zero, or lost in rounding."""
    return h < 1e-15 * abs(t) + 2.0**-1022


@dataclass(frozen=True)
class Shape:
    """The dimensions of the arrays of a loop.

    Parameters
    ----------
    rows : int
        Number of steps for which there is room.
    states, algebra : int
        Lengths of a state and of a slope.
    stages : int
        Number of slopes of one step, including those of the dense output.
    """

    rows: int
    states: int
    algebra: int
    stages: int

    @property
    def slopes(self) -> int:
        """The number of floats in the slopes of one step."""
        return self.algebra * self.stages

    def lengths(self) -> dict[str, int]:
        """Return the arrays by name, with their lengths.

        The rows hold times, step sizes, states, and slopes. ``control`` holds whether the last
        attempt was accepted, and the control values of the next one; ``goal`` holds the final time,
        rtol, the largest step, and atol for each state. The states at the ``wanted`` times are
        stored in ``inside``.
        """
        rows, k = self.rows, self.states
        by_rows = {"T": rows + 1, "H": rows, "X": (rows + 1) * k, "K": (rows + 1) * self.slopes}
        return {**by_rows, "control": 4, "goal": 3 + k, "wanted": rows, "inside": rows * k}


def stages_of(method: ButcherTableau) -> int:
    """Return the number of slopes of a step, including those of the dense output."""
    return len(method.pair.b) + len(method.pair.further_c)


class Rows:
    """The arrays of a loop, and the calls that fill them.

    Parameters
    ----------
    shape : Shape
    view : function name -> array
    run : function count -> number of steps that were accepted
        Make ``count`` attempts, beginning at row 0.
    dense : function (row, count)
        Compute the states at the wanted times, none of which is before the time of that row.
    set_parameters : function values
        Change the parameters of f.
    """

    def __init__(
        self,
        shape: Shape,
        view: Callable[[str], Array],
        run: Callable[[int], int],
        dense: Callable[[int, int], object],
        set_parameters: Callable[[Array], object],
    ) -> None:
        self.T, self.H, self.control, self.goal, self._wanted = map(
            view, ("T", "H", "control", "goal", "wanted")
        )
        self._set_parameters = set_parameters
        self.X, self._inside = (view(name).reshape(-1, shape.states) for name in ("X", "inside"))
        self.K = view("K").reshape(-1, shape.stages, shape.algebra)
        self.together, self.run, self._dense = shape.rows, run, dense

    def begin(self, t: float, x: Array, slope: Array, h: float, goal: Goal) -> None:
        """Put the start into row 0."""
        self.T[0], self.X[0], self.K[0, 0] = t, x, slope
        self.control[:] = 1.0, h, _BEFORE, LARGEST_GROWTH
        self.goal[:3] = goal.end, goal.rtol, goal.longest
        self.goal[3:] = goal.atol

    def go_on(self, row: int) -> None:
        """Make a row the first row."""
        self.T[0], self.X[0], self.K[0, 0] = self.T[row], self.X[row], self.K[row, 0]

    def retune(self, f: Field) -> None:
        """Set the parameters of f to those of a field."""
        self._set_parameters(f.values)

    def steps(self, first: int, last: int) -> tuple[Array, Array, Array, Array]:
        """Return initial times, sizes, initial states, and slopes of the steps between two rows."""
        self.inside(self.T[first + 1 : last + 1], first)  # computes the slopes within each step
        row = slice(first, last)
        return self.T[row], self.H[row], self.X[row], self.K[row]

    def inside(self, times: Array, row: int = 0) -> Array:
        """Return the states at increasing times after that of a row, shape (len(times), k)."""
        states = np.empty((len(times), self.X.shape[1]))
        for first in range(0, len(times), self.together):
            count = min(self.together, len(times) - first)
            self._wanted[:count] = times[first : first + count]
            self._dense(row, count)
            states[first : first + count] = self._inside[:count]
        return states


class PythonLoop:
    """The same loop in Python, one step at a time, for an f that is not compiled.

    Parameters
    ----------
    f : function (t, x) -> array
    step : AdaptiveStep
    after : function (t, x) -> array, optional
        Correction of each state, if the step has one.
    """

    together = 1

    def __init__(self, f: Field, step: AdaptiveStep, after: AfterStep | None = None) -> None:
        self._f, self._step = f.rate, step
        self._after = None if after is None else partial(_corrected, after)
        self._flat = step.space.maps == R(step.space.dimension).maps

    def begin(self, t: float, x: Array, slope: Array, h: float, goal: Goal) -> None:
        """Put the start into row 0."""
        self.T, self.X, self._slope = np.array([t, t]), np.array([x, x]), slope
        self.control: Sequence[Any] = (1.0, h, _BEFORE, LARGEST_GROWTH)
        self._within: list[Array] = []  # slopes for the states within the step
        self._goal = goal

    def run(self, count: int) -> int:
        """Attempt a step from row 0 to row 1; return 1 if it is accepted, else 0."""
        f, t, x, after = self._f, float(self.T[0]), self.X[0], self._after
        tried = self._step.attempt(f, t, x, self._slope, self.control[1:], self._goal, after)
        if tried.accepted:
            following = f(tried.t, tried.x) if tried.slope is None else tried.slope
            self.T[1], self.X[1], self._slope, self._tried = tried.t, tried.x, following, tried
            self._within = []
        self.control = (tried.accepted, *tried.control)
        return int(tried.accepted)

    def go_on(self, row: int) -> None:
        """Make a row the first row."""
        self.T[0], self.X[0] = self.T[row], self.X[row]

    def retune(self, f: Field) -> None:
        """Set the parameters of f to those of a field."""
        self._f = f.rate

    def steps(self, first: int, last: int) -> tuple[Array, Array, Array, Array]:
        """Return initial time, size, initial state, and slopes of the step, as one-row arrays."""
        return self.T[:1], np.array([self._tried.h]), self.X[:1], np.array([self._slopes()])

    def _slopes(self) -> list[Array]:
        """Return the slopes of the step, including those of the dense output."""
        if not self._within:
            t, x, h, K = float(self.T[0]), self.X[0], self._tried.h, list(self._tried.K)
            self._within = [*K, *self._step.further_stages(self._f, t, x, h, K)]
        return self._within

    def inside(self, times: Array, row: int = 0) -> Array:
        """Return the states at times within the step, shape (len(times), k)."""
        states = np.empty((len(times), self.X.shape[1]))
        if len(times):
            t, x, h, slopes = float(self.T[0]), self.X[0], self._tried.h, self._slopes()
            parts = (times - t) / h
            if self._flat:  # all at once: only sums and products
                states[:] = self._step.inside(parts[:, None], x, h, slopes)
            else:
                states[:] = [self._step.inside(p, x, h, slopes) for p in parts.tolist()]
        if self._after is not None and len(times):
            states[:] = [self._after(*at) for at in zip(times.tolist(), states)]
        return states


def _corrected(after: AfterStep, t: float, x: Array) -> Array:
    """Return the corrected state; reject a value that is not a state."""
    return check_next_state(after(t, x.copy()), len(x), "after_step") if np.isfinite(x).all() else x


@dataclass(frozen=True)
class AdaptiveLoop:
    """A compiled loop of adaptive steps.

    Parameters
    ----------
    field : function (t, x, p) -> sequence of numbers
    method : ButcherTableau
    space : Space or None
        ℝᵏ unless given.
    states, algebra, parameters : int
        Numbers of states, of entries of a slope, and of parameters of f.
    correction : function (t, x, p) -> x, or None
        Correction of each state.
    corrections : int
        Number of parameters of the correction.
    """

    field: Callable[..., Any]
    method: ButcherTableau
    space: Space | None
    states: int
    algebra: int
    parameters: int
    correction: Callable[..., Any] | None = None
    corrections: int = 0

    @property
    def step(self) -> AdaptiveStep:
        """The step that the loop repeats."""
        return AdaptiveStep(self.method, self.space or R(self.states), self.correction is not None)

    @property
    def shape(self) -> Shape:
        """The dimensions of the arrays."""
        stages = stages_of(self.method)
        room = _FLOATS // (self.states + self.algebra * stages)
        return Shape(max(min(room, 1024), 8), self.states, self.algebra, stages)

    def program(self) -> Machine:
        """Return the loop as a program; `Rows` calls its routines ``run`` and ``dense``."""
        program = Program(self.parameters + self.corrections)
        p, of_correction = np.split(program.p, [self.parameters])
        for name, length in self.shape.lengths().items():
            program.array(name, length)
        f, after = program.function("f", lambda t, x: self.field(t, x, p), self.states), None
        if (correct := self.correction) is not None:
            after = program.function(
                "after", lambda t, x: correct(t, x, of_correction), self.states
            )
        self._write_run(program.routine("run", "count", result=True), f, after)
        if self.method.pair.P.size:
            self._write_dense(program.routine("dense", "row", "count"), f, after)
        return Machine(program)

    def _write_run(self, run: Routine, f: Rate, after: Rate | None) -> None:
        k, shape, reuses = self.states, self.shape, self.step.reuses
        row, i = run.whole("row"), run.whole("i")
        with run.repeat(i < run.argument("count")):
            t, x, K = run.read("T", row), run.read("X", row * k, k), self._slopes(run, row)
            control, (end, rtol, longest) = run.read("control", 1, 3), run.read("goal", 0, 3)
            goal = Goal(end, rtol, run.read("goal", 3, k), longest)
            with run.when((t >= goal.end) | too_small(t, control[0])):
                run.leave(row)
            tried = self.step.attempt(f, t, x, K[0], control, goal, after)
            memory = _Places()
            memory.add("T", row + 1, [tried.t])
            memory.add("X", (row + 1) * k, tried.x)
            memory.add("H", row, [tried.h])
            memory.add("K", row * shape.slopes + shape.algebra, np.concatenate(tried.K[1:]))
            memory.add("control", 0, [tried.accepted, *tried.control])
            if reuses:
                memory.add("K", (row + 1) * shape.slopes, tried.slope)
            run.assign(memory.targets, memory.values)
            with run.when(run.read("control") > 0.0):
                run.set(row, row + 1)
                if not reuses:
                    slope = f(run.read("T", row), run.read("X", row * k, k))
                    run.store("K", row * shape.slopes, slope)
            run.set(i, i + 1)
        run.leave(row)

    def _write_dense(self, dense: Routine, f: Rate, after: Rate | None) -> None:
        k, shape, stages = self.states, self.shape, len(self.method.pair.b)
        row, i, known = dense.argument("row"), dense.whole("i"), dense.whole("known", -1)
        with dense.repeat(i < dense.argument("count")):
            wanted = dense.read("wanted", i)
            with dense.repeat(dense.read("T", row + 1) < wanted):
                dense.set(row, row + 1)
            t, h, x = dense.read("T", row), dense.read("H", row), dense.read("X", row * k, k)
            K = self._slopes(dense, row)
            with dense.when(known < row):
                further = self.step.further_stages(f, t, x, h, K[:stages])
                place = row * shape.slopes + stages * shape.algebra
                dense.store("K", place, list(np.ravel(further)))
                dense.set(known, row)
            inside = self.step.inside((wanted - t) / h, x, h, K)
            dense.store("inside", i * k, after(wanted, inside) if after else inside)
            dense.set(i, i + 1)

    def _slopes(self, routine: Routine, row: Whole) -> list[Array]:
        """Return the slopes of all stages of the step from a row."""
        shape = self.shape
        return list(
            routine.read("K", row * shape.slopes, shape.slopes).reshape(shape.stages, shape.algebra)
        )


class _Places:
    """Values that are computed together, and the addresses where they are stored."""

    def __init__(self) -> None:
        self.targets: list[Target] = []
        self.values: list[Any] = []

    def add(self, array: str, row: Whole | int, values: Numbers) -> None:
        """Put values into an array, one after another, beginning at a row."""
        self.targets += [("memory", array, whole(row), i) for i in range(len(values))]
        self.values += list(values)


class CompiledLoop:
    """A compiled loop; its machines are kept for the next motion.

    Parameters
    ----------
    loop : AdaptiveLoop
    """

    def __init__(self, loop: AdaptiveLoop) -> None:
        self._program, self._shape = loop.program(), loop.shape
        self._waiting: list[tuple[Instance, Rows]] = []

    @contextmanager
    def rows(self, values: Array) -> Iterator[Rows]:
        """Lend the rows of an unused machine, with these parameters."""
        try:
            machine, rows = self._waiting.pop()
            if machine.view("p")[: len(values)].tobytes() != values.tobytes():
                machine.set_parameters(values)
        except IndexError:
            machine = self._program.instance(values)
            calls = partial(machine.call, "run"), partial(machine.call, "dense")
            rows = Rows(self._shape, machine.view, *calls, machine.set_parameters)
        try:
            yield rows
        finally:
            self._waiting.append((machine, rows))


_loop = lru_cache(maxsize=32)(CompiledLoop)


def compiled_rows(
    f: Field,
    method: ButcherTableau,
    states: int,
    algebra: int,
    after: AfterStep | None = None,
) -> AbstractContextManager[Rows] | None:
    """Return a lender of rows of a compiled loop, if all functions that it calls run compiled.

    Parameters
    ----------
    f : Field
    method : ButcherTableau
        With embedded weights.
    states, algebra : int
        Lengths of a state and of a slope.
    after : function (t, x) -> x, optional
        Correction of each state.

    Returns
    -------
    context manager of Rows, or None
    """
    field = f.program(states)
    if field is None:
        return None
    loop, values = AdaptiveLoop(field, method, f.space, states, algebra, len(f.values)), f.values
    if after is not None:
        if not isinstance(after, Field) or (correction := after.program(states)) is None:
            return None
        loop = replace(loop, correction=correction, corrections=len(after.values))
        values = np.concatenate([values, after.values])
    return _loop(loop).rows(values)
