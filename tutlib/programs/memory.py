"""What a reader's function may keep from one call to the next: such a function cannot be followed.

It is looked for in the text of all that the function reaches in its file, and in the lists, arrays
and objects there, of which a followed function gets copies. Chapter 4 shows one.
"""

from __future__ import annotations

import copy
import dis
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

_KEEPS = {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR"}


def code_of(function: Any) -> types.CodeType | None:
    """Return the code that runs when something is called; None if it is not in Python."""
    if not isinstance(function, types.FunctionType | types.MethodType):
        function = vars(type(function)).get("__call__")
    found = getattr(function, "__code__", None)
    return found if isinstance(found, types.CodeType) else None


def names_in(code: types.CodeType) -> set[str]:
    """Return the names that a code and the functions inside of it look up."""
    inside = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*map(names_in, inside))


def kept_by(function: Any) -> str | None:
    """Return a name that a function, or one that it reaches, gives a value for its next call."""
    reached_there = [value for _, value in reached_by(function) if _of_file(value, function)]
    for reached in (function, *reached_there):
        code = code_of(reached)
        for instruction in dis.get_instructions(code) if code else ():
            outer = code and instruction.argval in code.co_freevars
            if instruction.opname in _KEEPS or (instruction.opname == "STORE_DEREF" and outer):
                return str(instruction.argval)
    return None


def reached_by(function: Any) -> list[tuple[str, Any]]:
    """Return what a function finds by names, and what functions of its file find that it calls."""
    found: dict[int, tuple[str, Any]] = {}
    waiting = [function]
    while waiting:
        for name, value in _named(waiting.pop()):
            if id(value) not in found:
                found[id(value)] = name, value
                waiting.append(value)
    return list(found.values())


def _of_file(value: Any, function: Any) -> bool:
    """Tell whether a value is a function, or an object of a class, of a function's file."""
    kind = value if isinstance(value, types.FunctionType) else type(value)
    return bool(kind.__module__ == getattr(function, "__module__", None))


def _named(function: Any) -> Iterator[tuple[str, Any]]:
    function = getattr(function, "__func__", function)
    if not isinstance(function, types.FunctionType):
        return
    for name in sorted(names_in(function.__code__)):
        value = function.__globals__.get(name)
        outside = isinstance(value, types.FunctionType | types.ModuleType | type)
        if value is not None and (not outside or _same_file(function, value)):
            yield name, value
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            yield name, cell.cell_contents
        except ValueError:  # a name that is not bound yet
            continue


def _same_file(function: types.FunctionType, value: Any) -> bool:
    return getattr(value, "__globals__", None) is function.__globals__


def copied(value: Any, file: str | None, copies: dict[int, Any]) -> Any:
    """Return a copy of a list, a dictionary, a set, an array, or an object of a class of a file.

    Parameters
    ----------
    value : object
    file : str
        Name of the module whose classes are copied; all else is returned as it is.
    copies : dict
        What has been copied already, by identity.
    """
    if id(value) in copies:
        return copies[id(value)]
    if type(value) not in (list, dict, set, np.ndarray) and type(value).__module__ != file:
        return value
    new = copies[id(value)] = copy.copy(value)
    if type(value) is list:
        new[:] = [copied(entry, file, copies) for entry in value]
    elif type(value) is dict:
        new.update({key: copied(entry, file, copies) for key, entry in value.items()})
    elif hasattr(new, "__dict__"):
        new.__dict__.update(copied(vars(value), file, copies))
    return new


def picture(value: Any, file: str | None, seen: tuple[int, ...] = ()) -> Any:
    """Return something that differs if what a value holds differs."""
    if id(value) in seen:
        return None
    inside = (*seen, id(value))
    if type(value) is np.ndarray and value.dtype != object:
        return value.tobytes()
    if type(value) in (list, np.ndarray):
        return [picture(entry, file, inside) for entry in value]
    if type(value) is dict:
        return {key: picture(entry, file, inside) for key, entry in value.items()}
    if type(value) is set:
        return set(value)
    if type(value).__module__ == file and hasattr(value, "__dict__"):
        return picture(vars(value), file, inside)
    return value if isinstance(value, int | float | str) else id(value)


def pictures(function: Any) -> dict[str, Any]:
    """Return a picture of everything that a function reaches, by name."""
    file = getattr(getattr(function, "__func__", function), "__module__", None)
    itself = [("self", getattr(function, "__self__", function))]
    return {name: picture(value, file) for name, value in (*itself, *reached_by(function))}
