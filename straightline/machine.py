"""What runs a program here: wasmtime, the browser that Python runs in, or plain Python.

Build it, write into its arrays, call its routines, read its arrays: the same four things that a
page does with the same bytes. All calls of wasmtime are in this file.
"""

from __future__ import annotations

import array
import atexit
import ctypes
import functools
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline import ieee_floats as floats
from straightline.aliases import Array, Kind
from straightline.browser import IN_A_BROWSER, BrowserProgram
from straightline.instructions import webassembly
from straightline.lowering import lower
from straightline.python_text import python_text
from straightline.routines import Program

if TYPE_CHECKING:
    from types import CodeType

    from wasmtime import Engine, Func, Module


#: As long as a call of a routine may keep the interpreter from hearing Ctrl-C [s].
PATIENCE = 0.05


class SlowWarning(UserWarning):
    """Programs run as plain Python, for want of wasmtime."""


class Machine:
    """A program as bytes; each thread that runs it has a machine, with memory of its own.

    Parameters
    ----------
    program : Program
    """

    def __init__(self, program: Program) -> None:
        compiled = _runs_bytes()
        lowered = lower(program, in_pairs=compiled)
        code = webassembly(lowered) if compiled else python_text(lowered)
        self.__setstate__((lowered.layout, program.arrays, code))

    def __getstate__(self) -> tuple[dict[str, int], dict[str, int], bytes | str]:
        """Return what another process or computer needs to run the program."""
        return self.layout, self._lengths, self._code

    def __setstate__(self, state: tuple[dict[str, int], dict[str, int], bytes | str]) -> None:
        self.layout, self._lengths, self._code = state
        self._make: Callable[[], Memory]
        if isinstance(self._code, str):
            text = compile(self._code, "<program>", "exec")
            self._make = functools.partial(_PythonMemory, text, self.layout[""])
        elif IN_A_BROWSER:
            self._make = functools.partial(_BrowserMemory, self._code, self.layout[""])
        elif _wasmtime() is None:
            raise ImportError("a program compiled elsewhere needs wasmtime here: install it")
        else:
            made = _module(self._code)
            self._make = functools.partial(_WebAssemblyMemory, made, self.layout[""])

    def instance(self, parameters: ArrayLike) -> Instance:
        """Return an instance with parameters written and prepared."""
        return Instance(self._make(), self.layout, self._lengths, parameters)


class Instance:
    """A program with memory of its own. It is for one thread.

    Parameters
    ----------
    memory : floats and routines
    layout, lengths : dict
        Where each array begins, and how long it is.
    parameters : array
    """

    def __init__(
        self,
        memory: Memory,
        layout: dict[str, int],
        lengths: dict[str, int],
        parameters: ArrayLike,
    ) -> None:
        self._memory, self._layout, self._lengths = memory, layout, lengths
        self.set_parameters(parameters)

    def set_parameters(self, parameters: ArrayLike) -> None:
        """Write the parameters, and compute what depends on them alone."""
        values = np.asarray(parameters, dtype=float)
        self.view("p")[: len(values)] = values
        self.call("prepare")

    def view(self, name: str) -> Array:
        """Return an array of the program, shape (length,): reading and writing go through."""
        start = self._layout[name]
        return self._memory.floats[start : start + self._lengths[name]]

    def routine(self, name: str, *arguments: int) -> Callable[[], int]:
        """Return a function that calls a routine with these whole numbers."""
        return self._memory.routine(name, arguments)

    def call(self, name: str, *arguments: int) -> int:
        """Call a routine with whole numbers; return its result."""
        return self._memory.routine(name, arguments)()


class Pace:
    """As much as one call of a routine may do, lest Ctrl-C wait longer than `PATIENCE`.

    Parameters
    ----------
    most : int
        At the first call.
    growth : int
        So many times more at the next, at most.
    """

    def __init__(self, most: int = 64, growth: int = 2) -> None:
        self.most, self._growth = most, growth

    def timed(self, run: Callable[[int], int], count: int) -> int:
        """Let a routine do so much; return what it returns."""
        began = time.perf_counter()
        done = run(count)
        share = PATIENCE / max(time.perf_counter() - began, 1e-9)
        self.most = max(1, min(self._growth * count, int(count * share)))
        return done


@dataclass
class StepByStep:
    """A loop over steps, whose routine ``run`` fills rows of X at the times T from row 0 on.

    Parameters
    ----------
    program : Machine
    parameters : array
    done : int
        The last row that is good.
    """

    program: Machine
    parameters: Array
    done: int = 0

    def fill(self, t: Array, X: Array) -> None:
        """Fill X[1:] from X[0], by calls that take no longer than Ctrl-C should wait."""
        machine = self.program.instance(self.parameters)
        T, rows = machine.view("T"), machine.view("X").reshape(-1, X.shape[1])
        last, pace, run = len(t) - 1, Pace(), functools.partial(machine.call, "run")
        rows[0] = X[0]
        while (first := self.done) < last:
            count = min(pace.most, len(T) - 1, last - first)
            T[: count + 1] = t[first : first + count + 1]
            made = pace.timed(run, count)
            X[first + 1 : first + made + 1] = rows[1 : made + 1]
            self.done += made
            if made < count:
                return
            rows[0] = rows[count]


