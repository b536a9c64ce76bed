"""Where one is: the marker beside a page, a reload, an address that leads nowhere, the way on."""

import re

import pytest

from publishing.sphinx.meta import LONGEST, WHOLE
from tests.servers import served

from .conftest import SITE, Handler
from .every_page import CHAPTERS, PAGES
from .panel import PATIENCE
from .visits import WIDE, watch

LONG_PAGE = "notebooks/08-lie-group-integrators/1-off-the-sphere.html"
#: What is marked, and what should be: the last heading above the middle, at the end above the end.
MARKED = """() => {
  const links = [...document.querySelectorAll("#pst-page-toc-nav a")];
  const { scrollTop, clientHeight, scrollHeight } = document.documentElement;
  const line = scrollTop + clientHeight >= scrollHeight - 2 ? clientHeight : clientHeight / 2;
  const last = links.findLast((link) =>
    document.getElementById(link.hash.slice(1))?.getBoundingClientRect().top < line);
  const marked = links.filter((link) => link.getAttribute("aria-current"));
  return [marked.map((link) => link.hash), last ? [last.hash] : []];
}"""
AT_END = """() => {
  const { scrollTop, clientHeight, scrollHeight } = document.documentElement;
  return scrollTop + clientHeight >= scrollHeight - 2;
}"""
DRAWN = "() => new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(tell)))"


@pytest.fixture(scope="module")
def reader(browser):
    """Return a page in a browser of its own, and fail on whatever goes wrong there."""
    viewport = {"width": WIDE, "height": 800}
    context = browser.new_context(reduced_motion="reduce", viewport=viewport)
    context.set_default_timeout(PATIENCE)
    page, complaints = watch(context.new_page())
    yield page
    context.close()
    assert complaints == []


def test_the_contents_mark_where_one_is(reader, site):
    reader.goto(site + LONG_PAGE)
    reader.mouse.move(WIDE / 2, 400)
    seen = set()
    for _ in range(100):
        reader.keyboard.press("PageDown")
        reader.evaluate(DRAWN)
        before = None
        while before != (before := reader.evaluate("scrollY")):  # it may scroll smoothly
            reader.evaluate(DRAWN)
        reader.wait_for_function(f"(([one, other]) => `${{one}}` === `${{other}}`)(({MARKED})())")
        seen.update(reader.evaluate(MARKED)[0])
        if reader.evaluate(AT_END):
            break
    assert len(seen) > 5


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


@pytest.mark.parametrize("depth", ["lost.html", "a/b/lost.html"])
def test_a_lost_address_has_a_page_with_its_style_and_its_links(browser, site, depth):
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
    assert ways["book/instructors.html"] == []
    assert not [path for path, links in ways.items() if "instructors.html" in str(links)]
    assert dict(ways[CHAPTERS[0]])["left-prev"] == "../../book/glossary.html"
    assert dict(ways["book/glossary.html"])["right-next"] == f"../{CHAPTERS[0]}"
