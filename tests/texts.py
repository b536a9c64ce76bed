"""The course's texts as tests read them: paragraphs without code, and what stands around a pointer.

A pointer is whatever names another place: a reference to a chapter, a citation, a link.
"""

import re
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

import nbformat

from course.desk import course_notebooks
from course.desk.chapters import finished
from course.desk.course_record import name_of, read_record

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = course_notebooks(ROOT)
#: The notebooks of each chapter, in order.
CHAPTERS = {
    int(number): [*paths] for number, paths in groupby(NOTEBOOKS, lambda path: name_of(path)[:2])
}
#: What the record says of each chapter; and of those with a section that is no draft.
RECORD = {chapter.number: chapter for chapter in read_record(ROOT)}
FINISHED = finished([*RECORD.values()])
PAGES = [
    *sorted((ROOT / "book").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
]
FENCE = re.compile(r"^( *)(`{3,}|:{3,})(.*?)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
PARAGRAPH = re.compile(r"\Z")
SENTENCE, CLAUSE = re.compile(r"(?<=[.?!])\s+"), re.compile(r"(?<=[,;:.?!)])\s+")


class Paragraph(NamedTuple):
    """A paragraph, an item of a list or a row of a table, on one line."""

    file: str
    cell: str
    text: str

    @property
    def place(self):
        return f"{self.file} {self.cell}: {self.text[:80]}"


def shown_text(cell):
    """Return what a code cell shows as text: what it prints, and its table."""
    return "".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    )


@cache
def cells(notebook):
    return nbformat.read(notebook, as_version=4).cells


def cells_of_chapter(number):
    return [cell for path in CHAPTERS[number] for cell in cells(path)]


@cache
def markdown(path):
    """Return the Markdown of a page or a notebook, each cell with its id."""
    if path.suffix == ".ipynb":
        return [(cell.id, cell.source) for cell in cells(path) if cell.cell_type == "markdown"]
    front_matter = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)
    return [("", front_matter.sub("", path.read_text(encoding="utf-8")))]


@cache
def paragraphs(path):
    """Return the paragraphs of a page or a notebook, without blocks of code."""
    file = path.relative_to(ROOT).as_posix()
    found = []
    for cell, source in markdown(path):
        for block in re.split(r"\n(?:>? *\n|(?=>? *(?:[-|#]|\d+\.) ))", FENCE.sub("", source)):
            text = " ".join(re.sub(r"^> ?", "", block, flags=re.MULTILINE).split())
            if text:
                found.append(Paragraph(file, cell, text))
    return found


def anchor(heading):
    """Return what a link calls a heading: small letters with hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def around(text, pointers, pointer, borders):
    """Return what surrounds a pointer, up to the first of the borders between it and the others."""
    first, last = 0, len(text)
    for border in borders:
        ends = [found.end() for found in border.finditer(text, first, last)]
        first, last = next(
            (a, b) for a, b in pairwise([first, *ends, last]) if a <= pointer.start() < b
        )
        if sum(first <= other.start() < last for other in pointers) == 1:
            break
    return text[first:last]
