"""Automatic differentiation of expressions at one state, by jets.

Every check of `verify` differentiates this way, so it shares no symbolic step with the derivation
that it checks. A function with branches, such as Max, is differentiated in its present branch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.relational import Relational
from sympy.printing.pycode import PythonCodePrinter

from straightline.aliases import Array
from tutlib.spaces.jets import Jet

_T = me.dynamicsymbols._t
#: A state, or its time derivatives.
State = Sequence[Any] | Array


class NoNumberError(ValueError):
    """Raised where a function has no known derivative."""


def _number(x: Any) -> Any:
    """Return the value of a jet, or of a jet of jets."""
    return _number(x.value) if isinstance(x, Jet) else x


@lru_cache(maxsize=256)
def _smooth(function: Any, count: int = 1) -> Callable[..., Any]:
    """Return a function that also takes jets, if it has one argument and a known derivative."""
    z = sm.symbols(f"z:{count}")
    try:
        evaluate = sm.lambdify(z, function(*z), ["numpy", "scipy"])
        evaluate(*[0.5] * count)
    except Exception as error:
        raise NoNumberError(f"{function.__name__} has no value here") from error
    differentiate: list[Any] = []

    def smooth(*x: Any) -> Any:
        if not any(isinstance(argument, Jet) for argument in x):
            return evaluate(*x)
        if not differentiate:
            slopes = [function(*z).diff(z[0]), function(*z).diff(z[0], 2)]
            if count > 1 or any(slope.has(sm.Derivative, sm.Subs) for slope in slopes):
                raise NoNumberError(f"{function.__name__} has no derivative here")
            differentiate.append(_lambdified(z, slopes))
        return x[0].function(smooth(x[0].value), *differentiate[0](x[0].value))

    return smooth


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Jet):
        return _smooth(sm.exp)(exponent * _smooth(sm.log)(base))
    return base**exponent


def _atan2(y: Any, x: Any) -> Any:
    """Return the arctangent of y/x or of x/y, moved to the right quadrant."""
    if abs(_number(y)) < abs(_number(x)):
        angle = _smooth(sm.atan)(y / x)
    else:
        angle = -1.0 * _smooth(sm.atan)(x / y)
    return angle + (np.arctan2(_number(y), _number(x)) - _number(angle))


#: Functions that are not differentiable everywhere, or have two arguments.
_BRANCHES: dict[str, Callable[..., Any]] = {
    "Max": lambda *x: max(x, key=_number),
    "Min": lambda *x: min(x, key=_number),
    "Abs": lambda x: -1.0 * x if _number(x) < 0 else x,
    "sign": lambda x: float(np.sign(_number(x))),
    "floor": lambda x: float(np.floor(_number(x))),
    "ceiling": lambda x: float(np.ceil(_number(x))),
    "DiracDelta": lambda *x: 0.0,
    "Heaviside": lambda x, half=0.5: float(np.heaviside(_number(x), _number(half))),
    "Mod": lambda x, y: x - y * float(np.floor(_number(x) / _number(y))),
    "atan2": _atan2,
}
#: The functions with branches that are continuous: they have kinks, and no jumps.
KINKED = (sm.Max, sm.Min, sm.Abs, sm.Piecewise)


class _Printer(PythonCodePrinter):  # type: ignore[misc]
    """Print expressions in terms of functions that take jets, and collect these functions."""

    def __init__(self) -> None:
        super().__init__({"fully_qualified_modules": False})
        self.functions: dict[str, Any] = {
            "value_": _number,
            "power_": _power,
            "sqrt": _smooth(sm.sqrt),
            "pi": np.pi,
            "e": np.e,
            "nan": np.nan,
        }

    def _print(self, expression: Any, **settings: Any) -> str:
        if isinstance(expression, sm.Piecewise):
            return str(super()._print(expression, **settings))
        if isinstance(expression, sm.Function | sm.Max | sm.Min):
            name, count = expression.func.__name__, len(expression.args)
            self.functions[f"{name}_"] = _BRANCHES.get(name) or _smooth(expression.func, count)
            return f"{name}_({', '.join(map(self._print, expression.args))})"
        if isinstance(expression, Relational):
            left, right = map(self._print, expression.args)
            return f"(value_({left}) {expression.rel_op} value_({right}))"
        if isinstance(expression, sm.Pow) and not expression.exp.is_Number:
            return f"power_({', '.join(map(self._print, expression.args))})"
        return str(super()._print(expression, **settings))


def _lambdified(arguments: Sequence[sm.Symbol], expressions: Sequence[sm.Expr]) -> Any:
    """Return a function of numbers or jets."""
    printer = _Printer()
    for expression in expressions:
        printer.doprint(expression)  # collects the functions
    return sm.lambdify(arguments, expressions, [printer.functions, "math"], printer, cse=True)


class Formulas:
    """Expressions of time, states, and parameters, compiled for numbers or jets.

    Parameters
    ----------
    expressions : sequence of Expr
    states : sequence of Expr
        The entries of x.
    parameters : sequence of Symbol
        The entries of p.
    """

    def __init__(
        self,
        expressions: Sequence[sm.Expr],
        states: Sequence[sm.Expr],
        parameters: Sequence[sm.Symbol],
    ) -> None:
        symbols = (_T, *states, *parameters)
        # lambdify replaces each Dummy among its arguments, in all expressions, which is slow
        plain = {symbol: sm.Symbol(f"a{i}_") for i, symbol in enumerate(symbols)}
        prepared = [sm.sympify(e).xreplace(plain) for e in expressions]
        self.count = len(prepared)
        self._call = _lambdified([*plain.values()], prepared)

    def __call__(self, t: Any, x: State, p: State) -> list[Any]:
        """Return the values as numbers or jets.

        Raises
        ------
        NoNumberError
            If a function of a jet has no known derivative.
        """
        try:
            with np.errstate(all="ignore"):
                return list(self._call(t, *x, *p))
        except (ZeroDivisionError, OverflowError):
            return [float("nan") * sum(x, t)] * self.count  # so are its derivatives

    def floats(self, t: float, x: State, p: State) -> Array:
        """Return the values as an array of floats."""
        values = [complex(value) for value in self(t, np.asarray(x, float), np.asarray(p, float))]
        return np.array([value.real if value.imag == 0 else np.nan for value in values])


def jet(value: float, rate: float = 0.0, second: float = 0.0) -> Jet:
    """Return a quantity that changes in time, as a jet with two derivatives."""
    return Jet(float(value), float(rate), float(second))


def along_path(
    formulas: Formulas, t: float, path: Sequence[Jet], p: State
) -> tuple[Array, Array, Array]:
    """Return values and first and second time derivatives of formulas along a path of jets."""
    results = [Jet(0.0) + component for component in formulas(Jet(t, 1.0), path, p)]
    orders = (
        [getattr(component, name) for component in results] for name in ("value", "rate", "second")
    )
    value, rate, second = (np.array(part, dtype=float) for part in orders)
    return value, rate, second


def slope(formulas: Formulas, t: float, x: State, direction: State, p: State) -> Array:
    """Return the derivatives of formulas along a direction of states, at fixed time."""
    path = [jet(*pair) for pair in zip(x, direction)]
    results = [Jet(0.0) + component for component in formulas(t, path, p)]
    return np.array([component.rate for component in results], dtype=float)


def partial_derivative_and_rate(
    formula: Formulas,
    t: float,
    x: State,
    rates: State,
    k: int,
    p: State,
    time: float = 1.0,
) -> tuple[float, float]:
    """Return ∂f/∂x_k of one formula, and d/dt ∂f/∂x_k for given rates of the state and of time.

    The components of the jets are jets themselves: the inner ones differentiate with respect to
    x_k, the outer ones with respect to time.
    """
    zero = Jet(0.0)
    path = [
        Jet(Jet(float(value), float(i == k)), Jet(float(rate)), zero)
        for i, (value, rate) in enumerate(zip(x, rates))
    ]
    (result,) = formula(Jet(Jet(t), Jet(time), zero), path, [float(number) for number in p])
    result = Jet(zero, zero, zero) + result
    return float((zero + result.value).rate), float((zero + result.rate).rate)
