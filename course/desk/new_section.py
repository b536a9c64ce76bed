"""``python -m course new-section 12-gyroscope``: a draft that passes all tests from the start.

It makes the notebook, a module for its exercises, and its record in `course.toml`. Of a chapter
that is a folder, ``new-section 01-pendulum/6-friction`` makes the next page.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from course.desk.contents import RECORD, Chapter, read_record
from course.desk.copies import course_folder
from course.desk.writing import write_record

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
#: What the notebook of a new section holds; ``{words}`` and the like are filled in.
TEMPLATE = "course/desk/section.ipynb"


def make_section(name: str) -> list[str]:
    """Make a section that is a draft: in a chapter of its own, or as the last page of a folder.

    Parameters
    ----------
    name : str
        That of its notebook: the chapter's number and a few words, such as ``"12-gyroscope"``; of a
        page, the chapter's folder before, such as ``"01-pendulum/6-friction"``.

    Returns
    -------
    list of str
        What was done, and what to do next.

    Raises
    ------
    FileExistsError
        If one of its files is there already.
    FileNotFoundError
        If the course is not here.
    ValueError
        If the name is none, or not the next number.
    """
    folder = course_folder()
    chapters = read_record(folder)
    for chapter in chapters:
        if "/" in (last := chapter.sections[-1].notebook) and _follows(last, name):
            return _make_page(name, last, chapter, folder)
    number = len(chapters) + 1
    if not re.fullmatch(rf"{number:02}-[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ValueError(
            f'the next chapter\'s name is "{number:02}-" and small letters, with hyphens between '
            f'words, such as "{number:02}-gyroscope"; that of a page more has the folder of its '
            f'chapter before it, and the next number; got "{name}"'
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
            raise FileExistsError(f"{file} is there already: take another name")
    record = (folder / RECORD).read_text(encoding="utf-8")
    return _write(made, record + (_RECORD + _SECTION).format(**fields), folder)


def _follows(last: str, name: str) -> bool:
    """Tell whether a name is that of the page after the last one of a folder."""
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
    return [f"made {file}" for file in made] + [f"wrote {RECORD}", *write_record(), _then(folder)]


def _notebook(folder: Path, fields: dict[str, Any]) -> str:
    notebook = json.loads((folder / TEMPLATE).read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = [line.format(**fields) for line in cell["source"]]
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _then(folder: Path) -> str:
    return (
        f"Change title, question and the rest in {folder / RECORD}, and say python -m course write "
        "again. What it lacks to be no draft: python -m course chapters"
    )
