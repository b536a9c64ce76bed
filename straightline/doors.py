"""Lazy imports: a package's public name is imported when it is first used."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec


def lazy(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package that imports its public names lazily (PEP 562).

    Parameters
    ----------
    package : str
    homes : mapping from str to str
        From each public name to the module that defines it.

    Raises
    ------
    AttributeError
        When the function is called with a name that is not public.
    """

    def attribute(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with explained_imports():
            value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return attribute


class explained_imports:  # noqa: N801 - a context manager, used like a function
    """Replace an import error with one that explains what is missing or hidden, and a remedy."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ImportError | AttributeError) and (explained := _explained(error)):
            raise explained from error


def require(*packages: str) -> None:
    """Check, without importing them, that packages are installed and not hidden by files.

    Raises
    ------
    ImportError
        With the missing or hidden package, and a remedy.
    """
    with explained_imports():
        for name in packages:
            spec = find_spec(name)
            if spec is None:
                raise ModuleNotFoundError(name=name)
            file = spec.origin or ""
            folder = os.path.dirname(file)
            if folder in (os.getcwd(), sys.path[0]):
                raise _hidden(name, file, "file")
            if os.path.basename(file) == "__init__.py" and os.path.dirname(folder) == os.getcwd():
                raise _hidden(name, folder, "folder")


def _hidden(name: str, path: str, kind: str) -> ImportError:
    """Return the error for a file or folder that hides a package."""
    reason = f"{path} hides the package {name}: rename that {kind}, and start Python again"
    return ImportError(reason, name=name)


def _explained(error: ImportError | AttributeError) -> ImportError | None:
    """Return an import error that states the cause and a remedy; None if unknown."""
    full_name = getattr(getattr(error, "obj", None), "__name__", getattr(error, "name", "") or "")
    name = full_name.partition(".")[0]
    file, kind = getattr(sys.modules.get(name), "__file__", None) or "", "file"
    if os.path.basename(file).startswith("__init__."):
        file, kind = os.path.dirname(file), "folder"
    if file and os.path.dirname(file) in (
        os.getcwd(),
        sys.path[0],
    ):  # the user's own script or folder, not an installed package
        return _hidden(name, file, kind)
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    for entry in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        packages = {path.removeprefix(entry).strip(os.sep).split(os.sep)[0] for path in files}
        folders = (os.path.join(entry, package) for package in packages - {"", *_OURS})
        if any(os.path.exists(os.path.join(folder, "__init__.py")) for folder in folders):
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
        remedy = 'the publisher of this site can add it with "make lite COMPILED=published"'
    return ModuleNotFoundError(f"{missing}: {remedy}", name=error.name)


_OURS = ("straightline", "tutlib", "panels", "verification", "course")
