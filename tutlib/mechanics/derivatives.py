"""Partial derivatives of many expressions by SymPy's rules, each subexpression only once.

Expressions of mechanisms share most of their parts, and most parts depend on few coordinates.
Used by `derivations` and `linearization`.
"""

from __future__ import annotations

from typing import Any

import sympy as sm
from sympy.core.function import AppliedUndef

_NONE: frozenset[Any] = frozenset()


class Derivatives:
    """Memory of partial derivatives with respect to symbols, equal to those of SymPy's ``diff``."""

    def __init__(self) -> None:
        self._symbols: dict[sm.Basic, frozenset[Any]] = {}
        self._known: dict[tuple[sm.Basic, sm.Expr], sm.Expr] = {}

    def symbols(self, expression: sm.Basic) -> frozenset[sm.Expr]:
        """Return the free symbols of an expression."""
        free = self._symbols.get(expression)
        if free is None:
            if expression.is_Symbol or getattr(expression, "bound_symbols", ()):
                free = frozenset(expression.free_symbols)
            else:
                free = _NONE.union(*map(self.symbols, expression.args))
            self._symbols[expression] = free
        return free

    def __call__(self, expression: sm.Expr, symbol: sm.Symbol) -> sm.Expr:
        """Return the derivative of an expression with respect to a symbol.

        Parameters
        ----------
        expression : Expr
        symbol : Symbol

        Returns
        -------
        Expr
        """
        if symbol not in self.symbols(expression):
            return sm.S.Zero
        key = expression, symbol
        derivative = self._known.get(key)
        if derivative is None:
            derivative = self._known[key] = self._derivative(expression, symbol)
        return derivative

    def _derivative(self, expression: sm.Expr, symbol: sm.Symbol) -> sm.Expr:
        args = expression.args
        if expression.is_Symbol:
            return sm.S.One
        if expression.is_Add:
            return sm.Add(*(self(a, symbol) for a in args))
        if expression.is_Mul:
            terms = ((i, self(a, symbol)) for i, a in enumerate(args))
            return sm.Add(*(sm.Mul(*args[:i], d, *args[i + 1 :]) for i, d in terms if d != 0))
        if expression.is_Pow and args[1].is_Number:
            return expression * (self(args[0], symbol) * args[1] / args[0])
        has_rule = type(expression)._eval_derivative is not sm.Function._eval_derivative
        if has_rule or isinstance(expression, AppliedUndef):
            return expression.diff(symbol)
        inner = ((i, self(a, symbol)) for i, a in enumerate(args, 1))
        return sm.Add(*(expression.fdiff(i) * d for i, d in inner if d != 0))
