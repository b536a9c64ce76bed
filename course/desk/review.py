"""Report on exercises for their author.

``python -m course exercises`` prints it, for the course's exercises or for an instructor's own.
"""

from __future__ import annotations

import importlib
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from course.boxes.distinct_motions import alike_motions
from course.desk.copies import CourseNotFoundError, course_folder, course_notebooks
from course.desk.course_record import chapter_of, name_of
from course.desk.files import cells_of
from course.judge.exercise import Exercise
from course.judge.prompts import prompt_flaws
from course.judge.review import flaws
from straightline.arguments import instance

_HEADING = re.compile(r"\(`([\w-]+)`\)")


def review(
    chapter: str = "", module: str = "course.exercises", notebooks: Sequence[str | Path] = ()
) -> tuple[list[str], bool]:
    """Return what should be improved in exercises.

    Parameters
    ----------
    chapter : str
        Number or name of the only chapter to review, such as ``"10"``, ``"your-own-machine"``, or
        ``"your_own_machine"``.
    module : str
        Name of a module or package with exercises.
    notebooks : sequence of path
        Notebooks with their prompts; for the course's own exercises, its notebooks unless given.

    Returns
    -------
    list of str, bool
        The report's lines, and whether there is nothing to improve.

    Raises
    ------
    FileNotFoundError
        If a notebook does not exist.
    ImportError
        If the module cannot be imported.
    ValueError
        If there are no exercises, or none of that chapter, or a notebook is damaged.
    """
    chosen = _of_chapter(_exercises(module), instance(chapter, "chapter", str))
    files = [Path(path) for path in notebooks]
    if not files and module == "course.exercises":
        files = _notebooks()
    prompts = {name: text for file in files for name, text in _prompts(file).items()}
    lines, faulty = [], 0
    for exercise in chosen:
        if sentences := _flaws(exercise, prompts if files else None):
            faulty += 1
            lines += [exercise.name, *(_item(sentence) for sentence in sentences), ""]
    return [*lines, *_ending(len(chosen), faulty, bool(files))], not faulty


def _notebooks() -> list[Path]:
    """Return the notebooks of the course; none if only its package is installed."""
    try:
        return course_notebooks(course_folder())
    except CourseNotFoundError:
        return []


def _flaws(exercise: Exercise, prompts: dict[str, str] | None) -> list[str]:
    sentences = [*flaws(exercise)]
    if not sentences:
        sentences += alike_motions(exercise)
    if prompts is None:
        return sentences
    if exercise.name not in prompts:
        return [*sentences, f"No prompt has (`{exercise.name}`) in its heading."]
    return sentences + prompt_flaws(exercise, prompts[exercise.name])


def _item(sentence: str) -> str:
    return textwrap.fill(sentence, 96, initial_indent="  - ", subsequent_indent="    ")


def _ending(count: int, faulty: int, with_prompts: bool) -> list[str]:
    exercises = f"{count} exercise{'s' * (count != 1)}"
    summary = f"{faulty} of {exercises} to fix." if faulty else f"{exercises}: nothing to fix."
    unread = "Prompts were not checked: name their notebooks with --notebook."
    return [summary] if with_prompts else [summary, unread]


def _exercises(module: str) -> list[Exercise]:
    """Return the exercises of a module, or of all modules of the course."""
    contents = importlib.import_module(instance(module, "module", str))
    if hasattr(contents, "every_exercise"):
        return list(contents.every_exercise())
    values = getattr(contents, "EXERCISES", None) or vars(contents).values()
    exercises = [value for value in values if isinstance(value, Exercise)]
    if not exercises:
        raise ValueError(
            f"{module} contains no exercise: assign each one to a name, or list it in EXERCISES"
        )
    return exercises


def _of_chapter(exercises: list[Exercise], chapter: str) -> list[Exercise]:
    if not chapter:
        return exercises
    name = full_name(chapter)
    selected = [exercise for exercise in exercises if exercise.name.rpartition("-")[0] == name]
    if not selected:
        chapters = ", ".join(
            dict.fromkeys(exercise.name.rpartition("-")[0] for exercise in exercises)
        )
        raise ValueError(f"there is no chapter {chapter!r} with exercises; choose from {chapters}")
    return selected


def full_name(chapter: str) -> str:
    """Return the name of a chapter, given by its number, folder, or module.

    Parameters
    ----------
    chapter : str
        Such as ``"10"``, ``"10-your-own-machine"``, or ``"your_own_machine"``.
    """
    number, _, name = chapter.replace("_", "-").partition("-")
    if not number.isdigit():
        return chapter.replace("_", "-")
    names = [*map(name_of, _notebooks())]
    found = (chapter_of(one) for one in names if one.startswith(f"{number.zfill(2)}-"))
    return name or next(found, chapter)


def _prompts(path: Path) -> dict[str, str]:
    """Return the prompts in a notebook by the names in their headings."""
    texts = {}
    for cell in cells_of(path):
        heading, _, text = cell["source"].partition("\n")
        named = _HEADING.search(heading)
        if cell["cell_type"] == "markdown" and named:
            texts[named[1]] = text
    return texts
