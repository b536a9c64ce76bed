"""Projection of a state onto its constraints: q ← q − Φᵀ(ΦΦᵀ)⁻¹φ(q).

Chapter 6 derives it for coordinates and corrects speeds with the same formula: u ← u − Gᵀ(GGᵀ)⁻¹φ̇.
`ConstrainedEquations` creates it; it is traced once and compiled into the steps that it corrects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from straightline.arguments import instance
from straightline.assignments import Number, Numbers
from straightline.expressions import from_sympy
from straightline.linear_algebra import solve_symmetric
from tutlib.fields import Field
from tutlib.mechanics.diagnosis import first_finite

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
        The first entries of x, and the entries of p, in order.
    share : Expr
        Fraction of the correction that is applied, from 0 to 1. If it depends on the state, it is
        evaluated before any pass.
    redundant : bool
        Whether some residuals may depend on others.
    further : tuple of Expr
        The auxiliary states, which are the last entries of x.
    """

    passes: tuple[tuple[sm.MatrixBase, sm.MatrixBase, int], ...]
    states: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]
    share: sm.Expr = sm.S.One
    redundant: bool = False
    further: tuple[sm.Expr, ...] = ()

    def with_redundant(self) -> Correction:
        """Return the same correction with constraints that may depend on each other."""
        return replace(self, redundant=True)

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> list[Number]:
        """Return the corrected state, of numbers or traced unknowns."""

        def numbers(*expressions: sm.Expr) -> Array:
            arguments = (me.dynamicsymbols._t, self.states, self.further, self.parameters)
            values = from_sympy(expressions, arguments)(t, [*state], last, p)
            return np.array(values, dtype=object)

        state = np.array([*x], dtype=object)
        last = [*state[len(state) - len(self.further) :]]
        (share,) = numbers(self.share)
        for residual, gradients, first in self.passes:
            m, n = gradients.shape
            values = numbers(*residual, *gradients)
            phi, Phi = values[:m], values[m:].reshape(m, n)
            # q ← q − Φᵀ(ΦΦᵀ)⁻¹φ
            solved = solve_symmetric(Phi @ Phi.T, phi, m, self.redundant, _SLACK)
            state[first : first + n] -= Phi.T @ (share * np.array(solved, dtype=object))
        return [*state]


@dataclass(frozen=True)
class Projection:
    """Information on a projection: the states at which no correction exists, and the reason.

    Parameters
    ----------
    units : tuple of float
        Natural scales of the states.
    """

    units: tuple[float, ...] = ()

    def suited(self, f: Field, t: float, x: Array) -> Field:
        """Return the projection, or its form for redundant constraints."""
        return first_finite(f, t, x) if hasattr(f.formula, "with_redundant") else f

    def explain(self, f: Field, t: float, x: Array) -> None:
        """Raise the reason why the corrected state is not finite.

        Raises
        ------
        ValueError
        """
        raise ValueError(
            f"the configuration is singular at t = {t:g}: the constraints' "
            "gradients are linearly dependent, so that no correction exists at "
            f"x = {x.tolist()}"
        )

    def check_start(self, f: Field, t: float, x: Array) -> None:
        """Accept every state."""

    def check_motion(self, t: Array, x: Array) -> tuple[int, str] | None:
        """Accept every trajectory."""
        return None

    def source(self, f: Field) -> str:
        """Return a description of the formula."""
        return str(f.formula.__doc__)


def projection(
    formula: Callable[..., Any], parameters: Mapping[str, float], units: Sequence[float] = ()
) -> Field:
    """Return a field x = project(t, x): a Newton correction of the coordinates, then the speeds.

    Parameters
    ----------
    formula : function (t, x, p) -> sequence of k numbers
        The corrected state.
    parameters : mapping from str to float
        Values, in the order of p [SI units].
    units : sequence of float, optional
        Natural scales of the states, to distinguish a correction from rounding.
    """
    known = Projection(tuple(map(float, units)))
    return Field(None, parameters=parameters, formula=formula, mechanism=known)


@dataclass(frozen=True)
class Corrected:
    """A formula that is evaluated at a corrected copy of the state.

    Parameters
    ----------
    formula, correction : function (t, x, p) -> sequence
    of_formula, of_correction : tuple of int
        The indices of their parameters among all parameters.
    """

    formula: Any
    correction: Callable[..., Any]
    of_formula: tuple[int, ...]
    of_correction: tuple[int, ...]

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> Sequence[Number]:
        """Return the value of the formula at the corrected state."""
        rates: Sequence[Number] = self.formula(*self._corrected(t, x, p))
        return rates

    def linear_system(self, t: Number, x: Numbers, p: Numbers) -> tuple[Sequence[Number], ...]:
        """Return M, F, and the other derivatives at the corrected state."""
        system: tuple[Sequence[Number], ...] = self.formula.linear_system(*self._corrected(t, x, p))
        return system

    def _corrected(self, t: Number, x: Numbers, p: Numbers) -> tuple[Number, Numbers, list[Number]]:
        there = self.correction(t, x, [p[i] for i in self.of_correction])
        return t, there, [p[i] for i in self.of_formula]


def evaluated_at(correction: Field, f: Field) -> Field:
    """Return f(t, c(t, x)), where c is a correction: f evaluated at a corrected state.

    The state itself is not corrected.

    Parameters
    ----------
    correction, f : Field

    Raises
    ------
    TypeError
        If f is not a field of compiled equations.
    """
    instance(f, "f", Field, "use model.compile()")
    values = {
        **f.parameters,
        **{n: v for n, v in correction.parameters.items() if n not in f.parameters},
    }
    names = list(values)
    formula = Corrected(
        f.formula,
        correction.formula,  # type: ignore[arg-type]
        tuple(range(len(f.parameters))),
        tuple(map(names.index, correction.parameters)),
    )
    return replace(f, formula=formula, parameters=values)
