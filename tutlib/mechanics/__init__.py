"""Symbolic mechanics: coordinates and speeds, Lagrange's and Kane's equations, constraints.

A mechanism becomes M(q, t) u̇ = F(q, u, r, t) and q̇ = N(q, t) u, or the matrices A and B of its
linearization.
"""

from tutlib.mechanics.assembly import RedundantConstraintWarning
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.equation_source import eliminate_common_subexpressions, readable_source
from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.mechanics.equilibrium import trim
from tutlib.mechanics.linearization import Linearization, NoTrimWarning, linearize
from tutlib.reading.names import identifiers, label_of, plain_name, state_name

__all__ = [
    "ConstrainedEquations",
    "EquationsOfMotion",
    "Linearization",
    "NoTrimWarning",
    "RedundantConstraintWarning",
    "eliminate_common_subexpressions",
    "identifiers",
    "label_of",
    "linearize",
    "plain_name",
    "readable_source",
    "state_name",
    "trim",
]
