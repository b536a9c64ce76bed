"""SymPy expressions as formulas: each common subexpression is computed once.

No text is printed and parsed. An error names the expression that cannot be computed with real
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, and_, mul, or_, pos
from typing import Any

import numpy as np
import sympy as sm

from straightline.assignments import Number, Truth, Unknown, where
from straightline.formulas import Formula
from straightline.functions import BY_NAME
from straightline.operations import divide, floor
from straightline.powers import power


def evaluate(expressions: Iterable[sm.Expr], values: Mapping[sm.Expr, Number]) -> list[Number]:
    """Evaluate expressions, given the values of their symbols.

    Parameters
    ----------
    expressions : iterable of Expr
    values : mapping from symbol, function of time or derivative to number
        Floats or unknowns.

    Returns
    -------
    list of numbers

    Raises
    ------
    TypeError
        If an expression is text.
    ValueError
        If an expression is not real, or contains an unsupported function.
    """
    memory: dict[Any, Any] = dict(values)

    def number(expression: sm.Expr) -> Number:
        value = memory.get(expression)
        if value is None:
            value = memory[expression] = _number(expression, number)
        return value

    return [number(_readable(expression)) for expression in expressions]


def _readable(expression: object) -> sm.Expr:
    """Return a SymPy expression; text is not parsed, because it could contain code."""
    if isinstance(expression, str):
        raise TypeError(f"an expression must consist of symbols, not of text; got {expression!r}")
    return sm.sympify(expression)


def _number(expression: sm.Expr, number: Callable[[sm.Expr], Number]) -> Number:
    if expression.is_Number or expression.is_NumberSymbol:
        if not expression.is_extended_real:
            raise ValueError(f"cannot compute {expression}: it is not a real number")
        return float(expression)
    if expression in (sm.true, sm.false):
        return bool(expression)
    make = _MAKERS.get(expression.func)
    if make:
        return make(expression, number)
    function: Callable[..., Number] | None = _FUNCTIONS.get(expression.func) or getattr(
        expression.func, "formula", None
    )
    if function:
        return function(*map(number, expression.args))
    if expression.has(sm.I, sm.zoo, sm.nan):
        raise ValueError(f"cannot compute {expression}: it is not a real number")
    if expression.is_Symbol or not expression.args:
        raise ValueError(f"there is no value for {expression}")
    if isinstance(expression, sm.Function):  # the curves of SymPy's muscles are defined by doit
        written_out = expression.doit(deep=False)
        if written_out.func != expression.func:
            return number(written_out)
    raise ValueError(f"cannot compute {expression}: {expression.func.__name__} is not supported")


def _sum(expression: sm.Add, number: Callable[[sm.Expr], Number]) -> Number:
    return reduce(add, map(number, expression.args))


def _product(expression: sm.Mul, number: Callable[[sm.Expr], Number]) -> Number:
    """Multiply, and divide once by the product of all factors with negative exponents."""
    under = [a for a in expression.args if a.is_Pow and a.exp.could_extract_minus_sign()]
    value = reduce(mul, (number(a) for a in expression.args if a not in under), 1.0)
    if not under:
        return value
    return divide(value, reduce(mul, (number(a.base**-a.exp) for a in under)))


def _power(expression: sm.Pow, number: Callable[[sm.Expr], Number]) -> Number:
    base, exponent = expression.args
    if exponent.is_Number and exponent.is_negative:
        return divide(1.0, number(base**-exponent))
    return power(number(base), number(exponent))


def _piecewise(expression: sm.Piecewise, number: Callable[[sm.Expr], Number]) -> Number:
    """Evaluate a Piecewise; nan where no condition holds."""
    result: Number = math.nan
    for value, condition in reversed(expression.args):
        result = where(number(condition), number(value), result)
    return result


def _equal(a: Number, b: Number) -> Truth:
    if isinstance(a, Unknown):
        return a.condition("eq", b)
    return b.condition("eq", a) if isinstance(b, Unknown) else a == b


def _not(condition: Truth) -> Truth:
    return not condition if isinstance(condition, bool | np.bool_) else ~condition


def _rewritten(expression: sm.Expr, number: Callable[[sm.Expr], Number]) -> Number:
    return number(expression.rewrite(_IN_TERMS_OF[expression.func], deep=False))


_IN_TERMS_OF = {
    sm.sec: sm.cos,
    sm.csc: sm.sin,
    sm.cot: sm.tan,
    sm.sinc: sm.sin,
    sm.frac: sm.floor,
}
_MAKERS: dict[Any, Callable[[sm.Expr, Callable[[sm.Expr], Number]], Number]] = {
    sm.Add: _sum,
    sm.Mul: _product,
    sm.Pow: _power,
    sm.Piecewise: _piecewise,
    **dict.fromkeys(_IN_TERMS_OF, _rewritten),
}
#: Functions by SymPy's names, which are those of NumPy except for asin and similar ones.
_ALIKE = (
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "arctan2",
    "exp",
    "log",
    "sinh",
    "cosh",
    "tanh",
    "sign",
)
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(sm, name.replace("arc", "a")): BY_NAME[name] for name in _ALIKE},
    sm.Mod: BY_NAME["remainder"],
    sm.ceiling: BY_NAME["ceil"],
    sm.floor: floor,
    sm.Abs: abs,
    sm.Heaviside: lambda x, zero: where(x < 0, 0.0, where(x > 0, 1.0, zero)),
    sm.re: pos,
    sm.im: lambda x: 0.0,
    sm.conjugate: pos,  # every symbol is a real number
    sm.UnevaluatedExpr: pos,
    sm.Max: lambda *a: reduce(lambda x, y: where(x < y, y, x), a),
    sm.Min: lambda *a: reduce(lambda x, y: where(y < x, y, x), a),
    sm.StrictLessThan: lambda x, y: x < y,
    sm.LessThan: lambda x, y: x <= y,
    sm.StrictGreaterThan: lambda x, y: x > y,
    sm.GreaterThan: lambda x, y: x >= y,
    sm.Equality: _equal,
    sm.Unequality: lambda x, y: _not(_equal(x, y)),
    sm.ITE: lambda c, a, b: (c & a) | (_not(c) & b),
    sm.And: lambda *c: reduce(and_, c),
    sm.Or: lambda *c: reduce(or_, c),
    sm.Not: _not,
}


@dataclass(frozen=True)
class _Expressions:
    """Expressions as a function of the values of their symbols."""

    expressions: tuple[sm.Expr, ...]
    arguments: tuple[sm.Expr | tuple[sm.Expr, ...], ...]

    def __call__(self, *numbers: Any) -> list[Number]:
        values: dict[sm.Expr, Number] = {}
        for symbols, value in zip(self.arguments, numbers):
            if isinstance(symbols, tuple):
                values.update(zip(symbols, value))
            else:
                values[symbols] = value
        return evaluate(self.expressions, values)


def from_sympy(
    expressions: Iterable[sm.Expr], arguments: Iterable[sm.Expr | Sequence[sm.Expr]]
) -> Formula:
    """Return a formula that computes SymPy expressions.

    Parameters
    ----------
    expressions : iterable of Expr
    arguments : iterable of symbol, or sequence of symbols
        Arguments of the formula: a number for a symbol, an array for a sequence of symbols.
        Functions of time and their derivatives count as symbols, too.

    Returns
    -------
    Formula
        Its value is a list of numbers, one for each expression.
    """
    symbols = tuple(s if isinstance(s, sm.Basic) else tuple(s) for s in arguments)
    lengths = tuple(len(s) if isinstance(s, tuple) else None for s in symbols)
    return Formula(_Expressions(tuple(expressions), symbols), lengths)
