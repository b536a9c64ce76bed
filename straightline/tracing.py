"""Tracing of a function: a single call with unknown numbers produces a formula.

NumPy delegates its functions to unknown numbers, so nothing is replaced. As for ``jax.jit``, the
function must be pure: its value depends only on its arguments, and a call has no side effects.
Chapter 4 traces Runge-Kutta steps.
"""

from __future__ import annotations

import builtins
import gc
import linecache
import re
import sys
import time
import traceback
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from straightline.assignments import (
    COMPLEX_ADVICE,
    FLOAT_ADVICE,
    INDEX_ADVICE,
    Assignments,
    Condition,
    Node,
    Refused,
    Unknown,
    ValueNeeded,
)
from straightline.functions import BY_NAME
from straightline.numpy_protocol import (
    INSTEAD,
    OF_MASK,
    Selected,
    is_unknown,
    name_in_numpy,
    unknowns,
)


class CannotTrace(TypeError):  # noqa: N818 - it reads as the sentence it begins
    """Error for a function that is not pure, or needs the value of an unknown number.

    Parameters
    ----------
    function : function
    reason : str
    """

    def __init__(self, function: Callable[..., object], reason: str) -> None:
        name = getattr(function, "__name__", type(function).__name__)
        super().__init__(f"{name} cannot be compiled: {reason}")
        self.function, self.reason = function, reason


class Traced:
    """A function that accepts unknown numbers, in place of one that was written for floats.

    Parameters
    ----------
    function : function of numbers and arrays
    """

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    def __call__(self, *arguments: object, **named: object) -> Any:
        """Return the value of the function for unknown numbers.

        Raises
        ------
        CannotTrace
        """
        try:
            value = self.function(*map(_as_written, arguments), **named)
            if isinstance(value, Selected):
                raise Refused(OF_MASK)
            return unknowns(value) if isinstance(value, np.ndarray) and is_unknown(value) else value
        except CannotTrace:
            raise
        except Exception as error:
            raise CannotTrace(self.function, _reason(error)) from error


def _as_written(value: object) -> object:
    """Return an argument as the function expects it: a new array, or a number."""
    if isinstance(value, np.ndarray | list):
        return unknowns(value) if is_unknown(value) else np.array(value)
    return value


#: Largest number of operations; more take seconds to compile, and too much memory.
MOST_STATES, MOST_OPERATIONS = 1000, 40_000
#: The packages of the course, whose error messages are written for readers.
_COURSE = ("straightline", "tutlib", "panels", "verification")


def _library_of(frame: types.FrameType) -> str:
    """Return the package of a frame; empty for user code."""
    top = str(frame.f_globals.get("__name__", "builtins")).partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    installed = "site-packages" in file or "dist-packages" in file
    return top if installed or top in _COURSE or top in sys.stdlib_module_names else ""


def _reason(error: Exception) -> str:
    """Return why a function cannot be traced, and its line."""
    frames = [*traceback.walk_tb(error.__traceback__)]
    own = [i for i, (frame, _) in enumerate(frames) if not _library_of(frame)]
    frame, number = frames[own[-1]] if own else (None, 0)
    text = linecache.getline(frame.f_code.co_filename, number).strip() if frame else ""
    reason = _sentence(error)
    beyond = [entry for entry, _ in frames[own[-1] + 1 :]] if own else []
    outside = [entry for entry in beyond if _library_of(entry) not in ("", *_COURSE)]
    has_named = isinstance(error, Refused) and not isinstance(error, ValueNeeded)
    if outside and not has_named:
        name = name_in_numpy(outside[0].f_code.co_qualname, _library_of(outside[0]))
        stacked = " in np.array([...]): write np.stack([...]) instead of np.array([...])"
        advice = stacked if name in _OF_STACKED else f": {INSTEAD.get(name, 'leave out compiled')}"
        reason = f"{name} does not accept unknown numbers{advice}"
    elif str(error) == FLOAT_ADVICE and frame and (name := _of_math(frame, text)):
        reason = f"math.{name} does not accept unknown numbers: {_in_numpy(name)}"
    if not frame:
        return reason
    return f"{reason}, in line {number}" + (f": {text}" if text else "")


