"""Equations in Motion's companion package: from equations of motion to moving pictures.

Everything here is derived by hand in a chapter of the course before it is imported. The names below
are loaded when they are first used.
"""

import importlib
import importlib.util
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tutlib.exercises import check
    from tutlib.mechanics import EquationsOfMotion
    from tutlib.methods import SimulationError, Trajectory, integrate
    from tutlib.page import live
    from tutlib.pictures import animate, plot_energy, plot_states

for _name in ("numpy", "scipy", "sympy", "matplotlib"):
    if importlib.util.find_spec(_name) is None:
        raise ModuleNotFoundError(
            f"{_name} is not installed for {sys.executable}: go to the folder of the course and "
            'run "make setup", or "pip install --editable .[lab]"',
            name=_name,
        )

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
_FOLDERS = {
    "exercises": ("check",),
    "mechanics": ("EquationsOfMotion",),
    "methods": ("SimulationError", "Trajectory", "integrate"),
    "page": ("live",),
    "pictures": ("animate", "plot_energy", "plot_states"),
}


def __getattr__(name: str) -> Any:
    for folder, names in _FOLDERS.items():
        if name in names:
            found = getattr(importlib.import_module(f"tutlib.{folder}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"tutlib has no {name}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
