"""How a chapter is read: with its code or without, and on paper."""

import pytest

from .panel import PATIENCE
from .visits import NARROW, WIDE, watch

FIRST = "notebooks/05-kane/4-bound-speeds.html"
SEEN = "blocks => blocks.filter((block) => block.checkVisibility()).length"
SOLUTIONS = ".tag_solution details"


@pytest.fixture
def chapter(browser, site):
    """Return a chapter in a browser of its own, and fail on whatever goes wrong there."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": WIDE, "height": 900})
    context.set_default_timeout(PATIENCE)
    page, complaints = watch(context.new_page())
    page.goto(site + FIRST)
    yield page
    context.close()
    assert complaints == []


def code(page):
    """Return how many blocks of code are seen, besides the solutions."""
    return page.locator(".cell:not(.tag_solution) .cell_input pre").evaluate_all(SEEN)


def test_one_button_hides_all_code_and_leaves_what_it_shows(chapter):
    outputs = chapter.locator(".cell_output")
    before = outputs.evaluate_all(SEEN)
    solutions = chapter.locator(SOLUTIONS).evaluate_all(SEEN)
    assert code(chapter) > 10
    chapter.get_by_role("button", name="Hide all code").click()
    assert code(chapter) == 0
    assert chapter.locator(".cell:not(.tag_solution) details:visible").count() == 0
    assert outputs.evaluate_all(SEEN) == before > 5
    assert chapter.locator(SOLUTIONS).evaluate_all(SEEN) == solutions > 5


def test_long_code_is_folded_on_a_phone_alone(chapter):
    """On a phone it waits, folded; on a wide screen and on paper it is open."""
    lines = chapter.locator(".tutlib-lines:visible")
    assert lines.count() == 0
    assert code(chapter) > 10
    chapter.set_viewport_size({"width": NARROW, "height": 900})
    assert lines.count() > 4
    assert chapter.locator(".cell:not(.tag_solution) .cell_input pre:visible").evaluate_all(
        "all => all.every((e) => e.textContent.trim().split('\\n').length <= 3)"
    )
    chapter.emulate_media(media="print")
    assert code(chapter) > 10


def test_on_paper_solutions_stand_at_the_end_and_all_else_that_is_folded_stays_so(chapter):
    folded = chapter.locator("article details:not([open])")
    order = "() => [...document.querySelectorAll('article .cell')].map((e) => e.textContent)"
    before, cells = folded.count(), chapter.evaluate(order)
    chapter.emulate_media(media="print")
    chapter.evaluate("dispatchEvent(new Event('beforeprint'))")
    solutions = chapter.locator(".tutlib-solutions")
    assert chapter.locator(".tag_solution").count() == solutions.locator(".tag_solution").count()
    assert solutions.locator("pre:visible").count() > 5
    assert solutions.get_by_role("heading", level=3).first.inner_text().startswith("Exercise 1")
    assert solutions.locator("details:not([open])").count() == 0
    assert chapter.locator("article summary:visible").count() == 1  # of the rubric
    assert chapter.locator("iframe:visible").count() == 0
    assert chapter.locator("img.tutlib-still:visible").count() >= 2
    chapter.evaluate("dispatchEvent(new Event('afterprint'))")
    assert (folded.count(), chapter.evaluate(order)) == (before, cells)
    assert solutions.count() == 0
