"""Working copies of the notebooks: a student's edits and the course's updates never meet.

Used by ``python -m tutlib notebooks``, before the course begins.
"""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any

from tutlib.programs.arguments import instance, path_of, shown, truth
from tutlib.programs.files import write_whole

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
    folder: str | Path | None = None, fresh: str | int | None = None, solutions: bool = True
) -> list[str]:
    """Copy the notebooks to a folder; leave alone every file that is there already.

    Parameters
    ----------
    folder : path, optional
        ``work`` in the folder of the course unless given; made if it does not exist.
    fresh : str or int, optional
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
    TypeError
        If the folder is no path, or ``solutions`` not True or False.
    ValueError
        If ``fresh`` is no number of a chapter, or what should be a notebook is none.
    """
    number, whole = _chapter(fresh), truth(solutions, "solutions")
    if folder is not None:
        path_of(folder, "folder", "work")
    source = course_folder()
    target = source / "work" if folder is None else Path(folder)
    notebooks = sorted(source.glob(f"notebooks/{number}-*.ipynb"))
    if not notebooks:
        raise FileNotFoundError(f"there is no notebook {number}")
    target.mkdir(parents=True, exist_ok=True)
    return [_copy(notebook, target, fresh is not None, whole) for notebook in notebooks]


def _chapter(number: Any) -> str:
    """Return the number of a chapter in two digits; a pattern of any if none is given."""
    if number is None:
        return "[0-9][0-9]"
    text = "" if isinstance(number, bool) else str(number)
    if not re.fullmatch("[0-9]{1,2}", text):
        raise ValueError(
            f'fresh must be the number of a chapter, such as "01"; got {shown(number)}'
        )
    return text.zfill(2)


def _copy(notebook: Path, target: Path, fresh: bool, solutions: bool) -> str:
    text = notebook.read_text(encoding="utf-8")
    if not solutions:
        try:
            text = without_solutions(text)
        except ValueError as error:
            raise ValueError(f"{notebook}: {error}") from error
    for number in count(1):
        ending = f"-{number}" if number > 1 else ""
        copy = target / f"{notebook.stem}{ending}.ipynb"
        if not copy.exists():
            write_whole(copy, text.encode())
            return f"made       {copy}"
        if not fresh:
            return f"left alone {copy}: it is there already"
    raise AssertionError  # the numbers do not end


def without_solutions(text: str) -> str:
    """Return a notebook without the cells that are tagged ``solution``.

    Parameters
    ----------
    text : str
        What the notebook's file holds.

    Raises
    ------
    TypeError
        If it is no text.
    ValueError
        If it is not that of a notebook.
    """
    import nbformat
    from nbconvert.preprocessors import TagRemovePreprocessor

    instance(text, "text", str, "that of a notebook")
    try:
        whole = nbformat.reads(text, as_version=4)
        nbformat.validate(whole)
    except (AttributeError, TypeError, ValueError, nbformat.ValidationError) as error:
        wrong = str(error).partition("\n")[0]
        raise ValueError(f"the text must be that of a notebook; {shown(text)}: {wrong}") from error
    remover = TagRemovePreprocessor(remove_cell_tags={"solution"}, enabled=True)
    notebook, _ = remover.preprocess(whole, {})
    return str(nbformat.writes(notebook, indent=1, sort_keys=True)) + "\n"
