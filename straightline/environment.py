"""Environment of a traced function: its globals, closure, defaults, and object.

They are copied before tracing, so that the function cannot write to them, and compared at every
run. Chapter 4 traces Runge-Kutta steps.
"""

from __future__ import annotations

import copy
import dis
import functools
import re
import sys
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from numbers import Number
from typing import Any

import numpy as np

_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic, range, slice)
#: Of what is installed, what is a value as a whole, or answers alike at every call.
_CONSTANT = (
    type,
    types.ModuleType,
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.MethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.ClassMethodDescriptorType,
    property,
    staticmethod,
    classmethod,
    re.Pattern,
    Enum,
    Number,
    np.ufunc,
    np.dtype,
    np.ndarray,
)
#: The packages of the course, whose own functions are no reader's.
_COURSE = ("straightline", "tutlib", "panels", "verification")
_SCIENTIFIC = ("numpy", "scipy", "sympy", *_COURSE)
#: What gives something else at every call, and whose state nobody can compare.
_CHANGING = (Iterator, np.random.Generator, np.random.RandomState, np.random.BitGenerator)
#: What is made anew of copies, or holds what is not copied, but looked at.
_HELD = (
    types.FunctionType,
    types.MethodType,
    functools.partial,
    tuple,
    type,
    types.ModuleType,
)
_LISTS = (list, tuple, set, frozenset, deque)


@functools.cache
def of_library(name: str) -> bool:
    """Tell whether a module is Python's, one of the course's, or an installed one: no reader's."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or top in _COURSE:
        return True
    file = getattr(sys.modules.get(name), "__file__", None) or ""
    return "site-packages" in file or "dist-packages" in file


def is_readers(value: object) -> bool:
    """Tell whether a value is a function, or an object of a class, that a reader has written."""
    kind = value if isinstance(value, types.FunctionType) else type(value)
    return not of_library(kind.__module__ or "builtins")


@functools.lru_cache(maxsize=512)
def global_names(code: types.CodeType) -> tuple[str, ...]:
    """Return the names of globals that a code and the functions inside of it look up."""
    names = dict.fromkeys(
        str(instruction.argval)
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    )
    for inner in inner_codes(code):
        names |= dict.fromkeys(global_names(inner))
    return tuple(names)


def inner_codes(code: types.CodeType) -> list[types.CodeType]:
    """Return the codes of the functions that are defined inside of one."""
    return [part for part in code.co_consts if isinstance(part, types.CodeType)]


def outside_of(function: types.FunctionType) -> dict[str, object]:
    """Return what a function finds by name outside of itself; what is not bound yet is left out."""
    names, code = function.__globals__, function.__code__
    values = {name: names[name] for name in global_names(code) if name in names}
    values |= closure_of(function)
    arguments = code.co_varnames[: code.co_argcount][::-1]
    values |= zip(arguments, (function.__defaults__ or ())[::-1])
    return values | (function.__kwdefaults__ or {})


def entries_of(value: object) -> list[object] | None:
    """Return what a value holds that may change; None if it is a value as a whole."""
    if isinstance(value, types.MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, types.FunctionType):
        if not is_readers(value):
            return list(closure_of(value).values()) or None
        return [*outside_of(value).values(), *vars(value).values()]
    if isinstance(value, type | types.ModuleType):
        if of_library(value.__module__ if isinstance(value, type) else value.__name__):
            return None
        entries = vars(value).items()
        return [
            one
            for name, one in entries
            if not name.startswith("__") or isinstance(one, types.FunctionType)
        ]
    if isinstance(value, functools.partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, _LISTS):
        return list(value)
    if isinstance(value, np.ndarray) and value.dtype == object:
        return list(value.ravel())
    if isinstance(value, types.SimpleNamespace) or is_readers(value):
        return [*attributes_of(value).values(), type(value)]
    return None


def closure_of(function: types.FunctionType) -> dict[str, object]:
    """Return what a function's closure holds, by name; what is not bound yet is left out."""
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        with suppress(ValueError):
            values[name] = cell.cell_contents
    return values


