"""Automatic differentiation of expressions at one state, by jets.

Every check of `verify` differentiates this way, so it shares no symbolic step with the derivation
that it checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from tutlib.spaces.jets import Jet

_T = me.dynamicsymbols._t
#: A state, or its time derivatives.
State = Sequence[Any] | Array


class NoNumberError(ValueError):
    """Raised where a formula has no value, or cannot be differentiated by jets."""


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
        replacements = {sm.tan: lambda x: sm.sin(x) / sm.cos(x)}
        for function, replacement in replacements.items():
            prepared = [e.replace(function, replacement) for e in prepared]
        self.count = len(prepared)
        self._call = sm.lambdify([*plain.values()], prepared, modules="numpy", cse=True)

    def __call__(self, t: Any, x: State, p: State) -> list[Any]:
        """Return the values as numbers or jets.

        Raises
        ------
        NoNumberError
            If a formula cannot be evaluated with jets.
        """
        try:
            with np.errstate(all="ignore"):
                return list(self._call(t, *x, *p))
        except ZeroDivisionError:
            return [float("nan")] * self.count
        except (TypeError, AttributeError, NameError) as error:
            raise NoNumberError(f"a formula of it cannot be differentiated: {error}") from error

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
    return directional_derivatives(formulas, t, x, direction, p)[0]


def directional_derivatives(
    formulas: Formulas, t: float, x: State, direction: State, p: State
) -> tuple[Array, Array]:
    """Return first and second derivatives along a direction of states, at fixed time."""
    path = [jet(*pair) for pair in zip(x, direction)]
    results = [Jet(0.0) + component for component in formulas(t, path, p)]
    rate, second = (
        [getattr(component, name) for component in results] for name in ("rate", "second")
    )
    return np.array(rate, dtype=float), np.array(second, dtype=float)


def partial_derivative_and_rate(
    formula: Formulas,
    t: float,
    x: State,
    rates: State,
    k: int,
    p: State,
) -> tuple[float, float]:
    """Return ∂f/∂x_k of one formula, and d/dt ∂f/∂x_k for given rates of the state.

    The components of the jets are jets themselves: the inner ones differentiate with respect to
    x_k, the outer ones with respect to time.
    """
    zero = Jet(0.0)
    path = [
        Jet(Jet(float(value), float(i == k)), Jet(float(rate)), zero)
        for i, (value, rate) in enumerate(zip(x, rates))
    ]
    (result,) = formula(Jet(Jet(t), Jet(1.0), zero), path, [float(number) for number in p])
    result = Jet(zero, zero, zero) + result
    return float((zero + result.value).rate), float((zero + result.rate).rate)
