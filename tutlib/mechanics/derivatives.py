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
    """Memory of partial derivatives with respect to symbols, equal to those of SymPy's ``diff``.

    Every symbol counts as a real number, so ``Abs`` has the derivative ``sign``. Steps, ``sign``
    and ``Heaviside``, have the derivative zero, its value wherever there is one.
    """

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
        if isinstance(expression, sm.Abs):
            return sm.sign(args[0]) * self(args[0], symbol)
        if isinstance(expression, sm.sign | sm.Heaviside):
            return sm.S.Zero
        has_rule = type(expression)._eval_derivative is not sm.Function._eval_derivative
        if has_rule or isinstance(expression, AppliedUndef):
            return _by_sympy(expression, symbol)
        inner = ((i, self(a, symbol)) for i, a in enumerate(args, 1))
        return sm.Add(*(expression.fdiff(i) * d for i, d in inner if d != 0))


def _by_sympy(expression: sm.Expr, symbol: sm.Symbol) -> sm.Expr:
    """Return SymPy's derivative, with all symbols real if that makes a difference."""
    if not expression.has(sm.Abs, sm.sign, sm.Heaviside):
        return expression.diff(symbol)
    real = {s: sm.Dummy(real=True) for s in expression.atoms(sm.Symbol, AppliedUndef)}
    derivative = expression.xreplace(real).diff(real[symbol])
    derivative = derivative.replace(sm.DiracDelta, lambda *_: sm.S.Zero)
    return derivative.xreplace({dummy: s for s, dummy in real.items()})
