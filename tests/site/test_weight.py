"""What a first visit to a chapter brings over the line, compressed as servers do it."""

import functools
import gzip
from urllib.parse import unquote, urlsplit

import pytest
from fontTools import ttLib

from .conftest import SITE
from .every_page import AROUND, CHAPTERS

MOST = 1_000_000
# The letters that stand for icons: before and behind elements, whether they are seen now or not.
ICONS = """() => [...new Set([...document.querySelectorAll("*")]
  .flatMap((e) => ["::before", "::after"].map((part) => getComputedStyle(e, part)))
  .filter(({ fontFamily, content }) => fontFamily.includes("Awesome") && content.length === 3)
  .map(({ content }) => content[1]))]"""


@pytest.fixture(scope="module")
def files_of(browser, site):
    """Return the files that a browser without a memory asks for on a page, its frames' too."""

    @functools.cache
    def ask(path):
        context = browser.new_context(reduced_motion="reduce")
        page, addresses = context.new_page(), []
        page.on("request", lambda request: addresses.append(request.url))
        page.goto(site + path, wait_until="networkidle")
        for frame in page.locator("iframe").all():
            frame.scroll_into_view_if_needed()
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_load_state("networkidle")
        context.close()
        own = (address for address in addresses if address.startswith(site))
        return sorted({SITE / unquote(urlsplit(address).path[1:]) for address in own})

    return ask


def transferred(file):
    """Return the size of a file in bytes as it is sent; fonts and images are compressed already."""
    content = file.read_bytes()
    return min(len(content), len(gzip.compress(content, 6)))


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_with_all_its_pictures_is_light(files_of, path):
    files = files_of(path)
    assert SITE / path in files
    sizes = {file.relative_to(SITE).as_posix(): transferred(file) for file in files}
    assert sum(sizes.values()) < MOST, sorted(sizes.items(), key=lambda item: -item[1])[:8]


@pytest.mark.parametrize("path", CHAPTERS)
def test_icons_come_from_their_font_alone(files_of, path):
    assert [file.name for file in files_of(path) if "fontawesome" in file.as_posix()] == [
        "fa-solid-900.woff"
    ]


@pytest.mark.parametrize("path", [*AROUND[:2], CHAPTERS[0], CHAPTERS[-1]])
def test_every_icon_is_in_its_font(visitor, site, path):
    page, _ = visitor
    page.goto(site + path)
    shown = page.evaluate(ICONS)
    font = ttLib.TTFont(SITE / "_static/vendor/fontawesome/webfonts/fa-solid-900.woff")
    assert len(shown) >= 8
    assert {*map(ord, shown)} <= {*font.getBestCmap()}


def test_the_first_page_is_lighter_still(files_of):
    """With its simulation and the films of all chapters."""
    sizes = {file.relative_to(SITE).as_posix(): transferred(file) for file in files_of(AROUND[0])}
    assert sum(sizes.values()) < 300_000, sorted(sizes.items(), key=lambda item: -item[1])[:8]
