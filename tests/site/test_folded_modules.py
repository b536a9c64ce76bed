"""Folded signatures of a package's page: a link opens the module, and scrolls to the signature."""

import pytest

from tests.helpers import ROOT

from .panel import PATIENCE

SCRIPT = (ROOT / "book/_static/code.js").read_text(encoding="utf-8")
MODULE = """<details class="tutlib-module"><summary id="module-%d">a module</summary>
<div style="height: 3000px">%d</div><dl><dt id="tutlib.step_%d">step</dt></dl></details>"""
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Reference</title>
<link rel="icon" href="data:,"></head><body><article>%s</article>
<div style="height: 3000px">the end</div><script>%s</script></body></html>"""


@pytest.fixture
def page(browser, tmp_path):
    """Show three folded modules."""
    modules = "".join(MODULE % (k, k, k) for k in range(3))
    file = tmp_path / "page.html"
    file.write_text(PAGE % (modules, SCRIPT), encoding="utf-8")
    with browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        shown = context.new_page()
        shown.address = file.as_uri()
        yield shown


def opened(page):
    return page.evaluate("[...document.querySelectorAll('details')].map((e) => e.open)")


def test_a_link_opens_its_module_and_no_other(page):
    page.goto(f"{page.address}#tutlib.step_1")
    assert opened(page) == [False, True, False]
    assert page.locator("#tutlib\\.step_1").bounding_box()["y"] < 100
    page.evaluate("location.hash = '#tutlib.step_2'")
    page.wait_for_function("document.querySelectorAll('details')[2].open")
    assert page.locator("#tutlib\\.step_2").bounding_box()["y"] < 100


def test_it_opens_where_the_browser_does_not_open_it(page):
    page.goto(f"{page.address}#tutlib.step_1")
    page.evaluate("document.querySelectorAll('details')[1].open = false")
    page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))")
    assert opened(page) == [False, True, False]


def test_without_a_link_all_are_folded(page):
    page.goto(page.address)
    assert opened(page) == [False, False, False]
