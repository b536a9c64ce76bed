"""Equations in Motion's companion package: from equations of motion to moving pictures.

Everything here is derived by hand in a chapter of the course before it is imported.
"""

import os
import sys

if sys.argv[:1] == ["-m"] and sys.path[:1] == [os.getcwd()]:
    # "python -m tutlib" looks where you are first, and a sympy.py of yours would hide SymPy: last
    sys.path.append(sys.path.pop(0))

try:
    from tutlib.exercises.exercise import check
    from tutlib.mechanics.equations import EquationsOfMotion
    from tutlib.methods.integration import integrate
    from tutlib.methods.trajectory import SimulationError, Trajectory
    from tutlib.page.live import live
    from tutlib.pictures.animation import animate
    from tutlib.pictures.plotting import plot_energy, plot_states
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"{missing.name} is not installed for {sys.executable}: go to the folder of the course and "
        'run "make setup", or "pip install --editable .[lab]"',
        name=missing.name,
    ) from missing

__version__ = "0.1.0"
__all__ = [
    "EquationsOfMotion",
    "SimulationError",
    "Trajectory",
    "animate",
    "check",
    "integrate",
    "live",
    "plot_energy",
    "plot_states",
]
