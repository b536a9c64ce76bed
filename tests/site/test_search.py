"""The search finds sections: over the network and on a disk, on its own page and as one types."""

import json
import re

import pytest

from .conftest import SITE
from .every_page import CHAPTERS, PANELS
from .visits import NARROW, WIDE, prepare, set_up, violations

#: What is asked, and the section that must come first. Before pages of chapters goes `notebooks/`.
FIRST = {
    "Verlet": "04-integrators/1-speeds-first#verlet-no-speed-at-all",
    "Lyapunov function": "07-linearization/4-how-far-does-it-carry#what-can-be-proved",
    "Lyapunov exponent": "02-double-pendulum/4-for-how-long#how-fast",
    "kane": "05-kane/1-partial-velocities",
    "Baumgarte": "06-holonomic-constraints/3-what-holds-it#baumgarte-s-stabilization",
    "dexpinv": "08-lie-group-integrators/4-slopes-from-elsewhere#the-same-tableaus",
    "quaternions": "08-lie-group-integrators/2-two-turns#four-numbers-of-length-one",
    "LQR": "07-linearization/3-the-best-linear-law#what-the-balance-costs",
    "stiffness": "04-integrators/4-stiff-problems#stiffness",
    "symplectic": "04-integrators/1-speeds-first#speeds-first",
    "lagrange multipliers": (
        "06-holonomic-constraints/3-what-holds-it#forces-that-close-it-multipliers"
    ),
    "degrees of freedom": "01-pendulum/1-one-equation#links-joints-degrees-of-freedom",
    "index of a DAE": "06-holonomic-constraints/5-the-index#what-a-dae-is-and-its-index",
    "Lie-Euler": "08-lie-group-integrators/3-a-group-moves-a-sphere#lieeuler-one-exponential",
    "commutator-free": "08-lie-group-integrators/4-slopes-from-elsewhere#without-commutators",
    "git clone": "book/how-to-work#run",
    "EquationsOfMotion.from_lagrangian": (
        "book/tutlib-mechanics#tutlib.mechanics.equations.EquationsOfMotion.from_lagrangian"
    ),
}
# What readers type, and the section that must come first or second: words of theirs stand in
# book/search.toml.
READERS = {
    "gimbal lock": "08-lie-group-integrators/1-off-the-sphere#three-repairs-and-what-each-costs",
    "DAE": "06-holonomic-constraints/5-the-index#what-a-dae-is-and-its-index",
    "double pendulum chaos": "02-double-pendulum/4-for-how-long#two-motions-part",
    "PID": "01-pendulum/5-memory#learn-from-the-error",
    "how do I install": "book/how-to-work#run",
    "colab": "book/how-to-work#run",
    "lagrangian": "01-pendulum/1-one-equation#lagrange-s-way-the-same-by-energies",
    "euler-lagrange equation": "01-pendulum/1-one-equation#lagrange-s-way-the-same-by-energies",
    "runge kutta": "04-integrators/2-methods-are-tables#four-stages",
    "inverted pendulum lqr": "07-linearization/3-the-best-linear-law#what-the-balance-costs",
    "moment of inertia rod": "01-pendulum/1-one-equation#a-rod-is-not-a-point",
    "parallel axis theorem": "01-pendulum/1-one-equation#a-rod-is-not-a-point",
    "euler angles": "05-kane/3-a-rolling-disc#three-turns-five-coordinates",
    "featherstone": "03-relative-vs-absolute/3-without-a-mass-matrix#two-passes",
    "rotation matrix": "08-lie-group-integrators/1-off-the-sphere#hat-and-vee",
    "exponential map": "08-lie-group-integrators/1-off-the-sphere#many-turns-are-one",
    "rolling without slipping": "05-kane/3-a-rolling-disc#and-the-contact",
    "nonholonomic": "05-kane/3-a-rolling-disc#and-the-contact",
    "controllability": "07-linearization/3-the-best-linear-law#what-an-input-can-steer",
    "virtual work": "05-kane/2-more-bodies#not-at-each-body-but-in-the-sum",
    "newton euler": "05-kane/2-more-bodies#three-roads-to-the-double-pendulum",
    "coriolis": "02-double-pendulum/1-two-masses#lagrange-four-terms-at-a-time",
    "generalized coordinates": "02-double-pendulum/1-two-masses#where-each-link-is",
    "adaptive step size": "04-integrators/5-a-step-that-fits#two-results-one-difference",
    "event detection": "04-integrators/5-a-step-that-fits#stop-where-it-happens",
    "implicit euler": "04-integrators/4-stiff-problems#solve-for-the-end",
    "symplectic integrator": "04-integrators/1-speeds-first#speeds-first",
    "intermediate axis theorem": "08-lie-group-integrators/5-a-nut-in-free-fall#why-it-turns-over",
    "constraint drift": "06-holonomic-constraints/1-a-loop#it-opens",
    "parallel computing": "11-many-pendulums/5-before-a-large-run#what-it-costs",
    "monte carlo": "11-many-pendulums/4-chance#tolerances-of-two-quadrotors",
    "prerequisites": "book/ready",
    "teacher": "book/instructors",
    "solutions": "book/instructors#solutions-or-not",
    "friction": "05-kane/3-a-rolling-disc#what-the-table-must-bear",
    "drone": "09-quadrotors/1-newton-with-tensions",
    "robot arm": "02-double-pendulum/5-an-arm-that-obeys#two-links-two-servos",
    "natural frequency": "07-linearization/2-one-coordinate-too-many#modes-of-a-chain",
    "conservation of energy": "01-pendulum/3-the-servo#all-motions-in-one-picture",
    "state space": "01-pendulum/1-one-equation#configuration-is-not-state",
    "energy drift": "04-integrators/3-the-long-run#ten-thousand-swings",
    "inverse kinematics": "02-double-pendulum/5-an-arm-that-obeys#two-links-two-servos",
    "windup": "01-pendulum/5-memory#an-integral-that-does-not-know-the-limit",
    "pole placement": "10-your-own-machine/3-a-law-and-its-limits#poles-of-your-choice",
    "region of attraction": "07-linearization/4-how-far-does-it-carry#which-starts-come-home",
    "license": "book/intro#cite-it-use-it",
    "eigenvalues": "07-linearization/1-a-tangent#a-tangent-to-the-equations",
    "free body diagram": "01-pendulum/1-one-equation#newton-s-way-along-one-arrow",
    "center of mass": "01-pendulum/1-one-equation#a-rod-is-not-a-point",
    "torque": "01-pendulum/4-a-motor#inside-the-motor",
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


@pytest.fixture
def asked(reader, site):
    """Return what the page of the search says, and the addresses that it names, in their order."""

    def ask(query, home=site):
        reader.goto(f"{home}search.html?q={query.replace(' ', '+')}")
        found = reader.locator("#search-results")
        found.get_by_role("status").filter(has_text=re.compile(".")).wait_for()
        links = found.locator("li > a").evaluate_all(LINKS)
        own = [link.removeprefix(home) for link in links]
        return found.get_by_role("status").inner_text(), own

    return ask


def place_of(name):
    """Return the address of a place: ``book/ready`` is a page, ``book/ready#energy`` a section."""
    page, _, anchor = name.partition("#")
    return f"{'notebooks/' * page[0].isdigit()}{page}.html{anchor and '#'}{anchor}"


def test_the_words_of_readers_lead_to_their_section(reader, site):
    reader.goto(f"{site}search.html")
    answers = reader.evaluate(ASK_ALL, [*FIRST, *READERS])
    firsts = {query: site + place_of(place) for query, place in FIRST.items()}
    assert {query: answers[query][0] for query in FIRST} == firsts
    wrong = {
        query: answers[query]
        for query, place in READERS.items()
        if site + place_of(place) not in answers[query]
    }
    assert wrong == {}


def test_what_stands_in_quotes_is_a_phrase(asked):
    loose, found = asked("initial value problem"), asked('"initial value problem"')
    assert 0 < len(found[1]) < len(loose[1])
    for place in found[1]:
        name, _, _ = place.partition("#")
        text = re.sub(r"<[^>]*>|\s+", " ", (SITE / name).read_text(encoding="utf-8"))
        assert re.search(r"initial[ -]value problem", " ".join(text.split()), re.IGNORECASE), place
    assert asked('"problem value initial"')[1] == []


def test_a_site_on_a_disk_is_searched_too_and_where_nothing_is_found_it_says_so(asked):
    assert asked("Verlet")[1][0] == place_of(FIRST["Verlet"])
    assert asked("Verlet", SITE.as_uri() + "/")[1][0] == place_of(FIRST["Verlet"])
    said, links = asked("zzzz")
    assert said.startswith("Nothing found.")
    assert links == []


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


def test_no_page_brings_the_list_along_unasked(site):
    for path in SITE.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'src="[^"]*(searchindex|searchtools|sections)\.js', text), path


@pytest.mark.parametrize(("scheme", "width"), [("light", WIDE), ("dark", NARROW)])
def test_the_dialog_answers_as_one_types(reader, site, scheme, width):
    page = set_up(reader, width, scheme)
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
    page.wait_for_url("**/" + place_of(FIRST["Baumgarte"]))


def test_it_opens_from_within_a_panel_and_gives_the_focus_back(reader, site):
    name = "opening"
    reader.goto(site + PANELS[name])
    frame = reader.locator(f"iframe[data-name={name}]").content_frame
    frame.locator("canvas.mechanism").focus()
    reader.keyboard.press("Control+k")
    field = reader.get_by_role("dialog").get_by_role("searchbox")
    field.wait_for()
    assert field.evaluate("(field) => field === document.activeElement")
    reader.keyboard.press("Escape")
    reader.wait_for_function("document.activeElement.tagName === 'IFRAME'")
