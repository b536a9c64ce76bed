"""Hours, order, and goals of the chapters.

The landing page, the plans for instructors, and the previews of links use them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from course.desk.copies import course_folder
from course.desk.course_record import Chapter, read_record
from course.desk.files import cells_of

_GOALS = re.compile(r"\*\*What you will be able to do\*\*\n+(- .*?)\n\n", re.DOTALL)
_STRETCH = re.compile(r"^> \*\*Exercise .*stretch · (\d+) minutes", re.MULTILINE)


def chapters_of_course() -> dict[int, Chapter]:
    """Return the chapters of the course by number, without sections that are drafts."""
    return finished(read_record(course_folder()))


def finished(chapters: list[Chapter]) -> dict[int, Chapter]:
    """Return chapters by number, without sections that are drafts.

    Parameters
    ----------
    chapters : list of Chapter
        A chapter with no other sections is left out.
    """
    ready = {c.number: [section for section in c.sections if not section.draft] for c in chapters}
    return {c.number: replace(c, sections=ready[c.number]) for c in chapters if ready[c.number]}


def core_hours(chapter: Chapter) -> float:
    """Return the hours of a chapter without its stretch exercises.

    Parameters
    ----------
    chapter : Chapter
    """
    return chapter.hours - sum(map(int, _STRETCH.findall(_text(chapter)))) / 60


def goals(chapter: Chapter) -> str:
    """Return the goals of a chapter, from its list of what the reader will be able to do.

    Parameters
    ----------
    chapter : Chapter

    Raises
    ------
    ValueError
        If it has no such list.
    """
    listed = _GOALS.search(_text(chapter))
    if listed is None:
        raise ValueError(
            f'{chapter.sections[0].notebook} has no list below "**What you will be able to do**"'
        )
    return " ".join(listed[1].removeprefix("- ").split()).replace("; - ", "; ")


def _text(chapter: Chapter) -> str:
    folder = course_folder() / "notebooks"
    cells = [
        c for section in chapter.sections for c in cells_of(folder / f"{section.notebook}.ipynb")
    ]
    return "\n\n".join(cell["source"] for cell in cells if cell["cell_type"] == "markdown")
