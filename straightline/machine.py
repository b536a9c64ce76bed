"""Execution of programs by wasmtime, or by the browser that Python runs in.

Build a program, write into its arrays, call its routines, and read its arrays; a page does the same
with the same bytes. Only this file calls wasmtime.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array, Kind
from straightline.browser import IN_A_BROWSER, BrowserProgram
from straightline.instructions import webassembly
from straightline.lowering import lower
from straightline.routines import Program

if TYPE_CHECKING:
    from wasmtime import Engine, Func, Module


#: The longest time that a call of a routine may delay Ctrl-C [s].
PATIENCE = 0.05


class Machine:
    """A compiled program; each thread that runs it has an instance with its own memory.

    Parameters
    ----------
    program : Program
    """

    def __init__(self, program: Program) -> None:
        lowered = lower(program)
        self.__setstate__((lowered.layout, program.arrays, webassembly(lowered)))

    def __getstate__(self) -> tuple[dict[str, int], dict[str, int], bytes]:
        """Return what another process or computer needs to run the program."""
        return self.layout, self._lengths, self.code

    def __setstate__(self, state: tuple[dict[str, int], dict[str, int], bytes]) -> None:
        self.layout, self._lengths, self.code = state
        size = self.layout[""]
        self._make: Callable[[], Memory]
        if IN_A_BROWSER:
            self._make = functools.partial(_BrowserMemory, self.code, size)
        else:
            self._make = functools.partial(_WebAssemblyMemory, _module(self.code), size)

    def instance(self, parameters: ArrayLike) -> Instance:
        """Return an instance with parameters written and prepared."""
        return Instance(self._make(), self.layout, self._lengths, parameters)


class Instance:
    """A program with its own memory, for one thread.

    Parameters
    ----------
    memory : Memory
    layout, lengths : dict
        The start and the length of each array.
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
        """Return an array of the program, shape (length,), for reading and writing."""
        start = self._layout[name]
        return self._memory.floats[start : start + self._lengths[name]]

    def routine(self, name: str, *arguments: int) -> Callable[[], int]:
        """Return a function that calls a routine with given whole numbers."""
        return self._memory.routine(name, arguments)

    def call(self, name: str, *arguments: int) -> int:
        """Call a routine with whole numbers; return its result."""
        return self._memory.routine(name, arguments)()


class Pace:
    """The amount of work per call of a routine, so that Ctrl-C waits no longer than `PATIENCE`.

    Parameters
    ----------
    most : int
        At the first call.
    growth : int
        The largest factor from one call to the next.
    """

    def __init__(self, most: int = 64, growth: int = 2) -> None:
        self.most, self._growth = most, growth

    def timed(self, run: Callable[[int], int], count: int) -> int:
        """Run a routine for an amount of work, and adapt the next amount; return its result."""
        start = time.perf_counter()
        done = run(count)
        calls_in_time = PATIENCE / max(time.perf_counter() - start, 1e-9)
        self.most = max(1, min(self._growth * count, int(count * calls_in_time)))
        return done


@dataclass
class StepLoop:
    """A loop over steps: the routine ``run`` fills rows of X at the times T, starting from row 0.

    Parameters
    ----------
    program : Machine
    parameters : array
    done : int
        The last valid row.
    """

    program: Machine
    parameters: Array
    done: int = 0

    @functools.cached_property
    def instance(self) -> Instance:
        """The program with a memory of its own."""
        return self.program.instance(self.parameters)

    def set_parameters(self, values: Array) -> None:
        """Change the values of the first parameters, from the next row on."""
        self.instance.set_parameters(values)

    def fill(self, t: Array, X: Array, last: int) -> None:
        """Fill X up to a row from the last valid one, in calls short enough for Ctrl-C."""
        machine = self.instance
        T, rows = machine.view("T"), machine.view("X").reshape(-1, X.shape[1])
        pace, run = Pace(), functools.partial(machine.call, "run")
        rows[0] = X[self.done]
        while (first := self.done) < last:
            count = min(pace.most, len(T) - 1, last - first)
            T[: count + 1] = t[first : first + count + 1]
            steps_done = pace.timed(run, count)
            X[first + 1 : first + steps_done + 1] = rows[1 : steps_done + 1]
            self.done += steps_done
            if steps_done < count:
                return
            rows[0] = rows[count]


