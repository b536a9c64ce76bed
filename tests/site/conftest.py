"""A browser, and the built site on a local address."""

import functools
import http.server
import shutil
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
SOURCES = [
    "_config.yml",
    "_toc.yml",
    "book/**/*",
    "notebooks/*.ipynb",
    "tutlib/**/*",
    "course_exercises/*.py",
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site():
    """Return the address of the built site, served from this computer."""
    index = SITE / "index.html"
    if not index.exists():
        pytest.skip("there is no built site: run `make book` first")
    newest = max(
        path.stat().st_mtime
        for pattern in SOURCES
        for path in ROOT.glob(pattern)
        if path.is_file() and "__pycache__" not in path.parts
    )
    if newest > index.stat().st_mtime + 60:
        pytest.skip("the built site is older than its sources: run `make book` first")
    handler = functools.partial(Quiet, directory=str(SITE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="session")
def browser():
    """Return a headless Chromium: the system's own, or the one that Playwright has installed."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        try:
            running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error:
            pytest.skip("no browser: install chromium, or run `playwright install chromium`")
        yield running
        running.close()


@pytest.fixture
def visit(browser, site):
    """Open pages of the site, note what goes wrong, and fail on it at the end."""
    contexts, complaints = [], []

    def open_page(path, width=1280, scheme="light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **options
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((site, "data:", "blob:", "about:"))
                else complaints.append(f"asked {request.url}")
            ),
        )
        page.on(
            "response",
            lambda response: (
                complaints.append(f"{response.status} {response.url}")
                if response.status >= 400
                else None
            ),
        )
        page.goto(site + path)
        page.wait_for_load_state("networkidle")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints
