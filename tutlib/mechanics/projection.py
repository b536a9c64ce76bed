"""The projection that brings a state back to its constraints: q ← q − Φᵀ(ΦΦᵀ)⁻¹φ(q).

Chapter 6 derives it for coordinates, and takes speeds back in the same way: u ← u − Gᵀ(GGᵀ)⁻¹φ̇.
Made by `ConstrainedEquations`, followed once and compiled into the steps that it corrects.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from straightline.assignments import Numbers, Number
from straightline.expressions import from_sympy
from straightline.linear_algebra import solve_symmetric

#: A redundant constraint may be missed by so much: what others cannot mend is rounding.
_SLACK = 1e-6


@dataclass(frozen=True)
class Correction:
    """x ← x − Φᵀ(ΦΦᵀ)⁻¹φ for some of the states, one pass after another, as a formula.

    Parameters
    ----------
    passes : tuple of (φ, Φ, first)
        What is to vanish, shape (m, 1); its gradients along n states, shape (m, n); and the place
        of the first of these in x.
    states, parameters : tuple of Expr
        What x and p hold, in order.
    share : Expr
        How much of the correction is taken: 1 all of it, 0 nothing. Where it depends on the state,
        it is that of the state before any pass.
    redundant : bool
        Whether some of what is to vanish may depend on others.
    """

    passes: tuple[tuple[sm.MatrixBase, sm.MatrixBase, int], ...]
    states: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]
    share: sm.Expr = sm.S.One
    redundant: bool = False

    def with_redundant(self) -> Correction:
        """Return the same, of whose constraints some may depend on others."""
        return replace(self, redundant=True)

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> list[Number]:
        """Return the corrected state, of known or unknown numbers."""

        def numbers(*expressions: sm.Expr) -> Array:
            values = from_sympy(expressions, (me.dynamicsymbols._t, self.states, self.parameters))(t, [*state], p)
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