class Memory:
    """The floats and routines of a program."""

    floats: Array

    def routine(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        """Return a function that calls a routine."""
        raise NotImplementedError


class _BrowserMemory(Memory):
    """Memory of a program that runs in the browser."""

    def __init__(self, code: bytes, size: int) -> None:
        self._program = BrowserProgram(code, size)
        self.floats = np.frombuffer(self._program.floats, dtype=float)

    def routine(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        return functools.partial(self._program.call, name, *arguments)


class _WebAssemblyMemory(Memory):
    """Memory of a program that runs in wasmtime."""

    def __init__(self, module: Module, size: int) -> None:
        wasmtime = _wasmtime()
        self._store = _close_at_exit(wasmtime.Store(_engine()))
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory = self._exports["memory"]
        self.floats = np.frombuffer(memory.get_buffer_ptr(self._store, 8 * size), dtype=float)
        self._functions: dict[str, tuple[Any, int]] = {}

    def routine(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        try:
            return self._fast_call(name, arguments)
        except (ImportError, AttributeError):  # another version of wasmtime's internals
            function, _ = self._export(name)
            return lambda: int(function(self._store, *arguments) or 0)

    def _fast_call(self, name: str, arguments: tuple[int, ...]) -> Callable[[], int]:
        """Return a function that makes the same calls as wasmtime's Func.__call__.

        Func.__call__ also looks up all types in every call, which takes longer than many routines.
        """
        from wasmtime import _ffi

        (function, results), context = self._export(name), self._store._context()
        count = len(arguments)
        values, result = (_ffi.wasmtime_val_t * max(count, 1))(), (_ffi.wasmtime_val_t * 1)()
        for value, argument in zip(values, arguments):
            value.kind, value.of.i32 = _ffi.WASMTIME_I32.value, argument
        trap, invoke = ctypes.POINTER(_ffi.wasm_trap_t)(), _ffi.wasmtime_func_call
        operands = (
            ctypes.byref(function._func),
            values,
            count,
            result,
            results,
            ctypes.byref(trap),
        )

        def call() -> int:
            if invoke(context, *operands) or trap:
                raise RuntimeError(f"the compiled routine {name} failed")
            return int(result[0].of.i32) if results else 0

        call.keeps = (self, function)  # type: ignore[attr-defined]  # keeps both alive as long as the function
        return call

    def _export(self, name: str) -> tuple[Func, int]:
        """Return a routine, and the number of its results."""
        if name not in self._functions:
            function = self._exports[name]
            self._functions[name] = function, len(function.type(self._store).results)
        return self._functions[name]


@functools.cache
def _wasmtime() -> Any:
    """Return the module wasmtime.

    Raises
    ------
    ImportError
        If it is not installed, or not built for this computer.
    """
    try:
        import wasmtime
    except (ImportError, OSError, RuntimeError) as missing:
        raise ImportError(
            f'compiled programs need wasmtime, "pip install wasmtime": {missing}'
        ) from missing
    return wasmtime


_engines: list[Any] = []
_engine_lock = threading.Lock()


def _engine() -> Engine:
    """Return the engine that all threads share, since objects of two engines cannot be combined."""
    with _engine_lock:
        if not _engines:
            _engines.append(_new_engine())
        return _engines[0]


def _new_engine() -> Engine:
    """Return a new engine."""
    configuration = _wasmtime().Config()
    configuration.cranelift_nan_canonicalization = False
    # No threads: a forked process does not have them, and would wait for them forever.
    configuration.parallel_compilation = False
    # No gigabytes of address space, as the memory never grows; bounds checks cost nothing here.
    configuration.memory_reservation = configuration.memory_guard_size = 0
    return _close_at_exit(_wasmtime().Engine(configuration))


@functools.lru_cache(maxsize=64)
def _module(code: bytes) -> Module:
    """Return a compiled module."""
    return _close_at_exit(_wasmtime().Module(_engine(), code))


_open_objects: weakref.WeakSet[Any] = weakref.WeakSet()


def _close_at_exit(resource: Kind) -> Kind:
    """Register an object of wasmtime to be closed at exit, while wasmtime is still loaded."""
    _open_objects.add(resource)
    return resource


@atexit.register
def _close_all() -> None:
    """Close all objects of wasmtime."""
    for resource in list(_open_objects):
        resource.close()