def is_opaque(value: object) -> bool:
    """Tell whether a value may give something else at every call, which nobody could see."""
    if isinstance(value, types.BuiltinFunctionType):  # of a module, or of an object: log.append
        return not isinstance(value.__self__, types.ModuleType | type | None)
    if isinstance(value, _CHANGING) or hasattr(value, "dispatch"):  # as of singledispatch
        return True
    if isinstance(value, _CONSTANT):
        return False
    top = type(value).__module__.partition(".")[0]
    return entries_of(value) is None and top not in _SCIENTIFIC


def attributes_of(value: object) -> dict[str, object]:
    """Return an object's attributes, those in slots included."""
    slots = (getattr(kind, "__slots__", ()) for kind in type(value).__mro__)
    names = (name for some in slots for name in ([some] if isinstance(some, str) else some))
    attributes = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return attributes | getattr(value, "__dict__", {})


def walk(values: Iterable[object]) -> Iterator[tuple[object, list[object] | None]]:
    """Generate everything that values hold, each object once, and its entries."""
    waiting, seen = [*values][::-1], set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, _PLAIN):
            yield value, None
            continue
        if id(value) in seen:
            continue
        seen.add(id(value))
        entries = entries_of(value)
        yield value, entries
        waiting.extend(reversed(entries or []))


def reaches_readers(*values: object) -> bool:
    """Tell whether something is a reader's, or holds something that is."""
    return any(not isinstance(value, _PLAIN) and is_readers(value) for value, _ in walk(values))


def snapshot(function: object) -> dict[str, list[object]]:
    """Return what differs if what a function finds outside of itself differs, by name."""
    return {name: _picture(value) for name, value in _names_of(function).items()}


def _names_of(function: object) -> dict[str, object]:
    if isinstance(function, types.MethodType):
        return {"self": function.__self__} | _names_of(function.__func__)
    if isinstance(function, types.FunctionType):
        return outside_of(function)
    if isinstance(function, functools.partial):
        return {"an argument of partial": (function.args, function.keywords)} | _names_of(
            function.func
        )
    return {"self": function}


def _picture(value: object) -> list[object]:
    """Return a list that is equal as long as nothing changes that a value holds."""
    return [_leaf(one, entries) for one, entries in walk([value])]


def _leaf(value: object, entries: list[object] | None) -> object:
    if isinstance(value, _PLAIN):
        return repr(value)  # so that nan is like itself
    if isinstance(value, dict):
        return "dict", [repr(key) if isinstance(key, _PLAIN) else id(key) for key in value]
    if entries is not None:
        place = getattr(value, "__name__", "")
        return type(value).__name__, place, len(entries)
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    return id(value)


