"""Compiled loops with a fixed step: the traced step, inside a ``while`` loop.

`integrate` uses them for compiled equations and for functions marked by `compiled`. Chapter 4
traces a Runge-Kutta step of your own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.assignments import Assignments, Condition, Number, Numbers
from straightline.machine import Machine, StepLoop
from straightline.routines import Program
from tutlib.fields import Field
from tutlib.methods.checks import AfterStep
from tutlib.methods.steps import Method

#: A right-hand side with more operations becomes a separate routine that the step calls.
LARGEST_INSIDE = 100
_FLOATS = 1 << 16


@dataclass(frozen=True)
class Loop:
    """A compiled loop with a fixed step.

    Parameters
    ----------
    field : function (t, x, p) -> sequence of numbers
    coordinates : int or None
    method : Method
    states, parameters, corrections : int
        Numbers of states, of parameters of f, and of parameters of the correction.
    correction : function (t, x, p) -> x, or None
        Correction of the state after each step.
    """

    field: Callable[..., Any]
    coordinates: int | None
    method: Method
    states: int
    parameters: int
    correction: Callable[..., Any] | None = None
    corrections: int = 0

    def program(self) -> Machine:
        """Return the compiled loop."""
        return Machine(self.written())

    def written(self) -> Program:
        """Return the loop as a program.

        Its routine ``run(count)`` computes rows 1 to ``count`` of X, at the times T, from row 0,
        and returns the index of the last finite row.
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
            x: Any = self.method.advance(f, t, run.read(X, i * k, k), run.read(T, i + 1) - t)
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
        """The number of steps of one call, limited by memory."""
        return max(_FLOATS // self.states, 16)


def _states(x: Array, k: int) -> list[Number]:
    entries = list(np.ravel(np.asarray(x, dtype=object)))
    if len(entries) != k:
        raise ValueError(f"the step must return a state of shape ({k},); got shape {np.shape(x)}")
    return entries


def finite(x: Array) -> Condition:
    """Return the condition that all entries are finite, so that x - x sums to zero."""
    total: Any = 0.0
    for entry in x:
        total = total + (entry - entry)
    holds: Condition = total.condition("eq", 0.0)
    return holds


def as_function(
    program: Program,
    formula: Callable[..., Any],
    p: Numbers,
    states: int,
    coordinates: int | None = None,
    lanes: int = 1,
) -> Field:
    """Return f(t, x) inside a program: inlined if it is small, otherwise a routine."""
    scratch = Assignments()
    inputs = scratch.inputs("x", states), scratch.inputs("p", len(p))
    formula(scratch.unknown("input", "t", 0), *inputs)
    f = lambda t, x: np.array(formula(t, x, p), dtype=object)  # noqa: E731
    if len(scratch.nodes) > LARGEST_INSIDE:
        f = program.function("f", lambda t, x: formula(t, x, p), states, lanes)
    return Field(f, coordinates=coordinates)


_program = lru_cache(maxsize=64)(Loop.program)


def compiled_loop(
    f: Field, method: Method, states: int, after_step: AfterStep | None
) -> StepLoop | None:
    """Return a compiled loop over steps, if all functions that it calls run compiled.

    Parameters
    ----------
    f : Field
    method : Method
        A method that accepts symbolic unknowns.
    states : int
    after_step : function (t, x) -> x, optional

    Raises
    ------
    CannotTrace
        If f or the step is marked with ``compiled`` and cannot be compiled.
    """
    field = f.program(states)
    if field is None:
        return None
    loop, values = Loop(field, f.coordinates, method, states, len(f.values)), f.values
    if after_step is not None:
        if not isinstance(after_step, Field) or (correction := after_step.program(states)) is None:
            return None
        loop = replace(loop, correction=correction, corrections=len(after_step.values))
        values = np.concatenate([values, after_step.values])
    return StepLoop(_program(loop), values)
