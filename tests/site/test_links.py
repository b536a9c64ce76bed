"""A copied link opens a page with its simulation as it was: the setting, and the very moment."""

import re

import numpy as np
import pytest

from panels import live, live_one_of
from tests.helpers import ROOT, free
from tutlib.models import chain, pendulum

from .panel import PATIENCE, Panel

PAGE = "https://course.test/chapter.html?q=1"
FRAMES = (ROOT / "book/_static/frames.js").read_text(encoding="utf-8")
AROUND = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Panels</title>
<link rel="icon" href="data:,"><script>%s</script></head>
<body>%s<textarea aria-label="paste"></textarea></body></html>"""


@pytest.fixture
def served(browser):
    """Open widgets on a page with an address of its own, and a fragment."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(error))

    def open_one(name, shown, fragment=""):
        body = AROUND % (FRAMES, shown._repr_html_())
        page.unroute_all()
        page.route("**/*", lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto("about:blank")
        page.goto(PAGE + fragment)
        return Panel(page, name, plays=False)

    yield open_one
    context.close()
    assert not faults


def copied(panel):
    """Click "Copy link", paste it into a field of the page, and return its fragment."""
    field = panel.page.get_by_label("paste")
    field.fill("what was copied before")
    field.press("Control+a")
    field.press("Control+x")
    panel.button("Copy link").click()
    panel.frame.get_by_text("Copied").wait_for()
    for _ in range(1000):  # "Copied" may still stand there from the time before
        field.fill("")
        field.press("Control+v")
        if field.input_value() != "what was copied before":
            break
    page, _, fragment = field.input_value().partition("#")
    assert page == PAGE
    return f"#{fragment}"


def arm(**options):
    return live(
        free(pendulum()),
        [1.0, 0.5],
        "An arm swings.",
        name="arm",
        sliders={"l": (0.5, 3, "m"), "theta": (-90, 90, "deg")},
        **{"h": 0.002, **options},
    )


def links(n):
    return live(
        free(chain(n)),
        [*np.linspace(1, 2, n), *np.zeros(n)],
        "Links swing.",
        name="links",
        sliders={"g": (0, 20, "m/s²")},
    )


def test_a_link_carries_setting_views_and_moment(served):
    panel = served("arm", arm())
    panel.frame.get_by_text("More controls").click()
    panel.move_slider("length of the arm", 1.5)
    panel.press("t", "1")
    panel.step(777)
    before = panel.clock()
    fragment = copied(panel)
    assert "arm.method=semi_implicit_euler" in fragment
    again = served("arm", arm(), fragment)
    again.waits_for("document.querySelector('.clock').textContent.includes('t = 1.55')")
    assert again.clock() == before
    assert copied(again) == fragment, "to the last bit"
    again.frame.get_by_text("More controls").click()
    assert again.frame.get_by_label(re.compile("^trace")).is_checked()
    assert again.slider("length of the arm").input_value() == "1.5"
    again.button("Reset to start").click()
    assert again.values()["t"] == 0


@pytest.mark.parametrize("method", ["euler", "verlet"])
def test_the_motion_and_its_books_go_on_from_there(served, method):
    """Verlet carries positions from step to step; what the energy was at first is known no more."""
    panel = served("arm", arm(method=method, h=0.02))
    panel.step(100)
    fragment = copied(panel)
    panel.step(400)
    end, drift = copied(panel), panel.drift()
    again = served("arm", arm(method=method, h=0.02), fragment)
    again.waits_for("document.querySelector('.clock').textContent.includes('t = 2.00')")
    again.step(400)
    assert copied(again) == end
    assert again.drift() == drift


def test_a_link_chooses_among_several_simulations(served):
    several = live_one_of("links", {str(n): links(n) for n in (1, 2, 3)})
    panel = served("links", several)
    choice = panel.frame.locator(".choice input")
    choice.focus()
    panel.page.keyboard.press("ArrowRight")
    panel.frame.get_by_text("More controls").click()
    panel.move_slider("gravity", 15)
    choice.focus()
    panel.page.keyboard.press("ArrowRight")
    assert panel.slider("gravity").input_value() == "15"
    panel.page.wait_for_url(f"{PAGE}#live&links.g=15&links.choice=3")
    panel.step(50)
    before, fragment = panel.clock(), copied(panel)
    again = served("links", several, fragment)
    again.waits_for("document.querySelector('.clock').textContent.includes('t = 0.50')")
    assert again.frame.locator(".choice output").inner_text() == "3"
    assert again.clock() == before
    assert copied(again) == fragment


def test_without_a_page_that_answers_there_is_no_link(show):
    page = show(arm())
    panel = Panel(page, "arm", plays=False)
    assert panel.button("Copy link").count() == 0
