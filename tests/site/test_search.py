"""The search finds sections: over the network and on a disk, on its own page and as one types."""

import json
import re

import pytest

from .conftest import SITE
from .every_page import CHAPTERS, PANELS
from .visits import NARROW, WIDE, prepare, violations, watch

FIRST = "notebooks/01-pendulum/1-one-equation.html"
LINKAGE = "notebooks/06-holonomic-constraints"
LINEAR = "notebooks/07-linearization"
LIE = "notebooks/08-lie-group-integrators"
FIRST = {  # what is asked, and the section that must come first
    "Verlet": "notebooks/04-integrators/1-speeds-first.html#verlet-no-speed-at-all",
    "Lyapunov function": f"{LINEAR}/4-how-far-does-it-carry.html#what-can-be-proved",
    "Lyapunov exponent": "notebooks/02-double-pendulum/4-for-how-long.html#how-fast",
    "kane": "notebooks/05-kane/1-partial-velocities.html",
    "Baumgarte": f"{LINKAGE}/3-what-holds-it.html#baumgarte-s-stabilization",
    "dexpinv": f"{LIE}/4-slopes-from-elsewhere.html#the-same-tableaus",
    "quaternions": f"{LIE}/2-two-turns.html#four-numbers-of-length-one",
    "LQR": f"{LINEAR}/3-the-best-linear-law.html#what-the-balance-costs",
    "stiffness": "notebooks/04-integrators/4-stiff-problems.html#stiffness",
    "symplectic": "notebooks/04-integrators/1-speeds-first.html#speeds-first",
    "lagrange multipliers": f"{LINKAGE}/3-what-holds-it.html#forces-that-close-it-multipliers",
    "degrees of freedom": f"{FIRST}#links-joints-degrees-of-freedom",
    "index of a DAE": f"{LINKAGE}/5-the-index.html#what-a-dae-is-and-its-index",
    "Lie-Euler": f"{LIE}/3-a-group-moves-a-sphere.html#lieeuler-one-exponential",
    "commutator-free": f"{LIE}/4-slopes-from-elsewhere.html#without-commutators",
    "git clone": "book/how-to-work.html#run",
    "EquationsOfMotion.from_lagrangian": (
        "book/tutlib-mechanics.html#tutlib.mechanics.equations.EquationsOfMotion.from_lagrangian"
    ),
}
LINKS = "links => links.map((link) => link.href)"


@pytest.fixture(scope="module")
def asked(visitor, site):
    """Return what the page of the search says, and the addresses that it names, in their order."""
    page, complaints = visitor

    def ask(query, home=site):
        complaints.clear()
        page.goto(f"{home}search.html?q={query.replace(' ', '+')}")
        found = page.locator("#search-results")
        found.get_by_role("status").filter(has_text=re.compile(".")).wait_for()
        links = found.locator("li > a").evaluate_all(LINKS)
        own = [link.removeprefix(home) for link in links]
        return found.get_by_role("status").inner_text(), own

    return ask


@pytest.mark.parametrize("query", FIRST)
def test_the_section_comes_first(asked, query):
    assert asked(query)[1][0] == FIRST[query]


def test_a_site_on_a_disk_is_searched_too(asked, visitor):
    home = SITE.as_uri() + "/"
    assert asked("Verlet", home)[1][0] == FIRST["Verlet"]
    assert [text for text in visitor[1] if not text.startswith("asked file:")] == []


def test_where_nothing_is_found_it_says_so(asked, visitor):
    said, links = asked("zzzz")
    assert said.startswith("Nothing found.")
    assert links == []
    assert visitor[1] == []


def test_every_result_leads_to_a_place(site):
    text = (SITE / "_static" / "sections.js").read_text(encoding="utf-8")
    entries = json.loads(
        re.fullmatch(r'"use strict";tutlibSections\((.*)\);\n', text, re.DOTALL)[1]
    )
    pages = {
        page: set(
            re.findall(r'\bid="([^"]*)"', (SITE / f"{page}.html").read_text(encoding="utf-8"))
        )
        for page in {entry[0] for entry in entries}
    }
    assert {f"{page}.html" for page in pages} >= set(CHAPTERS)
    assert [entry[:2] for entry in entries if entry[1] and entry[1] not in pages[entry[0]]] == []
    numbers = {tuple(entry[:2]): entry[2] for entry in entries}
    assert numbers["notebooks/04-integrators/1-speeds-first", "verlet-no-speed-at-all"] == "4.1.5"


def test_no_page_brings_the_list_along_unasked(site):
    for path in SITE.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'src="[^"]*(searchindex|searchtools|sections)\.js', text), path


@pytest.mark.parametrize(("scheme", "width"), [("light", WIDE), ("dark", NARROW)])
def test_the_dialog_answers_as_one_types(browser, site, scheme, width):
    viewport = {"width": width, "height": 800}
    context = browser.new_context(color_scheme=scheme, viewport=viewport, reduced_motion="reduce")
    page, complaints = watch(context.new_page())
    page.goto(site + CHAPTERS[0])
    page.keyboard.press("Control+k")
    page.keyboard.type("baumg")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("link").first.wait_for()
    assert dialog.get_by_role("status").inner_text().startswith("Found ")
    prepare(page)
    assert violations(page, within="dialog[open]", rules={"region": {"enabled": False}}) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/" + FIRST["Baumgarte"])
    assert complaints == []
    context.close()


def test_it_opens_from_within_a_panel_and_gives_the_focus_back(browser, site):
    name = "opening"
    context = browser.new_context(reduced_motion="reduce")
    page, complaints = watch(context.new_page())
    page.goto(site + PANELS[name])
    frame = page.locator(f"iframe[data-name={name}]").content_frame
    frame.locator("canvas.mechanism").focus()
    page.keyboard.press("Control+k")
    field = page.get_by_role("dialog").get_by_role("searchbox")
    field.wait_for()
    assert field.evaluate("(field) => field === document.activeElement")
    page.keyboard.press("Escape")
    page.wait_for_function("document.activeElement.tagName === 'IFRAME'")
    assert complaints == []
    context.close()
