"""A section far from the screen waits, and is there as soon as somebody looks."""

import pytest

from .every_page import CHAPTERS
from .visits import FAR, NARROW, REACHED, SET, WIDE

LONG_PAGES = [
    "notebooks/05-kane/3-a-rolling-disc.html",
    "notebooks/08-lie-group-integrators/1-off-the-sphere.html",
]
TOP = "(id) => document.getElementById(id).getBoundingClientRect().top"
SET_HEADING = """(id) => document.getElementById(id).firstElementChild
  .checkVisibility({ contentVisibilityAuto: true })"""


@pytest.mark.parametrize("path", LONG_PAGES)
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_link_leads_to_a_section_that_waits(reader, site, path, width):
    reader.set_viewport_size({"width": width, "height": 900})
    reader.goto(site + path)
    ids = reader.locator("article section section[id]").evaluate_all("all => all.map((e) => e.id)")
    for id in ids[2:-3:5]:
        reader.evaluate("(id) => { location.hash = id }", id)
        reader.wait_for_function(f"(id) => Math.abs(({TOP})(id) - 64) < 3", arg=id)
        reader.wait_for_function(SET_HEADING, arg=id)


def test_the_keyboard_reaches_what_scrolls_once_it_is_near(reader, site):
    reader.set_viewport_size({"width": NARROW, "height": 900})
    reader.goto(f"{site}book/notation.html")
    wide = reader.locator("article table").all()
    for block in wide:
        block.scroll_into_view_if_needed()
        reader.wait_for_function(REACHED, arg=block.element_handle())
    assert any(block.evaluate("e => e.scrollWidth > e.clientWidth + 1") for block in wide)


@pytest.mark.parametrize("path", LONG_PAGES)
def test_on_paper_nothing_waits(reader, site, path):
    reader.goto(site + path)
    reader.emulate_media(media="print")
    assert reader.locator(FAR).last.evaluate(SET)


def test_the_theme_is_known_before_the_scripts_of_the_theme(reader, site):
    theme = "document.documentElement.dataset.theme"
    reader.route("**/scripts/*theme.js*", lambda route: route.fulfill(body=""))
    for scheme in ("light", "dark"):
        reader.emulate_media(color_scheme=scheme)
        reader.goto(site + CHAPTERS[0])
        assert reader.evaluate(theme) == scheme
    reader.evaluate("localStorage.setItem('mode', 'light')")
    reader.reload()
    assert reader.evaluate(theme) == "light"
