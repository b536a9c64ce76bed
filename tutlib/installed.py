"""Check that Python and the package belong to this folder.

``make setup`` records the folder and the Python version in the file ``installed`` of ``.venv``.
"""

from __future__ import annotations

import sys
from pathlib import Path


def astray() -> tuple[str, str] | None:
    """Return a problem with the location of Python or the package, and its remedy, or nothing.

    In a folder that was copied or renamed, Python still imports the package of the first folder,
    or none; and a copy of the package next to a notebook hides the installed package.
    """
    here, beside = Path(sys.prefix).resolve().parent, Path(__file__).resolve().parents[1]
    try:
        folder, python = Path(sys.prefix, "installed").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None  # set up with another tool, such as conda
    if Path(folder).resolve() != here:
        wrong = f"{here} was copied or renamed after it had been set up as {folder}"
        return wrong, f'run "make setup" in {here}'
    version = "{} {}".format(*sys.version_info)
    if python != f"{sys.base_prefix} {version}":
        wrong = f"{sys.prefix} was made for another Python, {python}"
        return wrong, f'run "make setup" in {here}'
    started = {Path.cwd().resolve(), Path(sys.path[0] or ".").resolve()}
    if beside != here and beside in started and not (beside / "pyproject.toml").exists():
        wrong = f"{beside / 'tutlib'} hides the package tutlib"
        return wrong, "rename that folder, and start Python again"
    return None
