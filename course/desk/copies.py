"""Working copies of the notebooks, so that a student's edits and updates of the course never meet.

A copy leaves out author cells, which only check numbers in the text.
Used by ``python -m course notebooks``.
"""

from __future__ import annotations

import hashlib
import json
import re
from itertools import count
from pathlib import Path
from typing import Any

from course.desk.course_record import RECORD, name_of, read_record
from course.desk.files import AUTHOR_CELL, notebook_of, read_notebook
from course.desk.jupyterlab import for_jupyterlab
from straightline.arguments import instance, path_of, shown, truth
from tutlib.reading.files import write_whole

#: File in a folder of copies with digests of the notebooks that they were made from.
_COPIED = ".copied.json"
#: Number of copies that are listed one by one.
_FEW = 8
_BIBLIOGRAPHY = Path("book", "references.bib")
_REPOSITORY = Path(__file__).resolve().parents[2]


class CourseNotFoundError(FileNotFoundError):
    """The folder of the course is missing, as when only its package is installed."""


def course_folder() -> Path:
    """Return the folder that holds the course's notebooks.

    Raises
    ------
    CourseNotFoundError
        If they are neither next to the package nor in the current folder.
    """
    for folder in (_REPOSITORY, Path.cwd()):
        if _listed(folder):
            return folder
    raise CourseNotFoundError(
        "the course's notebooks are not here: run this command in the folder of the course"
    )


def work_folder(folder: str | Path | None = None) -> Path:
    """Return the folder of a reader's own notebooks.

    Parameters
    ----------
    folder : path, optional
        That folder; unless given, it is ``work`` in the folder of the course, or the current
        folder if only the package is installed.
    """
    if folder is not None:
        return path_of(folder, "folder", "work")
    try:
        return course_folder() / "work"
    except CourseNotFoundError:
        return Path.cwd()


def course_notebooks(folder: Path | None = None) -> list[Path]:
    """Return the notebooks of the course that its record lists.

    Parameters
    ----------
    folder : path, optional
        Folder of the course, found automatically unless given.

    Raises
    ------
    FileNotFoundError
        If the course or a listed notebook is missing.
    """
    paths = _listed(course_folder() if folder is None else path_of(folder, "folder", "course"))
    for path in paths:
        if not path.is_file():
            raise FileNotFoundError(
                f"{path} is missing, but {RECORD} lists it: restore the file, or remove it from "
                "the list"
            )
    return paths


def _listed(folder: Path) -> list[Path]:
    chapters = read_record(folder) if (folder / RECORD).is_file() else []
    sections = [section for chapter in chapters for section in chapter.sections]
    return [folder / "notebooks" / f"{section.notebook}.ipynb" for section in sections]


def copy_notebooks(
    folder: str | Path | None = None, fresh: str | int | None = None, solutions: bool = True
) -> list[str]:
    """Copy the notebooks to a folder, and keep every existing file unchanged.

    Parameters
    ----------
    folder : path, optional
        ``work`` in the folder of the course unless given; created if it does not exist.
    fresh : str or int, optional
        Number of one chapter, such as ``"01"``, of which to make second copies beside the first.
    solutions : bool
        Whether the copies include the solutions of the exercises.

    Returns
    -------
    list of str
        What was copied; which copies are older than the course, and which notebooks are not part of
        it anymore. Notebooks without news are counted in one line.

    Raises
    ------
    FileNotFoundError
        If there are no notebooks, or none with that number.
    OSError
        If the folder is not writable.
    TypeError
        If the folder is not a path, or ``solutions`` is not a bool.
    ValueError
        If ``fresh`` is not the number of a chapter, or a notebook is damaged; all others are
        copied.
    """
    number, with_solutions = _prefix(fresh), truth(solutions, "solutions")
    if folder is not None:
        path_of(folder, "folder", "work")
    source = course_folder()
    target = source / "work" if folder is None else Path(folder)
    notebooks = [path for path in course_notebooks(source) if name_of(path).startswith(number)]
    if not notebooks:
        raise FileNotFoundError(f"there is no chapter {number.removesuffix('-')}")
    target.mkdir(parents=True, exist_ok=True)
    copied = _copied(target)
    made, news, failed, unchanged = [], [], [], 0
    for notebook in notebooks:
        try:
            copy, message = _copy(notebook, target, fresh is not None, with_solutions, copied)
        except ValueError as error:
            failed.append(str(error))
            continue
        if copy:
            made.append(f"made {copy}")
        elif message:
            news.append(message)
        else:
            unchanged += 1
    write_whole(target / _COPIED, (json.dumps(copied, indent=1, sort_keys=True) + "\n").encode())
    if failed:
        raise ValueError("\n".join(failed))
    lines = made if len(made) <= _FEW else [f"{len(made)} notebooks were copied to {target}"]
    if unchanged:
        are = "notebook in {} is" if unchanged == 1 else "notebooks in {} are"
        lines.append(f"{unchanged} {are.format(target)} up to date; none was overwritten")
    return [*lines, *news, *([] if number else _gone(target, copied, notebooks))]


