"""Working copies of the notebooks: a student's edits and the course's updates never meet.

Used by ``python -m tutlib notebooks``, before the course begins.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

_BESIDE_THE_PACKAGE = Path(__file__).resolve().parents[2]


def course_folder() -> Path:
    """Return the folder that holds the course's notebooks.

    Raises
    ------
    FileNotFoundError
        If they are neither beside the package nor where you are.
    """
    for folder in (_BESIDE_THE_PACKAGE, Path.cwd()):
        if list(folder.glob("notebooks/[0-9][0-9]-*.ipynb")):
            return folder
    raise FileNotFoundError("the notebooks are not here: go to the folder of the course first")


def copy_notebooks(
    folder: str | Path | None = None, fresh: str | None = None, solutions: bool = True
) -> list[str]:
    """Copy the notebooks to a folder; leave alone every file that is there already.

    Parameters
    ----------
    folder : path, optional
        ``work`` in the folder of the course unless given; made if it does not exist.
    fresh : str, optional
        The number of one chapter, such as ``"01"``: make a second copy of it beside the first.
    solutions : bool
        Whether the copies hold the solutions of the exercises.

    Returns
    -------
    list of str
        What was done, a line for each notebook.

    Raises
    ------
    FileNotFoundError
        If there are no notebooks, or none of that number.
    OSError
        If the folder cannot be written to.
    """
    source = course_folder()
    target = source / "work" if folder is None else Path(folder)
    notebooks = sorted(source.glob(f"notebooks/{fresh or '[0-9][0-9]'}-*.ipynb"))
    if not notebooks:
        raise FileNotFoundError(f"there is no notebook {fresh}")
    target.mkdir(parents=True, exist_ok=True)
    return [_copy(notebook, target, fresh is not None, solutions) for notebook in notebooks]


def _copy(notebook: Path, target: Path, fresh: bool, solutions: bool) -> str:
    text = notebook.read_text(encoding="utf-8")
    if not solutions:
        text = without_solutions(text)
    for number in count(1):
        ending = f"-{number}" if number > 1 else ""
        copy = target / f"{notebook.stem}{ending}.ipynb"
        if not copy.exists():
            _write_whole(copy, text)
            return f"made       {copy}"
        if not fresh:
            return f"left alone {copy}: it is there already"
    raise AssertionError  # the numbers do not end


def _write_whole(path: Path, text: str) -> None:
    """Write a file that is not there yet: all of it, or, on a full disk, nothing."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # a full disk may tell only now
        aside.rename(path)
    finally:
        aside.unlink(missing_ok=True)


def without_solutions(text: str) -> str:
    """Return a notebook without the cells that are tagged ``solution``."""
    import nbformat
    from nbconvert.preprocessors import TagRemovePreprocessor

    remover = TagRemovePreprocessor(remove_cell_tags={"solution"}, enabled=True)
    notebook, _ = remover.preprocess(nbformat.reads(text, as_version=4), {})
    return str(nbformat.writes(notebook, indent=1, sort_keys=True)) + "\n"
