"""A reader's function, followed once: called with unknown numbers, it leaves a formula behind.

NumPy's and math's functions that a reader would use are answered for unknown numbers while it is
followed. What asks how large a number is, or keeps something for the next call, cannot be followed
and is called in Python instead. Chapter 4 shows both.
"""

from __future__ import annotations

import dis
import math
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tutlib.programs import functions
from tutlib.programs.assignments import Assignments, Condition, Unknown, where
from tutlib.programs.linear_algebra import solve_general


class NotFollowedWarning(UserWarning):
    """A function runs in Python, one call after another: it could not be followed."""


class CannotFollowError(TypeError):
    """A function depends on more than its numbers, or asks how large one is.

    Parameters
    ----------
    function : function
    reason : str
    """

    def __init__(self, function: Callable[..., Any], reason: str) -> None:
        name = getattr(function, "__name__", type(function).__name__)
        super().__init__(f"{name} is called in Python at every step, which is slow: {reason}")
        self.function, self.reason = function, reason


def is_unknown(value: Any) -> bool:
    """Tell whether a value is an unknown number, or an array or a list that holds one."""
    if isinstance(value, Unknown | Condition):
        return True
    entries = np.ravel(np.asarray(value, dtype=object)) if _may_hold(value) else ()
    return any(isinstance(entry, Unknown) for entry in entries)


def numbers(values: Any) -> Any:
    """Return a fresh array of floats; of unknown numbers, if there are any among the values."""
    if is_unknown(values):
        return np.array(values, dtype=object)
    return np.array(values, dtype=float)


