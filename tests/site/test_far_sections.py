"""A section far from the screen waits, and is there as soon as somebody looks."""

import pytest

from .every_page import CHAPTERS
from .visits import FAR, NARROW, REACHED, SET, WIDE, watch

LONG_PAGES = [
    "notebooks/05-kane/3-a-rolling-disc.html",
    "notebooks/08-lie-group-integrators/1-off-the-sphere.html",
]
TOP = "(id) => document.getElementById(id).getBoundingClientRect().top"
SET_HEADING = """(id) => document.getElementById(id).firstElementChild
  .checkVisibility({ contentVisibilityAuto: true })"""


@pytest.fixture
def chapter(browser):
    """Return a page in a browser of its own, and fail on whatever goes wrong there."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": WIDE, "height": 900})
    page, complaints = watch(context.new_page())
    yield page
    context.close()
    assert complaints == []


@pytest.mark.parametrize("path", LONG_PAGES)
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_link_leads_to_a_section_that_waits(chapter, site, path, width):
    chapter.set_viewport_size({"width": width, "height": 900})
    chapter.goto(site + path)
    ids = chapter.locator("article section section[id]").evaluate_all("all => all.map((e) => e.id)")
    for id in ids[2:-3:5]:
        chapter.evaluate("(id) => { location.hash = id }", id)
        chapter.wait_for_function(f"(id) => Math.abs(({TOP})(id) - 64) < 3", arg=id)
        chapter.wait_for_function(SET_HEADING, arg=id)


def test_the_keyboard_reaches_what_scrolls_once_it_is_near(chapter, site):
    chapter.set_viewport_size({"width": NARROW, "height": 900})
    chapter.goto(f"{site}book/notation.html")
    wide = chapter.locator("article table").all()
    for block in wide:
        block.scroll_into_view_if_needed()
        chapter.wait_for_function(REACHED, arg=block.element_handle())
    assert any(block.evaluate("e => e.scrollWidth > e.clientWidth + 1") for block in wide)


@pytest.mark.parametrize("path", LONG_PAGES)
def test_on_paper_nothing_waits(chapter, site, path):
    chapter.goto(site + path)
    chapter.emulate_media(media="print")
    assert chapter.locator(FAR).last.evaluate(SET)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_known_before_the_scripts_of_the_theme(browser, site, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.route("**/scripts/*theme.js*", lambda route: route.abort())
    page.goto(site + CHAPTERS[0])
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    page.evaluate("localStorage.setItem('mode', 'dark')")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    context.close()
