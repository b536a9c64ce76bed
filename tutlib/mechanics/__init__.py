"""Symbolic mechanics: coordinates and speeds, Lagrange's and Kane's equations, constraints.

A mechanism becomes M(q, t) u̇ = F(q, u, r, t) and q̇ = N(q, t) u, or the matrices A and B of its
linearization.
"""

from tutlib.mechanics.assembly import RedundantConstraintWarning
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.equation_source import eliminate_common_subexpressions
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.equilibrium import trim
from tutlib.mechanics.linearization import NoTrimWarning, linearize

__all__ = [
    "ConstrainedEquations",
    "EquationsOfMotion",
    "NoTrimWarning",
    "RedundantConstraintWarning",
    "eliminate_common_subexpressions",
    "linearize",
    "trim",
]
