"""A copied link opens a page with its simulation as it was: the setting, and the very moment."""

import re

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me

from panels import live, live_in_space, live_one_of
from tests.helpers import ROOT, free
from tutlib import EquationsOfMotion
from tutlib.models import Model, Skeleton, chain, pendulum, rigid_body

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


@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler", "verlet", "velocity_verlet"])
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


def test_a_link_carries_what_the_energy_has_become(served):
    panel = served("arm", arm(method="euler", h=0.02))
    panel.step(200)
    drift = panel.drift()
    assert "invented" in drift
    again = served("arm", arm(method="euler", h=0.02), copied(panel))
    again.waits_for("document.querySelector('.clock').textContent.includes('t = 4.00')")
    assert again.drift() == drift


def test_a_link_carries_what_is_seen_and_how_fast(served):
    def loose():
        """A ball that flies away: nothing pulls at it."""
        x, y = me.dynamicsymbols("x y")
        moving = (x.diff() ** 2 + y.diff() ** 2) / 2
        eom = EquationsOfMotion.from_lagrangian(moving, 0, [x, y])
        drawn = Skeleton(points=((x, y),), lines=(), bodies=(0,))
        model = Model("loose ball", eom, moving, sm.S.Zero, drawn, {})
        return live(model, [0.0, 0.0, 3.0, 0.1], "A ball flies away.", name="loose", h=0.1)

    panel = served("loose", loose())
    panel.step(100)
    panel.unfold()
    panel.speeds().select_option("0.25")
    scale, fragment = panel.frame.locator(".scale").inner_text(), copied(panel)
    assert scale == "10 m"
    again = served("loose", loose(), fragment)
    again.waits_for("document.querySelector('.clock').textContent.includes('t = 10.00')")
    assert again.picture() == panel.picture()
    assert again.frame.locator(".scale").inner_text() == scale
    assert again.speeds().input_value() == "0.25"
    assert copied(again) == fragment


def test_a_link_of_what_rests_opens_at_rest(served):
    panel = served("arm", arm())
    panel.step(50)
    fragment = copied(panel)
    panel.page.emulate_media(reduced_motion="no-preference")
    panel = served("arm", arm(), fragment)
    panel.waits_for("document.querySelector('.clock').textContent.includes('t = 0.10')")
    panel.rests()
    assert copied(panel) == fragment
    panel.button("Play").click()
    panel.plays()
    assert "paused" not in copied(panel)


def test_a_change_of_the_setting_takes_the_moment_out_of_the_address(served):
    panel = served("arm", arm(), "#live&arm.l=2&arm.time=1.5&arm.state=0.25_-2")
    panel.waits_for("document.querySelector('.clock').textContent.includes('t = 1.50')")
    panel.frame.get_by_text("More controls").click()
    panel.move_slider("length of the arm", 2.5)
    panel.page.wait_for_url(f"{PAGE}#live&arm.l=2.5")


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


def test_a_link_carries_the_camera(served):
    box = live_in_space(
        rigid_body(), [*np.eye(3).ravel(), 0.1, 5.0, 0.1], "A box spins.", name="box"
    )
    panel = served("box", box)
    panel.press("ArrowLeft", "ArrowUp", "ArrowUp")
    panel.step(30)
    fragment = copied(panel)
    assert "box.camera=0.6_0.5" in fragment
    again = served("box", box, fragment)
    again.waits_for("document.querySelector('.clock').textContent.includes('t = 0.30')")
    assert copied(again) == fragment


def test_without_a_page_that_answers_there_is_no_link(show):
    page = show(arm())
    panel = Panel(page, "arm", plays=False)
    assert panel.button("Copy link").count() == 0
