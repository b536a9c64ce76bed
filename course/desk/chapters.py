"""What each chapter says of itself at its top: its question, its hours, what it builds on.

The landing page, the plans for instructors and the pictures of links are made of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from course.desk.copies import course_notebooks
from tutlib.reading.files import cells_of

_HOURS = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
]  # fmt: skip
_QUESTION = re.compile(r"^\*([^*]+)\*$", re.MULTILINE | re.DOTALL)
_TOP = re.compile(r"\*\*It builds on\*\*(.*?)\*\*It\s+takes\*\*\s+about\s+(\w+)\s+hours", re.DOTALL)
_LEARNED = re.compile(r"\*\*What you will be able to do\*\*\n+(- .*?)\n\n", re.DOTALL)
_STRETCH = re.compile(r"^> \*\*Exercise .*stretch · (\d+) minutes", re.MULTILINE)


@dataclass(frozen=True)
class Chapter:
    """What stands at the top of a chapter.

    Parameters
    ----------
    number : int
    name : str
        Of its file without the number, such as ``"double-pendulum"``.
    title, question : str
    before : list of int
        The chapters that it builds on.
    hours : int
        That it takes a reader who does all exercises.
    core : float
        The same without the exercises that are marked as stretch.
    learned : str
        What the reader will be able to do, in one sentence.
    """

    number: int
    name: str
    title: str
    question: str
    before: list[int]
    hours: int
    core: float
    learned: str


def chapter_of(notebook: str | Path) -> Chapter:
    """Read what a chapter says of itself.

    Parameters
    ----------
    notebook : path
        Its file's name begins with its number, such as ``notebooks/01-pendulum.ipynb``.

    Raises
    ------
    ValueError
        If it is no notebook, or the top of the chapter lacks its question, what it builds on, its
        hours, or what one learns.
    """
    path = Path(notebook)
    text = "\n\n".join(c["source"] for c in cells_of(path) if c["cell_type"] == "markdown")
    question, top, learned = (shape.search(text) for shape in (_QUESTION, _TOP, _LEARNED))
    if not (question and top and learned and top[2] in _HOURS):
        raise ValueError(
            f"{path.name} must say at its top its question, what it builds on, its hours in words, "
            "and what one will be able to do"
        )
    number, _, name = path.stem.partition("-")
    hours, stretch = _HOURS.index(top[2]), sum(map(int, _STRETCH.findall(text)))
    return Chapter(
        int(number),
        name,
        text.partition("\n")[0].removeprefix("# ").partition(":")[0],
        " ".join(question[1].split()),
        [int(linked) for linked in re.findall(r"\((\d\d)-", top[1])],
        hours,
        hours - stretch / 60,
        " ".join(learned[1].removeprefix("- ").split()).replace("; - ", "; "),
    )


def chapters_of_course() -> dict[int, Chapter]:
    """Return what each chapter of the course says of itself, by its number."""
    return {chapter.number: chapter for chapter in map(chapter_of, course_notebooks())}
