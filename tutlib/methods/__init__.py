"""Numerical methods: tableaus, fixed and adaptive steps, ensembles, and their results.

Integrators take f(t, x), a space, and a tableau. Chapter 4 derives them, and chapter 8 uses them
on manifolds.
"""

from tutlib.fields import ImplicitEquations, OpenLoopWarning, SingularPoseWarning
from tutlib.methods.adaptive import integrate_adaptive
from tutlib.methods.commutator_free import CF4, LIE_EULER
from tutlib.methods.convergence import energy_error, observed_order
from tutlib.methods.dae import integrate_dae
from tutlib.methods.ensemble_results import StoreWarning
from tutlib.methods.ensembles import EnsembleError, InterruptedEnsemble, ensemble
from tutlib.methods.integration import METHODS, integrate
from tutlib.methods.stability import stability_function, stability_polynomial
from tutlib.methods.steps import step
from tutlib.methods.tableaus import (
    DOP853,
    DORMAND_PRINCE,
    EULER,
    HEUN,
    KUTTA3,
    MIDPOINT,
    RK4,
    ButcherTableau,
)
from tutlib.methods.trajectory import (
    Interrupted,
    SimulationError,
    Trajectory,
    UnstableWarning,
)
from tutlib.methods.trees import density, rooted_trees

__all__ = [
    "CF4",
    "DOP853",
    "DORMAND_PRINCE",
    "EULER",
    "HEUN",
    "KUTTA3",
    "LIE_EULER",
    "METHODS",
    "MIDPOINT",
    "RK4",
    "ButcherTableau",
    "EnsembleError",
    "ImplicitEquations",
    "Interrupted",
    "InterruptedEnsemble",
    "OpenLoopWarning",
    "SimulationError",
    "SingularPoseWarning",
    "StoreWarning",
    "Trajectory",
    "UnstableWarning",
    "density",
    "energy_error",
    "ensemble",
    "integrate",
    "integrate_adaptive",
    "integrate_dae",
    "observed_order",
    "rooted_trees",
    "stability_function",
    "stability_polynomial",
    "step",
]