def _may_hold(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "O"
    return isinstance(value, list | tuple)


class _OpenModule:
    """A module whose functions take unknown numbers, too, where this module knows them."""

    def __init__(self, module: Any, others: dict[str, Any]) -> None:
        self._module, self._others = module, others

    def __getattr__(self, name: str) -> Any:
        return self._others.get(name) or getattr(self._module, name)


def _each(function: Callable[..., Any], known: Callable[..., Any]) -> Callable[..., Any]:
    """Apply a function to numbers or to the entries of arrays; leave known numbers to NumPy."""

    def apply(*values: Any, **options: Any) -> Any:
        if not any(map(is_unknown, values)):
            return known(*values, **options)
        wide = np.broadcast_arrays(*(np.asarray(v, dtype=object) for v in values))
        found = np.empty(wide[0].shape, dtype=object)
        for place in np.ndindex(wide[0].shape):
            found[place] = function(*(array[place] for array in wide))
        return found if found.ndim else found[()]

    return apply


def _any_numbers(make: Callable[..., Any]) -> Callable[..., Any]:
    """Make arrays that may hold unknown numbers, though a text says float."""

    def made(*values: Any, dtype: Any = None, **options: Any) -> Any:
        if any(map(is_unknown, values)):
            return make(*values, dtype=object, **options)
        result = make(*values, dtype=dtype, **options)
        floats = isinstance(result, np.ndarray) and result.dtype.kind == "f"
        return result.astype(object) if floats and make in _EMPTY else result

    return made


_EMPTY = (np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like)


def _solve(matrix: Any, right: Any) -> Any:
    if not (is_unknown(matrix) or is_unknown(right)):
        return np.linalg.solve(matrix, right)
    found = solve_general(list(np.ravel(matrix)), list(np.ravel(right)))
    return np.array(found, dtype=object)


def _length(vector: Any, *rest: Any, **options: Any) -> Any:
    if not is_unknown(vector) or rest or options:
        return np.linalg.norm(vector, *rest, **options)
    return np.sqrt((np.asarray(vector, dtype=object).ravel() ** 2).sum())


def _clip(value: Any, low: Any, high: Any) -> Any:
    above = _each(lambda a, b: where(a < b, b, a), np.maximum)(value, low)
    return _each(lambda a, b: where(b < a, b, a), np.minimum)(above, high)


_BY_NAME = {
    name: _each(function, getattr(np, name))
    for name, function in functions.BY_NAME.items()
    if hasattr(np, name)
}
_NUMPY = _OpenModule(
    np,
    {
        **_BY_NAME,
        **{make.__name__: _any_numbers(make) for make in (np.array, np.asarray, *_EMPTY)},
        "where": where,
        "clip": _clip,
        "linalg": _OpenModule(np.linalg, {"solve": _solve, "norm": _length}),
    },
)
_MATH_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
_MATH = _OpenModule(
    math,
    {
        name: _each(functions.BY_NAME[other], getattr(math, name))
        for name, other in {**{n: n for n in functions.BY_NAME}, **_MATH_NAMES}.items()
        if hasattr(math, name) and other in functions.BY_NAME
    },
)


_INSTEAD = {id(np): _NUMPY, id(math): _MATH} | {
    id(getattr(math, name)): found for name, found in _MATH._others.items()
}


class _Opening:
    """Gives functions of one file the same code and names, with NumPy and math opened."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names, self._made = names, {}
        self._open = {name: _INSTEAD.get(id(value), value) for name, value in names.items()}
        for name, value in names.items():
            if self._is_own(value):
                self._open[name] = self.open(value)

    def _is_own(self, value: Any) -> bool:
        return isinstance(value, types.FunctionType) and value.__globals__ is self._names

    def open(self, function: types.FunctionType) -> types.FunctionType:
        """Return a function with the same code and open names."""
        if id(function) not in self._made:
            cells = tuple(types.CellType() for _ in function.__closure__ or ())
            rest = function.__name__, function.__defaults__, cells or None
            made = types.FunctionType(function.__code__, self._open, *rest)
            made.__kwdefaults__ = function.__kwdefaults__
            self._made[id(function)] = made
            for cell, old in zip(cells, function.__closure__ or ()):
                self._fill(cell, old)
        return self._made[id(function)]

    def _fill(self, cell: types.CellType, old: types.CellType) -> None:
        try:
            value = old.cell_contents
        except ValueError:  # a name that is not bound yet
            return
        cell.cell_contents = (
            self.open(value) if self._is_own(value) else _INSTEAD.get(id(value), value)
        )


def follow(function: Callable[..., Any], *lengths: int | None) -> Callable[..., Any]:
    """Return a function that takes unknown numbers and does what the given one does.

    Parameters
    ----------
    function : function of numbers and arrays
    lengths : int or None
        For each argument the length of the array; None for a number.

    Returns
    -------
    function

    Raises
    ------
    CannotFollowError
        If the function asks how large a number is, needs true floats, or has a memory: what it
        does would not be the same at every call.
    """
    _refuse_memory(function)
    found = opened(function)
    before = _remembered(function)
    try:
        once, again = (_traced(found, lengths) for _ in range(2))
    except Exception as error:
        raise CannotFollowError(function, str(error) or type(error).__name__) from error
    if once != again or _remembered(function) != before:
        raise CannotFollowError(function, "it does something else at every call")
    return found


def opened(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with the same code whose NumPy and math take unknown numbers.

    Functions of the same file that it calls are opened with it.
    """
    if not isinstance(function, types.FunctionType):
        return function
    return _Opening(function.__globals__).open(function)


def _traced(function: Callable[..., Any], lengths: Sequence[int | None]) -> tuple[Any, ...]:
    assignments = Assignments()
    arguments = [
        assignments.unknown("input", f"{i}", 0)
        if length is None
        else assignments.inputs(f"{i}", length)
        for i, length in enumerate(lengths)
    ]
    results = np.ravel(np.asarray(function(*arguments), dtype=object))
    return assignments.nodes, [assignments.place(result) for result in results]


_KEEPS = {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR"}


def _refuse_memory(function: Callable[..., Any]) -> None:
    """Refuse code that keeps something for its next call."""
    code = getattr(function, "__code__", None)
    for instruction in dis.get_instructions(code) if code else ():
        outer = instruction.opname == "STORE_DEREF" and instruction.argval in code.co_freevars
        if outer or instruction.opname in _KEEPS:
            raise CannotFollowError(function, f"it keeps {instruction.argval} for its next call")


def _remembered(function: Callable[..., Any]) -> str:
    """Return a picture of what a function could keep from call to call."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    named = [function.__globals__.get(name) for name in code.co_names]  # type: ignore[attr-defined]
    cells = [c.cell_contents for c in function.__closure__ or () if _is_bound(c)]  # type: ignore[attr-defined]
    return repr([v for v in (*named, *cells) if isinstance(v, list | dict | set | np.ndarray)])


def _is_bound(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


_told: set[Any] = set()


def tell_once(reason: CannotFollowError) -> None:
    """Warn that a function is called in Python, and why; once for each function's code."""
    key = getattr(reason.function, "__code__", reason.function)
    if key not in _told:
        _told.add(key)
        warnings.warn(str(reason), NotFollowedWarning, stacklevel=2)
