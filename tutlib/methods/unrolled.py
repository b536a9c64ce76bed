"""A step's text, unrolled: what it does for one tableau, line by line, as a Python function.

The text of a step goes through tables and lists. Called once with symbols instead of arrays it
leaves only the arithmetic behind, which a loop in Python repeats without the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


class Symbol:
    """An array or a number by name: what is done with it is written down.

    Parameters
    ----------
    lines : list of str
    name : str
    """

    __array_ufunc__ = None

    def __init__(self, lines: list[str], name: str) -> None:
        self.lines, self.name = lines, name

    def line(self, text: str) -> Symbol:
        """Write a value down; return its symbol."""
        new = Symbol(self.lines, f"_{len(self.lines)}")
        self.lines.append(f"{new.name} = {text}")
        return new

    def __add__(self, other: Any) -> Symbol:
        return self.line(f"{self.name} + {_text(other)}")

    def __radd__(self, other: Any) -> Symbol:
        return self.line(f"{_text(other)} + {self.name}")

    def __sub__(self, other: Any) -> Symbol:
        return self.line(f"{self.name} - {_text(other)}")

    def __mul__(self, other: Any) -> Symbol:
        return self.line(f"{self.name} * {_text(other)}")

    def __rmul__(self, other: Any) -> Symbol:
        return self.line(f"{_text(other)} * {self.name}")

    def called(self, name: str) -> Callable[..., Symbol]:
        """Return a function of that name: its calls are written down."""
        return lambda *values: self.line(f"{name}({', '.join(map(_text, values))})")


def _text(value: Any) -> str:
    return value.name if isinstance(value, Symbol) else repr(float(value))


def unrolled(
    text: Callable[..., Any], arguments: tuple[str, ...], functions: Mapping[str, Any]
) -> Callable[..., Any]:
    """Return what a text does, for arrays.

    Parameters
    ----------
    text : function (functions by name, symbols) -> Symbol, or a tuple or list of them
    arguments : tuple of str
    functions : mapping from str to function
        What it calls; those that are None come as first arguments.

    Returns
    -------
    function
    """
    lines: list[str] = []
    root = Symbol(lines, "")
    result = text({name: root.called(name) for name in functions}, *_symbols(lines, arguments))
    first = [name for name, function in functions.items() if function is None]
    head = f"def step({', '.join([*first, *arguments])}):"
    names: dict[str, Any] = {name: one for name, one in functions.items() if one is not None}
    exec("\n    ".join([head, *lines, f"return {_printed(result)}"]), names)
    return names["step"]  # type: ignore[no-any-return]


def _symbols(lines: list[str], arguments: tuple[str, ...]) -> list[Symbol]:
    return [Symbol(lines, name) for name in arguments]


def _printed(result: Any) -> str:
    if isinstance(result, tuple | list):
        return f"({''.join(f'{_printed(one)}, ' for one in result)})"
    return "None" if result is None else _text(result)
