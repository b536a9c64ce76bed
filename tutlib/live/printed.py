"""SymPy's expressions as the Python that makes them again, each symbol by the name of its variable.

Used by `tutlib.live.written` for "Copy as Python".
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

#: From symbols and functions of time to the names of variables.
Names = dict[Any, str]
#: How many letters of names one line declares.
_IN_A_LINE = 28


def printed(expression: sm.Basic, names: Names) -> str:
    """Return Python that makes an expression, with SymPy as ``sm``.

    Parameters
    ----------
    expression : Basic
    names : dict
        Of all its symbols and functions of time.

    Returns
    -------
    str
    """
    return str(_Printer(names).doprint(expression))


def declared(names: Names) -> list[str]:
    """Return the lines that make symbols and functions of time, those of a kind together."""
    functions = [symbol for symbol in names if isinstance(symbol, AppliedUndef)]
    time = me.dynamicsymbols._t
    lines = [f"{names[time]} = me.dynamicsymbols._t"] if time in names else []
    others = [s for s in names if s not in functions and s != time]
    for several, one, symbols in (
        ("me.dynamicsymbols", "me.dynamicsymbols", functions),
        ("sm.symbols", "sm.Symbol", others),
    ):
        ordered = sorted(symbols, key=lambda s: (_assumed(s), names[s]))
        for assumed, group in groupby(ordered, _assumed):
            lines += _lines(list(group), names, several, one, assumed)
    return lines


def _lines(symbols: list[Any], names: Names, several: str, one: str, assumed: str) -> list[str]:
    alike = [s for s in symbols if names[s] == _own(s)]
    odd = [s for s in symbols if names[s] != _own(s)]
    lines = []
    for variables in _in_rows([names[s] for s in alike]):
        make = several if len(variables) > 1 else one
        lines.append(f'{", ".join(variables)} = {make}("{" ".join(variables)}"{assumed})')
    return lines + [f"{names[s]} = {one}({_own(s)!r}{assumed})" for s in odd]


def _in_rows(names: list[str]) -> list[list[str]]:
    """Return names in rows that are short enough to stand on both sides of a line."""
    rows: list[list[str]] = [[]]
    for name in names:
        if len(" ".join([*rows[-1], name])) > _IN_A_LINE:
            rows.append([])
        rows[-1].append(name)
    return [row for row in rows if row]


def _own(symbol: Any) -> str:
    return str(symbol.func.__name__ if isinstance(symbol, AppliedUndef) else symbol.name)


def _assumed(symbol: Any) -> str:
    """Return what a symbol was declared to be, such as ", positive=True"."""
    if isinstance(symbol, AppliedUndef):
        known = {k: v for k, v in symbol.func._kwargs.items() if k in ("real", "positive")}
        return "".join(f", {name}={value}" for name, value in known.items())
    plain = sm.Symbol(symbol.name, **symbol._assumptions_orig)
    return str(sm.srepr(plain)).removeprefix(f"Symbol({symbol.name!r}").removesuffix(")")


class _Printer(StrPrinter):  # type: ignore[misc]
    """SymPy's own printer of text; numbers and functions as Python finds them."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names

    def _print_Symbol(self, symbol: Any) -> str:
        return self._names[symbol]

    _print_Dummy = _print_Symbol

    def _print_Function(self, function: Any) -> str:
        if isinstance(function, AppliedUndef):
            return str(self._names[function])
        return f"sm.{function.func.__name__}({self.stringify(function.args, ', ')})"

    _print_LatticeOp = _print_Heaviside = _print_Abs = _print_Function
    _print_Piecewise = _print_ITE = _print_Function

    def _print_Derivative(self, derivative: Any) -> str:
        return str(self._print(derivative.expr)) + ".diff()" * len(derivative.variables)

    def _print_Pow(self, power: Any, rational: bool = False) -> str:
        base, exponent = power.args
        if exponent == sm.S.Half:
            return f"sm.sqrt({self._print(base)})"
        if exponent == -sm.S.Half and not base.is_number:
            return f"1/sm.sqrt({self._print(base)})"
        if exponent == -1 and not base.is_number:
            return f"1/{self.parenthesize(base, PRECEDENCE['Pow'])}"
        low = PRECEDENCE["Pow"]
        base_text = self.parenthesize(base, low)
        if base.is_number and not base.is_Symbol:
            base_text = f"sm.S({self._print(base)})"
        return f"{base_text}**{self.parenthesize(exponent, low)}"

    def _print_Rational(self, number: Any) -> str:
        return f"sm.Rational({number.p}, {number.q})"

    _print_Half = _print_Rational

    def _print_Float(self, number: Any) -> str:
        plain = float(number)
        return repr(plain) if sm.Float(plain) == number else f"sm.{sm.srepr(number)}"

    def _print_NumberSymbol(self, number: Any) -> str:
        return f"sm.{number}"

    _print_Pi = _print_Exp1 = _print_Infinity = _print_NumberSymbol

    def _print_NegativeInfinity(self, number: Any) -> str:
        return "-sm.oo"

    def _print_Relational(self, relation: Any) -> str:
        left, right = (self._print(side) for side in (relation.lhs, relation.rhs))
        if isinstance(relation, sm.Eq | sm.Ne):
            return f"sm.{relation.func.__name__}({left}, {right})"
        return f"({left} {relation.rel_op} {right})"
