"""Two small books, built as `make book` does: one with an address, one with broken pages."""

import base64
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from panels import animate, live
from publishing.build_book import BOOK
from tutlib import Trajectory
from tutlib.models import pendulum

pytestmark = [pytest.mark.slow, pytest.mark.tools]

ROOT = Path(__file__).resolve().parents[2]
HOST = "https://github.com/who/course"
SITE = "https://who.test/course"
PLACES = {"repository_url": f"{HOST}/", "site_url": f"{SITE}/"}
PICTURE = "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()"
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
        "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
).decode()


BEGINS = "This is where it begins. It has two chapters."
DOOR = f"""# A course

{BEGINS}

```{{chapter-map}}
```

::::{{reading-path}} To spin
:to: 2

All about spinning.
::::

```{{clone-command}}
```
"""
TOP = """# {title}

*{question}*"""
RECORD = """[[chapter]]
number = {number}
title = "{title}"
question = "{question}"
builds_on = {builds_on}
subjects = []
section = [{{notebook = "{name}", hours = {hours}}}]
"""
CHANGES = """# Changelog

## 1.1.0 - 2026-12-24

- A chapter & more.

## 1.0.0

- All of it.
"""
ATOM = "{http://www.w3.org/2005/Atom}"


def chapter(shown, **top):
    """Return a chapter that opens with a moving picture, as if it were executed."""
    page = shown._repr_html_()
    cell = new_code_cell("shown", execution_count=1)
    cell.outputs = [new_output("display_data", {"text/html": page, "text/plain": "it moves"})]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    about = {"kernelspec": kernel, "language_info": {"name": "python", "pygments_lexer": "python"}}
    return new_notebook(cells=[new_markdown_cell(TOP.format(**top)), cell], metadata=about)


def drawn():
    """Return a cell that has drawn a picture already, and does not say what is on it."""
    cell = new_code_cell(PICTURE, execution_count=1)
    cell.outputs = [new_output("display_data", {"image/png": PIXEL, "text/plain": "a picture"})]
    return cell


def written(markup):
    """Return a cell that has written markup of its own already."""
    cell = new_code_cell("Table()", execution_count=1)
    cell.outputs = [new_output("display_data", {"text/html": markup, "text/plain": "a table"})]
    return cell


#: What is broken as it stands: one book has a page of each, and each page is complained of.
BROKEN = {
    "a picture without a description": (drawn(), "says nothing"),
    "a link that leads nowhere": (new_markdown_cell("[the past](nothing.ipynb)"), "nothing.ipynb"),
    "a formula that nobody can read": (
        new_markdown_cell(r"The half is $\fraction{1}{2}$."),
        r"Undefined control sequence \fraction, in the formula \fraction{1}{2}",
    ),
    "a formula that nobody has set": (
        written(r"<p>The half is \(\frac{1}{2}\).</p>"),
        r".html: the formula \(\frac{1}{2}\). is shown as it is written",
    ),
    "a citation of nothing": (new_markdown_cell("{cite:p}`Nobody1999`"), "Nobody1999"),
}


def lay_out_broken(folder):
    """Write a book with a sound page and a page for each broken cell."""
    lay_out_files(folder)
    pages = [new_markdown_cell("Nothing is wrong here."), *(cell for cell, _ in BROKEN.values())]
    others = "".join(f"- file: page-{k}\n" for k in range(1, len(pages)))
    toc = f"format: jb-book\nroot: page-0\nchapters:\n{others}"
    (folder / "_toc.yml").write_text(toc, encoding="utf-8")
    for k, cell in enumerate(pages):
        content = new_notebook(cells=[new_markdown_cell("# A page"), cell])
        nbformat.write(content, folder / f"page-{k}.ipynb")


