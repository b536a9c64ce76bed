"""A function of arrays, followed once with unknown numbers: what comes back is its list of steps.

Plain NumPy in, assignments out, one operation each; from them text for Numba and for JavaScript.
So the fields on chapter 8's sphere and of chapter 9's quadrotors are written once, to be read, and
run compiled and in the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np


@dataclass
class Record:
    """The operations so far: text by name, and each text only once."""

    names: dict[str, str] = field(default_factory=dict)

    def write(self, text: str) -> Unknown:
        """Return the number that an operation gives."""
        return Unknown(self, self.names.setdefault(text, f"_{len(self.names)}"))


def _of_numbers(operation: Callable[[Unknown, Any], Any]) -> Callable[[Unknown, Any], Any]:
    """Leave arrays to NumPy, which comes back with their entries, and jets to themselves."""

    def method(self: Unknown, other: Any) -> Any:
        return operation(self, other) if isinstance(other, Unknown | Real) else NotImplemented

    return method


@dataclass(frozen=True, eq=False)
class Unknown:
    """A number known by its name; what is done with it is written down.

    Parameters
    ----------
    record : Record
    name : str

    Raises
    ------
    TypeError
        If it is compared: what is done must not depend on what it is.
    """

    record: Record
    name: str

    @_of_numbers
    def __add__(self, other: Any) -> Any:
        return self if _is(other, 0) else self.record.write(f"{self.name} + {_text(other)}")

    @_of_numbers
    def __radd__(self, other: Any) -> Any:
        return self + other

    @_of_numbers
    def __sub__(self, other: Any) -> Any:
        return self if _is(other, 0) else self.record.write(f"{self.name} - {_text(other)}")

    @_of_numbers
    def __rsub__(self, other: Any) -> Any:
        return -self if _is(other, 0) else self.record.write(f"{_text(other)} - {self.name}")

    @_of_numbers
    def __mul__(self, other: Any) -> Any:
        if _is(other, 0):
            return 0.0
        if _is(other, 1):
            return self
        return -self if _is(other, -1) else self.record.write(f"{self.name} * {_text(other)}")

    @_of_numbers
    def __rmul__(self, other: Any) -> Any:
        return self * other

    @_of_numbers
    def __truediv__(self, other: Any) -> Any:
        return self if _is(other, 1) else self.record.write(f"{self.name} / {_text(other)}")

    @_of_numbers
    def __rtruediv__(self, other: Any) -> Any:
        return 0.0 if _is(other, 0) else self.record.write(f"{_text(other)} / {self.name}")

    @_of_numbers
    def __pow__(self, other: Any) -> Any:
        return self * self if _is(other, 2) else self.record.write(f"{self.name} ** {_text(other)}")

    def __neg__(self) -> Any:
        return self.record.write(f"-{self.name}")

    def __float__(self) -> float:
        return float(bool(self))

    def __bool__(self) -> bool:
        raise TypeError("a compiled field is one formula: it cannot ask how large a number is")

    def __lt__(self, other: Any) -> Any:
        return self.__bool__()

    __le__ = __gt__ = __ge__ = __lt__

    def call(self, name: str) -> Unknown:
        """Write down a function of this number."""
        return self.record.write(f"{name}({self.name})")

    # NumPy asks the entries of an array of objects for these.
    def sqrt(self) -> Unknown:
        """Return the square root."""
        return self.call("sqrt")

    def sin(self) -> Unknown:
        """Return the sine."""
        return self.call("sin")

    def cos(self) -> Unknown:
        """Return the cosine."""
        return self.call("cos")

    def exp(self) -> Unknown:
        """Return the exponential."""
        return self.call("exp")


def _is(value: Any, number: int) -> bool:
    return not isinstance(value, Unknown) and bool(value == number)


def _text(value: Any) -> str:
    if isinstance(value, Unknown):
        return value.name
    return f"({float(value)!r})" if value < 0 else repr(float(value))


@dataclass(frozen=True)
class Assignments:
    """A function as a list of steps.

    Parameters
    ----------
    lines : sequence of (name, text)
    results : sequence of str
        A name or a number for each entry of the result.
    """

    lines: Sequence[tuple[str, str]]
    results: Sequence[str]

    def python(self, head: str) -> str:
        """Return a function that writes its result into its last argument, ``out``."""
        body = [f"{name} = {text}" for name, text in self.lines]
        body += [f"out[{i}] = {result}" for i, result in enumerate(self.results)]
        return "\n".join([f"def {head}:", *(f"    {line}" for line in body or ["pass"]), ""])

    def javascript(self, head: str) -> str:
        """Return the same as a method of an object."""
        body = [f"const {name} = {text};" for name, text in self.lines]
        body += [f"out[{i}] = {result};" for i, result in enumerate(self.results)]
        return "\n".join([f"{head} {{", *(f"  {line}" for line in body), "}"])


def trace(function: Callable[..., Any], **arguments: int | None) -> Assignments:
    """Follow a function once and return its steps.

    Parameters
    ----------
    function : function of numbers and arrays
        Made of sums, products, powers, roots, sines and cosines, by NumPy or by hand.
    **arguments : int or None
        For each argument, by the name it has in the text, the length of the array; None for a
        number.

    Returns
    -------
    Assignments

    Raises
    ------
    TypeError
        If a step depends on how large a number is.
    """
    record = Record()

    def unknown(name: str, length: int | None) -> Any:
        if length is None:
            return Unknown(record, name)
        return np.array([record.write(f"{name}[{i}]") for i in range(length)], dtype=object)

    values = [unknown(name, length) for name, length in arguments.items()]
    results = [_text(value) for value in np.ravel(np.asarray(function(*values), dtype=object))]
    needed = _needed(record, results)
    return Assignments([(n, text) for text, n in record.names.items() if n in needed], results)


def _needed(record: Record, results: Sequence[str]) -> set[str]:
    """Return the names that results depend on."""
    texts = {name: text for text, name in record.names.items()}
    needed, waiting = set(), list(results)
    while waiting:
        for name in re.findall(r"\b_\d+\b", waiting.pop()):
            if name not in needed:
                needed.add(name)
                waiting.append(texts[name])
    return needed
