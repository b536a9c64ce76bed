"""The book that `make epub` writes from the built site."""

import re
import zipfile

import pytest
import yaml

from publishing.epub import write_book
from tests.epubs import check_book

from .conftest import ROOT, SITE
from .every_page import CHAPTERS, PAGES, TOC


@pytest.fixture(scope="module")
def book(site, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "course.epub"
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    write_book(SITE, path, TOC, settings)
    return path


def test_the_whole_course_is_in_it(book):
    course = [
        page
        for page in PAGES
        if not re.match(r"book/(tutlib|straightline|panels|verification|course\.)", page)
    ]
    wanted = [page.replace(".html", ".xhtml") for page in course]
    assert check_book(book) == wanted
    with zipfile.ZipFile(book) as archive:
        pages = [archive.read(page.replace(".html", ".xhtml")).decode() for page in CHAPTERS]
    assert sum(page.count("<math ") for page in pages) > 20 * len(CHAPTERS)


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_has_its_formulas_stills_and_solutions(book, path):
    site = (SITE / path).read_text(encoding="utf-8")
    with zipfile.ZipFile(book) as archive:
        text = archive.read(path.replace(".html", ".xhtml")).decode()
    films, figures = site.count('<iframe class="tutlib-'), site.count('<svg class="tutlib-figure"')
    assert text.count("<math ") == site.count("<math ")
    assert text.count(">Solution</p>") == site.count(">Show the solution</p>") > 0
    assert (text.count("stills/"), text.count('class="tutlib-figure"')) == (films, figures)
    assert films + figures + site.count('class="tutlib-sketch"') >= 1


def test_it_can_be_sent_by_mail(book):
    assert book.stat().st_size < 5_000_000
