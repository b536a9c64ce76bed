"""Requirements of finished sections: ``python -m course chapters`` lists what each one lacks.

Requirements on a chapter may be met on any of its pages, and are listed with its first section. A
draft may lack any of them. The tests check every section whose record does not say ``draft``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from course.desk.copies import course_folder
from course.desk.course_record import Chapter, Section, read_record
from course.desk.files import cells_of

_CHECKED = "nbval-check-output"
_GRADE = re.compile(
    r'^> \*\*Exercise \d.*<span class="grade [\w-]+">([\w-]+) · (\d+) minutes</span>', re.MULTILINE
)
_LINK = re.compile(r"\]\((?:\.\./)?(\d\d)-[\w-]+(?:/[\w-]+)?\.ipynb\)")


@dataclass(frozen=True)
class _Page:
    """Notebooks of some sections of a chapter, with their record."""

    chapter: Chapter
    sections: list[Section]
    folder: Path

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        files = [
            self.folder / "notebooks" / f"{section.notebook}.ipynb" for section in self.sections
        ]
        return [cell for file in files for cell in cells_of(file)]

    @cached_property
    def text(self) -> str:
        return "\n\n".join(c["source"] for c in self.cells if c["cell_type"] == "markdown")

    @cached_property
    def code(self) -> list[str]:
        return [c["source"] for c in self.cells if c["cell_type"] == "code"]

    @cached_property
    def grades(self) -> list[tuple[str, int]]:
        return [(grade, int(minutes)) for grade, minutes in _GRADE.findall(self.text)]

    def calls(self, name: str) -> bool:
        return any(re.search(rf"\b(?:{name})\(", code) for code in self.code)


def _opens_moving(page: _Page) -> bool:
    opening = "\n".join(cell["source"] for cell in page.cells[:7])
    return "animate(" in opening or "live(" in opening


def _builds_on_what_it_links_to(page: _Page) -> bool:
    before = {int(k) for k in _LINK.findall(page.text)} & {*range(1, page.chapter.number)}
    return before <= {*page.chapter.builds_on}


def says(text: str, words: list[str]) -> bool:
    """Tell whether a text contains one of the words, in singular or plural.

    Parameters
    ----------
    text : str
    words : list of str
    """
    plain = " ".join(text.replace("\N{EN DASH}", "-").replace("*", "").split())
    return any(re.search(rf"(?<!\w){re.escape(w)}(?:s|es)?(?!\w)", plain, re.I) for w in words)


def _speaks_of_its_subjects(page: _Page) -> bool:
    whole = page.text + "\n".join(page.code)
    subjects = page.chapter.subjects
    return bool(subjects) and all(says(whole, [word]) for word in subjects)


def _leaves_time_to_read(page: _Page) -> bool:
    whole, stretch = (
        sum(minutes for grade, minutes in page.grades if grade in grades)
        for grades in (("warm-up", "core", "stretch"), ("stretch",))
    )
    return whole <= 40 * page.chapter.hours and stretch < 30 * page.chapter.hours


def _is_in_the_change_log(page: _Page) -> bool:
    changes = (page.folder / "CHANGELOG.md").read_text(encoding="utf-8")
    return f"- Chapter {page.chapter.number}, *{page.chapter.short_title}*: " in changes


#: Requirements on a finished chapter: what to do if one is not met, and a test.
_OF_A_CHAPTER: dict[str, Callable[[_Page], bool]] = {
    "open with a moving picture: animate or live in its first seven cells": _opens_moving,
    "have a live simulation": lambda page: page.calls("live|live_in_space|compare"),
    "check three results: tag their cells nbval-check-output": (
        lambda page: sum(_CHECKED in c["metadata"].get("tags", []) for c in page.cells) >= 3
    ),
    "assert its results, in five cells or more": (
        lambda page: sum("assert" in code for code in page.code) >= 5
    ),
    "list at least five goals, below **What you will be able to do**": (
        lambda page: len(re.findall(r"^- ", _goals(page), re.MULTILINE)) >= 5
    ),
    "have ten to eighteen exercises": lambda page: 10 <= len(page.grades) <= 18,
    "have exercises of three grades: warm-up, core and stretch": (
        lambda page: {grade for grade, _ in page.grades} == {"warm-up", "core", "stretch"}
    ),
    "leave time to read: a third of its hours, and half of them without stretch": (
        _leaves_time_to_read
    ),
    "link only to the earlier chapters in builds_on": _builds_on_what_it_links_to,
    "build on an earlier chapter, unless it is the first": (
        lambda page: bool(page.chapter.builds_on) or page.chapter.number == 1
    ),
    "have subjects in its record, and mention each of them": _speaks_of_its_subjects,
    "have a line in CHANGELOG.md: - Chapter 12, *Its title*: …": _is_in_the_change_log,
}
#: Requirements on each of its sections.
_OF_A_SECTION: dict[str, Callable[[_Page], bool]] = {
    "have a preview in its record, for the end of the section before": (
        lambda page: all(section.preview for section in page.sections) or _is_the_very_first(page)
    ),
    "end with ## What you can now do": lambda page: "\n## What you can now do\n" in page.text,
    "have an exercise": lambda page: bool(page.grades),
}


def _is_the_very_first(page: _Page) -> bool:
    return page.chapter.number == 1 and page.sections[0] is page.chapter.sections[0]


def _goals(page: _Page) -> str:
    below = page.text.partition("**What you will be able to do**\n\n")[2]
    return below.partition("\n\n")[0]


def lacks(chapter: Chapter, section: Section, folder: Path) -> list[str]:
    """Return the requirements that a section does not meet yet.

    Parameters
    ----------
    chapter : Chapter
    section : Section
    folder : Path
        Folder of the course.

    Raises
    ------
    FileNotFoundError
        If the notebook does not exist.
    ValueError
        If it is not a notebook.
    """
    groups = [(_OF_A_SECTION, [section])]
    if section is chapter.sections[0]:
        groups.append((_OF_A_CHAPTER, chapter.sections))
    return [
        rule
        for rules, sections in groups
        for rule, holds in rules.items()
        if not holds(_Page(chapter, sections, folder))
    ]


def report_chapters() -> tuple[list[str], bool]:
    """Return a report of each section: whether it is finished, and what it lacks.

    Returns
    -------
    list of str, bool
        The lines, and whether all finished sections meet the requirements.

    Raises
    ------
    FileNotFoundError
        If the course or a notebook is missing.
    ValueError
        If the record or a notebook cannot be read.
    """
    folder, lines, well = course_folder(), [], True
    for chapter in read_record(folder):
        for section in chapter.sections:
            todo = lacks(chapter, section, folder)
            state = "a draft" if section.draft else "finished"
            lines.append(f"{section.notebook}: {state}{', but it must' if todo else ''}")
            lines += [f"  - {rule}" for rule in todo]
            well = well and (section.draft or not todo)
    return lines, well
