"""The search finds sections: over the network and on a disk, on its own page and as one types."""

import json
import re

import pytest

from .conftest import SITE
from .every_page import CHAPTERS
from .visits import NARROW, WIDE, prepare, violations, watch

# What readers type, and the section that must come first or second: words of theirs stand in
# book/search.toml.
READERS = {
    "Verlet": "notebooks/04-integrators/1-speeds-first#verlet-no-speed-at-all",
    "EquationsOfMotion.from_lagrangian": (
        "book/tutlib-mechanics#tutlib.mechanics.equations.EquationsOfMotion.from_lagrangian"
    ),
    "gimbal lock": (
        "notebooks/08-lie-group-integrators/1-off-the-sphere#three-repairs-and-what-each-costs"
    ),
    "baumgarte": "notebooks/06-holonomic-constraints/3-what-holds-it#baumgarte-s-stabilization",
    "DAE": "notebooks/06-holonomic-constraints/5-the-index#what-a-dae-is-and-its-index",
    "PID": "notebooks/01-pendulum/5-memory#learn-from-the-error",
    "how do I install": "book/how-to-work#run",
    "colab": "book/how-to-work#run",
    "lagrangian": "notebooks/01-pendulum/1-one-equation#lagrange-s-way-the-same-by-energies",
    "runge kutta": "notebooks/04-integrators/2-methods-are-tables#four-stages",
    "moment of inertia rod": "notebooks/01-pendulum/1-one-equation#a-rod-is-not-a-point",
    "euler angles": "notebooks/05-kane/3-a-rolling-disc#three-turns-five-coordinates",
    "featherstone": "notebooks/03-relative-vs-absolute/3-without-a-mass-matrix#two-passes",
    "quaternion": "notebooks/08-lie-group-integrators/2-two-turns#four-numbers-of-length-one",
    "rotation matrix": "notebooks/08-lie-group-integrators/1-off-the-sphere#hat-and-vee",
    "exponential map": "notebooks/08-lie-group-integrators/1-off-the-sphere#many-turns-are-one",
    "rolling without slipping": "notebooks/05-kane/3-a-rolling-disc#and-the-contact",
    "nonholonomic": "notebooks/05-kane/3-a-rolling-disc#and-the-contact",
    "adaptive step size": "notebooks/04-integrators/5-a-step-that-fits#two-results-one-difference",
    "event detection": "notebooks/04-integrators/5-a-step-that-fits#stop-where-it-happens",
    "implicit euler": "notebooks/04-integrators/4-stiff-problems#solve-for-the-end",
    "prerequisites": "book/ready",
    "teacher": "book/instructors",
    "solutions": "book/instructors#solutions-or-not",
    "region of attraction": (
        "notebooks/07-linearization/4-how-far-does-it-carry#which-starts-come-home"
    ),
    "license": "book/intro#cite-it-use-it",
    "free body diagram": "notebooks/01-pendulum/1-one-equation#newton-s-way-along-one-arrow",
    "lagrange multiplier": (
        "notebooks/06-holonomic-constraints/3-what-holds-it#forces-that-close-it-multipliers"
    ),
}
# Ask the dialog of a page, question by question; of each answer the first two addresses.
ASK_ALL = """async (queries) => {
  const field = document.querySelector('#pst-search-dialog input[name="q"]');
  const found = document.querySelector("#pst-search-dialog .tutlib-found");
  const first = async (query) => {
    field.value = query;
    const changed = new Promise((tell) => new MutationObserver(tell).observe(found, {
      childList: true, subtree: true }));
    field.dispatchEvent(new Event("input"));
    await changed;
    return [...found.querySelectorAll("li > a")].slice(0, 2).map((link) => link.href);
  };
  const answers = {};
  for (const query of queries) answers[query] = await first(query);
  return answers;
}"""
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


def test_the_words_of_readers_lead_to_their_section(visitor, site):
    page, complaints = visitor
    complaints.clear()
    page.goto(f"{site}search.html")
    answers = page.evaluate(ASK_ALL, list(READERS))
    wrong = {
        query: found
        for query, place in READERS.items()
        if site + page_of_place(place) not in (found := answers[query])
    }
    assert wrong == {}
    assert complaints == []


def page_of_place(place):
    """Return the address of a place: ``book/ready`` is a page, ``book/ready#energy`` a section."""
    name, _, anchor = place.partition("#")
    return f"{name}.html{anchor and '#'}{anchor}"


def test_what_stands_in_quotes_is_a_phrase(asked):
    loose, found = asked("initial value problem"), asked('"initial value problem"')
    assert 0 < len(found[1]) < len(loose[1])
    for place in found[1]:
        name, _, _ = place.partition("#")
        text = re.sub(r"<[^>]*>|\s+", " ", (SITE / name).read_text(encoding="utf-8"))
        assert re.search(r"initial[ -]value problem", " ".join(text.split()), re.IGNORECASE), place
    said, links = asked('"problem value initial"')
    assert said.startswith("Nothing found.")
    assert links == []


def test_a_site_on_a_disk_is_searched_too(asked, visitor):
    home = SITE.as_uri() + "/"
    assert asked("Verlet", home)[1][0] == page_of_place(READERS["Verlet"])
    assert [text for text in visitor[1] if not text.startswith("asked file:")] == []


def test_every_result_leads_to_a_place(site):
    text = (SITE / "_static" / "sections.js").read_text(encoding="utf-8")
    arguments = re.fullmatch(r'"use strict";tutlibSections\((.*)\);\n', text, re.DOTALL)[1]
    entries, _ = json.loads(f"[{arguments}]")
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
    page.wait_for_url("**/" + page_of_place(READERS["baumgarte"]))
    assert complaints == []
    context.close()
