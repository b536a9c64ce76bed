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
    from tutlib.verification.ladder import verify
except (ImportError, AttributeError) as error:
    name = getattr(getattr(error, "obj", None), "__name__", error.name or "").partition(".")[0]
    file = getattr(sys.modules.get(name), "__file__", None) or ""
    if file and os.path.dirname(file) in (os.getcwd(), sys.path[0]):  # not where packages are
        raise ImportError(
            f"{file} hides the package {name}: rename that file, and start Python again", name=name
        ) from error
    if not isinstance(error, ModuleNotFoundError):
        raise
    missing = f"{error.name} is not installed for {sys.executable}"
    remedy = (
        'go to the folder of the course and run "make setup", or "pip install --editable .[lab]"'
    )
    if sys.platform == "emscripten":
        missing = f"this JupyterLite has no {error.name}"
        remedy = 'whoever publishes it adds what is compiled, by "make lite COMPILED=published"'
    raise ModuleNotFoundError(f"{missing}: {remedy}", name=error.name) from error

__version__ = "1.0.0"
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
    "verify",
]
