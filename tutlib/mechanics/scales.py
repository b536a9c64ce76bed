"""Natural scales of a mechanism, and magnitudes of terms: tolerances without units.

A tolerance with a unit, such as 1e-8 m, is small for a crane and large for a watch. Code that must
decide whether a residual is zero, how long a step may be, or whether two states differ compares
with these scales instead. They transform with the units of length, mass, and time as the states do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike
from sympy.core.function import AppliedUndef

from straightline.aliases import Array
from tutlib.mechanics.derivations import atoms
from tutlib.reading.parameters import Values

#: Weights of a homogeneous equation and of a state's value; a parameter's value has weight 1.
_HOMOGENEOUS, _STATE = 10.0, 1e-3
#: Largest rounding error of a function as a part of its terms' magnitudes, and the relative change
#: of its arguments by which these are found: 16 units in the last place.
ROUNDED, ROUNDING = 32 * 2.0**-48, 2.0**-48


class NaturalScales:
    """Natural scales of a mechanism: a length, an angle of 1 rad, a speed, a force, and so on.

    Terms that are added have the same unit, and arguments of a sine have none. In logarithms these
    are linear equations between the scales of states, parameters, and time. The solution closest to
    the parameters' values gives natural units: √(l/g) for the time of a pendulum, for example.
    States of the same unit have the same scale.

    Parameters
    ----------
    eom : EquationsOfMotion
    values : mapping from symbol (or its name) to number
        Values of parameters, in any consistent units.
    state : sequence of numbers, optional
        The state of interest, shape (number of states,): it gives the scale of states for which the
        equations have none, such as the amplitude of a linear oscillator.
    vanishing : iterable of Expr, optional
        Further expressions that are zero, such as constraints.
    """

    def __init__(
        self,
        eom: Any,
        values: Values,
        state: Iterable[float] = (),
        vanishing: Iterable[sm.Expr] = (),
    ) -> None:
        symbols, self._logarithms, rows = _homogeneous(eom, tuple(vanishing))
        numbers = {str(symbol): value for symbol, value in values.items()}
        given = [_number(s if s.is_Float else numbers.get(str(s))) for s in symbols]
        weights = [float(number != 0) for number in given]
        for symbol, number in zip(eom.states, state):
            i = symbols.index(symbol)
            given[i], weights[i] = number, _STATE * (number != 0)
        targets = np.log(np.where(np.array(weights) > 0, np.abs(given), 1.0))
        left = np.vstack([rows[:, :-1], np.diag(weights)])
        right = np.concatenate([-rows[:, -1], weights * targets])
        solution = np.linalg.lstsq(left, right, rcond=1e-9)[0]
        self._solution = np.append(_of_equal_units(solution, rows[:, :-1], len(eom.states)), 1.0)

    def __call__(self, expressions: Iterable[sm.Expr]) -> Array:
        """Return the scales of expressions of states, inputs, parameters, and time.

        Parameters
        ----------
        expressions : iterable of Expr

        Returns
        -------
        array, shape (number of expressions,)
            In the units of the expressions; 0 for an expression that is zero.
        """
        forms = [self._logarithms(expression) for expression in expressions]
        logarithms = [-np.inf if form is None else form @ self._solution for form in forms]
        scales: Array = np.exp(np.array(logarithms).clip(max=300.0))
        return scales


def _number(value: object) -> float:
    """Return a finite number, or 0 for anything else, which is rejected elsewhere."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0.0
    return number if np.isfinite(number) else 0.0


@lru_cache(maxsize=64)
def _homogeneous(
    eom: Any, vanishing: tuple[sm.Expr, ...]
) -> tuple[list[sm.Expr], _Logarithms, Array]:
    """Return time, states, and all other symbols; their logarithms; and equations between these."""
    time = me.dynamicsymbols._t
    further = [*eom.rates, *(rate for _, rate in eom.auxiliary), *vanishing]
    every = [*eom.mass_matrix, *eom.forcing, *further]
    found = atoms(every, sm.Symbol, sm.Float, AppliedUndef, sm.Derivative)
    symbols = [*dict.fromkeys([time, *eom.states, *eom.inputs, *sorted(found, key=str)])]
    logs = _Logarithms(symbols)
    speeds = [logs.of(u) - logs.of(time) for u in eom.u]
    for i, force in enumerate(eom.forcing):
        inertias = [logs(entry) for entry in eom.mass_matrix[i, :]]
        products = [None if m is None else m + u for m, u in zip(inertias, speeds)]
        logs.equal([*products, logs(force)])
    for state, rate in [*zip(eom.q, eom.rates), *eom.auxiliary]:
        logs.equal([logs(rate), logs.of(state) - logs.of(time)])
    for expression in vanishing:
        logs(expression)
    rows = np.array(logs.rows).reshape(-1, len(symbols) + 1)
    return symbols, logs, _HOMOGENEOUS * np.unique(rows, axis=0)


