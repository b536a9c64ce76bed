"""Projection of a state onto its constraints: q ← q − Φᵀ(ΦΦᵀ)⁻¹φ(q).

Chapter 6 derives it for coordinates and corrects speeds in the same way: u ← u − Gᵀ(GGᵀ)⁻¹φ̇.
`ConstrainedEquations` makes it; it is traced once and compiled into the steps that it corrects.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy as sm

from straightline.aliases import Array
from straightline.assignments import Numbers, Scalar
from straightline.expressions import Expressions
from straightline.linear_algebra import solve_symmetric

#: Relative violation of a redundant constraint that counts as rounding.
_SLACK = 1e-6


@dataclass(frozen=True)
class Correction:
    """Formula of x ← x − Φᵀ(ΦΦᵀ)⁻¹φ for some of the states, one pass after another.

    Parameters
    ----------
    passes : tuple of (φ, Φ, first)
        The residual φ, shape (m, 1); its gradients with respect to n states, shape (m, n); and the
        index of the first of these states in x.
    states, parameters : tuple of Expr
        The entries of x and p, in order.
    share : Expr
        Fraction of the correction that is applied, from 0 to 1. If it depends on the state, it is
        evaluated before any pass.
    redundant : bool
        Whether some residuals may depend on others.
    """

    passes: tuple[tuple[sm.MatrixBase, sm.MatrixBase, int], ...]
    states: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]
    share: sm.Expr = sm.S.One
    redundant: bool = False

    def with_redundant(self) -> Correction:
        """Return the same correction with constraints that may depend on each other."""
        return replace(self, redundant=True)

    def __call__(self, t: Scalar, x: Numbers, p: Numbers) -> list[Scalar]:
        """Return the corrected state, of numbers or traced unknowns."""

        def numbers(*expressions: sm.Expr) -> Array:
            values = Expressions(expressions, self.states, self.parameters)(t, [*state], p)
            return np.array(values, dtype=object)

        state = np.array([*x], dtype=object)
        (share,) = numbers(self.share)
        for residual, gradients, first in self.passes:
            m, n = gradients.shape
            values = numbers(*residual, *gradients)
            phi, Phi = values[:m], values[m:].reshape(m, n)
            # q ← q − Φᵀ(ΦΦᵀ)⁻¹φ
            solved = solve_symmetric(Phi @ Phi.T, phi, m, self.redundant, _SLACK)
            state[first : first + n] -= Phi.T @ (share * np.array(solved, dtype=object))
        return [*state]
