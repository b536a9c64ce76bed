"""The pages around the chapters in a real browser, and what holds for the site as a whole."""

import gzip
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin

import pytest

from .conftest import SITE
from .every_page import ALIKE, AROUND, CHAPTERS, PAGES, PANELS, EveryPage, transferred
from .visits import ENLARGED, NOT_CONTRAST, prepare, violations

# Drawings that are described by an element of their own are left out.
PICTURE = r'<img\b[^>]*>|<svg\b(?![^>]*\baria-labelledby=)[^>]*\brole="img"[^>]*>'


@pytest.mark.parametrize("path", AROUND)
class TestPagesAroundTheChapters(EveryPage):
    pass


@pytest.mark.parametrize("path", ALIKE)
def test_a_page_that_is_like_another_is_sound(visitor, site, path):
    """At four times the size, where all that may be too wide is."""
    page, complaints = visitor
    complaints.clear()
    page.set_viewport_size({"width": ENLARGED, "height": 900})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(site + path)
    prepare(page)
    assert violations(page, rules=NOT_CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") == ENLARGED
    assert complaints == []


def test_the_first_page_is_lighter_than_a_chapter(page_of):
    """With its simulation and the films of all chapters."""
    sizes = transferred(page_of(AROUND[0])["asked"])
    assert sum(sizes.values()) < 220_000, sorted(sizes.items(), key=lambda item: -item[1])[:8]


class Links(HTMLParser):
    """Collect the addresses and the ids of a page."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.add(found["id"])
        if "data-name" in found:  # what a phrase of the text can set
            self.ids.add(f"live&{found['data-name']}")
        for name in ("href", "src"):
            if name in found and tag in ("a", "link", "script", "img"):
                self.addresses.append(found[name])


@pytest.fixture(scope="module")
def links(site):
    found = [path for path in SITE.rglob("*.html") if "_static" not in path.parts]
    return {
        path.relative_to(SITE).as_posix(): Links(path.read_text(encoding="utf-8")) for path in found
    }


def test_every_link_within_the_site_leads_somewhere(links):
    broken = []
    for page, found in links.items():
        for address in found.addresses:
            if re.match(r"[a-z]+:|//", address) or address in ("", "#"):
                continue
            target, fragment = urldefrag(urljoin(page, unquote(address)))
            target = target.partition("?")[0] or page
            fragment = fragment.partition(".")[0] if fragment[:5] == "live&" else fragment
            known = links[target].ids if target in links else {fragment}
            if not (SITE / target).is_file() or (fragment and fragment not in known):
                broken.append(f"{page}: {address}")
    assert not broken


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_chapter_is_light(path, links):
    """The page, and all that it alone brings along, as it is sent and as a browser reads it."""
    own = [a for a in links[path].addresses if "_images" in a]
    images = {((SITE / path).parent / unquote(a.partition("?")[0])).resolve() for a in own}
    files = [file.read_bytes() for file in (SITE / path, *images)]
    text = (SITE / path).read_text(encoding="utf-8")
    drawn = ('<svg class="tutlib-figure"', "<iframe", 'class="tutlib-sketch"')
    assert any(text.count(mark) for mark in drawn)
    assert sum(len(gzip.compress(content, 6)) for content in files) < 350_000
    assert sum(map(len, files)) < 1_500_000


@pytest.mark.parametrize("path", PAGES)
def test_every_picture_is_described(path, site):
    text = (SITE / path).read_text(encoding="utf-8")
    article = text.partition("<article")[2].partition("</article>")[0]
    article = re.sub(r'srcdoc="[^"]*"', "", article)
    for tag in re.findall(PICTURE, article):
        alt = re.search(r'\b(?:alt|aria-label)="([^"]*)"', tag)
        assert alt, tag
        assert len(alt[1].split()) >= 3, tag


@pytest.mark.parametrize("path", PAGES)
def test_every_simulation_is_known_to_these_tests(path, site):
    text = (SITE / path).read_text(encoding="utf-8")
    found = re.findall(r'<iframe class="tutlib-live" data-name="(\w+)"', text)
    assert found == [name for name, page in PANELS.items() if page == path]


@pytest.mark.parametrize("path", PAGES)
def test_no_page_brings_the_state_of_widgets_along(path, site):
    assert "widget-state" not in (SITE / path).read_text(encoding="utf-8")
