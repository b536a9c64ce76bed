"""One simulation of a page alone: an address for a frame in a page of a learning platform."""

import pytest

from panels import live
from tests.helpers import ROOT, free
from tutlib.models import pendulum

from .panel import PATIENCE, Panel

STATIC = ROOT / "book" / "_static"
PAGE = "https://course.test/chapter.html"
AROUND = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>One equation</title><link rel="icon" href="data:,">
<script>%s</script><style>%s</style></head>
<body><header>Equations in Motion</header><div style="padding: 90px"><p>What moves?</p>
<details><summary>A solution</summary>%s</details><p>A pendulum.</p>%s</div></body></html>"""


@pytest.fixture
def opened(browser):
    """Open a page with two simulations at an address."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(error))
    body = AROUND % (
        (STATIC / "frames.js").read_text(encoding="utf-8"),
        (STATIC / "course.css").read_text(encoding="utf-8"),
        *(arm(name)._repr_html_() for name in ("arm", "other")),
    )
    page.route("**/*", lambda route: route.fulfill(body=body, content_type="text/html"))

    def open_one(end, width=1280):
        page.set_viewport_size({"width": width, "height": 700})
        page.goto("about:blank")
        page.goto(PAGE + end)
        return page

    yield open_one
    context.close()
    assert not faults


def arm(name):
    sliders = {"theta": (-180, 180, "deg")}
    presets = {"Straight up": {"theta": 3.0}}
    model = free(pendulum())
    return live(model, [1.0, 0.0], "An arm.", name=name, sliders=sliders, presets=presets)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["arm", "other"])
def test_only_the_simulation_and_a_link_to_its_page_are_seen(opened, width, name):
    page = opened(f"?only={name}", width)
    Panel(page, name, plays=False)
    seen = page.locator("body *:visible").evaluate_all("all => all.map((e) => e.localName)")
    assert [tag for tag in seen if tag in ("header", "p", "summary")] == []
    box = page.locator(f"iframe[data-name={name}]").bounding_box()
    assert box["x"] < 10
    assert box["y"] < 10
    assert box["width"] > width - 20
    link = page.get_by_role("link")
    assert link.inner_text() == "One equation"
    assert link.evaluate("e => [e.href, e.target]") == [PAGE, "_blank"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_address_may_set_it(opened):
    panel = Panel(opened("?only=arm#live&arm.preset=Straight+up"), "arm", plays=False)
    panel.waits_for("/17[12]([.]\\d)?°/.test(document.body.innerText)")


def test_its_theme_is_that_of_the_page(opened):
    page = opened("?only=other")
    panel = Panel(page, "other", plays=False)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    panel.waits_for("document.querySelector('[data-theme]')?.dataset.theme === 'dark'")


def test_with_an_unknown_name_the_page_is_whole(opened):
    page = opened("?only=nothing")
    assert page.locator("header").is_visible()
    assert page.locator("iframe[data-name=other]").is_visible()