def _copied(target: Path) -> dict[str, str]:
    """Return the digests of what the copies in a folder were made from, by notebook."""
    try:
        record = json.loads((target / _COPIED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _gone(target: Path, copied: dict[str, str], notebooks: list[Path]) -> list[str]:
    """Return a line for each copy whose notebook was renamed or removed."""
    names = {*copied} - set(map(name_of, notebooks))
    return [
        f"{target / name}.ipynb is not part of the course anymore (renamed or removed); it was "
        "left as it is"
        for name in sorted(names)
        if (target / f"{name}.ipynb").exists()
    ]


def _prefix(number: Any) -> str:
    """Return the beginning of a chapter's notebook name; empty if no number is given."""
    if number is None:
        return ""
    text = "" if isinstance(number, bool) else str(number)
    if not re.fullmatch("[0-9]{1,2}", text):
        raise ValueError(
            f'fresh must be the number of a chapter, such as "01"; got {shown(number)}'
        )
    return f"{text.zfill(2)}-"


def _copy(
    notebook: Path, target: Path, fresh: bool, solutions: bool, copied: dict[str, str]
) -> tuple[Path | None, str]:
    """Copy a notebook unless a copy exists; return the new copy, or what there is to say of it."""
    name, content = name_of(notebook), read_notebook(notebook)
    left_out = {AUTHOR_CELL} if solutions else {AUTHOR_CELL, "solution"}
    sources = [(cell.cell_type, cell.source) for cell in content.cells]
    digest = hashlib.sha256(json.dumps(sources).encode()).hexdigest()[:16]
    for_jupyterlab(content.cells, notebook.parents[2] / _BIBLIOGRAPHY)
    text = _without(left_out, content)
    for number in count(1):
        copy = target / f"{name}{f'-{number}' if number > 1 else ''}.ipynb"
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_whole(copy, text.encode())
            copied[name] = digest
            return copy, ""
        if not fresh:
            return None, _remark(copy, news=copied.get(name, digest) != digest)
    raise AssertionError  # unreachable: the numbers are endless


def _remark(copy: Path, news: bool) -> str:
    """Return a remark about a copy that cannot be opened, or that is older than the course."""
    number = copy.parent.name.partition("-")[0]
    second = f"To make a second copy next to it: python -m course notebooks --fresh {number}"
    try:
        read_notebook(copy)
    except (OSError, ValueError) as error:
        return f"{copy} was left as it is, but {error}. {second}"
    if news:
        return f"{copy} is older than the course, which has a new version. {second}"
    return ""


def _as_text(notebook: Any) -> str:
    import nbformat

    return str(nbformat.writes(notebook, indent=1, sort_keys=True)) + "\n"


def _without(tags: set[str], notebook: Any) -> str:
    """Return the text of a notebook without the cells that have one of the tags."""
    notebook.cells = [c for c in notebook.cells if tags.isdisjoint(c.metadata.get("tags", []))]
    return _as_text(notebook)


def without_solutions(text: str) -> str:
    """Return a notebook without the cells that are tagged ``solution``.

    Parameters
    ----------
    text : str
        Content of the notebook's file.

    Raises
    ------
    TypeError
        If it is not text.
    ValueError
        If it is not a notebook.
    """
    return _without({"solution"}, _notebook(text))


def student_copy(text: str) -> str:
    """Return a notebook as a student opens it in JupyterLab.

    It has no cells that only check numbers in the text. Citations are authors and years, links to
    settings of a simulation are plain text, and code of figures is folded.

    Parameters
    ----------
    text : str
        The content of the notebook's file.

    Raises
    ------
    TypeError
        If it is not a str.
    ValueError
        If it is not that of a notebook.
    """
    notebook = _notebook(text)
    for_jupyterlab(notebook.cells, _REPOSITORY / _BIBLIOGRAPHY)
    return _without({AUTHOR_CELL}, notebook)


def _notebook(text: str) -> Any:
    return notebook_of(instance(text, "text", str, "that of a notebook"))
