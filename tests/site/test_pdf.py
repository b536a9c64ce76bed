"""The book that `make pdf` prints from the built site."""

import re

import pytest

from publishing.pdf import print_book

from .conftest import SITE

pytestmark = [pytest.mark.slow, pytest.mark.tools]
FOLDER = "notebooks/02-double-pendulum"
PAGES = (f"{FOLDER}/4-for-how-long.html", f"{FOLDER}/5-an-arm-that-obeys.html")


@pytest.fixture(scope="module")
def book(site, browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "two-pages.pdf"
    print_book(browser, SITE, path, PAGES)
    return path.read_bytes()


def test_it_is_tagged_and_has_bookmarks(book):
    """Headings are tagged as such, and bookmarks name pages and sections."""
    for part in (
        rb"/StructTreeRoot",
        rb"/Marked true",
        rb"/S /H1",
        rb"/S /H2",
        rb"/Type /Outlines",
    ):
        assert re.search(part, book), part
    titles = [title.decode("latin-1") for title in re.findall(rb"/Title \(([^)]*)\)", book)]
    assert sum(title.startswith(("2.4.", "Ready")) for title in titles) > 3


def test_pictures_formulas_and_links_are_in_it(book):
    assert b"MathJax" in book
    assert b"/Subtype /Link" in book
    assert book.count(b"/Type /Page\n") > 4
