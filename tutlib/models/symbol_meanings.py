"""Meanings of symbols in words: "length of the first link" for l_1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import sympy as sm

from straightline.arguments import instance
from tutlib.reading.names import plain_name
from tutlib.reading.parameters import Named

_WORDS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_DOT = "_dot"


def numbered(number: int, thing: str) -> str:
    """Return the name of one of several things, such as "the first link"; beyond ten "link 11"."""
    return f"the {_WORDS[number - 1]} {thing}" if number <= len(_WORDS) else f"{thing} {number}"


def read_meanings(
    names: object, what: str = "names", example: str = 'such as {"m": "mass"}'
) -> dict[str, str]:
    """Return meanings by plain name; reject values that are not text.

    Parameters
    ----------
    names : mapping from symbol (or its name) to str
    what, example : str
        What the messages call them, and an example.

    Raises
    ------
    TypeError
        If the argument is not a mapping to strings.
    """
    words = instance(names, what, Mapping, f"pass a mapping from symbols to text, {example}")  # type: ignore[type-abstract]
    read = {}
    for symbol, meaning in words.items():
        name = plain_name(symbol) if isinstance(symbol, sm.Basic) else str(symbol)
        read[name] = instance(meaning, f"the {what.removesuffix('s')} of {name}", str)
    return read


def of_quantity(names: Mapping[str, str], symbol: object) -> str:
    """Return the meaning of a symbol; a derivative without a meaning is named after its symbol.

    Parameters
    ----------
    names : mapping from plain name to str
    symbol : Expr or str

    Returns
    -------
    str
        Empty if the meaning is unknown.
    """
    name = plain_name(symbol) if isinstance(symbol, sm.Basic) else str(symbol)
    if name in names or not name.endswith(_DOT):
        return names.get(name, "")
    meaning = of_quantity(names, name.removesuffix(_DOT))
    if meaning.startswith("angle"):
        return meaning.replace("angle", "angular velocity", 1)
    return meaning and f"rate of the {meaning}"


class Meanings:
    """Base class of models: the meanings of their symbols, by plain name, are in ``names``."""

    names: Any

    def meaning(self, symbol: Named) -> str:
        """Return the meaning of a symbol, such as "length of the first link"; empty if unknown.

        Parameters
        ----------
        symbol : Expr or str
            A state, a parameter, or an input, or its name.
        """
        return of_quantity(self.names, symbol)

    def with_names(self, names: Mapping[Named, str]) -> Self:
        """Return the same model with further names of its quantities, by symbol or by name.

        Parameters
        ----------
        names : mapping from symbol (or its name) to str
            Such as ``{k_p: "stiffness of the servo"}``.
        """
        return replace(self, names={**self.names, **read_meanings(names)})  # type: ignore[type-var]
