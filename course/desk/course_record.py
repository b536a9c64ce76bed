"""Reader of the record of chapters and sections, `course/course.toml`, with checks of each key.

The record holds what several files say about a chapter. `python -m course write` writes it to
these files; plans, the map of the site, and tests read it here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

#: Path of the record in the folder of the course.
RECORD = "course/course.toml"
_FOLDER = re.compile(r"\d\d-[a-z0-9-]+")


@dataclass(frozen=True)
class Section:
    """Section of a chapter: one notebook.

    Parameters
    ----------
    notebook : str
        File in ``notebooks`` without the ending, such as ``"04-integrators"``, or with the folder
        of its chapter, such as ``"01-pendulum/2-yardstick"``.
    title, question : str
        The title and the question at its top.
    hours : int
        Hours for a reader who does all exercises.
    preview : str
        Sentence about it at the end of the section before.
    draft : bool
        Whether it is still incomplete.
    """

    notebook: str
    title: str
    question: str
    hours: int
    preview: str = ""
    draft: bool = False


@dataclass(frozen=True)
class Chapter:
    """Record of a chapter.

    Parameters
    ----------
    number : int
    title, question : str
    builds_on : list of int
        Numbers of earlier chapters.
    subjects : list of str
        Words that occur near links to this chapter, and to no other one.
    sections : list of Section
    """

    number: int
    title: str
    question: str
    builds_on: list[int]
    subjects: list[str]
    sections: list[Section]

    @property
    def name(self) -> str:
        """Name of its notebook or folder without the number, such as ``"double-pendulum"``."""
        return chapter_of(self.sections[0].notebook)

    @property
    def short_title(self) -> str:
        """Title up to its colon."""
        return self.title.partition(":")[0]

    @property
    def hours(self) -> int:
        """Hours of all its sections for a reader who does all exercises."""
        return sum(section.hours for section in self.sections)


def name_of(notebook: Path) -> str:
    """Return the name of a notebook in the record: with its chapter's folder, if it has one.

    Parameters
    ----------
    notebook : Path
        Path of its file.
    """
    folder = notebook.parent.name
    return f"{folder}/{notebook.stem}" if _FOLDER.fullmatch(folder) else notebook.stem


def chapter_of(notebook: str) -> str:
    """Return the name of the chapter of a notebook, such as ``"double-pendulum"``.

    Parameters
    ----------
    notebook : str
        Name in the record.
    """
    return notebook.partition("/")[0].partition("-")[2]


def read_record(folder: Path) -> list[Chapter]:
    """Return the chapters of a course in order, with drafts.

    Parameters
    ----------
    folder : Path
        Folder of the course.

    Raises
    ------
    FileNotFoundError
        If there is no record.
    ValueError
        If the record cannot be read; the message has the chapter, the key, and an example.
    """
    text = (folder / RECORD).read_text(encoding="utf-8")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{RECORD} cannot be read: {error}") from error
    _check(tables, _WHOLE, RECORD)
    chapters = []
    for number, table in enumerate(tables["chapter"], 1):
        where = f"{RECORD}, chapter {number}"
        _check(table, _CHAPTER, where)
        defaults = {key: table[key] for key in ("title", "question")}
        sections = [defaults | section for section in table["section"]]
        for k, section in enumerate(sections, 1):
            _check(section, _SECTION, f"{where}, section {k}")
        kept = {key: value for key, value in table.items() if key != "section"}
        chapters.append(Chapter(**kept, sections=[Section(**section) for section in sections]))
    _check_numbers(chapters)
    return chapters


def _check_numbers(chapters: list[Chapter]) -> None:
    """Reject chapters that are not numbered 1, 2, ..., and notebooks with other names."""
    # A chapter is one notebook, or a folder of notebooks that are numbered from 1 on. A new opening
    # page may have the number 0, so that the addresses of the other pages stay.
    for expected, chapter in enumerate(chapters, 1):
        where = f"{RECORD}, chapter {expected}"
        if chapter.number != expected:
            raise ValueError(f"{where}: number = {chapter.number}; chapters are numbered from 1 on")
        later = [number for number in chapter.builds_on if not 0 < number < expected]
        if later or chapter.builds_on != sorted(set(chapter.builds_on)):
            raise ValueError(f"{where}: builds_on names earlier chapters, once and in order")
        names = [section.notebook for section in chapter.sections]
        folder = names[0].partition("/")[0]
        for k, name in enumerate(names, int(not names[0].startswith(f"{folder}/0-"))):
            inside = rf"{re.escape(folder)}/{k}-[a-z0-9-]+"
            alone = len(names) == 1 and name == folder
            fits = _FOLDER.fullmatch(folder) and folder.startswith(f"{expected:02}-")
            if not fits or not (alone or re.fullmatch(inside, name)):
                raise ValueError(
                    f'{where}: notebook = "{name}"; that of a chapter of one notebook is such as '
                    f'"{expected:02}-short-name"; of more, they are in its folder and have their '
                    f'number, such as "{expected:02}-short-name/{k}-first-words"'
                )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_question(value: Any) -> bool:
    return _is_text(value) and value.endswith("?")


def _is_number(value: Any) -> bool:
    return type(value) is int and value > 0


def _all(test: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(test, value))


def _tables(value: Any) -> bool:
    return _all(lambda table: isinstance(table, dict))(value) and bool(value)


#: For each key, a test of its value, and an example.
_Keys = Mapping[str, tuple[Callable[[Any], bool], str]]
_WHOLE: _Keys = {"chapter": (_tables, "[[chapter]] above each chapter")}
_OPENING: _Keys = {
    "title": (_is_text, 'title = "The gyroscope"'),
    "question": (_is_question, 'question = "Why does it not fall?"'),
}
_CHAPTER: _Keys = {
    "number": (_is_number, "number = 12"),
    **_OPENING,
    "builds_on": (_all(_is_number), "builds_on = [1, 8]"),
    "subjects": (_all(_is_text), 'subjects = ["gyroscope", "precession"]'),
    "section": (_tables, "[[chapter.section]] above each of its sections"),
}
_SECTION: _Keys = {
    "notebook": (_is_text, 'notebook = "12-gyroscope"'),
    **_OPENING,
    "hours": (_is_number, "hours = 4"),
    "preview": (_is_text, 'preview = "a wheel that does not fall."'),
    "draft": (lambda value: isinstance(value, bool), "draft = true"),
}
_OPTIONAL = {"preview", "draft"}


def _check(table: dict[str, Any], keys: _Keys, where: str) -> None:
    """Reject a table with a missing key, an unknown key, or an invalid value."""
    for key in chain(keys, table):
        if key not in keys:
            raise ValueError(f"{where}: there is no key {key}; write one of {', '.join(keys)}")
        fits, example = keys[key]
        if key not in table and key not in _OPTIONAL:
            raise ValueError(f"{where}: {key} is missing; write {example}")
        if key in table and not fits(table[key]):
            raise ValueError(f"{where}: {key} = {table[key]!r} cannot be read; write {example}")
