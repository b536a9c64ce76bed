"""Where one is: an address that leads nowhere, the head of a page, the way on."""

import re

import pytest

from publishing.sphinx.meta import LONGEST, WHOLE
from tests.servers import served

from .conftest import SITE, Handler
from .every_page import CHAPTERS, PAGES
from .visits import WIDE

#: The pages for teachers, in their order.
TEACHERS = ("instructors", "run-the-site", "write-exercises")


class Lost(Handler):
    """A server as sites have it: what is not there gets the page for it, wherever it was asked."""

    def send_error(self, code, message=None, explain=None):
        body = (SITE / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@pytest.mark.usefixtures("site")
def test_a_lost_address_has_a_page_with_its_style_and_its_links(browser):
    depth = "a/b/lost.html"
    with served(SITE, Lost) as home:
        page = browser.new_context(viewport={"width": WIDE, "height": 800}).new_page()
        page.goto(f"{home}{depth}")
        assert page.get_by_role("heading", level=1).inner_text() == "This page is not here"
        assert (
            page.evaluate("getComputedStyle(document.querySelector('.bd-main')).display") == "flex"
        )
        skip = page.locator("a[href$='#main-content']").first
        assert skip.evaluate("e => e.href") == f"{home}{depth}#main-content"
        page.get_by_role("link", name="Begin at the first page").click()
        page.wait_for_url(f"{home}book/intro.html")
        page.context.close()


def said(path, pattern):
    text = (SITE / path).read_text(encoding="utf-8")
    return re.findall(pattern, text)


@pytest.mark.parametrize("path", PAGES)
def test_a_head_says_things_once_and_to_their_end(site, path):
    assert len(said(path, '<meta name="viewport"')) == 1
    (told,) = said(path, '<meta name="description" content="([^"]*)"')
    assert 40 < len(told) < 2 * LONGEST
    assert WHOLE.search(told.replace("&quot;", "”").replace("&#x27;", "’")), told


def test_readers_and_teachers_go_their_own_ways(site):
    ways = {path: said(path, r'class="(left-prev|right-next)"\s+href="([^"]*)"') for path in PAGES}
    teach, run, write = (f"book/{name}.html" for name in TEACHERS)
    assert ways[teach] == [("right-next", "run-the-site.html")]
    assert ways[run] == [("left-prev", "instructors.html"), ("right-next", "write-exercises.html")]
    assert ways[write] == [("left-prev", "run-the-site.html")]
    readers = [links for path, links in ways.items() if path not in (teach, run, write)]
    assert not [links for links in readers if any(name in str(links) for name in TEACHERS)]
    assert dict(ways[CHAPTERS[0]])["left-prev"] == "../../book/glossary.html"
    assert dict(ways["book/glossary.html"])["right-next"] == f"../{CHAPTERS[0]}"