class Copies:
    """Copies of reader's functions and of all that they may write to, joined as before.

    Parameters
    ----------
    instead : mapping from int to object
        By identity what stands for an object in copies.
    builtins : dict
        What functions in copies find by names that are bound nowhere.
    """

    def __init__(self, instead: Mapping[int, object], builtins: dict[str, object]) -> None:
        self._instead, self._builtins = instead, builtins
        self._made: dict[int, Any] = {}
        self._names: dict[int, dict[str, Any]] = {}
        self._kept: list[Any] = []  # an identity is one only as long as the object lives

    def of(self, value: object) -> Any:
        """Return the copy of a value.

        Raises
        ------
        TypeError
            If it holds what nobody can see into, such as an iterator.
        """
        waiting, fresh = [value], []
        while waiting:
            one = waiting.pop()
            if isinstance(one, _PLAIN) or id(one) in self._made:
                continue
            self._kept.append(one)
            if id(one) in self._instead:
                self._made[id(one)] = self._instead[id(one)]
                continue
            if is_opaque(one):
                kind = type(one).__name__
                raise TypeError(f"it uses a {kind}, which may give something else at every call")
            made = self._made[id(one)] = self._begun(one)
            waiting.extend(entries_of(one) or [])
            if made is not one:
                fresh.append((one, made))
        for one, made in fresh:
            self._fill(one, made)
        return self._copy(value)

    def _begun(self, value: object) -> object:
        """Return a copy that holds nothing yet, or the value itself."""
        if isinstance(value, types.FunctionType) and (value.__closure__ or is_readers(value)):
            cells = tuple(types.CellType() for _ in value.__closure__ or ())
            names = value.__globals__
            if is_readers(value):
                opened = names | {"__builtins__": self._builtins}
                names = self._names.setdefault(id(names), opened)
            rest = value.__name__, value.__defaults__, cells or None
            made = types.FunctionType(value.__code__, names, *rest)
            made.__kwdefaults__ = value.__kwdefaults__
            made.__module__ = value.__module__
            return made
        if isinstance(value, _HELD):
            return value
        if isinstance(value, np.ndarray) or entries_of(value) is not None:
            return copy.copy(value)
        return value

    def _copy(self, value: object) -> Any:
        if isinstance(value, _PLAIN):
            return value
        if type(value) is tuple:
            return tuple(map(self._copy, value))
        if isinstance(value, types.MethodType):
            return types.MethodType(self._copy(value.__func__), self._copy(value.__self__))
        if isinstance(value, functools.partial):
            words = {name: self._copy(one) for name, one in value.keywords.items()}
            return functools.partial(self._copy(value.func), *map(self._copy, value.args), **words)
        return self._made.get(id(value), value)

    def _fill(self, value: object, made: Any) -> None:
        """Let a copy hold copies."""
        if isinstance(value, types.FunctionType):
            self._fill_function(value, made)
        elif isinstance(value, dict):
            made.update({key: self._copy(one) for key, one in value.items()})
        elif isinstance(value, list | deque):
            made.clear()
            made.extend(map(self._copy, value))
        elif isinstance(value, np.ndarray):
            if value.dtype == object:
                made.ravel()[:] = [*map(self._copy, value.ravel())]
        elif isinstance(value, types.SimpleNamespace) or is_readers(value):
            for name, one in attributes_of(value).items():
                object.__setattr__(made, name, self._copy(one))
            if is_readers(value):
                self._open_class(made)

    def _fill_function(self, value: types.FunctionType, made: types.FunctionType) -> None:
        for name in global_names(value.__code__) if is_readers(value) else ():
            if name in value.__globals__:
                made.__globals__[name] = self.of(value.__globals__[name])
        for cell, old in zip(made.__closure__ or (), value.__closure__ or ()):
            with suppress(ValueError):  # a name that is not bound yet
                cell.cell_contents = self.of(old.cell_contents)
        if is_readers(value) and value.__defaults__:
            made.__defaults__ = tuple(map(self.of, value.__defaults__))
        if is_readers(value) and value.__kwdefaults__:
            made.__kwdefaults__ = {n: self.of(one) for n, one in value.__kwdefaults__.items()}
        made.__dict__.update({name: self.of(one) for name, one in vars(value).items()})

    def _open_class(self, made: object) -> None:
        """Let an object's methods, too, be copies."""
        kind = type(made)
        methods = {
            name: one
            for cls in reversed(kind.__mro__)
            if not of_library(cls.__module__)
            for name, one in vars(cls).items()
            if isinstance(one, types.FunctionType)
        }
        if id(kind) not in self._made:
            self._kept.append(kind)
            self._made[id(kind)] = kind
            with suppress(Exception):  # a class that does not let itself be inherited from
                copies = {name: self.of(one) for name, one in methods.items()}
                names = copies | {"__slots__": (), "__module__": kind.__module__}
                make: Any = type(kind)
                self._made[id(kind)] = make(kind.__name__, (kind,), names)
        with suppress(TypeError):
            made.__class__ = self._made[id(kind)]
