"""Where states live: ℝⁿ, rotations, spheres, their products; fields on them, and jets.

A space tells an integrator two things: how an algebra element moves a state, and dexp⁻¹.
"""

from tutlib.spaces.jets import Jet, derivatives, jets, with_derivatives
from tutlib.spaces.lie import SE3, LieGroup, hat, vee
from tutlib.spaces.space import SO3, Product, R, Space, Sphere, TangentSO3, TangentSphere

__all__ = [
    "SE3",
    "SO3",
    "Jet",
    "LieGroup",
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
