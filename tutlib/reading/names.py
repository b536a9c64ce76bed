"""Names of symbols in text, in LaTeX, and in programs; and helpers for sentences."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sm
from sympy.core.function import AppliedUndef
from sympy.printing.pretty.pretty_symbology import pretty_symbol

from straightline.arguments import instance, several

_RESERVED = frozenset(
    [
        "t",
        "x",
        "p",
        "M",
        "F",
        "u_dot",
        "math",
        "abs",
        "max",
        "min",
        "solve_general",
        "solve_symmetric",
    ]
)


def state_name(symbol: sm.Expr) -> str:
    r"""Return the LaTeX name of a coordinate or speed, such as ``\dot{\theta}``."""
    if isinstance(symbol, sm.Derivative):
        return rf"\dot{{{state_name(symbol.expr)}}}"
    return str(sm.latex(sm.Symbol(plain_name(symbol))))


def label_of(symbol: sm.Expr) -> str:
    """Return the name of a symbol or state in Unicode, such as θ̇, θ₁, or k_p."""
    if isinstance(symbol, sm.Derivative):
        label, dots = label_of(symbol.expr), len(symbol.variables)
        mark = "\N{COMBINING DIAERESIS}" if dots == 2 else dots * "\N{COMBINING DOT ABOVE}"
        return label[0] + mark + label[1:]
    pretty: Any = pretty_symbol
    name, _, index = plain_name(symbol).partition("_")
    if index.isdigit():
        return str(pretty(f"{name}_{index}"))
    return "_".join([pretty(name), index] if index else [pretty(name)])


def plain_name(symbol: sm.Expr) -> str:
    """Return the name of a symbol or state in ASCII, such as ``theta_dot``."""
    if isinstance(symbol, sm.Derivative):
        return plain_name(symbol.expr) + "_dot"
    return str(symbol.func) if isinstance(symbol, AppliedUndef) else str(symbol)


def identifiers(
    symbols: Iterable[sm.Expr], used: Iterable[str] = _RESERVED
) -> dict[sm.Expr, sm.Symbol]:
    """Return a valid Python name for each symbol, function of time, or derivative.

    Parameters
    ----------
    symbols : iterable of Expr
    used : iterable of str
        Names that are already in use.

    Returns
    -------
    dict
        A ``Symbol`` for each of them, all with different names.

    Raises
    ------
    TypeError
        If they are not a sequence, or one of them is not an expression.
    """
    names: dict[sm.Expr, sm.Symbol] = {}
    taken = set(several(used, "used", str))
    for symbol in several(symbols, "symbols", lambda s: instance(s, "a symbol", sm.Expr)):
        name = re.sub(r"\W", "_", plain_name(symbol), flags=re.ASCII).strip("_") or "symbol"
        name = f"symbol_{name}" if name[0].isdigit() else name
        while name in taken or keyword.iskeyword(name) or re.fullmatch(r"c\d+", name):
            name += "_"
        taken.add(name)
        names[symbol] = sm.Symbol(name)
    return names


class UnreadableError(ValueError):
    """Answer that cannot be compared, with a sentence for the reader."""


def leaf_name(leaf: sm.Expr) -> str:
    """Return the name that identifies a symbol, a function of time, or its derivative.

    Parameters
    ----------
    leaf : Symbol, function of time, or derivative of one
        ``theta``, ``theta'``, and ``theta''`` for an angle and its derivatives.

    Raises
    ------
    UnreadableError
        If a function depends on, or is differentiated with respect to, anything but time.
    """
    if isinstance(leaf, sm.Derivative):
        if any(str(variable) != "t" for variable in leaf.variables):
            raise UnreadableError(f"{leaf} is not a derivative with respect to time.")
        return leaf_name(leaf.expr) + "'" * len(leaf.variables)
    if isinstance(leaf, AppliedUndef):
        if [str(argument) for argument in leaf.args] != ["t"]:
            raise UnreadableError(
                f"{leaf} stands for a value at one instant; write {leaf.func}(t)."
            )
        return str(leaf.func)
    return str(leaf)


def leaves(expression: sm.Basic) -> dict[sm.Expr, str]:
    """Return the symbols, functions of time, and derivatives in an expression, with their names.

    Raises
    ------
    UnreadableError
        As for `leaf_name`.
    """
    names: dict[sm.Expr, str] = {}
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, sm.Symbol | AppliedUndef | sm.Derivative):
            names[part] = leaf_name(part)
        else:
            waiting.extend(part.args)
    return names


def listed(words: Sequence[str], link: str = "and") -> str:
    """Return words joined as in a sentence: a, b and c."""
    return f" {link} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def agree(things: Sequence[object], one: str, several: str) -> str:
    """Return the singular or plural form, depending on the number of things."""
    return one if len(things) == 1 else several
