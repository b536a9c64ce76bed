"""Formulas at one state, with numbers or with jets: how each check differentiates on its own.

Nothing is differentiated in symbols here: a quantity that moves carries its rates of change, and
arithmetic does the rest. The checks of `verify` use it, so that they share no step with the
derivation that they check.
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
#: A state, or its rates.
State = Sequence[Any] | Array


class NoNumberError(ValueError):
    """Raised where a formula has no value, or none that can be differentiated by arithmetic."""


class Formulas:
    """Expressions of time, states and parameters, ready to be computed with any numbers.

    Parameters
    ----------
    expressions : sequence of Expr
    states : sequence of Expr
        What x holds.
    parameters : sequence of Symbol
        What p holds.
    """

    def __init__(
        self,
        expressions: Sequence[sm.Expr],
        states: Sequence[sm.Expr],
        parameters: Sequence[sm.Symbol],
    ) -> None:
        symbols = (_T, *states, *parameters)
        # of a Dummy among its arguments SymPy would make another one, each time in all expressions
        plain = {symbol: sm.Symbol(f"a{i}_") for i, symbol in enumerate(symbols)}
        still = [sm.sympify(e).xreplace(plain) for e in expressions]
        rewritten = {sm.tan: lambda x: sm.sin(x) / sm.cos(x)}
        for function, written in rewritten.items():
            still = [e.replace(function, written) for e in still]
        self.count = len(still)
        self._call = sm.lambdify([*plain.values()], still, modules="numpy", cse=True)

    def __call__(self, t: Any, x: State, p: State) -> list[Any]:
        """Return the numbers, or the jets.

        Raises
        ------
        NoNumberError
            If they have no value there, or jets cannot pass.
        """
        try:
            with np.errstate(all="ignore"):
                return list(self._call(t, *x, *p))
        except ZeroDivisionError:
            return [float("nan")] * self.count
        except (TypeError, AttributeError, NameError) as error:
            raise NoNumberError(f"a formula of it cannot be differentiated: {error}") from error

    def floats(self, t: float, x: State, p: State) -> Array:
        """Return plain numbers, as an array."""
        values = [complex(one) for one in self(t, np.asarray(x, float), np.asarray(p, float))]
        return np.array([one.real if one.imag == 0 else np.nan for one in values])


def moving(value: float, rate: float = 0.0, second: float = 0.0) -> Jet:
    """Return a quantity that changes in time, as a jet of two derivatives."""
    return Jet(float(value), float(rate), float(second))


def along_path(
    formulas: Formulas, t: float, path: Sequence[Jet], p: State
) -> tuple[Array, Array, Array]:
    """Return values, rates and second derivatives of formulas along a path of jets."""
    results = [Jet(0.0) + one for one in formulas(Jet(t, 1.0), path, p)]
    orders = ([getattr(one, name) for one in results] for name in ("value", "rate", "second"))
    value, rate, second = (np.array(part, dtype=float) for part in orders)
    return value, rate, second


def slope(formulas: Formulas, t: float, x: State, direction: State, p: State) -> Array:
    """Return how formulas change along a direction of states, time held."""
    return slope_and_bend(formulas, t, x, direction, p)[0]


def slope_and_bend(
    formulas: Formulas, t: float, x: State, direction: State, p: State
) -> tuple[Array, Array]:
    """Return first and second derivatives along a direction of states, time held."""
    path = [moving(*pair) for pair in zip(x, direction)]
    results = [Jet(0.0) + one for one in formulas(t, path, p)]
    rate, second = ([getattr(one, name) for one in results] for name in ("rate", "second"))
    return np.array(rate, dtype=float), np.array(second, dtype=float)


def slope_and_its_rate(
    formula: Formulas,
    t: float,
    x: State,
    rates: State,
    k: int,
    p: State,
) -> tuple[float, float]:
    """Return ∂f/∂x_k of one formula, and its rate d/dt ∂f/∂x_k while the state has rates.

    The entries of the jets are jets themselves: the inner ones ask along x_k, the outer in time.
    """
    zero = Jet(0.0)
    path = [
        Jet(Jet(float(value), float(i == k)), Jet(float(rate)), zero)
        for i, (value, rate) in enumerate(zip(x, rates))
    ]
    (result,) = formula(Jet(Jet(t), Jet(1.0), zero), path, [float(one) for one in p])
    result = Jet(zero, zero, zero) + result
    return float((zero + result.value).rate), float((zero + result.rate).rate)