def _sentence(error: Exception) -> str:
    """Return the message of an error, with NumPy's internal messages explained."""
    if isinstance(error, RecursionError):
        return "it calls itself too deeply"
    text = str(error) or type(error).__name__
    if name := re.search(r"ufunc '(\w+)'|callable (\w+) method", text):
        called = name[1] or name[2]
        return f"np.{called} of np.array([...]): write np.stack([...]) instead of np.array([...])"
    if re.search(r"'(Unknowns?|Condition|Selected)'", text):
        if "'complex" in text:
            return COMPLEX_ADVICE
        operation = re.search(r"operand type\(s\) for (\S+?):? ", text)
        called = operation[1] if operation else "this"
        return f"{called} does not accept unknown numbers: leave out compiled"
    if "valid indices" in text:
        return INDEX_ADVICE
    if "arrays used as indices" in text:
        return "a mask of unknown numbers: write np.where(mask, this, that)"
    return text


#: Functions that have a formula for `np.stack` of unknown numbers, and none for `np.array`.
_OF_STACKED = ("np.clip", "np.linalg.solve", "np.max", "np.min", "np.amax", "np.amin")
_NUMPY_NAMES = {
    "atan2": "arctan2",
    "dist": "linalg.norm",
    "fsum": "sum",
    "pow": "power",
    **{f"a{name}": f"arc{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
}


def _in_numpy(name: str) -> str:
    """Return the replacement of a function of ``math``."""
    called = _NUMPY_NAMES.get(name, name)
    if called == "log":
        return "write np.log(x), or np.log(x) / np.log(b) for the logarithm to a base b"
    has_formula = called in BY_NAME or called in ("isnan", "isfinite", "linalg.norm", "sum", "prod")
    return (
        f"write np.{called}" if has_formula else INSTEAD.get(f"np.{called}", "leave out compiled")
    )


def _of_math(frame: types.FrameType, text: str) -> str:
    """Return the name of the first function of ``math`` that a line calls, if it calls one."""

    def named(name: str) -> object:
        for names in (frame.f_globals, vars(builtins)):
            if name in names:
                return names[name]
        # Asked last: Python keeps the local variables with the frame, and so the unknown numbers.
        return frame.f_locals.get(name)

    for module, name in re.findall(r"(?:(\w+)\.)?(\w+)\(", text):
        called = getattr(named(module), name, None) if module else named(name)
        if getattr(called, "__module__", "") == "math":
            return str(name)
    return ""


#: Number of formulas that are kept, with their assignments.
_KEPT = 64
_formulas: list[tuple[Any, tuple[object, ...], object]] = []


def repeatable(formula: Any, *lengths: int | None) -> Any:
    """Return a formula, or an earlier one of the same function with the same assignments.

    Parameters
    ----------
    formula : Formula of a `Traced` function
    lengths : int or None
        For each argument the length of the array; None for a number.

    Raises
    ------
    CannotTrace
        If tracing it again gives another formula, it keeps unknown numbers, or it is too large.
    """
    function = formula.function.function
    states = max((length for length in lengths if length), default=0)
    once = _traced(formula, lengths) if states <= MOST_STATES else ([], [], {})
    key = (formula.names, lengths)
    for known, its_key, left in reversed(_formulas):
        if key == its_key and _same(known.function.function, function) and left == once:
            return known
    if states > MOST_STATES or len(once[0]) > MOST_OPERATIONS:
        size = f"{len(once[0])} operations" if once[0] else f"{states} states"
        raise CannotTrace(
            function,
            f"with {size} compiling takes longer than it saves: leave out compiled, and write "
            "arrays, which NumPy computes as fast",
        )
    if once != _traced(formula, lengths):
        raise CannotTrace(function, f"its operations differ from call to call; {_IMPURE}")
    _formulas.append((formula, key, once))
    del _formulas[:-_KEPT]
    return formula


def _same(a: object, b: object) -> bool:
    if isinstance(a, types.MethodType) and isinstance(b, types.MethodType):
        return a.__self__ is b.__self__ and a.__func__ is b.__func__
    return a is b


def _traced(
    formula: Callable[..., object], lengths: Sequence[int | None]
) -> tuple[list[Node], list[int], dict[Any, str]]:
    assignments = Assignments()
    references = sys.getrefcount(assignments)
    try:
        roots = _roots_of(formula, lengths, assignments)
    except CannotTrace as error:
        for raised in filter(None, (error, error.__cause__)):
            traceback.clear_frames(raised.__traceback__)  # their variables hold unknown numbers
        if sys.getrefcount(assignments) > references:
            _take_from_lists(assignments)
        raise
    if sys.getrefcount(assignments) > references and _take_from_lists(assignments):
        function = formula.function.function  # type: ignore[attr-defined]
        raise CannotTrace(function, f"it keeps unknown numbers for its next call; {_IMPURE}")
    return assignments.nodes, roots, assignments.systems


def _roots_of(
    formula: Callable[..., object], lengths: Sequence[int | None], assignments: Assignments
) -> list[int]:
    arguments = [
        assignments.unknown("input", f"{i}", 0)
        if length is None
        else assignments.inputs(f"{i}", length)
        for i, length in enumerate(lengths)
    ]
    results = np.ravel(np.asarray(formula(*arguments), dtype=object))
    return [assignments.index_of(result) for result in results]


def _take_from_lists(assignments: Assignments) -> bool:
    """Take unknown numbers out of the lists that still hold them; return whether there are any."""
    gc.collect()
    kinds = Unknown, Condition
    kept = [entry for entry in gc.get_referrers(assignments) if isinstance(entry, kinds)]
    for entry in kept:
        for holder in gc.get_referrers(entry):
            if isinstance(holder, list | deque) and holder is not kept:
                others = [value for value in holder if value is not entry]
                holder.clear()
                holder.extend(others)
    return bool(kept)


def check_pure(function: Callable[..., Any], *arguments: Any, **named: Any) -> None:
    """Reject a function with side effects, or with different values in repeated calls.

    It is called as often as in a short run, or for a tenth of a second.

    Parameters
    ----------
    function : function of numbers and arrays
    arguments, named
        Its arguments, numbers and arrays of floats.

    Raises
    ------
    CannotTrace
    """

    def value() -> bytes:
        with np.errstate(all="ignore"):
            found = function(*map(_as_written, arguments), **named)
        return np.array(found, dtype=float).tobytes()

    end = time.process_time() + _PATIENCE
    try:
        with _watched():
            first = value()
        for count in range(2, _CALLS):
            if value() != first:
                raise Refused(f"call {count} with the same arguments gives a different value")
            if time.process_time() > end:
                break
    except Exception as error:
        remedy = f"; {_IMPURE}" if isinstance(error, Refused) else ""
        raise CannotTrace(function, _reason(error) + remedy) from error


@contextmanager
def _watched() -> Iterator[None]:
    """Reject calls that read a clock, draw a random number, print, or write."""
    if sys.getprofile() is not None:  # a profiler is active
        yield
        return
    sys.setprofile(_refuse_impure)
    try:
        yield
    finally:
        sys.setprofile(None)


def _refuse_impure(frame: types.FrameType, event: str, called: Any) -> None:
    if event == "call":
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
    elif event == "c_call":
        owner = getattr(called, "__self__", None)
        kind = owner if isinstance(owner, type) else type(owner)
        module, name = called.__module__ or kind.__module__, called.__name__
    else:
        return
    if module in _CHANGING or (module, name) in _WRITING:
        of_python = module in ("builtins", "io", "_io")
        raise Refused(f"it calls {name}()" if of_python else f"it calls {module}.{name}")


_CHANGING = ("time", "random", "secrets", "uuid", "logging")
_WRITING = {
    *(("builtins", name) for name in ("print", "input")),
    *((module, name) for module in ("io", "_io") for name in ("open", "write")),
    *(("datetime", name) for name in ("now", "today", "utcnow")),
}
_CALLS, _PATIENCE = 256, 0.1
_IMPURE = "stored values, random numbers, clocks, and files cannot be compiled: leave out compiled"
