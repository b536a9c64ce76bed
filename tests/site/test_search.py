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
# What readers type, and the section that must come first or second: words of theirs stand in
# book/search.toml.
READERS = {
    "gimbal lock": (
        "notebooks/08-lie-group-integrators/1-off-the-sphere#three-repairs-and-what-each-costs"
    ),
    "baumgarte": "notebooks/06-holonomic-constraints/3-what-holds-it#baumgarte-s-stabilization",
    "DAE": "notebooks/06-holonomic-constraints/5-the-index#what-a-dae-is-and-its-index",
    "double pendulum chaos": "notebooks/02-double-pendulum/4-for-how-long#two-motions-part",
    "PID": "notebooks/01-pendulum/5-memory#learn-from-the-error",
    "how do I install": "book/how-to-work#run",
    "colab": "book/how-to-work#run",
    "lagrangian": "notebooks/01-pendulum/1-one-equation#lagrange-s-way-the-same-by-energies",
    "euler-lagrange equation": (
        "notebooks/01-pendulum/1-one-equation#lagrange-s-way-the-same-by-energies"
    ),
    "runge kutta": "notebooks/04-integrators/2-methods-are-tables#four-stages",
    "inverted pendulum lqr": (
        "notebooks/07-linearization/3-the-best-linear-law#what-the-balance-costs"
    ),
    "moment of inertia rod": "notebooks/01-pendulum/1-one-equation#a-rod-is-not-a-point",
    "parallel axis theorem": "notebooks/01-pendulum/1-one-equation#a-rod-is-not-a-point",
    "euler angles": "notebooks/05-kane/3-a-rolling-disc#three-turns-five-coordinates",
    "featherstone": "notebooks/03-relative-vs-absolute/3-without-a-mass-matrix#two-passes",
    "quaternion": "notebooks/08-lie-group-integrators/2-two-turns#four-numbers-of-length-one",
    "rotation matrix": "notebooks/08-lie-group-integrators/1-off-the-sphere#hat-and-vee",
    "exponential map": "notebooks/08-lie-group-integrators/1-off-the-sphere#many-turns-are-one",
    "rolling without slipping": "notebooks/05-kane/3-a-rolling-disc#and-the-contact",
    "nonholonomic": "notebooks/05-kane/3-a-rolling-disc#and-the-contact",
    "controllability": "notebooks/07-linearization/3-the-best-linear-law#what-an-input-can-steer",
    "virtual work": "notebooks/05-kane/2-more-bodies#not-at-each-body-but-in-the-sum",
    "newton euler": "notebooks/05-kane/2-more-bodies#three-roads-to-the-double-pendulum",
    "coriolis": "notebooks/02-double-pendulum/1-two-masses#lagrange-four-terms-at-a-time",
    "generalized coordinates": "notebooks/02-double-pendulum/1-two-masses#where-each-link-is",
    "adaptive step size": "notebooks/04-integrators/5-a-step-that-fits#two-results-one-difference",
    "event detection": "notebooks/04-integrators/5-a-step-that-fits#stop-where-it-happens",
    "implicit euler": "notebooks/04-integrators/4-stiff-problems#solve-for-the-end",
    "symplectic integrator": "notebooks/04-integrators/1-speeds-first#speeds-first",
    "intermediate axis theorem": (
        "notebooks/08-lie-group-integrators/5-a-nut-in-free-fall#why-it-turns-over"
    ),
    "constraint drift": "notebooks/06-holonomic-constraints/1-a-loop#it-opens",
    "parallel computing": "notebooks/11-many-pendulums/5-before-a-large-run#what-it-costs",
    "monte carlo": "notebooks/11-many-pendulums/4-chance#tolerances-of-two-quadrotors",
    "prerequisites": "book/ready",
    "teacher": "book/instructors",
    "solutions": "book/instructors#solutions-or-not",
    "friction": "notebooks/05-kane/3-a-rolling-disc#what-the-table-must-bear",
    "drone": "notebooks/09-quadrotors/1-newton-with-tensions",
    "robot arm": "notebooks/02-double-pendulum/5-an-arm-that-obeys#two-links-two-servos",
    "natural frequency": "notebooks/07-linearization/2-one-coordinate-too-many#modes-of-a-chain",
    "conservation of energy": "notebooks/01-pendulum/3-the-servo#all-motions-in-one-picture",
    "state space": "notebooks/01-pendulum/1-one-equation#configuration-is-not-state",
    "energy drift": "notebooks/04-integrators/3-the-long-run#ten-thousand-swings",
    "inverse kinematics": "notebooks/02-double-pendulum/5-an-arm-that-obeys#two-links-two-servos",
    "windup": "notebooks/01-pendulum/5-memory#an-integral-that-does-not-know-the-limit",
    "pole placement": "notebooks/10-your-own-machine/3-a-law-and-its-limits#poles-of-your-choice",
    "region of attraction": (
        "notebooks/07-linearization/4-how-far-does-it-carry#which-starts-come-home"
    ),
    "license": "book/intro#cite-it-use-it",
    "eigenvalues": "notebooks/07-linearization/1-a-tangent#a-tangent-to-the-equations",
    "free body diagram": "notebooks/01-pendulum/1-one-equation#newton-s-way-along-one-arrow",
    "lagrange multiplier": (
        "notebooks/06-holonomic-constraints/3-what-holds-it#forces-that-close-it-multipliers"
    ),
    "center of mass": "notebooks/01-pendulum/1-one-equation#a-rod-is-not-a-point",
    "torque": "notebooks/01-pendulum/4-a-motor#inside-the-motor",
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


@pytest.mark.parametrize("query", FIRST)
def test_the_section_comes_first(asked, query):
    assert asked(query)[1][0] == FIRST[query]


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
    assert asked('"problem value initial"')[1] == []


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
