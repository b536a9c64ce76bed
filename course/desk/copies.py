"""Working copies of the notebooks: a student's edits and the course's updates never meet.

Used by ``python -m course notebooks``, before the course begins.
"""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any

from course.desk.contents import RECORD, name_of, read_record
from course.desk.files import notebook_of, read_notebook
from straightline.arguments import instance, path_of, shown, truth
from tutlib.reading.files import write_whole

_BESIDE_THE_PACKAGE = Path(__file__).resolve().parents[2]


def course_folder() -> Path:
    """Return the folder that holds the course's notebooks.

    Raises
    ------
    FileNotFoundError
        If they are neither beside the package nor where you are.
    """
    for folder in (_BESIDE_THE_PACKAGE, Path.cwd()):
        if _listed(folder):
            return folder
    raise FileNotFoundError("the notebooks are not here: go to the folder of the course first")


def course_notebooks(folder: Path | None = None) -> list[Path]:
    """Return the notebooks of the course: those that its record lists, and no others.

    Parameters
    ----------
    folder : path, optional
        That of the course unless given.

    Raises
    ------
    FileNotFoundError
        If the course is not here, or a notebook that is listed.
    """
    paths = _listed(course_folder() if folder is None else path_of(folder, "folder", "course"))
    for path in paths:
        if not path.is_file():
            raise FileNotFoundError(
                f"{path} is not there, but {RECORD} lists it: take it back, or out of the list"
            )
    return paths


def _listed(folder: Path) -> list[Path]:
    chapters = read_record(folder) if (folder / RECORD).is_file() else []
    sections = [section for chapter in chapters for section in chapter.sections]
    return [folder / "notebooks" / f"{section.notebook}.ipynb" for section in sections]


def copy_notebooks(
    folder: str | Path | None = None, fresh: str | int | None = None, solutions: bool = True
) -> list[str]:
    """Copy the notebooks to a folder; leave alone every file that is there already.

    Parameters
    ----------
    folder : path, optional
        ``work`` in the folder of the course unless given; made if it does not exist.
    fresh : str or int, optional
        The number of one chapter, such as ``"01"``: make second copies of it beside the first.
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
        If ``fresh`` is no number of a chapter, or what should be a notebook is none; all others are
        copied.
    """
    number, whole = _chapter(fresh), truth(solutions, "solutions")
    if folder is not None:
        path_of(folder, "folder", "work")
    source = course_folder()
    target = source / "work" if folder is None else Path(folder)
    notebooks = [path for path in course_notebooks(source) if name_of(path).startswith(number)]
    if not notebooks:
        raise FileNotFoundError(f"there is no notebook {number.removesuffix('-')}")
    target.mkdir(parents=True, exist_ok=True)
    done, failed = [], []
    for notebook in notebooks:
        try:
            done.append(_copy(notebook, target, fresh is not None, whole))
        except ValueError as error:
            failed.append(str(error))
    if failed:
        raise ValueError("\n".join(failed))
    return done


def _chapter(number: Any) -> str:
    """Return how the name of a chapter's notebook begins; nothing if no number is given."""
    if number is None:
        return ""
    text = "" if isinstance(number, bool) else str(number)
    if not re.fullmatch("[0-9]{1,2}", text):
        raise ValueError(
            f'fresh must be the number of a chapter, such as "01"; got {shown(number)}'
        )
    return f"{text.zfill(2)}-"


def _copy(notebook: Path, target: Path, fresh: bool, solutions: bool) -> str:
    text = _written(read_notebook(notebook))
    if not solutions:
        text = without_solutions(text)
    for number in count(1):
        ending = f"-{number}" if number > 1 else ""
        copy = target / f"{name_of(notebook)}{ending}.ipynb"
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_whole(copy, text.encode())
            return f"made       {copy}"
        if not fresh:
            return f"left alone {copy}: it is there already{_trouble(copy)}"
    raise AssertionError  # the numbers do not end


def _trouble(copy: Path) -> str:
    """Return what else there is to say of a copy that does not open any more."""
    try:
        read_notebook(copy)
    except (OSError, ValueError) as error:
        number = name_of(copy).partition("-")[0]
        return f", but {error}. Another copy beside it: python -m course notebooks --fresh {number}"
    return ""


def _written(notebook: Any) -> str:
    import nbformat

    return str(nbformat.writes(notebook, indent=1, sort_keys=True)) + "\n"


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
    whole = notebook_of(instance(text, "text", str, "that of a notebook"))
    whole.cells = [c for c in whole.cells if "solution" not in c.metadata.get("tags", [])]
    return _written(whole)
