"""Bring a state back to where its constraints hold: what follows each step in chapter 6.

Made by `ConstrainedEquations`; called by `integrate` after each step, or compiled into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sm
from numpy.typing import ArrayLike, NDArray

from tutlib.programs.arguments import real_array, real_number
from tutlib.programs.evaluation import Evaluator, Formula
from tutlib.programs.expressions import Expressions
from tutlib.programs.linear_algebra import solve_symmetric

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Correction:
    """x − Gᵀ (G Gᵀ)⁻¹ residual for some of the states, one pass after another, as a formula.

    Parameters
    ----------
    passes : tuple of (residual, slope, first)
        What is to vanish, shape (m, 1); its slope G along n states, shape (m, n); and the place of
        the first of these in x.
    states, parameters : tuple of Expr
        What x and p hold, in order.
    share : Expr
        How much of the correction is taken: 1 all of it, 0 nothing.
    """

    passes: tuple[tuple[sm.MatrixBase, sm.MatrixBase, int], ...]
    states: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]
    share: sm.Expr = sm.S.One

    def __call__(self, t: Any, x: Sequence[Any], p: Sequence[Any]) -> list[Any]:
        """Return the corrected state, of known or unknown numbers."""
        corrected = list(x)
        for residual, slope, first in self.passes:
            m, n = slope.shape
            expressions = Expressions((*residual, *slope), self.states, self.parameters)
            values = expressions(t, corrected, p)
            G = [values[m + i * n : m + (i + 1) * n] for i in range(m)]
            normal = [
                sum((a * b for a, b in zip(G[i], G[j])), 0.0) for i in range(m) for j in range(m)
            ]
            shares = self._taken(solve_symmetric(normal, values[:m]), t, corrected, p)
            for j in range(n):
                change = sum((G[i][j] * shares[i] for i in range(m)), 0.0)
                corrected[first + j] = corrected[first + j] - change
        return corrected

    def _taken(self, shares: Any, t: Any, x: Sequence[Any], p: Sequence[Any]) -> Any:
        if self.share == 1:
            return shares
        (part,) = Expressions((self.share,), self.states, self.parameters)(t, x, p)
        return [part * share for share in shares]


@dataclass(frozen=True, eq=False)
class Projection:
    """One Newton correction of the coordinates, then the speeds: call it as x = project(t, x).

    Parameters
    ----------
    formula : function (t, x, p) -> sequence of k numbers
        The corrected state.
    parameter_names : tuple of str
        Names of the parameters, in the order of p.
    parameter_values : array
        Their values, in SI units.
    """

    formula: Formula
    parameter_names: tuple[str, ...]
    parameter_values: Array

    def __call__(self, t: float, x: ArrayLike) -> Array:
        """Return a corrected copy of a state.

        Parameters
        ----------
        t : float
            Time [s].
        x : array, shape (k,)
            State. It is left as it is.

        Returns
        -------
        array, shape (k,)

        Raises
        ------
        ValueError
            If the constraints' gradients depend on one another at this state.
        """
        before = real_array(x, "x", ("k",), finite=False)
        found = self._evaluate(len(before))(real_number(t, "t"), before)
        if not np.isfinite(found).all() and np.isfinite(before).all():
            raise ValueError(
                f"the configuration is singular at t = {t:g}: the constraints' "
                "gradients depend on one another, so that no correction exists at "
                f"x = {before.tolist()}"
            )
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def _evaluators(self) -> dict[int, Evaluator]:
        return {}

    def _evaluate(self, states: int) -> Evaluator:
        made = self._evaluators
        if states not in made:
            made[states] = Evaluator(self.formula, states, self.parameter_values)
        return made[states]
