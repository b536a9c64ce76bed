"""A reader's function, followed once: called with unknown numbers, it leaves a formula behind.

NumPy's and math's functions that a reader would use are answered for unknown numbers while it is
followed. What asks how large a number is, or keeps something for the next call, cannot be followed
and is called in Python instead. Chapter 4 shows both.
"""

from __future__ import annotations

import functools
import math
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from tutlib.programs import functions
from tutlib.programs.arguments import function as read_function
from tutlib.programs.arguments import real_array
from tutlib.programs.assignments import Assignments, Condition, Unknown, where
from tutlib.programs.linear_algebra import solve_general
from tutlib.programs.memory import copied, kept_by, names_in, pictures


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


def numbers(values: Any, name: str = "an array") -> Any:
    """Return a fresh array of floats; of unknown numbers, if there are any among the values."""
    if is_unknown(values):
        return np.array(values, dtype=object)
    return np.array(real_array(values, name, finite=False))


def _may_hold(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return bool(value.dtype == object)
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


_EMPTY: tuple[Any, ...] = (
    np.zeros,
    np.ones,
    np.empty,
    np.full,
    np.zeros_like,
    np.ones_like,
    np.empty_like,
)


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
        if hasattr(math, name)
        and other in functions.BY_NAME
        and name != "remainder"  # math's own is that to the nearest multiple
    },
)


_INSTEAD = {id(np): _NUMPY, id(math): _MATH} | {
    id(getattr(math, name)): found for name, found in _MATH._others.items()
}


class _Opening:
    """Gives functions of one file the same code and names, with NumPy and math opened.

    What they could keep for their next call is copied, so that it stays as it was.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = names
        self._made: dict[int, types.FunctionType] = {}
        self._copies: dict[int, Any] = {}
        self._open = {name: _INSTEAD.get(id(value), value) for name, value in names.items()}

    def open(self, function: Any) -> Any:
        """Return a function with the same code and open names; all else as it is, or copied."""
        if isinstance(function, types.MethodType):
            return types.MethodType(self.open(function.__func__), self.open(function.__self__))
        if not isinstance(function, types.FunctionType):
            copy = copied(function, self._names.get("__name__"), self._copies)
            return _INSTEAD.get(id(function), copy)
        if function.__globals__ is not self._names:
            return function
        if id(function) not in self._made:
            cells = tuple(types.CellType() for _ in function.__closure__ or ())
            rest = function.__name__, function.__defaults__, cells or None
            made = types.FunctionType(function.__code__, self._open, *rest)
            made.__kwdefaults__ = function.__kwdefaults__
            self._made[id(function)] = made
            self._fill(function, cells)
        return self._made[id(function)]

    def _fill(self, function: types.FunctionType, cells: tuple[types.CellType, ...]) -> None:
        """Open what a function finds by its names."""
        for name in names_in(function.__code__):
            if name in self._names:
                self._open[name] = self.open(self._names[name])
        for cell, old in zip(cells, function.__closure__ or ()):
            try:
                cell.cell_contents = self.open(old.cell_contents)
            except ValueError:  # a name that is not bound yet
                continue


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
    TypeError
        If it is no function.
    CannotFollowError
        If the function asks how large a number is, needs true floats, or has a memory: what it
        does would not be the same at every call.
    """
    found = opened(read_function(function, "function", "..."))
    before = pictures(found)
    differs = _differs(function, found, lengths)
    refuse_change(function, before, found)
    if differs:
        raise CannotFollowError(function, _DIFFERS)
    return found


_DIFFERS = "it does something else at every call"


def _differs(function: Callable[..., Any], formula: Any, lengths: Sequence[int | None]) -> bool:
    """Return whether a formula becomes something else when it is followed once more."""
    try:
        once, again = (_traced(formula, lengths) for _ in range(2))
    except Exception as error:
        raise CannotFollowError(function, str(error) or type(error).__name__) from error
    return once != again


@functools.lru_cache(maxsize=128)
def refuse_moods(formula: Any, *lengths: int | None) -> None:
    """Refuse a formula that becomes something else at every call, such as by random numbers.

    Parameters
    ----------
    formula : function of numbers and arrays
        What it was made of is its ``function``.
    lengths : int or None
        As for `follow`.

    Raises
    ------
    CannotFollowError
    """
    if _differs(formula.function, formula, lengths):
        raise CannotFollowError(formula.function, _DIFFERS)


def opened(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with the same code whose NumPy and math take unknown numbers.

    Functions of the same file that it calls are opened with it; of lists, arrays and objects there
    it gets copies.

    Raises
    ------
    CannotFollowError
        If its text gives something a value for the next call.
    """
    if name := kept_by(function):
        raise CannotFollowError(function, f"it keeps {name} for its next call")
    names = getattr(getattr(function, "__func__", function), "__globals__", None)
    if names is None:  # an object that can be called
        names = {"__name__": type(function).__module__}
    return cast("Callable[..., Any]", _Opening(names).open(function))


def refuse_change(
    function: Callable[..., Any], before: dict[str, Any], found: Callable[..., Any]
) -> None:
    """Refuse a function whose opened form no longer holds what it held before it was followed."""
    after = pictures(found)
    for name, value in before.items():
        if after.get(name) != value:
            raise CannotFollowError(function, f"it keeps {name} for its next call")


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


_told: set[Any] = set()


def tell_once(reason: CannotFollowError) -> None:
    """Warn that a function is called in Python, and why; once for each function's code."""
    key = getattr(reason.function, "__code__", reason.function)
    if key not in _told:
        _told.add(key)
        warnings.warn(str(reason), NotFollowedWarning, stacklevel=2)
