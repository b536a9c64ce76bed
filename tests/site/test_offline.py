"""What was visited can be read without a network; a new edition takes over; a disk needs none."""

import re
import shutil

import pytest

from publishing.offline import write_worker
from tests.servers import served

from .conftest import SITE
from .every_page import CHAPTERS
from .panel import PATIENCE, Panel
from .visits import frames_of, watch

CHAPTER = "notebooks/05-kane/1-partial-velocities.html"
KEPT = """async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return [names.length, all.flat().map(({ url }) => new URL(url).pathname.slice(1))];
}"""

INSTALLED = """async (old) => (await caches.keys()).some((name) => name !== old)
    && !(await navigator.serviceWorker.getRegistration()).installing"""


@pytest.fixture
def reader(browser):
    """Return a page in a browser that has kept nothing yet, and its complaints."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield watch(context.new_page())
    context.close()


def until(page, question, argument=None):
    """Ask again and again for what a browser does beside its page."""
    for _ in range(PATIENCE // 100):
        if page.evaluate(question, argument):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"never: {question}")


def visit(page, address, *files):
    """Open a page, and wait until it and these files are kept."""
    page.goto(address, wait_until="networkidle")
    every = "wanted.every((file) => kept.includes(file))"
    until(page, f"(wanted) => ({KEPT})().then(([, kept]) => {every})", list(files))


def test_a_chapter_is_read_without_a_network(reader, site):
    page, complaints = reader
    answers = [
        "_static/answers/answers.js",
        "_static/answers/kane.js",
        "_static/answers/answers.css",
    ]
    visit(page, site + CHAPTER, CHAPTER, "book/intro.html", *answers)
    page.context.set_offline(True)
    page.reload()
    panel = Panel(page, "push", plays=False)
    panel.button("Play").click()
    panel.plays()
    box = page.locator('.tutlib-answer[data-exercise="kane-4"]')
    box.scroll_into_view_if_needed()
    box.get_by_role("radio").first.check()
    box.get_by_role("button", name="Check").click()
    box.locator("[data-verdict] span").first.wait_for()
    page.get_by_role("link", name="Equations in Motion", exact=True).first.click()
    page.wait_for_url("**/book/intro.html")
    assert page.get_by_role("heading", level=1).is_visible()
    page.goto(site + CHAPTERS[0])
    assert page.get_by_role("heading", name="Without a network").is_visible()
    page.get_by_role("link", name=re.compile("Kane")).click()
    page.wait_for_url("**/" + CHAPTER)
    said = [text for text in complaints if "ERR_INTERNET_DISCONNECTED" not in text]
    assert f"503 {site}{CHAPTERS[0]}" in said
    assert all("503" in text for text in said)


def test_with_a_network_the_newest_page_is_shown_and_a_new_edition_replaces_the_old(
    reader, tmp_path, site
):
    page, complaints = reader
    for name in ("_static", "book", "index.html", "search.html"):
        part = SITE / name
        (shutil.copytree if part.is_dir() else shutil.copy)(part, tmp_path / name)
    write_worker(tmp_path)
    path = "book/notation.html"
    with served(tmp_path) as home:
        visit(page, home + path, path, "_static/frames.js")
        page.goto(home + "book/glossary.html", wait_until="networkidle")
        written = tmp_path / path
        changed = written.read_text(encoding="utf-8").replace("<h1>", "<h1>New: ")
        written.write_text(changed, encoding="utf-8")
        page.goto(home + path)
        page.reload()
        assert page.get_by_role("heading", level=1).inner_text().startswith("New: ")
        old = page.evaluate("caches.keys()")
        write_worker(tmp_path)
        page.reload(wait_until="networkidle")
        # A browser may let a new worker wait minutes for the old one to end: here it ends at once.
        until(page, INSTALLED, old[0])
        worker = page.context.new_cdp_session(page)
        worker.send("ServiceWorker.enable")
        worker.send("ServiceWorker.stopAllWorkers")
        replaced = "(old) => caches.keys().then((now) => now.length === 1 && now[0] !== old)"
        until(page, replaced, old[0])
        assert {path, "book/glossary.html", "_static/frames.js"} <= set(page.evaluate(KEPT)[1])
    page.reload()
    assert page.get_by_role("heading", level=1).inner_text().startswith("New: ")
    page.goto(home + "book/glossary.html")
    assert page.get_by_role("heading", name="Glossary").is_visible()
    assert [text for text in complaints if "ERR_CONNECTION_REFUSED" not in text] == []


@pytest.mark.usefixtures("site")
def test_a_page_from_a_disk_is_whole(visitor):
    """Its panels run, its first answer box opens; no script fails, nothing is missing.

    What only a disk refuses is refused to all pages alike; that each file is there, links say.
    """
    page, complaints = visitor
    complaints.clear()
    page.goto((SITE / CHAPTERS[0]).as_uri())
    assert frames_of(page)
    box = page.locator(".tutlib-answer[data-exercise]").first
    box.scroll_into_view_if_needed()
    box.get_by_role("button", name="Check").wait_for()
    assert [text for text in complaints if not text.startswith("asked file:")] == []
