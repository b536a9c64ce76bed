"""Tracing of a function: called once with unknown numbers, it leaves a formula behind.

Functions of NumPy and math take unknown numbers while it is traced. If the function asks how large
a number is, keeps something for its next call, or does anything else that would happen only once,
an error names the line. Chapter 4 traces Runge-Kutta steps, and shows such an error.
"""

from __future__ import annotations

import dis
import functools
import linecache
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from straightline.assignments import (
    REFUSED,
    Assignments,
    Node,
)
from straightline.environment import (
    Copies,
    inner_codes,
    is_readers,
    of_library,
    snapshot,
    walk,
)
from straightline.numpy_protocol import BUILTINS, KIND, instead


class CannotTrace(TypeError):  # noqa: N818 - it reads as the sentence it begins
    """A function cannot be compiled: it depends on more than its numbers, or asks how large one is.

    Parameters
    ----------
    function : function
    reason : str
    """

    def __init__(self, function: Callable[..., object], reason: str) -> None:
        name = getattr(function, "__name__", type(function).__name__)
        super().__init__(f"{name} cannot be compiled: {reason}")
        self.function, self.reason = function, reason


def _copied(value: object) -> object:
    """Return an array's copy: a function may write into what it is given."""
    return value.copy() if type(value) is np.ndarray else value


class Traced:
    """A function that takes unknown numbers, in place of one that was written for floats.

    Parameters
    ----------
    function : function of numbers and arrays

    Raises
    ------
    CannotTrace
        If what it finds outside of itself cannot be seen into.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function
        self.snapshot = snapshot(function)
        self._refuse_writing()
        with self._refusing():
            self._copies = Copies(instead(), BUILTINS)
            called = function
            if not isinstance(function, _FUNCTIONS):
                called = types.MethodType(type(function).__call__, function)
            self._open = self._copies.of(called)
            self._before = snapshot(self._open)

    def __call__(self, *arguments: object, **named: object) -> Any:
        """Return the function's value, of unknown numbers."""
        with self._refusing():
            REFUSED.clear()
            value = self._open(*map(_copied, arguments), **named)
            if REFUSED:
                raise TypeError(f"{REFUSED[0]}; it catches this error, and would go on otherwise")
            self._refuse_memory()
        return value

    def refuse_change(self) -> None:
        """Refuse what no longer finds outside of itself what it found when it was followed."""
        now = snapshot(self.function)
        for name in self.snapshot | now:
            if self.snapshot.get(name) != now.get(name):
                raise CannotTrace(
                    self.function,
                    f"{name} has changed since it was followed: compile it again, or make {name} "
                    "a parameter",
                )

    def _refuse_memory(self) -> None:
        for name, picture in snapshot(self._open).items():
            if self._before.get(name) != picture:
                raise TypeError(f"it keeps {name} for its next call")

    def _refuse_writing(self) -> None:
        for value, _ in walk([self.function]):
            if not (isinstance(value, types.FunctionType) and is_readers(value)):
                continue
            if place := _written(value.__code__, value.__code__.co_freevars):
                raise CannotTrace(self.function, f"{place[0]}, in {place[1]}")

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Turn any error into the sentence that names the function and the line."""
        try:
            yield
        except CannotTrace:
            raise
        except RecursionError as error:
            raise CannotTrace(self.function, "it calls itself too deeply") from error
        except Exception as error:
            reason = str(error) or type(error).__name__
            raise CannotTrace(self.function, reason + _line_of(error)) from error


#: A function of more of them takes seconds to compile, and more memory than it is worth.
MOST_STATES, MOST_OPERATIONS = 1000, 40_000
_FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial, types.BuiltinFunctionType)


def _written(code: types.CodeType, outer: tuple[str, ...]) -> tuple[str, str] | None:
    """Return what a code does that nobody can follow, seen from its text alone, and where."""
    before = None
    for instruction in dis.get_instructions(code):
        if reason := _refused_in_text(instruction, before, outer):
            line = instruction.positions and instruction.positions.lineno
            return reason, _line(code.co_filename, line)
        before = instruction
    inner = (_written(part, outer) for part in inner_codes(code))
    return next(filter(None, inner), None)


def _refused_in_text(
    instruction: dis.Instruction, before: dis.Instruction | None, outer: tuple[str, ...]
) -> str:
    operation, name = instruction.opname, instruction.argval
    kept = operation in ("STORE_GLOBAL", "DELETE_GLOBAL")
    if kept or (operation in ("STORE_DEREF", "DELETE_DEREF") and name in outer):
        return f"it keeps {name} for its next call"
    if operation == "MATCH_CLASS":
        return f"match: {KIND}"
    if operation in ("LOAD_ATTR", "LOAD_METHOD") and name in _KINDS_BY_NAME:
        return f"{name}: it is another one while a formula is followed"
    truth = before is not None and before.opname == "LOAD_CONST" and type(before.argval) is bool
    if operation == "IS_OP" and truth:
        return "is True, is False: write where(condition, this, that)"
    if before is not None and before.opname == "PUSH_EXC_INFO" and operation != "WITH_EXCEPT_START":
        return "try: nothing is raised when the formula runs; write where(condition, this, that)"
    return ""


_KINDS_BY_NAME = (
    "singledispatch",
    "dtype",
    "__class__",
    "__dict__",
    "tobytes",
    "itemsize",
    "is_integer",
)


def _line(file: str, number: int | None) -> str:
    text = linecache.getline(file, number or 0).strip()
    return f"line {number}" + (f": {text}" if text else "")


def _line_of(error: BaseException) -> str:
    """Return the reader's line from which an error came, as the end of a sentence."""
    there = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not of_library(frame.f_globals.get("__name__", "builtins"))
    ]
    return f", in {_line(*there[-1])}" if there else ""


@functools.lru_cache(maxsize=128)
def check_repeatable(formula: Callable[..., object], *lengths: int | None) -> None:
    """Reject a formula that becomes another one when it is traced again, and one that is too large.

    Parameters
    ----------
    formula : Traced, or a function of one
    lengths : int or None
        For each argument the length of the array; None for a number.

    Raises
    ------
    CannotTrace
    """
    followed: Any = formula
    while isinstance(getattr(followed, "function", None), Traced):
        followed = followed.function
    states = max((length for length in lengths if length), default=0)
    once = _traced(formula, lengths) if states <= MOST_STATES else ([], [])
    if states > MOST_STATES or len(once[0]) > MOST_OPERATIONS:
        size = f"{len(once[0])} operations" if once[0] else f"{states} states"
        raise CannotTrace(
            followed.function,
            f"with {size} compiling takes longer than it saves: leave out compiled, and write "
            "arrays, which NumPy computes as fast",
        )
    if once != _traced(formula, lengths):
        raise CannotTrace(followed.function, "it does something else at every call")


def _traced(
    function: Callable[..., object], lengths: Sequence[int | None]
) -> tuple[list[Node], list[int]]:
    assignments = Assignments()
    arguments = [
        assignments.unknown("input", f"{i}", 0)
        if length is None
        else assignments.inputs(f"{i}", length)
        for i, length in enumerate(lengths)
    ]
    results = np.ravel(np.asarray(function(*arguments), dtype=object))
    return assignments.nodes, [assignments.index_of(result) for result in results]
