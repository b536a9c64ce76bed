"""Build JupyterLab beside the site, with Python, the notebooks, and the course in the browser.

Python in the browser is Pyodide. Its core comes from npm, and packages in plain Python from PyPI;
the site serves both. Compiled packages (NumPy, SciPy, Matplotlib) are published by Pyodide only.
With ``--published`` they are taken from there, with ``--compiled`` from another place with the same
files, and served by the site, too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from course.desk import student_copy
from publishing.build_book import NOTEBOOKS, copy_source
from publishing.execute_notebooks import ROOT

#: Packages in a lock file of Pyodide: name -> version, file_name, sha256, depends, ...
Packages = dict[str, dict[str, Any]]

FOLDER = ROOT / "_build" / "lite"
#: Packages that the kernel and the notebooks import, besides the course.
WANTED = (
    "anywidget",
    "comm",
    "ipython",
    "ipython-pygments-lexers",
    "ipywidgets",
    "jedi",
    "matplotlib",
    "matplotlib-inline",
    "micropip",
    "packaging",
    "pexpect",
    "prompt-toolkit",
    "psygnal",
    "ptyprocess",
    "scipy",
    "sympy",
    "tqdm",
    "typing-extensions",
)
WELCOME = ROOT / "book" / "_lite" / "welcome.ipynb"
SETTINGS = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {
        "appName": "Equations in Motion",
        "exposeAppInBrowser": True,
        "litePluginSettings": {
            "@jupyterlite/pyodide-kernel-extension:kernel": {"disablePyPIFallback": True}
        },
    },
}


class DoorError(RuntimeError):
    """JupyterLab cannot be built; has a sentence on what is missing."""


def run(*command: object, cwd: Path | None = None) -> str:
    """Run a program, and return its output."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise DoorError(f"{Path(str(command[0])).name} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def pyodide(folder: Path) -> Path:
    """Return the folder with the core of Pyodide, in the version that the kernel needs."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    target = folder / f"pyodide-{PYODIDE_VERSION}"
    if not target.exists():
        folder.mkdir(parents=True, exist_ok=True)
        npm = Path(sys.executable).parent / "npm"
        name = run(npm, "pack", "--silent", f"pyodide@{PYODIDE_VERSION}", cwd=folder).split()[-1]
        with tarfile.open(folder / name) as archive:
            archive.extractall(folder / "unpacked", filter="data")
        (folder / "unpacked" / "package").rename(target)
    return target


def closure(packages: Packages, wanted: Iterable[str]) -> list[str]:
    """Return packages and all their dependencies that are in a lock file."""
    names: set[str] = set()
    waiting = [*wanted]
    while waiting:
        name = waiting.pop().replace("_", "-")
        if name not in names:
            names.add(name)
            waiting += packages[name]["depends"] if name in packages else []
    return sorted(names)


def is_plain(packages: Packages, name: str) -> bool:
    """Return whether a package is in plain Python, the same on every platform."""
    return name not in packages or packages[name]["file_name"].endswith("any.whl")


def pinned(name: str) -> str:
    """Return a requirement, with the version that the course is tested with if there is one."""
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line.partition("==")[0].replace("_", "-").lower() == name:
            return line
    return name


def plain_wheels(packages: Packages, names: list[str], folder: Path) -> None:
    """Download the wheels in plain Python, in the versions of the lock file."""
    wanted = [
        f"{name}=={packages[name]['version']}" if name in packages else pinned(name)
        for name in names
        if is_plain(packages, name)
    ]
    options = ["--no-deps", "--only-binary=:all:", "--platform=any", "--python-version=3.14"]
    run(sys.executable, "-m", "pip", "download", "--quiet", *options, "-d", folder, *wanted)


def compiled_wheels(packages: Packages, names: list[str], folder: Path, source: str) -> None:
    """Download the wheels that are compiled for Pyodide, and compare them with the lock file."""
    for name in names:
        if is_plain(packages, name):
            continue
        file = packages[name]["file_name"]
        try:
            content = fetched(source, file)
        except OSError as error:
            raise DoorError(f"{file} cannot be downloaded from {source}: {error}") from error
        if hashlib.sha256(content).hexdigest() != packages[name]["sha256"]:
            raise DoorError(f"{file} from {source} is not the file that Pyodide published")
        (folder / file).write_bytes(content)


def fetched(source: str, name: str) -> bytes:
    """Return a file from a folder or an address."""
    if "://" not in source:
        return (Path(source) / name).read_bytes()
    with urlopen(f"{source.rstrip('/')}/{name}", timeout=120) as answer:
        content: bytes = answer.read()
    return content


def write_lock(folder: Path) -> list[str]:
    """Write a lock file with the wheels in a folder, and return the names of all packages."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
    from pyodide_lock import PyodideLockSpec
    from pyodide_lock.utils import add_wheels_to_spec

    path = folder / "pyodide-lock.json"
    lock = json.loads(path.read_text(encoding="utf-8"))
    wheels = {wheel.name: wheel for wheel in sorted(folder.glob("*.whl"))}
    compiled = {  # already in the lock file
        name: package
        for name, package in lock["packages"].items()
        if not is_plain(lock["packages"], name) and package["file_name"] in wheels
    }
    spec = PyodideLockSpec(info={"version": PYODIDE_VERSION} | lock["info"], packages=compiled)
    plain = [wheel for name, wheel in wheels.items() if name.endswith("any.whl")]
    packages = add_wheels_to_spec(spec, plain, ignore_missing_dependencies=True).packages
    for package in packages.values():  # dependencies that no browser has are dropped
        package.depends = [name for name in package.depends if name in packages]
    lock["packages"] = {name: package.model_dump() for name, package in packages.items()}
    path.write_text(json.dumps(lock), encoding="utf-8")
    return sorted(packages)


