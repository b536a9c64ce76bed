"""SymPy expressions as formulas: walked once, each part once, with numbers or unknowns for symbols.

No text is printed and parsed. What cannot be computed with real numbers is refused by its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add, and_, mul, or_, pos
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tutlib.programs.assignments import Numbers, Scalar, Truth, Unknown, where
from tutlib.programs.functions import BY_NAME
from tutlib.programs.hyperbolic import error_function
from tutlib.programs.linear_algebra import solve_general, solve_symmetric
from tutlib.programs.operations import divide, floor
from tutlib.programs.powers import power


def evaluate(expressions: Iterable[sm.Expr], values: Mapping[sm.Expr, Scalar]) -> list[Scalar]:
    """Return the numbers that expressions are, given those of their symbols.

    Parameters
    ----------
    expressions : iterable of Expr
    values : mapping from symbol, function of time or derivative to number
        Known or unknown numbers.

    Returns
    -------
    list of numbers

    Raises
    ------
    TypeError
        If an expression is text.
    ValueError
        If an expression is not real, or holds a function that is not known here.
    """
    memory: dict[Any, Any] = dict(values)

    def number(expression: sm.Expr) -> Scalar:
        value = memory.get(expression)
        if value is None:
            value = memory[expression] = _number(expression, number)
        return value

    return [number(_readable(expression)) for expression in expressions]


def _readable(expression: object) -> sm.Expr:
    """Return a number or an expression as SymPy's; text is not read, it could be a program."""
    if isinstance(expression, str):
        raise TypeError(f"an expression must be made of symbols, not of text; got {expression!r}")
    return sm.sympify(expression)


def _number(expression: sm.Expr, number: Callable[[sm.Expr], Scalar]) -> Scalar:
    if expression.is_Number or expression.is_NumberSymbol:
        if not expression.is_extended_real:
            raise ValueError(f"cannot compute {expression}: it is not a real number")
        return float(expression)
    if expression in (sm.true, sm.false):
        return bool(expression)
    make = _MAKERS.get(expression.func)
    if make:
        return make(expression, number)
    function: Callable[..., Scalar] | None = _FUNCTIONS.get(expression.func) or getattr(
        expression.func, "formula", None
    )
    if function:
        return function(*map(number, expression.args))
    if expression.has(sm.I, sm.zoo, sm.nan):
        raise ValueError(f"cannot compute {expression}: it is not a real number")
    if expression.is_Symbol or not expression.args:
        raise ValueError(f"there is no value for {expression}")
    if isinstance(expression, sm.Function):  # curves of SymPy's muscles say what they are so
        written_out = expression.doit(deep=False)
        if written_out.func != expression.func:
            return number(written_out)
    raise ValueError(f"cannot compute {expression}: there is no {expression.func.__name__} here")


def _sum(expression: sm.Add, number: Callable[[sm.Expr], Scalar]) -> Scalar:
    return reduce(add, map(number, expression.args))


def _product(expression: sm.Mul, number: Callable[[sm.Expr], Scalar]) -> Scalar:
    """Multiply, and divide once by all that has a negative exponent."""
    under = [a for a in expression.args if a.is_Pow and a.exp.could_extract_minus_sign()]
    value = reduce(mul, (number(a) for a in expression.args if a not in under), 1.0)
    if not under:
        return value
    return divide(value, reduce(mul, (number(a.base**-a.exp) for a in under)))


def _power(expression: sm.Pow, number: Callable[[sm.Expr], Scalar]) -> Scalar:
    base, exponent = expression.args
    if exponent.is_Number and exponent.is_negative:
        return divide(1.0, number(base**-exponent))
    return power(number(base), number(exponent))


def _piecewise(expression: sm.Piecewise, number: Callable[[sm.Expr], Scalar]) -> Scalar:
    """Choose by conditions; nan where none of them holds."""
    result: Scalar = math.nan
    for value, condition in reversed(expression.args):
        result = where(number(condition), number(value), result)
    return result


def _equal(a: Scalar, b: Scalar) -> Truth:
    if isinstance(a, Unknown):
        return a.condition("eq", b)
    return b.condition("eq", a) if isinstance(b, Unknown) else a == b


def _not(condition: Truth) -> Truth:
    return not condition if isinstance(condition, bool | np.bool_) else ~condition


def _rewritten(expression: sm.Expr, number: Callable[[sm.Expr], Scalar]) -> Scalar:
    return number(expression.rewrite(_IN_TERMS_OF[expression.func]))


_IN_TERMS_OF = {
    sm.Heaviside: sm.Piecewise,
    sm.sec: sm.cos,
    sm.csc: sm.sin,
    sm.cot: sm.tan,
    sm.sinc: sm.sin,
    sm.asec: sm.acos,
    sm.acsc: sm.asin,
    sm.acot: sm.atan,
    sm.frac: sm.floor,
    sm.erfc: sm.erf,
    sm.sech: sm.cosh,
    sm.csch: sm.sinh,
    sm.coth: sm.tanh,
}
_MAKERS: dict[Any, Callable[[sm.Expr, Callable[[sm.Expr], Scalar]], Scalar]] = {
    sm.Add: _sum,
    sm.Mul: _product,
    sm.Pow: _power,
    sm.Piecewise: _piecewise,
    **dict.fromkeys(_IN_TERMS_OF, _rewritten),
}
#: What SymPy calls as NumPy does, but for arcsin and so on, which it calls asin.
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
    "arcsinh",
    "arccosh",
    "arctanh",
    "sign",
)
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(sm, name.replace("arc", "a")): BY_NAME[name] for name in _ALIKE},
    sm.Mod: BY_NAME["remainder"],
    sm.ceiling: BY_NAME["ceil"],
    sm.floor: floor,
    sm.erf: error_function,
    sm.Abs: abs,
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
    sm.And: lambda *c: reduce(and_, c),
    sm.Or: lambda *c: reduce(or_, c),
    sm.Not: _not,
}


