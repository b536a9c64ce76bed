"""Draft of a new section: ``python -m course new-section 12-gyroscope``.

It consists of a notebook, a module for its exercises, and a record in `course.toml`, and passes all
tests. ``new-section 01-pendulum/6-friction`` makes the next page of a chapter that is a folder.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from course.desk.copies import course_folder
from course.desk.course_record import RECORD, Chapter, read_record
from course.desk.record_writer import write_record

_RECORD = """
[[chapter]]
number = {number}
title = "{title}"
question = "What is there to find out about the {words}?"
builds_on = [1]
subjects = ["{words}"]
"""
_SECTION = """
[[chapter.section]]
notebook = "{name}"
hours = 1
draft = true
"""
_PAGE = _SECTION.replace("hours", 'title = "{title}"\nquestion = "Why {words}?"\nhours', 1)
_EXERCISES = '''"""The exercises of chapter {number}, {words}."""

from __future__ import annotations

from course.judge import Exercise

EXERCISES: tuple[Exercise, ...] = ()
'''
#: Notebook of a new section, with fields such as ``{words}`` that are filled in.
TEMPLATE = "course/desk/section.ipynb"


def make_section(name: str) -> list[str]:
    """Make a draft of a section: a new chapter, or the last page of a chapter's folder.

    Parameters
    ----------
    name : str
        Name of its notebook: the chapter's number and a few words, such as ``"12-gyroscope"``; for
        a page, preceded by the chapter's folder, such as ``"01-pendulum/6-friction"``.

    Returns
    -------
    list of str
        Lines on what was done, and on the next step.

    Raises
    ------
    FileExistsError
        If one of its files exists.
    FileNotFoundError
        If the course is missing.
    ValueError
        If the name is not valid, or not the next number.
    """
    folder = course_folder()
    chapters = read_record(folder)
    for chapter in chapters:
        if "/" in (last := chapter.sections[-1].notebook) and _follows(last, name):
            return _make_page(name, last, chapter, folder)
    number = len(chapters) + 1
    if not re.fullmatch(rf"{number:02}-[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ValueError(
            f'the name of the next chapter is "{number:02}-" and words in lowercase, with hyphens '
            f'between them, such as "{number:02}-gyroscope"; the name of a new page is the folder '
            f'of its chapter, the next number, and words; got "{name}"'
        )
    words = name.partition("-")[2].replace("-", " ")
    fields = {"name": name, "number": number, "words": words, "title": words.capitalize()}
    module = f"course/exercises/{words.replace(' ', '_')}.py"
    made = {
        f"notebooks/{name}.ipynb": _notebook(folder, fields),
        module: _EXERCISES.format(**fields),
    }
    for file in made:
        if (folder / file).exists():
            raise FileExistsError(f"{file} already exists: choose another name")
    record = (folder / RECORD).read_text(encoding="utf-8")
    return _write(made, record + (_RECORD + _SECTION).format(**fields), folder)


def _follows(last: str, name: str) -> bool:
    """Tell whether a name is that of the page after the last page of a folder."""
    page = int(last.partition("/")[2].partition("-")[0]) + 1
    return bool(re.fullmatch(rf"{last.partition('/')[0]}/{page}(-[a-z0-9]+)+", name))


def _make_page(name: str, last: str, chapter: Chapter, folder: Path) -> list[str]:
    words = name.partition("/")[2].partition("-")[2].replace("-", " ")
    fields = {"name": name, "words": words, "title": words.capitalize(), "number": chapter.number}
    record = (folder / RECORD).read_text(encoding="utf-8")
    before, last_line, behind = record.partition(f'notebook = "{last}"\n')
    table, gap, rest = behind.partition("\n[[")
    text = before + last_line + table + _PAGE.format(**fields) + gap + rest
    return _write({f"notebooks/{name}.ipynb": _notebook(folder, fields)}, text, folder)


def _write(made: dict[str, str], record: str, folder: Path) -> list[str]:
    for file, text in {**made, RECORD: record}.items():
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
    return [f"made {file}" for file in made] + [
        f"wrote {RECORD}",
        *write_record(),
        _next_step(folder),
    ]


def _notebook(folder: Path, fields: dict[str, Any]) -> str:
    notebook = json.loads((folder / TEMPLATE).read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = [line.format(**fields) for line in cell["source"]]
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _next_step(folder: Path) -> str:
    return (
        f"Edit the title, the question, and the other entries in {folder / RECORD}, then run "
        "python -m course write again. To see what the draft still lacks: python -m course chapters"
    )