class Memory:
    """The floats of a program, and its routines."""

    floats: Array

    def routine(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        """Return a function that calls a routine."""
        raise NotImplementedError


class _PythonMemory(Memory):
    """Runs the text of a program."""

    def __init__(self, text: CodeType, size: int) -> None:
        memory = array.array("d", bytes(8 * size))
        self.floats = np.frombuffer(memory, dtype=float)
        self._routines: dict[str, Any] = {
            "memory": memory,
            "floats": functools.partial(array.array, "d"),
            **vars(floats),
        }
        exec(text, self._routines)

    def routine(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        return lambda: self._routines[name](*arguments) or 0


class _BrowserMemory(Memory):
    """Runs the bytes of a program by the browser that Python runs in."""

    def __init__(self, code: bytes, size: int) -> None:
        self._program = BrowserProgram(code, size)
        self.floats = np.frombuffer(self._program.floats, dtype=float)

    def routine(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        return functools.partial(self._program.call, name, *arguments)


class _WebAssemblyMemory(Memory):
    """Runs the bytes of a program by wasmtime."""

    def __init__(self, module: Module, size: int) -> None:
        wasmtime = _wasmtime()
        self._store = _closed_at_the_end(wasmtime.Store(_engine()))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        self.floats = np.frombuffer(memory.get_buffer_ptr(self._store, 8 * size), dtype=float)
        self._functions: dict[str, tuple[Any, int]] = {}

    def routine(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        try:
            return self._quick(name, arguments)
        except (ImportError, AttributeError):  # a wasmtime whose inside is another
            function, _ = self._export(name)
            return lambda: int(function(self._store, *arguments) or 0)

    def _quick(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        """Return the calls that Func.__call__ makes.

        It asks for the types of all numbers anew, which takes longer than many a routine.
        """
        from wasmtime import _ffi

        (function, results), context = self._export(name), self._store._context()
        count = len(arguments)
        values, result = (_ffi.wasmtime_val_t * max(count, 1))(), (_ffi.wasmtime_val_t * 1)()
        for value, argument in zip(values, arguments):
            value.kind, value.of.i32 = _ffi.WASMTIME_I32.value, argument
        trap, invoke = ctypes.POINTER(_ffi.wasm_trap_t)(), _ffi.wasmtime_func_call
        rest = (ctypes.byref(function._func), values, count, result, results, ctypes.byref(trap))

        def call() -> int:
            if invoke(context, *rest) or trap:
                raise RuntimeError(f"the compiled routine {name} failed")
            return int(result[0].of.i32) if results else 0

        call.keeps = (self, function)  # type: ignore[attr-defined]  # alive as long as it is
        return call

    def _export(self, name: str) -> tuple[Func, int]:
        """Return a routine, and how many numbers it returns."""
        if name not in self._functions:
            function = self._exports[name]
            self._functions[name] = function, len(function.type(self._store).results)
        return self._functions[name]


def side_by_side() -> int:
    """Return how many numbers one instruction computes here: the most lanes of a routine."""
    return 2 if _runs_bytes() else 1


def _runs_bytes() -> bool:
    """Return whether something here runs WebAssembly."""
    return IN_A_BROWSER or _wasmtime() is not None


@functools.cache
def _wasmtime() -> Any:
    """Return the module wasmtime; None, and a sentence once, where it cannot be loaded."""
    try:
        import wasmtime
    except (ImportError, OSError, RuntimeError) as missing:  # not here, or not for this computer
        warnings.warn(
            f"programs run as plain Python, a hundred times slower: {missing}; "
            '"pip install wasmtime" makes them fast',
            SlowWarning,
            stacklevel=2,
        )
        return None
    return wasmtime


_engines: list[Any] = []
_one_at_a_time = threading.Lock()


def _engine() -> Engine:
    """Return the engine: all threads share one, for what two have made does not go together."""
    with _one_at_a_time:
        if not _engines:
            _engines.append(_new_engine())
        return _engines[0]


def _new_engine() -> Engine:
    configuration = _wasmtime().Config()
    configuration.cranelift_nan_canonicalization = False
    # Not by threads: a copy of the process has none of them, and would wait for them for ever.
    configuration.parallel_compilation = False
    # No gigabytes of addresses for a memory that never grows; checked bounds cost nothing here.
    configuration.memory_reservation = configuration.memory_guard_size = 0
    return _closed_at_the_end(_wasmtime().Engine(configuration))


@functools.lru_cache(maxsize=64)
def _module(code: bytes) -> Module:
    return _closed_at_the_end(_wasmtime().Module(_engine(), code))


_open: weakref.WeakSet[Any] = weakref.WeakSet()


def _closed_at_the_end(thing: Kind) -> Kind:
    """Return what holds memory of wasmtime; close it while wasmtime is still there to do so."""
    _open.add(thing)
    return thing


@atexit.register
def _close() -> None:
    for thing in list(_open):
        thing.close()
