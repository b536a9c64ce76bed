"""Equations of motion solved for the accelerations: M u̇ = F as a formula of dx/dt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from straightline.assignments import Number, Numbers, where
from straightline.expressions import from_sympy
from straightline.linear_algebra import solve_general, solve_symmetric

#: Most Newton steps for the multipliers, and the relative difference at which they have converged.
_ATTEMPTS, _REPEATED = 6, 1e-9


@dataclass(frozen=True)
class SolvedEquations:
    """Formula of dx/dt for x = [q, u, auxiliary states], with u̇ from M u̇ = F.

    Parameters
    ----------
    mass_matrix : Matrix, shape (n, n)
    forcing : Matrix, shape (n, 1)
    rates, auxiliary_rates : tuple of Expr
        The time derivatives of the coordinates, and of the auxiliary states.
    states, parameters : tuple of Expr
        The entries of x and p, in order.
    multipliers : int
        Number of multipliers, which are the last accelerations.
    redundant : bool
        Whether some multipliers may depend on others: then those of least norm are found.
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
        self, t: Number, x: Numbers, p: Numbers
    ) -> tuple[list[Number], list[Number], list[Number]]:
        """Return M row by row, F, and the derivatives that are not accelerations."""
        n = len(self.forcing)
        every = (*self.mass_matrix, *self.forcing, *self.rates, *self.auxiliary_rates)
        values = from_sympy(every, (me.dynamicsymbols._t, self.states, self.parameters))(t, x, p)
        return values[: n * n], values[n * n : n * n + n], values[n * n + n :]

    def with_redundant(self) -> SolvedEquations:
        """Return the same equations with multipliers that may depend on each other."""
        return replace(self, redundant=True)

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> list[Number]:
        """Return dx/dt of numbers or traced unknowns; nan where M is singular."""
        M, F, rest = self.linear_system(t, x, p)
        solve = solve_symmetric if is_symmetric(self.mass_matrix) else solve_general
        n = len(self.rates)
        return [*rest[:n], *solve(M, F, self.multipliers, self.redundant), *rest[n:]]


@dataclass(frozen=True)
class EquationsWithForces:
    """Equations M u̇ = F(λ) whose forces depend on the multipliers λ at the end of u̇.

    The friction of a guide is such a force. Newton's method starts with λ = 0 and stops when λ
    no longer changes: for Coulomb friction, which is piecewise linear in λ, after two or three
    steps.

    Parameters
    ----------
    equations : SolvedEquations
        Their states end with λ.
    slopes : Matrix, shape (n, m)
        ∂F/∂λ.
    """

    equations: SolvedEquations
    slopes: sm.MatrixBase

    @classmethod
    def of(cls, equations: SolvedEquations, forces: Sequence[sm.Expr]) -> EquationsWithForces:
        """Return equations whose forcing depends on constraint forces, shape (m,)."""
        held = {force: sm.Dummy(f"lambda_{i}", real=True) for i, force in enumerate(forces)}
        F = sm.Matrix(equations.forcing).xreplace(held)
        known = (*equations.states, *held.values())
        whole = replace(equations, forcing=F.as_immutable(), states=known)
        return cls(whole, F.jacobian([*held.values()]).as_immutable())

    def linear_system(
        self, t: Number, x: Numbers, p: Numbers
    ) -> tuple[list[Number], list[Number], list[Number]]:
        """Return M row by row, F without multipliers, and the other derivatives."""
        return self.equations.linear_system(t, [*x, *([0.0] * self.equations.multipliers)], p)

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> list[Number]:
        """Return dx/dt of numbers or traced unknowns; nan where no multipliers are found."""
        known, m, n = self.equations, self.equations.multipliers, len(self.equations.rates)
        multipliers: list[Any] = [0.0] * m
        slopes = from_sympy(self.slopes, (me.dynamicsymbols._t, known.states, known.parameters))
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


@dataclass(frozen=True)
class OutputsOfMotion:
    """Formula of outputs that contain accelerations or constraint forces.

    Parameters
    ----------
    equations : SolvedEquations or EquationsWithForces
    states : tuple of n Expr
        The states of these equations.
    indices : tuple of n (int or None)
        Which entry of x each state is; None for a state that is zero.
    expressions : tuple of Expr
        The outputs, in terms of the states and their derivatives.
    parameters : tuple of Expr
        The entries of p: those of the equations, then further ones of the outputs.
    of_equations : int
        The number of parameters of the equations.
    """

    equations: SolvedEquations | EquationsWithForces
    states: tuple[sm.Expr, ...]
    indices: tuple[int | None, ...]
    expressions: tuple[sm.Expr, ...]
    parameters: tuple[sm.Expr, ...]
    of_equations: int

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> list[Number]:
        """Return the outputs, of numbers or traced unknowns."""
        state = [0.0 if i is None else x[i] for i in self.indices]
        rates = self.equations(t, state, p[: self.of_equations])
        names = tuple(s.diff(me.dynamicsymbols._t) for s in self.states)
        arguments = (me.dynamicsymbols._t, names, self.states, self.parameters)
        return list(from_sympy(self.expressions, arguments)(t, rates, state, p))


def is_symmetric(mass_matrix: sm.MatrixBase) -> bool:
    """Return whether ``solve_symmetric`` applies: M is symmetric and has no zero pivot."""
    return bool(mass_matrix.is_symmetric(simplify=False) and all(mass_matrix.diagonal()))