def contents(folder: Path, solutions: bool) -> None:
    """Write the files that JupyterLab shows: the welcome page, and the students' notebooks."""
    copy_source(folder, solutions)
    for notebook in folder.glob(NOTEBOOKS):
        text = student_copy(notebook.read_text(encoding="utf-8"))
        notebook.write_text(text, encoding="utf-8", newline="\n")
    for path in folder.iterdir():
        if path.name != "notebooks":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copy(WELCOME, folder)


def build_door(site: Path, solutions: bool = True, compiled: str = "") -> list[str]:
    """Build JupyterLab in ``site/lite``, and return the names of its packages.

    Parameters
    ----------
    site : Path
    solutions : bool
        Whether its notebooks have solutions.
    compiled : str
        Folder or address of the wheels that Pyodide publishes; empty for none.

    Raises
    ------
    DoorError
        If a file cannot be downloaded.
    """
    source = FOLDER / "jupyterlite"
    shutil.rmtree(source, ignore_errors=True)
    target = source / "static" / "pyodide"
    shutil.copytree(pyodide(FOLDER), target)
    packages = json.loads((target / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    names = closure(packages, WANTED)
    plain_wheels(packages, names, target)
    if compiled:
        compiled_wheels(packages, names, target, compiled)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", target, ROOT)
    names_of_packages = write_lock(target)
    contents(source / "contents", solutions)
    (source / "jupyter-lite.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    shutil.rmtree(site / "lite", ignore_errors=True)
    build = (
        "lite",
        "build",
        "--lite-dir",
        source,
        "--contents",
        source / "contents",
        "--apps",
        "lab",
    )
    output = ("--output-dir", (site / "lite").resolve(), "--no-sourcemaps")
    run(sys.executable, "-m", "jupyter", *build, *output, cwd=source)
    return names_of_packages


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--without-solutions", action="store_true")
    parser.add_argument("--compiled", default="", metavar="FOLDER_OR_ADDRESS")
    parser.add_argument("--published", action="store_const", dest="compiled", const=published())
    arguments = parser.parse_args()
    site = ROOT / "_build" / "html"
    try:
        names = build_door(site, not arguments.without_solutions, arguments.compiled)
    except DoorError as error:
        print(error)
        return 1
    print(f"JupyterLab is at {site / 'lite'}; served, the site leads to it.")
    if "numpy" not in names:
        print(
            "It derives equations, but has no NumPy, SciPy and Matplotlib: "
            '"make lite COMPILED=published" adds them, from where Pyodide publishes them.'
        )
    return 0


def published() -> str:
    """Return the address at which Pyodide publishes its compiled wheels."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

    return str(PYODIDE_CDN_URL)


if __name__ == "__main__":
    sys.exit(main())
