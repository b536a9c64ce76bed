"""Compiled evaluation of a formula y(t, x), for one state or for all rows of a trajectory.

Equations of motion, energies, and positions along a motion are computed with it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number
from straightline.machine import Instance, Machine
from straightline.numpy_protocol import is_unknown, unknowns
from straightline.routines import Program

#: A formula of time, a state, and parameters, with floats or unknowns.
Formula = Callable[[Any, Any, Any], Sequence[Any]]

_ROWS = 256


@lru_cache(maxsize=128)
def _program(formula: Formula, states: int, parameters: int) -> tuple[Machine, int]:
    """Return a program that evaluates a formula row by row, and the number of its values."""
    program = Program(parameters)
    T, X = program.array("T", _ROWS), program.array("X", _ROWS * states)
    routine = program.routine("evaluate", "rows")
    i = routine.whole("i")
    with routine.repeat(i < routine.argument("rows")):
        x = routine.read(X, i * states, states)
        values = list(np.ravel(np.asarray(formula(routine.read(T, i), x, program.p), dtype=object)))
        Y = program.array("Y", _ROWS * len(values))
        routine.store(Y, i * len(values), values)
        routine.set(i, i + 1)
    return Machine(program), len(values)


class Evaluator:
    """y(t, x) of a formula with values for its parameters.

    Parameters
    ----------
    formula : function (t, x, p) -> sequence of m numbers
    states : int
        Length k of x.
    values : array
        The parameters' values.
    """

    def __init__(self, formula: Formula, states: int, values: ArrayLike) -> None:
        self.formula, self.states = formula, states
        self.values = np.array(values, dtype=float)
        self._thread, self._used = threading.local(), False

    def __getstate__(self) -> tuple[Formula, int, Array]:
        return self.formula, self.states, self.values

    def __setstate__(self, state: tuple[Formula, int, Array]) -> None:
        self.__init__(*state)  # type: ignore[misc]

    def _machine(self) -> tuple[Instance, Callable[[], int], Array, Array, Array]:
        """Return this thread's machine, a call for one row, and its arrays."""
        try:
            setup: tuple[Instance, Callable[[], int], Array, Array, Array] = self._thread.machine
        except AttributeError:
            program, outputs = _program(self.formula, self.states, len(self.values))
            machine = program.instance(self.values)
            one = machine.routine("evaluate", 1)
            X, Y = machine.view("X").reshape(-1, self.states), machine.view("Y")
            setup = machine, one, machine.view("T"), X, Y[: _ROWS * outputs].reshape(_ROWS, -1)
            self._thread.machine = setup
        return setup

    def __call__(self, t: ArrayLike, x: ArrayLike) -> Array:
        """Evaluate y at one state, shape (m,), along a trajectory, shape (rows, m), or on a grid.

        Parameters
        ----------
        t : float or array, shape (...)
            Time [s].
        x : array, shape (..., k)

        Raises
        ------
        TypeError
            If x or t contains anything but real numbers.
        ValueError
            If the number of columns of x is wrong, or t does not match its rows.
        """
        if is_unknown(x) or is_unknown(t):
            return unknowns(self.formula(t, x, self.values))
        state = real_array(x, "x", finite=False)
        if state.shape[-1:] != (self.states,):
            self._refuse_columns(state)
        if state.ndim == 1:
            return self.one(_time(t), state)
        machine, _, T, X, Y = self._machine()
        times = _broadcast(real_array(t, "t", finite=False), state.shape).ravel()
        rows = state.reshape(len(times), state.shape[-1])
        outputs = np.empty((len(times), Y.shape[1]))
        for first in range(0, len(times), _ROWS):
            count = min(_ROWS, len(times) - first)
            T[:count], X[:count] = times[first : first + count], rows[first : first + count]
            machine.call("evaluate", count)
            outputs[first : first + count] = Y[:count]
        return outputs.reshape(*state.shape[:-1], Y.shape[1])

    def one(self, t: float, x: Array) -> Array:
        """Return y at one state, shape (m,), from arguments that are already checked.

        Parameters
        ----------
        t : float
        x : array, shape (k,)
        """
        if not self._used:  # a program does not pay off for a single call
            self._used = True
            return np.array(self.formula(t, x.tolist(), self.values.tolist()))
        _, call, T, X, Y = self._machine()
        T[0], X[0] = t, x
        call()
        return np.array(Y[0])

    def _refuse_columns(self, x: Array) -> None:
        turned = x.ndim == 2 and x.shape[0] == self.states
        hint = "transpose it, x.T" if turned else "it belongs to other equations"
        raise ValueError(
            f"x needs {self.states} columns, one for each state; got shape {x.shape}: {hint}"
        )


def _time(t: ArrayLike) -> float:
    return t if type(t) is float else real_number(t, "t")


def _broadcast(t: Array, shape: tuple[int, ...]) -> Array:
    """Return times for all rows of x; reject those that do not match the rows."""
    try:
        return np.broadcast_to(t, shape[:-1])
    except ValueError:
        raise ValueError(
            f"t has shape {t.shape}, which does not match x of shape {shape}"
        ) from None
