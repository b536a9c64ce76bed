"""The search finds sections as one types."""

import json
import re

from .conftest import SITE
from .every_page import CHAPTERS
from .visits import NARROW, prepare, violations, watch

# What readers type, and the section that must come first or second: words of theirs stand in
# book/search.toml.
READERS = {
    "Verlet": "notebooks/04-integrators/1-speeds-first#verlet-no-speed-at-all",
    "EquationsOfMotion.from_lagrangian": (
        "book/tutlib-mechanics#tutlib.mechanics.equations.EquationsOfMotion.from_lagrangian"
    ),
    "baumgarte": "notebooks/06-holonomic-constraints/3-what-holds-it#baumgarte-s-stabilization",
    "DAE": "notebooks/06-holonomic-constraints/5-the-index#what-a-dae-is-and-its-index",
    "PID": "notebooks/01-pendulum/5-memory#learn-from-the-error",
    "how do I install": "book/how-to-work#run",
    "runge kutta": "notebooks/04-integrators/2-methods-are-tables#four-stages",
    "quaternion": "notebooks/08-lie-group-integrators/2-two-turns#four-numbers-of-length-one",
    "solutions": "book/run-the-site#with-or-without-solutions",
    "CSP": "book/run-the-site#headers-that-the-pages-need",
    "offline": "book/how-to-work",
    "theta dot": "book/notation",
    "ModuleNotFoundError": "book/how-to-work#run",
    "variable step": "notebooks/04-integrators/5-a-step-that-fits#two-results-one-difference",
    "license": "book/intro#cite-and-reuse",
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


def test_the_dialog_answers_as_one_types(browser, site):
    viewport = {"width": NARROW, "height": 800}
    context = browser.new_context(color_scheme="dark", viewport=viewport, reduced_motion="reduce")
    page, complaints = watch(context.new_page())
    page.goto(site + CHAPTERS[0])
    page.keyboard.press("Control+k")
    page.keyboard.type("baumg")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("link").first.wait_for()
    assert dialog.get_by_role("status").inner_text().startswith("Found ")
    prepare(page)
    assert violations(page, within="dialog[open]", rules={"region": {"enabled": False}}) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/" + page_of_place(READERS["baumgarte"]))
    assert complaints == []
    context.close()
