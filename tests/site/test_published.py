"""Books that know where they are, and one that does not: what their pages say of themselves."""

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
from tutlib import Trajectory
from tutlib.models import pendulum, rigid_body

ROOT = Path(__file__).resolve().parents[2]
HOST = "https://github.com/who/course"
SITE = "https://who.test/course"
PLACES = {
    "nowhere": {},
    "published": {"repository_url": f"{HOST}/", "site_url": f"{SITE}/"},
    "elsewhere": {"repository_url": "https://forge.test/who/course"},
    "no address": {"site_url": "who.test"},
}
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


def lay_out(folder, **places):
    """Write a book of a first page and two chapters with the course's own settings."""
    folder.mkdir()
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    settings["execute"]["execute_notebooks"] = "off"
    settings["sphinx"]["config"] |= {"repository_url": "", "site_url": "", **places}
    (folder / "_config.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    ignored = shutil.ignore_patterns("*.md", "__pycache__")
    shutil.copytree(ROOT / "book", folder / "book", ignore=ignored)
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
    folders = {name: place / name.replace(" ", "-") for name in PLACES}
    for name, folder in folders.items():
        lay_out(folder, **PLACES[name])
    command = [sys.executable, "-m", "tests.site.build_pages"]
    subprocess.run([*command, *map(str, folders.values())], cwd=ROOT, check=True)
    return {
        name: SimpleNamespace(
            site=folder / "_build/html",
            said=Path(f"{folder}.log").read_text(encoding="utf-8"),
            code=int(Path(f"{folder}.code").read_text(encoding="utf-8")),
        )
        for name, folder in folders.items()
    }


def page(book, name):
    return (book.site / f"{name}.html").read_text(encoding="utf-8")


def said(text, name):
    """Return what a page's head says under a name."""
    found = re.findall(rf'<meta (?:name|property)="{name}" content="([^"]*)"', text)
    return found[0] if len(found) == 1 else found


@pytest.mark.parametrize("name", ["nowhere", "published", "elsewhere"])
class TestEveryBook:
    def test_it_is_built_without_a_warning(self, books, name):
        assert books[name].code == 0, books[name].said

    def test_its_pages_say_what_they_are(self, books, name):
        door, spin = page(books[name], "book/door"), page(books[name], "notebooks/02-spin")
        assert said(door, "description").startswith(BEGINS)
        assert said(spin, "description").startswith("Does it &lt;spin&gt;?")
        assert said(door, "og:type") == "website"
        assert said(spin, "og:type") == "article"
        assert said(spin, "og:title") == "A spin: on and on"
        assert said(spin, "og:description") == said(spin, "description")
        assert said(page(books[name], "search"), "robots") == "noindex"
        assert said(spin, "robots") == []

    def test_the_map_has_a_card_for_each_chapter(self, books, name):
        cards = re.findall(r'<li class="course-card".*?</li>', page(books[name], "book/door"))
        assert len(cards) == 2
        for card, shown in zip(cards, ("swing", "spin")):
            assert f'data-film="{shown}"' in card
        assert "2 hours · begin here" in cards[0]
        assert "3 hours · builds on" in cards[1]
        assert '<a href="../notebooks/02-spin.html">A spin</a>' in cards[1]
        assert "Does it &lt;spin&gt;?" in cards[1]
        assert 'aria-label="An arm turns evenly."' in cards[1]

    def test_a_way_has_all_that_its_end_builds_on(self, books, name):
        (way,) = re.findall(r'<ol class="course-way">(.*?)</ol>', page(books[name], "book/door"))
        assert re.findall(r'href="([^"]*)"', way) == [
            "../notebooks/01-swing.html",
            "../notebooks/02-spin.html",
        ]
        assert "about 5 hours" in page(books[name], "book/door")

    def test_its_changes_are_a_feed(self, books, name):
        feed = ElementTree.parse(books[name].site / "feed.xml").getroot()
        entries = feed.findall(f"{ATOM}entry")
        assert [one.find(f"{ATOM}title").text[-5:] for one in entries] == ["1.1.0", "1.0.0"]
        assert entries[0].find(f"{ATOM}updated").text == "2026-12-24T00:00:00Z"
        assert (
            entries[0].find(f"{ATOM}content").text.strip().startswith("<ul>\n<li>A chapter &amp;")
        )
        assert len({one.find(f"{ATOM}id").text for one in [feed, *entries]}) == 3
        (link,) = re.findall(r'<link rel="alternate"[^>]*>', page(books[name], "book/door"))
        assert 'href="../feed.xml"' in link

    def test_the_root_leads_on_and_says_where_to(self, books, name):
        door = page(books[name], "index")
        assert 'content="0; url=book/door.html"' in door
        assert said(door, "description").startswith(BEGINS)


class TestNowhere:
    @pytest.mark.parametrize("name", ["book/door", "notebooks/02-spin", "index", "404"])
    def test_nothing_is_invented(self, books, name):
        text = page(books["nowhere"], name)
        for what in ("canonical", "og:url", "og:image", "twitter:", "git clone", "mybinder"):
            assert what not in text, what
        assert 'href="https://github.com' not in text
        assert not re.findall(r'(?:href|src)="(?:None|undefined)', text)

    def test_there_is_no_map_for_search_engines(self, books):
        assert not (books["nowhere"].site / "sitemap.xml").exists()
        assert not (books["nowhere"].site / "_static/cards").exists()

    def test_one_is_told_how_to_get_the_folder_all_the_same(self, books):
        assert "clone its repository with git" in page(books["nowhere"], "book/door")

    def test_a_lost_address_leads_to_the_first_page(self, books):
        text = page(books["nowhere"], "404")
        assert 'href="book/door.html"' in text


class TestPublished:
    def test_each_page_has_its_address_and_a_picture(self, books):
        book = books["published"]
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

    def test_a_picture_shows_the_machine_of_its_page(self, books):
        """To the right of the words is something where something moves, and else nothing."""
        ground, shown = {}, {}
        for name in ("book/door", "notebooks/01-swing", "notebooks/02-spin"):
            with Image.open(books["published"].site / f"_static/cards/{name}.png") as drawn:
                right = np.asarray(drawn.convert("RGB"))[:, 560:].reshape(-1, 3)
            ground[name] = right[0]
            shown[name] = (right != right[0]).any(axis=1).mean()
        assert shown["notebooks/01-swing"] > 0.01
        assert shown["notebooks/02-spin"] > 0.01
        assert shown["notebooks/01-swing"] != shown["notebooks/02-spin"]

    def test_the_map_for_search_engines_has_every_page(self, books):
        site = ElementTree.parse(books["published"].site / "sitemap.xml").getroot()
        found = {place.text for place in site.iter() if place.tag.endswith("loc")}
        pages = ("book/door", "notebooks/01-swing", "notebooks/02-spin")
        assert found == {f"{SITE}/{name}.html" for name in pages}

    def test_a_lost_address_has_a_page_that_works_at_any_depth(self, books):
        text = page(books["published"], "404")
        assert f'href="{"/course/book/door.html"}"' in text
        relative = re.findall(r'\b(?:href|src)="(?![a-z]+:|/|#|data:)[^"]*"', text)
        assert relative == []

    def test_a_page_leads_to_its_source_to_issues_and_to_a_kernel(self, books):
        text = page(books["published"], "notebooks/02-spin")
        assert f'href="{HOST}/edit/main/notebooks/02-spin.ipynb"' in text
        assert f'href="{HOST}/issues/new?title=' in text
        assert f'href="{HOST}"' in text
        assert "/v2/gh/who/course/main?urlpath=lab/tree/notebooks/02-spin.ipynb" in text
        assert '"fab fa-' not in text

    def test_the_command_that_clones_is_there(self, books):
        text = re.sub(r"<[^>]*>", "", page(books["published"], "book/door"))
        assert f"git clone {HOST}\ncd course\n" in text


class TestElsewhere:
    def test_of_another_host_only_what_is_known_is_said(self, books):
        text = page(books["elsewhere"], "book/door")
        assert "git clone https://forge.test/who/course" in re.sub(r"<[^>]*>", "", text)
        for what in ("canonical", "/edit/main/", "issues/new", "mybinder"):
            assert what not in text, what


def test_what_is_no_address_is_refused(books):
    assert books["no address"].code != 0
    assert "site_url in _config.yml must be empty or an address" in books["no address"].said
    assert "got 'who.test'" in books["no address"].said


def test_a_body_in_space_is_seen_from_where_its_page_shows_it():
    """The small films and pictures of links read what the player reads, to a step of its grid."""
    from publishing.sphinx.films import first_film

    t = np.linspace(0, 1, 61)
    turn = np.array(
        [[np.cos(t), -np.sin(t), 0 * t], [np.sin(t), np.cos(t), 0 * t], [0 * t, 0 * t, 0 * t + 1]]
    )
    states = np.hstack([np.moveaxis(turn, -1, 0).reshape(-1, 9), np.tile([0, 0, 1.0], (61, 1))])
    body = rigid_body()
    film = first_film(animate(Trajectory(t, states), body, "A box turns.")._repr_html_())
    (points,) = film.motions
    assert np.abs(points - body.positions(t, states)).max() < 1e-3
    assert film.flat[0].shape == (61, points.shape[1], 2)
    assert film.duration == 1.0
