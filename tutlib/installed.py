"""Whether this is the Python that was set up for this folder, with the package that it should have.

``make setup`` writes down, in the file ``installed`` of ``.venv``, the folder and the Python.
"""

from __future__ import annotations

import sys
from pathlib import Path


def astray() -> tuple[str, str] | None:
    """Return what is wrong with where Python and the package are, and what to do; else nothing.

    A folder that was copied or renamed has a Python that still imports the first folder's package,
    or none; and a copy of the package beside a notebook hides the one that is kept up to date.
    """
    here, beside = Path(sys.prefix).resolve().parent, Path(__file__).resolve().parents[1]
    try:
        folder, python = Path(sys.prefix, "installed").read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None  # set up in another way, by conda for example
    if Path(folder).resolve() != here:
        wrong = f"{here} was copied, or renamed, after it had been set up as {folder}"
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
