"""Exercises on the built pages; and a site without solutions holds none, anywhere."""

import html
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.helpers import build_book, exercises_of

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def page_of(chapter):
    return f"notebooks/{chapter.stem}.html"


def solution_cells(chapter):
    return [
        cell
        for cell in nbformat.read(chapter, as_version=4).cells
        if "solution" in cell.metadata.get("tags", [])
    ]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
class TestPage:
    def test_every_exercise_waits_and_its_solution_is_folded(self, visit, chapter):
        page = visit(page_of(chapter))
        folded = page.locator(".tag_solution details")
        code = [cell for cell in solution_cells(chapter) if cell.cell_type == "code"]
        assert folded.count() == len(code) >= 6
        assert page.locator("article blockquote").count() == len(code)
        for k in range(len(code)):
            assert not folded.nth(k).locator("pre").first.is_visible()
        waiting = page.locator(".tutlib-feedback.open")
        assert waiting.count() == len(code)
        assert "No answer yet" in waiting.first.inner_text()

    def test_a_solution_unfolds_by_keyboard(self, visit, chapter):
        page = visit(page_of(chapter))
        summary = page.locator(".tag_solution details summary").first
        assert summary.inner_text().strip() == "Show the solution"
        summary.focus()
        page.keyboard.press("Enter")
        assert page.locator(".tag_solution details pre").first.is_visible()

    def test_every_solution_that_shows_a_verdict_is_right(self, visit, chapter):
        page = visit(page_of(chapter))
        assert page.locator(".tutlib-feedback.wrong").count() == 0
        for text in page.locator(".tutlib-feedback.right").all_text_contents():
            assert "Right." in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
class TestMistakesThatMove:
    """The page for instructors shows a wrong answer in motion."""

    def test_yours_makes_energy_and_the_right_one_does_not(self, visit, scheme):
        page = visit("book/instructors.html", scheme=scheme)
        page.locator("iframe.tutlib-live").scroll_into_view_if_needed()
        frame = page.frame_locator("iframe.tutlib-live")
        frame.get_by_role("button", name="Reset").wait_for()
        for _ in range(40):
            frame.get_by_role("button", name="Step").click()
        told = frame.locator(".drift").inner_text().replace("−", "-")
        right, yours = (float(x) for x in re.findall(r"(\S+) J", told))
        assert abs(right) < 1e-6
        assert abs(yours) > 1e-3
        assert frame.get_by_text("Copy as Python").is_hidden()

    def test_a_verdict_can_be_read(self, visit, scheme):
        page = visit("book/instructors.html", scheme=scheme)
        for k in range(page.locator(".tutlib-feedback").count()):
            text, ground = (
                page.locator(".tutlib-feedback")
                .nth(k)
                .evaluate(
                    """(element) => {
                  const lightness = (color) => {
                    const [r, g, b, a] = color.match(/[\\d.]+/g).map(Number);
                    return a === 0 ? null : (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
                  };
                  let behind = element;
                  while (lightness(getComputedStyle(behind).backgroundColor) === null) {
                    behind = behind.parentElement;
                  }
                  return [getComputedStyle(element).color,
                          getComputedStyle(behind).backgroundColor].map(lightness);
                }"""
                )
            )
            assert abs(text - ground) > 0.6


def texts(folder):
    """Yield the text of every file: as it stands, and pages also without their markup."""
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", errors="ignore")
            yield path, text
            if path.suffix == ".html":
                yield path, html.unescape(re.sub(r"<[^>]*>", "", text))


def telling_lines():
    """Return lines that only solutions have."""
    lines = set()
    for chapter in CHAPTERS:
        cells = nbformat.read(chapter, as_version=4).cells
        elsewhere = "\n".join(
            cell.source for cell in cells if "solution" not in cell.metadata.get("tags", [])
        )
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
    lines = telling_lines()
    return {line for _, text in texts(folder) for line in lines if line in text}


def test_the_whole_site_holds_the_solutions(site):
    """What the next test looks for can be found: it would notice."""
    assert leaks(ROOT / "_build" / "html") == telling_lines()


def test_a_site_without_solutions_holds_none_anywhere(tmp_path):
    pytest.importorskip("jupyter_book", reason="the book's own packages are not installed")
    tool = [sys.executable, ROOT / "tools/without_solutions.py", tmp_path / "source"]
    subprocess.run(tool, check=True)
    done = build_book(tmp_path, "source", "--path-output", ".")
    assert done.returncode == 0, done.stdout + done.stderr
    for chapter in CHAPTERS:
        built = tmp_path / "_build" / "html" / page_of(chapter)
        assert "Exercise 1" in built.read_text(encoding="utf-8")
    assert list((tmp_path / "_build/html/_sources/notebooks").glob("*.ipynb"))
    assert not leaks(tmp_path / "_build")
    lessons = [e.lesson for chapter in CHAPTERS for e in exercises_of(chapter)]
    for path, text in texts(tmp_path / "_build"):
        assert not [lesson for lesson in lessons if lesson in text], path


def test_make_book_takes_that_way():
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "book", "SOLUTIONS=no"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "tools/without_solutions.py _build/source" in done.stdout
    assert "build _build/source --path-output ." in done.stdout
    assert '" build . ' not in done.stdout
