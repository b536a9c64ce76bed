"""A browser, the built site on a local address, and what a visit to each page has found."""

import itertools
import os
import re
import shutil
from pathlib import Path

import pytest

from publishing.build_book import sources
from tests.servers import Quiet, served

from .panel import PATIENCE, Panel
from .visits import see_page, watch

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
# A frame in a process of its own may run before it hears of the still clock and of reduced motion.
FLAGS = ["--no-sandbox", "--disable-features=IsolateSandboxedIframes"]
NUMBERS = itertools.count()  # an address of its own for each time a page is opened
# A frame far down on a page that follows the system's theme, as the site's pages do.
ALONE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>One panel</title>
<link rel="icon" href="data:,"><script>
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => (document.documentElement.dataset.theme = dark.matches ? "dark" : "light");
dark.addEventListener("change", follow);
follow();
</script><script src="/_static/frames.js"></script></head><body>
<div style="height: 1500px"></div>%s<div style="height: 1500px"></div></body></html>"""


def frame_of(page, name):
    """Return the markup of a simulation, or with no name the first film, as it is on the site."""
    text = (SITE / page).read_text(encoding="utf-8")
    return re.search(rf'<iframe[^>]*data-name="{name}".*?</iframe>', text, re.DOTALL)[0]


class Handler(Quiet):
    """The site; and below /alone/NAME/ any of its simulations on a page of its own."""

    def do_GET(self):
        address = self.path.partition("?")[0]
        if not address.startswith("/alone/"):
            super().do_GET()
            return
        name, _, page = address.removeprefix("/alone/").partition("/")
        body = (ALONE % frame_of(page, name)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="session")
def site():
    """Return the address of the built site, served from this computer."""
    built_from = SITE.with_suffix(".key")
    if not built_from.exists() or built_from.read_text(encoding="utf-8").split()[0] != sources():
        advice = "there is no site of the present sources: run `make book` first"
        # `make test SITE=required` has built one, or should have
        (pytest.fail if os.environ.get("SITE") == "required" else pytest.skip)(advice)
    with served(SITE, Handler) as address:
        yield address


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Return a headless Chromium: the system's own, or the one that Playwright has installed."""
    playwright_api = pytest.importorskip("playwright.sync_api", reason="no Playwright to drive it")
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with playwright_api.sync_playwright() as playwright:
        try:
            running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        except playwright_api.Error:
            pytest.skip("no browser: install chromium, or run `playwright install chromium`")
        yield running
        running.close()


def once(function):
    """Remember what was found; and if finding it failed, fail alike whenever it is asked for."""
    kept = {}

    def ask(*key):
        if key not in kept:
            try:
                kept[key] = function(*key), None
            except Exception as error:
                kept[key] = None, error
        found, error = kept[key]
        if error:
            raise error
        return found

    return ask


@pytest.fixture(scope="session")
def visitor(browser):
    """Return the browser page that looks at all others, one after the other, and its complaints."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield watch(context.new_page())
    context.close()


@pytest.fixture(scope="session")
def page_of(visitor, site):
    """Return what a visit to a page of the site has found; each page is visited once."""
    judged = {"light": {}, "dark": {}}
    return once(lambda path: see_page(*visitor, site + path, judged))


@pytest.fixture(scope="session")
def tab(browser):
    """Return a browser page whose clock stands still until a test lets time pass."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    context.clock.install(time=0)
    context.clock.pause_at(1000)
    yield watch(context.new_page())
    context.close()


@pytest.fixture
def fresh(tab):
    """Return a function that sets up a page, and fail on whatever goes wrong in it."""
    page, complaints = tab

    def set_up(width=1280, reduced_motion="no-preference"):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="light", reduced_motion=reduced_motion)
        return page

    yield set_up
    found = [*complaints]
    complaints.clear()
    assert not found


@pytest.fixture
def open_panel(fresh, site):
    """Open a simulation of the built site, alone on a page; time passes by ``run`` only."""

    def open_one(name, path, fragment="", **options):
        page = fresh(**options)
        page.goto(f"{site}alone/{name}/{path}?{next(NUMBERS)}{fragment}")
        return Panel(page, name, plays=options.get("reduced_motion") != "reduce")

    return open_one


@pytest.fixture
def show(fresh):
    """Show widgets on a page of their own."""

    def show_widgets(*widgets, **options):
        page = fresh(**{"width": 1000, **options})
        frames = "".join(widget._repr_html_() for widget in widgets)
        page.goto("about:blank")
        page.set_content(f"<!doctype html><html lang='en'><body>{frames}</body></html>")
        return page

    return show_widgets


@pytest.fixture
def open_film(fresh, site):
    """Open the opening film of a page, alone on a page; return that page and the film's frame."""

    def open_one(path, **options):
        page = fresh(**options)
        page.goto(f"{site}alone//{path}")
        element = page.locator("iframe.tutlib-animation")
        element.scroll_into_view_if_needed()
        frame = element.element_handle().content_frame()
        frame.wait_for_function("document.querySelector('output')?.textContent.includes('t =')")
        return page, frame

    return open_one
