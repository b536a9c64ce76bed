"""The loop over a fixed step, compiled: the text of the step itself, inside of a ``while``.

`integrate` uses it wherever f and the step can be followed with unknown numbers. Chapter 4 shows
what becomes of a step of your own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tutlib.programs.assignments import Assignments
from tutlib.programs.evaluation import Formula
from tutlib.programs.follow import (
    CannotFollowError,
    follow,
    opened,
    refuse_change,
    refuse_moods,
)
from tutlib.programs.machine import CompiledProgram, Machine
from tutlib.programs.memory import pictures
from tutlib.programs.projection import Projection
from tutlib.programs.right_hand_side import Array, Function, RightHandSide
from tutlib.programs.routines import Program
from tutlib.spaces.vector_field import VectorField

#: A right-hand side of more operations is a routine of its own, called by the step.
LARGEST_INSIDE = 100
#: As long as a call of a compiled loop may keep the interpreter from hearing Ctrl-C [s].
PATIENCE = 0.05
_FLOATS = 1 << 16


@dataclass(frozen=True)
class Field:
    """f(t, x) as a formula, with values for its parameters.

    Parameters
    ----------
    formula : function (t, x, p) -> sequence of numbers
    values : array
    coordinates : int or None
        How many of the states are coordinates, if f knows.
    lasting : bool
        Whether the formula is a value of its own, and not a function whose names may change.
    """

    formula: Formula
    values: Array
    coordinates: int | None = None
    lasting: bool = True


def field_of(f: Function, states: int) -> Field:
    """Return f as a formula.

    Raises
    ------
    CannotFollowError
        If it is a function that cannot be followed.
    """
    if isinstance(f, RightHandSide):
        return Field(f.formula, f.parameter_values, f.coordinates)
    if isinstance(f, VectorField):
        refuse_moods(f.formula, None, states, len(f.values))
        return Field(f.formula, f.values)
    followed = follow(f, None, states)
    return Field(
        lambda t, x, p: followed(t, x), np.zeros(0), getattr(f, "coordinates", None), False
    )


@dataclass(frozen=True)
class Loop:
    """What a compiled loop is made of.

    Parameters
    ----------
    field : function (t, x, p) -> sequence of numbers
    coordinates : int or None
    advance : function step(f, t, x, h) -> x
    states, parameters, corrections : int
        How many states there are, parameters of f, and parameters of the correction.
    correction : function (t, x, p) -> x, or None
        What becomes of the state after each step.
    """

    field: Formula
    coordinates: int | None
    advance: Callable[..., Any]
    states: int
    parameters: int
    correction: Formula | None = None
    corrections: int = 0

    def program(self) -> CompiledProgram:
        """Return the loop, compiled."""
        return CompiledProgram(self.written())

    def written(self) -> Program:
        """Return the loop as a program.

        Its routine ``run(count)`` fills rows 1 to ``count`` of X, at the times T, from row 0, and
        returns the number of the last row that is finite.
        """
        k, rows = self.states, self.rows
        program = Program(self.parameters + self.corrections)
        p, p_correction = np.split(program.p, [self.parameters])
        T, X = program.array("T", rows + 1), program.array("X", (rows + 1) * k)
        f = as_function(program, self.field, p, k, self.coordinates)
        run = program.routine("run", "count", result=True)
        i = run.whole("i")
        with run.repeat(i < run.argument("count")):
            t = run.read(T, i)
            x: Any = self.advance(f, t, run.read(X, i * k, k), run.read(T, i + 1) - t)
            if self.correction:
                x = self.correction(run.read(T, i + 1), x, p_correction)
            run.store(X, (i + 1) * k, _states(x, k))
            with run.when(~finite(run.read(X, (i + 1) * k, k))):
                run.leave(i)
            run.set(i, i + 1)
        run.leave(i)
        return program

    @property
    def rows(self) -> int:
        """How many steps one call may take: what memory has room for."""
        return max(_FLOATS // self.states, 16)


def _states(x: Any, k: int) -> list[Any]:
    found = list(np.ravel(np.asarray(x, dtype=object)))
    if len(found) != k:
        raise ValueError(f"the step must return a state of shape ({k},); got {np.shape(x)}")
    return found


def finite(x: Any) -> Any:
    """Return the condition that no entry is infinite or nan: then x - x sums to zero."""
    total: Any = 0.0
    for entry in x:
        total = total + (entry - entry)
    return total.condition("eq", 0.0)


def as_function(
    program: Program,
    formula: Formula,
    p: Any,
    states: int,
    coordinates: int | None = None,
    lanes: int = 1,
    largest: int = LARGEST_INSIDE,
) -> Callable[[Any, Any], Any]:
    """Return f(t, x) inside a program: written where it is called if small, else a routine."""
    scratch = Assignments()
    inputs = scratch.inputs("x", states), scratch.inputs("p", len(p))
    formula(scratch.unknown("input", "t", 0), *inputs)
    if len(scratch.nodes) > largest:
        f = program.function("f", lambda t, x: formula(t, x, p), states, lanes)
    else:
        f = lambda t, x: np.array(formula(t, x, p), dtype=object)  # noqa: E731
    f.coordinates = coordinates  # type: ignore[attr-defined]
    return f


_lasting_program = lru_cache(maxsize=64)(Loop.program)


def compiled_loop(
    f: Function,
    advance: Callable[..., Any],
    states: int,
    after_step: Callable[..., Any] | None,
    lasting: bool,
) -> Callable[[Array, Array], Iterator[int]]:
    """Return a compiled loop: called with times and rows to fill, it yields the last good row.

    Parameters
    ----------
    f : function (t, x) -> array
    advance : function step(f, t, x, h) -> x
    states : int
    after_step : Projection, optional
    lasting : bool
        Whether ``advance`` is a value of its own, and not a function whose names may change.

    Raises
    ------
    CannotFollowError
        If f, the step, or what comes after it cannot be followed.
    """
    field = field_of(f, states)
    if after_step is not None and not isinstance(after_step, Projection):
        raise CannotFollowError(after_step, "what follows each step must be a Projection")
    correction = (after_step.formula, len(after_step.parameter_values)) if after_step else ()
    own = advance if lasting else opened(advance)
    loop = Loop(field.formula, field.coordinates, own, states, len(field.values), *correction)
    lasting, before = lasting and field.lasting, pictures(own)
    try:
        program = _lasting_program(loop) if lasting else loop.program()
        refuse_change(advance, before, own)
    except CannotFollowError:
        raise
    except Exception as error:
        if lasting and isinstance(f, RightHandSide) and not getattr(advance, "space", None):
            raise  # nothing here is the reader's own
        culprit = f.function if isinstance(f, VectorField) else advance
        raise CannotFollowError(culprit, str(error) or type(error).__name__) from error
    values = [field.values, after_step.parameter_values if after_step else np.zeros(0)]
    machine = program.machine(np.concatenate(values))

    def rows(t: Array, X: Array) -> Iterator[int]:
        if not lasting and len(t) > 1:
            _refuse_other_step(machine, loop, t, X, f, advance, after_step)
        yield from _rows(machine, loop, t, X)

    return rows


def _refuse_other_step(
    machine: Machine,
    loop: Loop,
    t: Array,
    X: Array,
    f: Function,
    advance: Callable[..., Any],
    after_step: Callable[..., Any] | None,
) -> None:
    """Refuse functions of a reader's own that take another first step when they are followed."""
    expected = advance(f, float(t[0]), X[0].copy(), float(t[1] - t[0]))
    if after_step is not None:
        expected = after_step(float(t[1]), expected)
    trial = np.tile(X[0], (2, 1))
    for _ in _rows(machine, loop, t[:2], trial):
        if np.isfinite(expected).all() and not agree(trial[1], expected):
            raise CannotFollowError(f, "it gives other numbers when it is followed")


def agree(followed: Any, expected: Any) -> bool:
    """Tell whether a function gives the same numbers when it is followed, up to rounding."""
    return np.allclose(followed, expected, rtol=1e-9, atol=1e-12, equal_nan=True)


def _rows(machine: Machine, loop: Loop, t: Array, X: Array) -> Iterator[int]:
    """Fill X[1:] by calls that take no longer than Ctrl-C should wait."""
    T, rows = machine.view("T"), machine.view("X").reshape(-1, loop.states)
    first, last, most = 0, len(t) - 1, 64
    rows[0] = X[0]
    while first < last:
        count = min(most, loop.rows, last - first)
        T[: count + 1] = t[first : first + count + 1]
        began = time.perf_counter()
        done = machine.call("run", count)
        spent = time.perf_counter() - began
        X[first + 1 : first + done + 1] = rows[1 : done + 1]
        first += done
        yield first
        if done < count:
            return
        rows[0] = rows[count]
        most = max(1, min(2 * most, int(most * PATIENCE / max(spent, 1e-9))))
