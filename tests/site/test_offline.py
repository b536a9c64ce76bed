"""What was visited can be read without a network; a new edition takes over; a disk needs none."""

import re
import shutil

import pytest

from publishing.offline import digests, write_worker
from tests.servers import served

from .conftest import SITE
from .every_page import CHAPTERS, PANELS, WITH_FILM
from .panel import PATIENCE, Panel, until
from .visits import frames_of, watch

CHAPTER = "notebooks/05-kane/1-partial-velocities.html"
OF_EACH_KIND = [CHAPTERS[0], PANELS["flips"], WITH_FILM[0], "book/intro.html", "book/museum.html"]
KEPT = """async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return all.flat().map(({ url }) => new URL(url).pathname.slice(1));
}"""

INSTALLED = """async (old) => (await caches.keys()).some((name) => name !== old)
    && !(await navigator.serviceWorker.getRegistration()).installing"""


@pytest.fixture
def newcomer(browser):
    """Return a page in a browser that has kept nothing yet, and its complaints."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield watch(context.new_page())
    context.close()


def visit(page, address, *files):
    """Open a page, and wait until it and these files are kept."""
    page.goto(address, wait_until="networkidle")
    until(page, lambda: {*files} <= {*page.evaluate(KEPT)})


def test_a_chapter_is_read_without_a_network(newcomer, site):
    page, complaints = newcomer
    answers = [f"_static/answers/{name}" for name in ("answers.js", "kane.js", "answers.css")]
    visit(page, site + CHAPTER, CHAPTER, "book/intro.html", *answers)
    files = digests(SITE)
    assert set(page.evaluate(KEPT)) <= set(files), "all that is kept is of this edition"
    assert not [name for name in files if name.startswith(("_sources/", "sw.js"))]
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
    newcomer, tmp_path, site
):
    page, complaints = newcomer
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
        until(page, lambda: page.evaluate(INSTALLED, old[0]))
        worker = page.context.new_cdp_session(page)
        worker.send("ServiceWorker.enable")
        worker.send("ServiceWorker.stopAllWorkers")
        until(page, lambda: len(now := page.evaluate("caches.keys()")) == 1 and now != old)
        assert {path, "book/glossary.html", "_static/frames.js"} <= set(page.evaluate(KEPT))
    page.reload()
    assert page.get_by_role("heading", level=1).inner_text().startswith("New: ")
    page.goto(home + "book/glossary.html")
    assert page.get_by_role("heading", name="Glossary").is_visible()
    assert [text for text in complaints if "ERR_CONNECTION_REFUSED" not in text] == []


@pytest.mark.parametrize("path", OF_EACH_KIND)
def test_a_page_from_a_disk_is_whole(reader, path, site):
    """Its panels run, its first answer box opens; no script fails, nothing is missing.

    What only a disk refuses is refused to all pages alike; that each file is there, links say.
    """
    reader.goto((SITE / path).as_uri())
    frames_of(reader)
    boxes = reader.locator(".tutlib-answer[data-exercise]")
    if boxes.count():
        boxes.first.scroll_into_view_if_needed()
        boxes.first.get_by_role("button", name="Check").wait_for()
