"""Every page of the built site in a real browser: wide and narrow, light and dark."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe

from .conftest import ROOT, SITE

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [f"{TOC['root']}.html"]
PAGES += [f"{chapter['file']}.html" for part in TOC["parts"] for chapter in part["chapters"]]
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
NARROW, WIDE = 390, 1280


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
        for name in ("href", "src"):
            if name in found and tag in ("a", "link", "script", "img"):
                self.addresses.append(found[name])


def violations(page):
    """Return what axe finds wrong, one text for each place."""
    # Without "preload": axe would look for imported style sheets at wrong addresses.
    results = Axe().run(page, options={"preload": False})
    return [
        f"{violation['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for violation in results.response["violations"]
        for node in violation["nodes"]
    ]


@pytest.fixture(scope="module")
def links(site):
    found = [path for path in SITE.rglob("*.html") if "_static" not in path.parts]
    return {
        path.relative_to(SITE).as_posix(): Links(path.read_text(encoding="utf-8")) for path in found
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("path", PAGES)
class TestEveryPage:
    def test_it_loads_and_fits(self, visit, path, width, scheme):
        """No message in the console, no other host, nothing wider than the screen."""
        page = visit(path, width, scheme)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("article h1").count() == 1
        assert page.locator("mjx-merror").count() == 0
        assert page.locator(".system-message, .problematic").count() == 0
        for picture in page.locator("article img").all():
            picture.scroll_into_view_if_needed()
            assert picture.evaluate("e => e.complete && e.naturalWidth > 0")

    def test_axe_finds_nothing(self, visit, path, width, scheme):
        assert not violations(visit(path, width, scheme))


@pytest.mark.parametrize("path", CHAPTERS)
class TestChapters:
    def test_mathematics_is_typeset(self, visit, path):
        page = visit(path)
        page.wait_for_function("window.MathJax && MathJax.startup.promise")
        page.evaluate("MathJax.startup.promise.then(() => true)")
        assert page.locator("mjx-container").count() > 20
        left = page.evaluate(
            """() => {
                const article = document.querySelector("article").cloneNode(true);
                article.querySelectorAll("pre, iframe, mjx-container").forEach((e) => e.remove());
                return article.textContent;
            }"""
        )
        assert not re.search(r"\\\(|\\\[|\\dot|\\theta", left)

    def test_it_is_light(self, path, site):
        """The page, and all that it alone brings along, before compression."""
        page = SITE / path
        text = page.read_text(encoding="utf-8")
        own = [a for a in Links(text).addresses if "_images" in a]
        images = {(page.parent / unquote(a.partition("?")[0])).resolve() for a in own}
        weight = len(text.encode()) + sum(image.stat().st_size for image in images)
        assert len(images) >= 3
        assert weight < 1_000_000

    def test_the_opening_picture_is_the_first_and_moves(self, visit, path):
        page = visit(path)
        frame = page.frame_locator("iframe.tutlib-animation").first
        page.locator("iframe.tutlib-animation").first.scroll_into_view_if_needed()
        clock = frame.locator("output")
        frame.get_by_role("button", name="Pause").wait_for()
        before = clock.inner_text()
        page.wait_for_timeout(600)
        assert clock.inner_text() != before

    def test_it_rests_for_those_who_want_no_motion(self, visit, path):
        page = visit(path, reduced_motion="reduce")
        page.locator("iframe.tutlib-animation").first.scroll_into_view_if_needed()
        frame = page.frame_locator("iframe.tutlib-animation").first
        frame.get_by_role("button", name="Play").wait_for()
        page.wait_for_timeout(500)
        before = frame.locator("output").inner_text()
        page.wait_for_timeout(400)
        assert frame.locator("output").inner_text() == before
        frame.get_by_role("button", name="Play").click()
        frame.get_by_role("button", name="Pause").wait_for()

    def test_it_obeys_the_keyboard(self, visit, path):
        page = visit(path)
        page.locator("iframe.tutlib-animation").first.scroll_into_view_if_needed()
        frame = page.frame_locator("iframe.tutlib-animation").first
        frame.get_by_role("button", name="Pause").wait_for()
        frame.get_by_role("button").focus()
        page.keyboard.press("Space")
        frame.get_by_role("button", name="Play").wait_for()
        slider = frame.get_by_role("slider")
        slider.focus()
        page.keyboard.press("Home")
        assert frame.locator("output").inner_text().startswith("t = 0.00 s")
        page.keyboard.press("End")
        assert float(slider.input_value()) > 1

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_a_player_wears_the_theme_of_the_page(self, visit, path, scheme):
        """Also where reader and system disagree: the page has the last word."""
        page = visit(path, scheme=scheme)
        other = {"light": "dark", "dark": "light"}[scheme]
        page.locator("iframe.tutlib-animation").first.scroll_into_view_if_needed()
        frame = page.frame_locator("iframe.tutlib-animation").first
        frame.locator(f"main[data-theme={scheme}]").wait_for()
        page.evaluate(f"document.documentElement.dataset.theme = '{other}'")
        frame.locator(f"main[data-theme={other}]").wait_for()

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_axe_finds_nothing_in_a_player(self, visit, path, scheme):
        page = visit(path, scheme=scheme)
        page.locator("iframe.tutlib-animation").first.scroll_into_view_if_needed()
        page.frame_locator("iframe.tutlib-animation").first.get_by_role("button").wait_for()
        (player, *_) = page.frames[1:]
        found = violations(player)
        assert [v for v in found if not v.startswith("page-has-heading-one")] == []

    def test_code_can_be_copied_and_hidden_code_shown(self, visit, path):
        page = visit(path)
        assert page.locator("button.copybtn").count() > 10
        hidden = page.locator("details.hide").first
        hidden.locator("summary").click()
        assert hidden.evaluate("e => e.open")


def test_every_link_within_the_site_leads_somewhere(links):
    broken = []
    for page, found in links.items():
        for address in found.addresses:
            if re.match(r"[a-z]+:|//", address) or address in ("", "#"):
                continue
            target, fragment = urldefrag(urljoin(page, unquote(address)))
            target = target.partition("?")[0] or page
            known = links[target].ids if target in links else {fragment}
            if not (SITE / target).is_file() or (fragment and fragment not in known):
                broken.append(f"{page}: {address}")
    assert not broken


def test_search_finds_the_chapter(visit):
    page = visit("search.html?q=separatrix")
    page.locator("#search-results li a").first.wait_for()
    assert page.locator('#search-results a[href*="01-pendulum"]').count() >= 1


def test_the_bibliography_is_numbered_and_the_chapter_cites_it(visit):
    page = visit("notebooks/01-pendulum.html")
    assert page.locator("a.reference.internal[href*='bibliography.html#id']").count() >= 5


def test_every_picture_is_described(site):
    for path in PAGES:
        text = (SITE / path).read_text(encoding="utf-8")
        article = text.partition("<article")[2].partition("</article>")[0]
        article = re.sub(r'srcdoc="[^"]*"', "", article)
        for tag in re.findall(r"<img\b[^>]*>", article):
            alt = re.search(r'\balt="([^"]*)"', tag)
            assert alt, tag
            assert len(alt[1].split()) >= 3, tag
