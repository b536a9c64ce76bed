"""Companion package of Equations in Motion: equations of motion, methods, spaces, models, plots.

Each chapter of the course derives by hand what it imports from here later on.
"""

from typing import TYPE_CHECKING

from straightline.doors import lazy, require
from tutlib.installed import astray

if _wrong := astray():
    raise ImportError(": ".join(_wrong))
require("numpy", "scipy", "sympy", "matplotlib")

if TYPE_CHECKING:
    from straightline.compiled_function import compiled
    from tutlib.fields import Field
    from tutlib.mechanics.equations import EquationsOfMotion
    from tutlib.methods.integration import integrate
    from tutlib.methods.trajectory import SimulationError, Trajectory
    from tutlib.plots.plotting import plot_energy, plot_states

__version__ = "1.0.0"
__all__ = [
    "EquationsOfMotion",
    "Field",
    "SimulationError",
    "Trajectory",
    "compiled",
    "integrate",
    "plot_energy",
    "plot_states",
]

__getattr__ = lazy(
    __name__,
    {
        "EquationsOfMotion": "tutlib.mechanics.equations",
        "Field": "tutlib.fields",
        "SimulationError": "tutlib.methods.trajectory",
        "Trajectory": "tutlib.methods.trajectory",
        "compiled": "straightline.compiled_function",
        "integrate": "tutlib.methods.integration",
        "plot_energy": "tutlib.plots.plotting",
        "plot_states": "tutlib.plots.plotting",
    },
)
