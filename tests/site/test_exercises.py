"""A site without solutions holds none, anywhere."""

import html
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest

from course.desk import course_notebooks
from course.desk.contents import name_of
from publishing import build_book
from tests.helpers import exercises_of, record

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = course_notebooks(ROOT)
FIRST = CHAPTERS[0]


def whole_text(folder):
    """Return the text of every file: as it stands, pages without markup, notebooks by cells."""
    texts = []
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", errors="ignore")
            texts.append(text)
            if path.suffix == ".html":
                texts.append(html.unescape(re.sub(r"<[^>]*>", "", text)))
            if path.suffix == ".ipynb":  # in the file, marks of quotation are escaped
                texts += [cell.source for cell in nbformat.reads(text, as_version=4).cells]
    return "\n".join(texts).encode()


@cache
def telling_lines():
    """Return lines that only solutions have."""
    cells = [cell for chapter in CHAPTERS for cell in nbformat.read(chapter, as_version=4).cells]
    solutions = [c.source for c in cells if "solution" in c.metadata.get("tags", [])]
    elsewhere = "\n".join(c.source for c in cells if "solution" not in c.metadata.get("tags", []))
    lines = {line.strip() for source in solutions for line in source.splitlines()}
    names = {name for source in solutions for name in re.findall(r"\w+_solution\b", source)}
    return {line for line in lines if len(line) > 18 and line not in elsewhere} | names


def leaks(whole):
    """Return every line of a solution that is somewhere in a text."""
    return {line for line in telling_lines() if line.encode() in whole}


def test_the_whole_site_holds_the_solutions(site):
    """What the next test looks for can be found: it would notice."""
    assert leaks(whole_text(ROOT / "_build" / "html")) == telling_lines()


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


def test_every_chapter_without_solutions_has_its_exercises_and_one_can_be_downloaded(without):
    for chapter in CHAPTERS:
        path = without / "source" / "notebooks" / f"{name_of(chapter)}.ipynb"
        cells = nbformat.read(path, as_version=4).cells
        assert any("**Exercise " in cell.source for cell in cells), chapter
        assert any(cell.get("outputs") for cell in cells), chapter
        assert not [cell for cell in cells if "solution" in cell.metadata.get("tags", [])], chapter
    built = without / "_build" / "html"
    page = built / "notebooks" / f"{name_of(FIRST)}.html"
    assert "Exercise 1" in page.read_text(encoding="utf-8")
    assert (built / "_sources" / "notebooks" / f"{name_of(FIRST)}.ipynb").exists()


def test_a_site_without_solutions_holds_none_and_tells_no_lesson_anywhere(without):
    whole = whole_text(without)
    assert not leaks(whole)
    lessons = [e.lesson for chapter in CHAPTERS for e in exercises_of(chapter)]
    assert lessons
    assert not [lesson for lesson in lessons if lesson.encode() in whole]


def test_make_book_takes_that_way():
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "book", "SOLUTIONS=no"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "-m publishing.build_book --without-solutions" in done.stdout


def test_ways_to_build_are_taken_only_on_demand(monkeypatch):
    asked = []
    monkeypatch.setattr(build_book, "execute_all", lambda _: 0)
    monkeypatch.setattr(build_book, "build", lambda output, *ways: asked.append(ways) or 0)
    for arguments in ([], ["--without-solutions"], ["--lite"]):
        monkeypatch.setattr(sys, "argv", ["build_book", *arguments])
        assert build_book.main() == 0
    assert asked == [(True, False), (False, False), (True, True)]
