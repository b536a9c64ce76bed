"""A site without solutions holds none, anywhere."""

import html
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

from course.desk import course_notebooks
from course.desk.course_record import name_of
from publishing import build_book
from tests.helpers import exercises_of, record

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = course_notebooks(ROOT)
FIRST = CHAPTERS[0]
TEXTS = {".html", ".ipynb", ".js", ".json", ".md", ".svg", ".toml", ".txt", ".xml"}


def solution_cells(chapter):
    return [
        cell
        for cell in nbformat.read(chapter, as_version=4).cells
        if "solution" in cell.metadata.get("tags", [])
    ]


def texts(folder):
    """Yield each text: as it stands, pages without markup, notebooks by cells."""
    for path in folder.rglob("*"):
        if path.suffix in TEXTS:
            text = path.read_bytes().decode("utf-8", errors="ignore")
            yield path, text
            if path.suffix == ".html":
                yield path, html.unescape(re.sub(r"<[^>]*>", "", text))
            if path.suffix == ".ipynb":  # in the file, marks of quotation are escaped
                cells = nbformat.reads(text, as_version=4).cells
                yield path, "\n".join(cell.source for cell in cells)


@cache
def telling_lines():
    """Return lines that only solutions have."""
    lines = set()
    elsewhere = "\n".join(
        cell.source
        for chapter in CHAPTERS
        for cell in nbformat.read(chapter, as_version=4).cells
        if "solution" not in cell.metadata.get("tags", [])
    )
    for chapter in CHAPTERS:
        for cell in solution_cells(chapter):
            lines |= {
                line.strip()
                for line in cell.source.splitlines()
                if len(line.strip()) > 18 and line.strip() not in elsewhere
            }
            lines |= set(re.findall(r"\w+_solution\b", cell.source))
    return lines


def leaks(folder):
    """Return every line of a solution that is somewhere in a folder."""
    whole = "\n".join({line for _, text in texts(folder) for line in text.splitlines()}).encode()
    return {line for line in telling_lines() if line.encode() in whole}


def test_the_whole_site_holds_the_solutions(site):
    """So that the search for them, below, cannot come back empty for another reason."""
    folder = ROOT / "_build" / "html" / "notebooks" / FIRST.parent.name
    assert len(leaks(folder)) > 20


@pytest.fixture(scope="module")
def without(tmp_path_factory, site):
    """Build the site without solutions, as `make book SOLUTIONS=no` does, but one chapter of it.

    All chapters are in the tree that Sphinx gets. It executes nothing: what it adds to one page it
    adds to all. Pictures of choices are those of the whole site: they hold no text of a lesson.
    """
    pytest.importorskip("jupyter_book", reason="the book's own packages are not installed")
    for chapter in CHAPTERS:
        record(name_of(chapter))
    folder = tmp_path_factory.mktemp("without")

    def copy_one(target, solutions=True):
        copy_source(target, solutions)
        toc = "format: jb-book\nroot: book/notation\nchapters:\n"
        toc += f"- file: notebooks/{name_of(FIRST)}\n"
        (target / "_toc.yml").write_text(toc, encoding="utf-8")

    built = (ROOT / "_build" / "html" / "_static" / "answers").glob("*.js")
    pictures = {
        path.name: path.read_text(encoding="utf-8")
        for path in built
        if re.search(r"-\d+-[a-z]$", path.stem)
    }
    copy_source = build_book.copy_source
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build_book, "copy_source", copy_one)
        patch.setattr(build_book, "answer_pictures", lambda exercises: pictures)
        build_book.build(folder, solutions=False)  # links to other chapters make it complain
    return folder / "_build" / "next"


def test_a_page_without_solutions_is_built_and_can_be_downloaded(without):
    built = without / "_build" / "html" / "notebooks" / f"{name_of(FIRST)}.html"
    assert "Exercise 1" in built.read_text(encoding="utf-8")
    name = f"{name_of(FIRST)}.ipynb"
    download = without / "_build" / "html" / "_sources" / "notebooks" / name
    assert '"remove-cell"' not in download.read_text(encoding="utf-8")


def test_a_site_without_solutions_holds_none_anywhere(without):
    assert not leaks(without)


def test_a_site_without_solutions_tells_no_lesson_anywhere(without):
    lessons = [e.lesson for chapter in CHAPTERS for e in exercises_of(chapter)]
    assert lessons
    for path, text in texts(without):
        assert not [lesson for lesson in lessons if lesson in text], path
