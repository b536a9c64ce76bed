"""Checks of the computer: every problem comes with a remedy.

Used by ``python -m course doctor``, and by anyone who helps a student whose notebook does not run.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import machinery, metadata
from pathlib import Path

from tutlib.installed import astray

#: Pairs of a problem and a remedy.
Problems = Iterator[tuple[str, str]]

_REINSTALL_WASMTIME = 'reinstall it with "pip install --force-reinstall wasmtime"'
_INSTALL = 'run "make setup" in the folder of the course, or "pip install --editable .[lab]"'


def _python() -> Problems:
    from packaging.specifiers import SpecifierSet

    needed = metadata.metadata("tutlib")["Requires-Python"]
    if platform.python_version() not in SpecifierSet(needed):
        yield (
            f"the course needs Python {needed}",
            "install that version, then set the course up again",
        )


def _packages() -> Problems:
    from packaging.requirements import Requirement

    for text in metadata.requires("tutlib") or []:
        needed = Requirement(text)
        if needed.marker and not needed.marker.evaluate({"extra": "lab"}):
            continue
        try:
            version = metadata.version(needed.name)
        except metadata.PackageNotFoundError:
            yield f"{needed.name} is not installed for {sys.executable}", _INSTALL
            continue
        if version not in needed.specifier:
            yield (
                f"{needed.name} {version} is installed; the course needs "
                f"{needed.name}{needed.specifier}",
                _INSTALL,
            )


def _folder() -> Problems:
    if wrong := astray():
        yield wrong


def _names() -> Problems:
    # a file sympy.py, or a folder sympy, beside a notebook is imported instead of SymPy
    for folder in (Path.cwd(), Path.cwd() / "work"):
        for name, file in _importable(folder).items():
            kind = "folder" if file.is_dir() else "file"
            if kind == "file" or not (folder / "pyproject.toml").exists():  # a project's own
                yield f"{file} hides the package {name}", f"rename that {kind}"


def _importable(folder: Path) -> dict[str, Path]:
    """Return files and folders of a folder that have the name of a package."""
    installed = {name.split(".")[0] for name in metadata.packages_distributions()}
    names = {path.name.split(".")[0] for path in folder.glob("*")}
    importlib.invalidate_caches()
    files = {}
    for name in sorted(names & (installed | sys.stdlib_module_names)):
        spec = machinery.PathFinder.find_spec(name, [str(folder)])
        # a folder without __init__.py hides nothing
        if spec and spec.origin and not _is_builtin(name):
            file = Path(spec.origin)
            files[name] = file.parent if spec.submodule_search_locations else file
    return files


def _other_packages() -> Problems:
    for entry in filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)):
        if (names := _importable(Path(entry))) and not (Path(entry) / "pyproject.toml").exists():
            yield (
                f"PYTHONPATH adds {', '.join(names)} from {entry}, which replaces what the course "
                "needs",
                'run "unset PYTHONPATH", then start again',
            )


def _is_builtin(name: str) -> bool:
    """Return whether a module is part of the interpreter, so that no file can hide it."""
    return any(
        finder.find_spec(name) for finder in (machinery.BuiltinImporter, machinery.FrozenImporter)
    )


def _kernel() -> Problems:
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except NoSuchKernel:
        yield "Jupyter has no Python kernel", 'install one with "pip install ipykernel"'
        return
    python = Path(sys.executable)
    if program not in ("python", "python3") and Path(program).parent != python.parent:
        yield (
            f"notebooks run with {program} instead of {python}",
            f'start JupyterLab with "{python} -m jupyter lab"',
        )


def _runtime() -> Problems:
    try:
        answer = _compiled_twice(21.0)
    except ImportError:
        raise
    except Exception as error:
        yield f"wasmtime cannot run compiled equations: {error}", _REINSTALL_WASMTIME
        return
    if answer != 42:
        yield f"wasmtime computed 2 · 21 = {answer:g}", _REINSTALL_WASMTIME


def _compiled_twice(number: float) -> float:
    """Return twice a number, computed as every simulation is, by a compiled program."""
    importlib.import_module("wasmtime")
    from straightline.machine import Machine
    from straightline.routines import Program

    program = Program(1)
    result = program.array("result", 1)
    program.routine("double").store(result, 0, [2 * program.p[0]])
    machine = Machine(program).instance([number])
    machine.call("double")
    return float(machine.view(result)[0])


def _widgets() -> Problems:
    from jupyter_core.paths import jupyter_path

    for extension in ("@jupyter-widgets/jupyterlab-manager", "anywidget"):
        if not any(Path(path, extension).is_dir() for path in jupyter_path("labextensions")):
            yield f"JupyterLab has no extension {extension}, so simulations do not move", _INSTALL


def _writing() -> Problems:
    try:
        with tempfile.TemporaryFile(dir=Path.cwd()):
            pass
    except OSError as error:
        yield f"files cannot be saved in {Path.cwd()}: {error}", "work in a folder of your own"


EXAMINATIONS: tuple[tuple[str, Callable[[], Problems]], ...] = (
    (f"Python {platform.python_version()}", _python),
    ("the folder of the course", _folder),
    ("packages from PYTHONPATH", _other_packages),
    ("packages and their versions", _packages),
    ("names of your own files", _names),
    ("the kernel that runs notebooks", _kernel),
    ("wasmtime, which runs compiled equations", _runtime),
    ("widgets in JupyterLab", _widgets),
    ("saving files", _writing),
)


def examine() -> tuple[list[str], bool]:
    """Check this environment.

    Returns
    -------
    lines : list of str
        A line for each check, followed by problems and remedies.
    healthy : bool
    """
    lines, healthy = [], True
    for name, examination in EXAMINATIONS:
        try:
            problems = list(examination())
        except ImportError as error:
            problems = [(f"{error.name or error} cannot be imported", _INSTALL)]
        healthy = healthy and not problems
        lines.append(f"{'PROBLEM' if problems else 'fine   '} {name}")
        lines += [f"        {wrong}: {remedy}." for wrong, remedy in problems]
    return lines, healthy
