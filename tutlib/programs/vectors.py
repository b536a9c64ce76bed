"""The same program for wider vectors than WebAssembly has: its Python text, compiled by Numba.

Numba is not required; where it is installed, `ensemble` uses it for work that takes long.
"""

from __future__ import annotations

import functools
import importlib.util
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.programs.lowering import lower
from tutlib.programs.machine import Machine, Memory
from tutlib.programs.python_text import python_text
from tutlib.programs.routines import Program


def installed() -> bool:
    """Tell whether Numba can be imported, without importing it."""
    return importlib.util.find_spec("numba") is not None


class VectorProgram:
    """A program in many lanes, compiled by Numba; it computes the bits of a `CompiledProgram`.

    Parameters
    ----------
    program : Program
        Without functions as routines of their own.
    """

    def __init__(self, program: Program) -> None:
        lowered = lower(program, in_pairs=False)
        arguments = tuple((routine.name, len(routine.arguments)) for routine in lowered.routines)
        text = python_text(lowered, ("memory",))
        self.__setstate__((lowered.layout, program.arrays, text, arguments))

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what another process or computer needs to run the program."""
        return self.layout, self._lengths, self._text, self._arguments

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.layout, self._lengths, self._text, self._arguments = state
        self._routines = _routines(self._text, self._arguments)

    def machine(self, parameters: ArrayLike) -> Machine:
        """Return a machine with parameters written and prepared."""
        memory = _VectorMemory(self._routines, self.layout[""])
        return Machine(memory, self.layout, self._lengths, parameters)


class _VectorMemory(Memory):
    """Runs what Numba compiled."""

    def __init__(self, routines: dict[str, Any], size: int) -> None:
        self.floats, self._routines = np.zeros(size), routines

    def routine(self, name: str, arguments: tuple[int, ...]) -> Any:
        function = self._routines[name]
        return lambda: function(self.floats, *arguments) or 0


@functools.lru_cache(maxsize=16)
def _routines(text: str, arguments: tuple[tuple[str, int], ...]) -> dict[str, Any]:
    code = compile(text, "<program>", "exec")
    routines: dict[str, Any] = _in_background(lambda: _compiled(code, dict(arguments)))
    return routines


def _in_background(work: Callable[[], Any]) -> Any:
    """Return the result of work that hears no Ctrl-C, so that whoever waits for it does."""
    result: Future[Any] = Future()

    def carry_out() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)

    threading.Thread(target=carry_out, daemon=True).start()
    while wait([result], 0.05).not_done:
        pass
    return result.result()


def _compiled(text: Any, arguments: dict[str, int]) -> dict[str, Any]:
    """Compile each routine of a text at once, for its number of whole numbers."""
    import numba

    names: dict[str, Any] = dict(_operations())
    exec(text, names)
    for name, count in arguments.items():
        kinds = (numba.float64[::1], *count * (numba.int64,))
        names[name] = numba.njit(kinds, error_model="numpy", nogil=True)(names[name])
    return {name: names[name] for name in arguments}


@functools.cache
def _operations() -> dict[str, Any]:
    """Return what the printed text calls, as Numba compiles it."""
    import numba

    def divide(a, b):  # type: ignore[no-untyped-def]
        return a / b

    def floor(a):  # type: ignore[no-untyped-def]
        return np.floor(a)

    def square_root(a):  # type: ignore[no-untyped-def]
        return np.sqrt(a)

    def power_of_two(k):  # type: ignore[no-untyped-def]
        return np.int64((np.int64(k) + 1023) << 52).view(np.float64)

    def exponent(a):  # type: ignore[no-untyped-def]
        return np.float64(((np.float64(a).view(np.int64) >> 52) & 2047) - 1023)

    def mantissa(a):  # type: ignore[no-untyped-def]
        bits = np.float64(a).view(np.int64) & ((1 << 52) - 1)
        return np.int64(bits | (1023 << 52)).view(np.float64)

    every = (divide, floor, square_root, power_of_two, exponent, mantissa)
    compiled = numba.njit(inline="always", error_model="numpy")
    return {function.__name__: compiled(function) for function in every}