@dataclass(frozen=True)
class Expressions:
    """Expressions of time, states and parameters as a formula (t, x, p).

    Parameters
    ----------
    expressions : tuple of Expr
    states, parameters : tuple of Expr
        What x and p hold, in order.
    """

    expressions: tuple[sm.Expr, ...]
    states: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]

    def __call__(self, t: Scalar, x: Numbers, p: Numbers) -> list[Scalar]:
        """Return the expressions' numbers, known or unknown."""
        values = {me.dynamicsymbols._t: t, **dict(zip(self.states, x))}
        return evaluate(self.expressions, values | dict(zip(self.parameters, p)))


#: Newton's method finds multipliers in so many steps, or not at all; the last two agree to a part.
_ATTEMPTS, _REPEATED = 6, 1e-9


@dataclass(frozen=True)
class SolvedEquations:
    """M u̇ = F with its rates, as the formula of dx/dt for x = [q, u, auxiliary states].

    Parameters
    ----------
    mass_matrix : Matrix, shape (n, n)
    forcing : Matrix, shape (n, 1)
    rates, auxiliary_rates : tuple of Expr
        The derivatives of the coordinates, and of the auxiliary states.
    states, parameters : tuple of Expr
        What x and p hold, in order.
    multipliers : int
        How many of the accelerations, the last ones, are multipliers.
    redundant : bool
        Whether some of these may depend on others: then those of least norm are found.
    """

    mass_matrix: sm.MatrixBase
    forcing: sm.MatrixBase
    rates: tuple[sm.Expr, ...]
    auxiliary_rates: tuple[sm.Expr, ...]
    states: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]
    multipliers: int = 0
    redundant: bool = False

    def linear_system(
        self, t: Scalar, x: Numbers, p: Numbers
    ) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
        """Return M row by row, F, and the rates that are no accelerations."""
        n = len(self.forcing)
        every = (*self.mass_matrix, *self.forcing, *self.rates, *self.auxiliary_rates)
        values = Expressions(every, self.states, self.parameters)(t, x, p)
        return values[: n * n], values[n * n : n * n + n], values[n * n + n :]

    def with_redundant(self) -> SolvedEquations:
        """Return the same, of whose multipliers some may depend on others."""
        return replace(self, redundant=True)

    def __call__(self, t: Scalar, x: Numbers, p: Numbers) -> list[Scalar]:
        """Return dx/dt, known or unknown; nan where M is singular."""
        M, F, rest = self.linear_system(t, x, p)
        solve = solve_symmetric if is_symmetric(self.mass_matrix) else solve_general
        n = len(self.rates)
        return [*rest[:n], *solve(M, F, self.multipliers, self.redundant), *rest[n:]]


@dataclass(frozen=True)
class EquationsWithForces:
    """M u̇ = F(λ) where forces depend on the multipliers that u̇ ends with: friction of a guide.

    Newton's method starts with what λ would be without them, and is done as soon as λ repeats
    itself: with Coulomb's law, which is straight on either side of zero, after two or three steps.

    Parameters
    ----------
    equations : SolvedEquations
        Its states end with λ.
    slopes : Matrix, shape (n, m)
        ∂F/∂λ.
    """

    equations: SolvedEquations
    slopes: sm.MatrixBase

    @classmethod
    def of(cls, equations: SolvedEquations, forces: Sequence[sm.Expr]) -> EquationsWithForces:
        """Return equations whose forcing holds forces of constraints, shape (m,)."""
        held = {force: sm.Dummy(f"lambda_{i}", real=True) for i, force in enumerate(forces)}
        F = sm.Matrix(equations.forcing).xreplace(held)
        known = (*equations.states, *held.values())
        whole = replace(equations, forcing=F.as_immutable(), states=known)
        return cls(whole, F.jacobian([*held.values()]).as_immutable())

    def linear_system(
        self, t: Scalar, x: Numbers, p: Numbers
    ) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
        """Return M row by row, F without its multipliers, and the other rates."""
        return self.equations.linear_system(t, [*x, *([0.0] * self.equations.multipliers)], p)

    def __call__(self, t: Scalar, x: Numbers, p: Numbers) -> list[Scalar]:
        """Return dx/dt, known or unknown; nan where no multipliers are found that fit."""
        known, m, n = self.equations, self.equations.multipliers, len(self.equations.rates)
        multipliers: list[Any] = [0.0] * m
        slopes = Expressions(tuple(self.slopes), known.states, known.parameters)
        for _ in range(_ATTEMPTS):
            before, there = multipliers, [*x, *multipliers]
            M, F, rest = known.linear_system(t, there, p)
            count, along = len(F), slopes(t, there, p)
            for i in range(count):
                for j in range(m):
                    M[(i + 1) * count - m + j] -= along[i * m + j]
                    F[i] -= along[i * m + j] * multipliers[j]
            rates = solve_general(M, F, m)
            multipliers = rates[count - m :]
        converged: Any = True
        for one, other in zip(multipliers, before):
            converged = converged & (abs(one - other) <= _REPEATED * abs(one))
        return [*rest[:n], *(where(converged, rate, math.nan) for rate in rates), *rest[n:]]


def is_symmetric(mass_matrix: sm.MatrixBase) -> bool:
    """Tell whether a mass matrix suits ``solve_symmetric``: symmetric as it is, no zero pivot."""
    return bool(mass_matrix.is_symmetric(simplify=False) and all(mass_matrix.diagonal()))
