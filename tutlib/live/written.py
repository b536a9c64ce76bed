"""Values as the Python that makes them: symbols, expressions, models, functions of a notebook.

What "Copy as Python" gives is made of this. It runs as pasted, in an empty notebook.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
import re
import textwrap
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef

from tutlib.live.arguments import quoted
from tutlib.live.printed import Names, declared, printed
from tutlib.live.sources import found
from tutlib.models.calls import Call
from tutlib.reading.names import identifiers

#: What imports look like; all else comes from where it is public.
USUAL = {"numpy": "np", "sympy": "sm", "sympy.physics.mechanics": "me"}
#: Where the package's names are public, the nearest door first.
DOORS = (
    "tutlib", "tutlib.models", "tutlib.live", "tutlib.pictures", "tutlib.methods", "tutlib.spaces",
    "tutlib.mechanics",
)  # fmt: skip
WIDTH = 88


class Writer:
    """Writes values one after the other, and remembers what must stand above them.

    Parameters
    ----------
    taken : iterable of str
        Names that the code uses for other things.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = {*taken, *USUAL.values(), "t"}
        self.symbols: Names = {}
        self.definitions: dict[str, str] = {}
        self.missing: list[str] = []
        self._values: dict[str, Any] = {}
        self._modules: set[str] = set()
        self._from: dict[str, set[str]] = {}

    def free_name(self, name: str) -> str:
        """Return a name, longer if it stands for something else, and keep it."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def above(self, *modules: str) -> str:
        """Return imports, symbols and definitions: what must stand above the values.

        Parameters
        ----------
        modules : str
            Of the usual ones, those that the code needs besides.
        """
        for module in modules:
            self._named(module, "")
        symbols = declared(self.symbols)
        for module, short in USUAL.items():
            if any(f"{short}." in text for text in (*symbols, *self.definitions.values())):
                self._modules.add(f"import {module} as {short}")
        plain = sorted(self._modules)
        named = [_import(door, names) for door, names in sorted(self._from.items())]
        every = [*named, *plain]
        own = [line for line in every if line.split()[1].startswith("tutlib")]
        usual = [line for line in every if line.split()[1] in USUAL]
        others = [line for line in every if line not in (*own, *usual)]
        blocks = [others, usual, own, symbols, list(self.definitions.values())]
        text = "\n\n".join("\n".join(block) for block in blocks if block)
        return re.sub(r"\n{4,}", "\n\n\n", text)

    def value(self, value: Any) -> str:
        """Return an expression of Python for a value.

        Raises
        ------
        TypeError
            If nobody can tell how the value was made.
        """
        if name := self._name(value):
            return name
        if isinstance(source := getattr(value, "source", None), Call):
            return self._call(source)
        if isinstance(value, sm.MatrixBase):
            return self._matrix(value)
        if isinstance(value, sm.Basic):
            return self._expression(value)
        if isinstance(value, Mapping):
            pairs = [f"{self.value(k)}: {self.value(v)}" for k, v in value.items()]
            return _joined("{", pairs, "}")
        if isinstance(value, tuple):
            items = [self.value(item) for item in value]
            return _joined("(", items, ",)" if len(items) == 1 else ")")
        if isinstance(value, list):
            return _joined("[", [self.value(item) for item in value], "]")
        if isinstance(value, np.ndarray):
            return self._named("numpy", f"np.array({self.value(value.tolist())})")
        return self._other(value)

    def _name(self, value: Any) -> str:
        """Return the name of what is defined above already; empty if it is not."""
        same = (name for name, other in self._values.items() if other is value)
        return next((name for name in same if name in self.definitions), "")

    def _other(self, value: Any) -> str:
        if isinstance(value, str):
            return quoted(value)
        if value is None or isinstance(value, bool | np.bool_):
            return str(value)
        if isinstance(value, int | float | np.number):
            return self._number(value)
        if isinstance(value, Fraction):
            self._from.setdefault("fractions", set()).add("Fraction")
            return repr(value)
        if public := self._public(value):
            return public
        if isinstance(value, partial):
            self._from.setdefault("functools", set()).add("partial")
            rest = [f"{name}={self.value(v)}" for name, v in value.keywords.items()]
            return _joined("partial(", [*map(self.value, (value.func, *value.args)), *rest], ")")
        if isinstance(value, FunctionType):
            return self._function(value)
        if dataclasses.is_dataclass(value):
            return self._dataclass(value)
        raise TypeError(f"nobody can tell how {type(value).__name__} was made")

    def _named(self, module: str, text: str) -> str:
        self._modules.add(f"import {module} as {USUAL[module]}")
        return text

    def _number(self, value: Any) -> str:
        number = value.item() if isinstance(value, np.generic) else value
        if isinstance(number, float) and not math.isfinite(number):
            return self._named("numpy", f"np.{number}".replace("np.-", "-np."))
        return repr(number)

    def _expression(self, expression: Any) -> str:
        for symbol in _symbols(expression):
            if symbol not in self.symbols:
                own = identifiers([symbol], self.taken)[symbol].name
                self.symbols[symbol] = own
                self.taken.add(own)
        text = printed(expression, self.symbols)
        if "sm." in text:
            self._named("sympy", text)
        return textwrap.fill(
            text, WIDTH - 12, subsequent_indent="    ", break_long_words=False,
            break_on_hyphens=False,
        )  # fmt: skip

    def _matrix(self, matrix: Any) -> str:
        rows, columns = matrix.shape
        if matrix.is_zero_matrix:
            return self._named("sympy", f"sm.zeros({rows}, {columns})")
        if rows == columns and matrix == sm.eye(rows):
            return self._named("sympy", f"sm.eye({rows})")
        entries = matrix.tolist() if columns > 1 else list(matrix)
        return self._named("sympy", f"sm.Matrix({self.value(entries)})")

    def _call(self, call: Call) -> str:
        arguments = list(call.arguments)
        of = [arguments.pop(0)] if call.is_method else []
        given = [self.value(argument) for argument in arguments]
        given += [f"{name}={self.value(v)}" for name, v in call.options.items()]
        if of:
            begins = f"{self.value(of[0])}.{call.function.__name__}"
        else:
            begins = self._public(call.function) or self._function(call.function)
        return _joined(f"{begins}(", given, ")")

    def _dataclass(self, value: Any) -> str:
        kind, given = type(value), []
        for field in dataclasses.fields(value):
            own = getattr(value, field.name)
            if field.init and not _is_default(field, own) and not _is_obvious(field.name, own):
                given.append(f"{field.name}={self.value(own)}")
        if not (name := self._public(kind)):
            raise TypeError(f"nobody can tell where {kind.__name__} comes from")
        return _joined(f"{name}(", given, ")")

    def _public(self, value: Any) -> str:
        """Return the name of what can be imported, and import it; empty if it cannot."""
        for door in (*DOORS, *[m for m in [getattr(value, "__module__", None)] if m]):
            module = importlib.import_module(door) if door != "__main__" else None
            names = getattr(module, "__all__", None) or [getattr(value, "__name__", "")]
            for name in names:
                if module is not None and name and getattr(module, name, self) is value:
                    return self._imported(door, name, value)
        return ""

    def _imported(self, door: str, name: str, value: Any) -> str:
        """Import a value from a door, by another name if its own stands for something else."""
        own = next((known for known, other in self._values.items() if other is value), "")
        if not own:
            own = name if self._values.get(name, value) is value else self.free_name(name)
            self._bind(own, value)
            self._from.setdefault(door, set()).add(name if own == name else f"{name} as {own}")
        return own

    def _function(self, function: Any) -> str:
        """Return a lambda, or the name of a function whose definition then stands above."""
        name = function.__name__
        if self._values.get(name) is function:
            return str(name)
        try:
            text = found(function)
        except (OSError, TypeError, SyntaxError):
            self.missing.append(name)
            return str(name)
        if not text.is_lambda:
            self._bind(name, function)
        for used, value in text.needs.items():
            self.define(used, value)
        if text.is_lambda:
            return text.source
        self.definitions[name] = f"\n\n{text.source}\n\n"
        return str(name)

    def define(self, name: str, value: Any) -> None:
        """Let a name stand for a value, above all else."""
        if name in self._values and self._values[name] is value:
            return
        if isinstance(value, ModuleType):
            self._bind(name, value)
            long = value.__name__
            self._modules.add(f"import {long}" if long == name else f"import {long} as {name}")
            return
        text = self.value(value)
        if text != name:
            self._bind(name, value)
            self.definitions[name] = f"{name} = {text}"

    def _bind(self, name: str, value: Any) -> None:
        other = self._values.setdefault(name, value)
        if other is not value or (name in self.taken and name in self.symbols.values()):
            raise TypeError(f"{name} would stand for two things")
        self.taken.add(name)


def _symbols(expression: Any) -> list[Any]:
    """Return the symbols and functions of time in an expression, by name."""
    functions = expression.atoms(AppliedUndef)
    symbols = expression.atoms(sm.Symbol) - {me.dynamicsymbols._t}
    moving = me.dynamicsymbols._t
    clock = {moving} if expression.has(moving) and _shows_time(expression) else set()
    return sorted({*functions, *symbols, *clock}, key=str)


def _shows_time(expression: Any) -> bool:
    hidden = {f: sm.Dummy() for f in expression.atoms(sm.Derivative, AppliedUndef)}
    return bool(expression.xreplace(hidden).has(me.dynamicsymbols._t))


def _is_default(field: Any, value: Any) -> bool:
    if field.default is not dataclasses.MISSING:
        return bool(value is field.default or (np.ndim(value) == 0 and value == field.default))
    made = field.default_factory
    return made is not dataclasses.MISSING and not value and not made()


def _is_obvious(name: str, value: Any) -> bool:
    """Whether it is what equations have if nothing else is said: q̇ = u."""
    if name == "kinematic_matrix":
        return bool(value.is_Identity)
    return name == "kinematic_drift" and bool(value.is_zero_matrix)


def _joined(begin: str, items: list[str], end: str) -> str:
    """Return items in brackets, in one line where there is room, else each in one of its own."""
    line = begin + ", ".join(items) + end
    if len(line) <= WIDTH - 8 and "\n" not in line:
        return line
    close = end.lstrip(",")
    return begin + "\n" + textwrap.indent(",\n".join(items), "    ") + ",\n" + close


def _import(door: str, names: Iterable[str]) -> str:
    line = f"from {door} import {', '.join(sorted(names))}"
    return line if len(line) <= WIDTH else _joined(f"from {door} import (", sorted(names), ")")
