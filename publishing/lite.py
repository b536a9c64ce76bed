"""The door: JupyterLab beside the site, with Python, the notebooks and the course in the browser.

Python for browsers is Pyodide. Its core comes from npm, and packages of plain Python from PyPI, all
served by the site itself. Those that must be compiled (NumPy, SciPy, Matplotlib) neither has:
Pyodide publishes them. With ``--published`` they are taken from there, with ``--compiled`` from
another place that has the same files, and served by the site, too.
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

from publishing.build_book import copy_source
from publishing.execute_notebooks import ROOT

#: Of a lock file of Pyodide: name -> version, file_name, sha256, depends, ...
Packages = dict[str, dict[str, Any]]

FOLDER = ROOT / "_build" / "lite"
#: What the kernel needs, and what the notebooks import beside the course.
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
    """The door cannot be built; the sentence says what is missing."""


def run(*command: object, cwd: Path | None = None) -> str:
    """Run a program of the environment; return what it prints."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise DoorError(f"{Path(str(command[0])).name} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def pyodide(folder: Path) -> Path:
    """Return the folder with the core of Pyodide, of the version that the kernel is made for."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    there = folder / f"pyodide-{PYODIDE_VERSION}"
    if not there.exists():
        folder.mkdir(parents=True, exist_ok=True)
        npm = Path(sys.executable).parent / "npm"
        name = run(npm, "pack", "--silent", f"pyodide@{PYODIDE_VERSION}", cwd=folder).split()[-1]
        with tarfile.open(folder / name) as archive:
            archive.extractall(folder / "unpacked", filter="data")
        (folder / "unpacked" / "package").rename(there)
    return there


def closure(packages: Packages, wanted: Iterable[str]) -> list[str]:
    """Return what is wanted and all that it depends on, as far as a lock file knows."""
    names: set[str] = set()
    waiting = [*wanted]
    while waiting:
        name = waiting.pop().replace("_", "-")
        if name not in names:
            names.add(name)
            waiting += packages[name]["depends"] if name in packages else []
    return sorted(names)


def is_plain(packages: Packages, name: str) -> bool:
    """Return whether a package is plain Python, the same everywhere."""
    return name not in packages or packages[name]["file_name"].endswith("any.whl")


def pinned(name: str) -> str:
    """Return a requirement: of the version that the course is tested with, if there is one."""
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line.partition("==")[0].replace("_", "-").lower() == name:
            return line
    return name


def plain_wheels(packages: Packages, names: list[str], folder: Path) -> None:
    """Fetch the wheels of plain Python, of the versions that the lock file names."""
    wanted = [
        f"{name}=={packages[name]['version']}" if name in packages else pinned(name)
        for name in names
        if is_plain(packages, name)
    ]
    options = ["--no-deps", "--only-binary=:all:", "--platform=any", "--python-version=3.14"]
    run(sys.executable, "-m", "pip", "download", "--quiet", *options, "-d", folder, *wanted)


def compiled_wheels(packages: Packages, names: list[str], folder: Path, source: str) -> None:
    """Fetch the wheels that are compiled for Pyodide; each must be the one that the lock names."""
    for name in names:
        if is_plain(packages, name):
            continue
        file = packages[name]["file_name"]
        try:
            content = fetched(source, file)
        except OSError as error:
            raise DoorError(f"{file} is not to be had from {source}: {error}") from error
        if hashlib.sha256(content).hexdigest() != packages[name]["sha256"]:
            raise DoorError(f"{file} from {source} is not the file that Pyodide published")
        (folder / file).write_bytes(content)


def fetched(source: str, name: str) -> bytes:
    """Return a file of a folder, or of an address."""
    if "://" not in source:
        return (Path(source) / name).read_bytes()
    with urlopen(f"{source.rstrip('/')}/{name}", timeout=120) as answer:
        content: bytes = answer.read()
    return content


def write_lock(folder: Path) -> list[str]:
    """Let Pyodide know the wheels of a folder, and no others; return the names of them all."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
    from pyodide_lock import PyodideLockSpec
    from pyodide_lock.utils import add_wheels_to_spec

    path = folder / "pyodide-lock.json"
    lock = json.loads(path.read_text(encoding="utf-8"))
    wheels = {wheel.name: wheel for wheel in sorted(folder.glob("*.whl"))}
    compiled = {  # these are described there already
        name: package
        for name, package in lock["packages"].items()
        if not is_plain(lock["packages"], name) and package["file_name"] in wheels
    }
    spec = PyodideLockSpec(info={"version": PYODIDE_VERSION} | lock["info"], packages=compiled)
    plain = [wheel for name, wheel in wheels.items() if name.endswith("any.whl")]
    known = add_wheels_to_spec(spec, plain, ignore_missing_dependencies=True).packages
    for package in known.values():  # for what no browser has, nobody waits
        package.depends = [name for name in package.depends if name in known]
    lock["packages"] = {name: package.model_dump() for name, package in known.items()}
    path.write_text(json.dumps(lock), encoding="utf-8")
    return sorted(known)


def contents(folder: Path, solutions: bool) -> None:
    """Write what the door's folder shows: the welcome, and the notebooks as they are written."""
    copy_source(folder, solutions)
    for path in folder.iterdir():
        if path.name != "notebooks":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copy(WELCOME, folder)


def build_door(site: Path, solutions: bool = True, compiled: str = "") -> list[str]:
    """Build the door in ``site/lite``; return the names of the packages that it has.

    Parameters
    ----------
    site : Path
    solutions : bool
        Whether its notebooks have them.
    compiled : str
        A folder or an address with the wheels that Pyodide publishes; empty, there are none.

    Raises
    ------
    DoorError
        If something that is wanted is not to be had.
    """
    work = FOLDER / "jupyterlite"
    shutil.rmtree(work, ignore_errors=True)
    target = work / "static" / "pyodide"
    shutil.copytree(pyodide(FOLDER), target)
    packages = json.loads((target / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    names = closure(packages, WANTED)
    plain_wheels(packages, names, target)
    if compiled:
        compiled_wheels(packages, names, target, compiled)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", target, ROOT)
    there = write_lock(target)
    contents(work / "contents", solutions)
    (work / "jupyter-lite.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    shutil.rmtree(site / "lite", ignore_errors=True)
    build = ("lite", "build", "--lite-dir", work, "--contents", work / "contents", "--apps", "lab")
    output = ("--output-dir", (site / "lite").resolve(), "--no-sourcemaps")
    run(sys.executable, "-m", "jupyter", *build, *output, cwd=work)
    return there


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--without-solutions", action="store_true")
    parser.add_argument("--compiled", default="", metavar="FOLDER_OR_ADDRESS")
    parser.add_argument("--published", action="store_const", dest="compiled", const=published())
    arguments = parser.parse_args()
    site = ROOT / "_build" / "html"
    try:
        there = build_door(site, not arguments.without_solutions, arguments.compiled)
    except DoorError as error:
        print(error)
        return 1
    print(f"JupyterLab is at {site / 'lite'}; served, the site leads to it.")
    if "numpy" not in there:
        print(
            "It derives equations, but has no NumPy, SciPy and Matplotlib: "
            '"make lite COMPILED=published" adds them, from where Pyodide publishes them.'
        )
    return 0


def published() -> str:
    """Return where Pyodide publishes its compiled wheels."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

    return str(PYODIDE_CDN_URL)


if __name__ == "__main__":
    sys.exit(main())
