"""A copied link opens a page with its simulation as it was: the setting, and the very moment."""

import re

import pytest

from panels import live
from tests.helpers import ROOT, free
from tutlib.models import pendulum

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