def lay_out_files(folder, **places):
    """Write the settings and the static files of the course."""
    folder.mkdir()
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings["execute"]["execute_notebooks"] = "off"
    settings["sphinx"]["config"] |= {"repository_url": "", "site_url": "", **places}
    (folder / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    ignored = shutil.ignore_patterns("*.md", "__pycache__")
    shutil.copytree(ROOT / "book", folder / "book", ignore=ignored)


def lay_out(folder):
    """Write a book of a first page and two chapters with the course's own settings."""
    lay_out_files(folder, **PLACES)
    shutil.copy(ROOT / "CITATION.cff", folder)
    (folder / "CHANGELOG.md").write_text(CHANGES, encoding="utf-8")
    files = "- file: notebooks/01-swing\n- file: notebooks/02-spin\n"
    toc = f"format: jb-book\nroot: book/door\nchapters:\n{files}"
    (folder / "_toc.yml").write_text(toc, encoding="utf-8")
    (folder / "book/door.md").write_text(DOOR, encoding="utf-8")
    (folder / "notebooks").mkdir()
    t = np.linspace(0, 2, 121)
    arm = pendulum().free()
    swing = live(arm, [1.0, 0.0], "An arm swings by itself.", name="swing")
    turning = np.stack([t, np.ones_like(t)], 1)
    spin = animate(Trajectory(t, turning), arm, "An arm turns evenly.")
    first = {"title": "A swing", "question": "Does it swing?", "hours": 2, "builds_on": []}
    second = {"title": "A spin: on and on", "question": "Does it <spin>?", "hours": 3}
    second["builds_on"] = [1]
    record = []
    for name, shown, top in (("01-swing", swing, first), ("02-spin", spin, second)):
        nbformat.write(chapter(shown, **top), folder / f"notebooks/{name}.ipynb")
        record.append(RECORD.format(name=name, number=len(record) + 1, **top))
    (folder / "course").mkdir()
    (folder / "course/course.toml").write_text("\n".join(record), encoding="utf-8")


@pytest.fixture(scope="module")
def books(tmp_path_factory):
    """Return each book's site, what its build said, and whether it went well."""
    pytest.importorskip("jupyter_book", reason="the book's own packages are not installed")
    place = tmp_path_factory.mktemp("published")
    folders = {name: place / name for name in ("published", "broken")}
    lay_out(folders["published"])
    lay_out_broken(folders["broken"])
    found = {}
    for name, folder in folders.items():
        command = [sys.executable, "-c", BOOK, "build", str(folder), "-W", "-n", "--keep-going"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        said = done.stdout + done.stderr
        found[name] = SimpleNamespace(site=folder / "_build/html", said=said, code=done.returncode)
    return found


def page(book, name):
    return (book.site / f"{name}.html").read_text(encoding="utf-8")


def said(text, name):
    """Return what a page's head says under a name."""
    found = re.findall(rf'<meta (?:name|property)="{name}" content="([^"]*)"', text)
    return found[0] if len(found) == 1 else found


class TestPublished:
    @pytest.fixture
    def book(self, books):
        return books["published"]

    def test_it_is_built_without_a_warning(self, book):
        assert book.code == 0, book.said

    def test_its_pages_say_what_they_are(self, book):
        door, spin = page(book, "book/door"), page(book, "notebooks/02-spin")
        assert said(door, "description").startswith(BEGINS)
        assert said(spin, "description").startswith("Does it &lt;spin&gt;?")
        assert said(door, "og:type") == "website"
        assert said(spin, "og:type") == "article"
        assert said(spin, "og:title") == "A spin: on and on"
        assert said(spin, "og:description") == said(spin, "description")
        assert said(page(book, "search"), "robots") == "noindex"
        assert said(spin, "robots") == []

    def test_the_map_has_a_card_for_each_chapter(self, book):
        cards = re.findall(r'<li class="course-card".*?</li>', page(book, "book/door"))
        assert len(cards) == 2
        for card, shown in zip(cards, ("swing", "spin")):
            assert f'data-film="{shown}"' in card
        assert "2 hours · begin here" in cards[0]
        assert "3 hours · builds on" in cards[1]
        assert '<a href="../notebooks/02-spin.html">A spin</a>' in cards[1]
        assert "Does it &lt;spin&gt;?" in cards[1]
        assert 'aria-label="An arm turns evenly."' in cards[1]

    def test_its_changes_are_a_feed(self, book):
        feed = ElementTree.parse(book.site / "feed.xml").getroot()
        entries = feed.findall(f"{ATOM}entry")
        assert [one.find(f"{ATOM}title").text[-5:] for one in entries] == ["1.1.0", "1.0.0"]
        assert entries[0].find(f"{ATOM}updated").text == "2026-12-24T00:00:00Z"
        assert (
            entries[0].find(f"{ATOM}content").text.strip().startswith("<ul>\n<li>A chapter &amp;")
        )
        assert len({one.find(f"{ATOM}id").text for one in [feed, *entries]}) == 3
        (link,) = re.findall(r'<link rel="alternate"[^>]*>', page(book, "book/door"))
        assert 'href="../feed.xml"' in link

    def test_each_page_has_its_address_and_a_picture(self, book):
        for name in ("book/door", "notebooks/01-swing", "notebooks/02-spin"):
            text = page(book, name)
            assert f'<link rel="canonical" href="{SITE}/{name}.html"' in text
            assert said(text, "og:url") == f"{SITE}/{name}.html"
            picture = said(text, "og:image").removeprefix(f"{SITE}/")
            with Image.open(book.site / picture) as drawn:
                assert drawn.size == (1200, 630)
            assert (book.site / picture).stat().st_size < 300_000
            assert said(text, "og:image:width") == "1200"
            assert said(text, "twitter:card") == "summary_large_image"

    def test_a_page_leads_to_its_source_to_issues_and_to_a_kernel(self, book):
        text = page(book, "notebooks/02-spin")
        assert f'href="{HOST}/edit/main/notebooks/02-spin.ipynb"' in text
        assert f'href="{HOST}/issues/new?title=' in text
        assert f'href="{HOST}"' in text
        assert "/v2/gh/who/course/main?urlpath=lab/tree/notebooks/02-spin.ipynb" in text
        assert '"fab fa-' not in text


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_page_gets_a_warning_and_a_warning_fails_the_build(books, name):
    said = books["broken"].said
    assert books["broken"].code != 0, said
    complaint, page = BROKEN[name][1], f"page-{1 + list(BROKEN).index(name)}"
    lines = [line for line in said.splitlines() if "WARNING" in line and page in line]
    assert [line for line in lines if complaint in line], said
    assert not [line for line in said.splitlines() if "WARNING" in line and "page-0" in line]