def _of_equal_units(logarithms: Array, rows: Array, states: int) -> Array:
    """Return logarithms with one scale for all states of the same unit, and 1 for angles."""
    values, vectors = np.linalg.eigh(rows.T @ rows)
    units = vectors[:, values < 1e-9 * values.max(initial=1.0)]  # which scales change together
    averaged = logarithms.copy()
    for i in range(1, states + 1):  # the first symbol is time
        same = [j for j in range(1, states + 1) if np.allclose(units[i], units[j], atol=1e-6)]
        if np.abs(units[i]).max(initial=0.0) > 1e-6:
            averaged[i] = logarithms[same].mean()
        elif abs(logarithms[i]) < 1.0:  # otherwise a length, among lengths that are numbers
            averaged[i] = 0.0
    return averaged


class _Logarithms:
    """Logarithms of expressions' scales: linear in those of symbols; equations between them."""

    def __init__(self, symbols: Sequence[sm.Expr]) -> None:
        one = np.eye(len(symbols) + 1)
        self.nothing: Array = 0.0 * one[0]
        self.constant: Array = one[-1]
        self.rows: list[Array] = []
        self.forms: dict[sm.Basic, Array | None] = dict(zip(symbols, one))

    def of(self, symbol: sm.Expr) -> Array:
        """Return the logarithm of a symbol's scale."""
        return np.asarray(self.forms[symbol])

    def __call__(self, node: sm.Basic) -> Array | None:
        """Return the logarithm of an expression's scale, or None if the expression is zero."""
        if node not in self.forms:
            self.forms[node] = self._form(node)
        return self.forms[node]

    def _form(self, node: sm.Basic) -> Array | None:
        if node.is_Number:
            value = abs(float(node))
            return self.constant * np.log(value) if value and np.isfinite(value) else None
        if isinstance(node, sm.Pow) and node.exp.is_number:
            base = self(node.base)
            return None if base is None else float(node.exp) * base
        if isinstance(node, sm.Piecewise):
            for _, condition in node.args:
                self(condition)
            return self.equal([self(branch) for branch, _ in node.args])
        forms = [self(part) for part in node.args]
        if isinstance(node, sm.Mul):
            factors = [form for form in forms if form is not None]
            return np.sum([self.nothing, *factors], 0) if len(factors) == len(forms) else None
        if isinstance(node, sm.Add | sm.Max | sm.Min | sm.Abs):
            return self.equal(forms)
        if isinstance(node, sm.atan2 | sm.core.relational.Relational):
            self.equal(forms)
        elif not isinstance(node, sm.sign | sm.logic.boolalg.Boolean):
            self.rows += [form for form in forms if form is not None]
        return self.nothing

    def equal(self, forms: Sequence[Array | None]) -> Array | None:
        """Require that terms have the same scale, and return it."""
        present = [form for form in forms if form is not None]
        self.rows += [a - b for a, b in pairwise(present)]
        return np.asarray(np.mean(present, axis=0)) if present else None


def magnitudes(
    function: Callable[[Array], Array], x: Array, scale: ArrayLike = 0.0, part: float = ROUNDING
) -> Array:
    """Return the magnitudes of the terms of a function, which may cancel in its values.

    Each magnitude is the largest relative change of the value when all arguments change by a small
    fraction of themselves, or of their scale if that is larger. Multiplied by `ROUNDED`, it bounds
    the rounding errors.

    Parameters
    ----------
    function : function x -> array, shape (m,)
    x : array, shape (n,)
    scale : float or array, shape (n,)
        In units of x; 0 for numbers that are exact where they are zero.
    part : float

    Returns
    -------
    array, shape (m,)
    """
    signs = np.random.default_rng(5).choice([-1.0, 1.0], size=(4, len(x)))
    moved = x + part * signs * np.maximum(np.abs(x), scale)
    with np.errstate(all="ignore"):
        changes = [np.abs(function(row) - function(x)) for row in moved]
    terms: Array = np.nan_to_num(np.max(changes, axis=0), nan=0.0, posinf=0.0) / part
    return terms
