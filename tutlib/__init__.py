"""Equations in Motion's companion package: from equations of motion to moving pictures.

Everything here is derived by hand in a chapter of the course before it is imported.
"""

import os
import sys
import traceback

_by_name = sys.argv[:1] == ["-m"]
if _by_name and sys.path[:1] == [os.getcwd()]:
    # "python -m tutlib" looks where you are first, and a sympy.py of yours would hide SymPy: last
    sys.path.append(sys.path.pop(0))


def _explained(error: Exception) -> ImportError | None:
    """Return what is behind an error of importing, with what to do; nothing if it is unknown."""
    full_name = getattr(getattr(error, "obj", None), "__name__", getattr(error, "name", "") or "")
    name = full_name.partition(".")[0]
    file, kind = getattr(sys.modules.get(name), "__file__", None) or "", "file"
    if os.path.basename(file).startswith("__init__."):
        file, kind = os.path.dirname(file), "folder"
    if file and os.path.dirname(file) in (os.getcwd(), sys.path[0]):  # not where packages are
        reason = f"{file} hides the package {name}: rename that {kind}, and start Python again"
        return ImportError(reason, name=name)
    came = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    for entry in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        packages = {one.removeprefix(entry).strip(os.sep).split(os.sep)[0] for one in came}
        others = (os.path.join(entry, one) for one in packages - {"", "tutlib"})
        if any(os.path.exists(os.path.join(one, "__init__.py")) for one in others):
            reason = f"PYTHONPATH brings packages of another Python, from {entry}"
            return ImportError(f'{reason}: run "unset PYTHONPATH", and start again')
    if not isinstance(error, ModuleNotFoundError):
        return None
    missing = f"{error.name} is not installed for {sys.executable}"
    remedy = (
        'go to the folder of the course and run "make setup", or "pip install --editable .[lab]"'
    )
    if sys.platform == "emscripten":
        missing = f"this JupyterLite has no {error.name}"
        remedy = 'whoever publishes it adds what is compiled, by "make lite COMPILED=published"'
    return ModuleNotFoundError(f"{missing}: {remedy}", name=error.name)


try:
    import tutlib.reading.installed as _installed

    _wrong = _installed.astray()
    if _wrong and not _by_name:  # the command line says it by itself
        raise ImportError(": ".join(_wrong))
    from tutlib.live.live import live
    from tutlib.mechanics.equations import EquationsOfMotion
    from tutlib.methods.integration import integrate
    from tutlib.methods.trajectory import SimulationError, Trajectory
    from tutlib.pictures.animation import animate
    from tutlib.pictures.plotting import plot_energy, plot_states
    from tutlib.programs.compiled import compiled
    from tutlib.verification.ladder import verify
except (ImportError, AttributeError) as error:
    _told = _explained(error)
    if _told is None:
        raise
    if _by_name:
        sys.exit(str(_told))
    raise _told from error

__version__ = "1.0.0"
__all__ = [
    "EquationsOfMotion",
    "SimulationError",
    "Trajectory",
    "animate",
    "compiled",
    "integrate",
    "live",
    "plot_energy",
    "plot_states",
    "verify",
]
