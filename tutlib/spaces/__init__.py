"""State spaces (ℝⁿ, rotations, spheres, and their products), vector fields on them, and jets.

A space gives an integrator two maps: the action of an algebra element on a state, and dexp⁻¹.
"""

from tutlib.spaces.jets import Jet, derivatives, jets, with_derivatives
from tutlib.spaces.lie import SE3, hat, vee
from tutlib.spaces.space import SO3, Product, R, Space, Sphere, TangentSO3, TangentSphere

__all__ = [
    "SE3",
    "SO3",
    "Jet",
    "Product",
    "R",
    "Space",
    "Sphere",
    "TangentSO3",
    "TangentSphere",
    "derivatives",
    "hat",
    "jets",
    "vee",
    "with_derivatives",
]
