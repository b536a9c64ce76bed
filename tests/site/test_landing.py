"""The first page: where to begin, a map that moves and can be held still, and what one has done."""

import json
import re

import pytest

from course.desk import chapters_of_course
from course.exercises import pendulum
from publishing.build_book import judged_in_page

from .every_page import FIRST_PAGES, TOC

LANDING = f"{TOC['root']}.html"
PICTURES = """() => [...document.querySelectorAll("canvas.course-film")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value, i) => (sum * 31 + value * (i % 97)) % 1000003, 0);
})"""
IN_ORDER = [exercise.name for exercise in pendulum.EXERCISES]


@pytest.fixture
def landing(fresh, site):
    """Open the first page, with answers that are kept; time passes by ``run`` only."""

    def open_one(answers=None):
        page = fresh()
        page.goto(site + LANDING)
        page.evaluate(
            "(kept) => kept ? localStorage.setItem('equations-in-motion-answers', kept)"
            " : localStorage.clear()",
            json.dumps(answers) if answers else "",
        )
        page.goto(site + LANDING)
        page.wait_for_load_state("networkidle")
        return page

    return open_one


def still(page):
    return page.locator("button.course-still")


def test_one_button_begins_and_a_card_tells_what_its_chapter_says(landing):
    page = landing()
    start = page.locator(".course-start a")
    assert start.count() == 1
    assert start.get_attribute("href") == "../" + FIRST_PAGES[0]
    cards = page.locator(".course-card")
    chapters = chapters_of_course()
    assert cards.count() == len(chapters)
    for i, chapter in enumerate(chapters.values()):
        card = cards.nth(i)
        link = card.locator("h3 a")
        assert link.inner_text() == chapter.short_title
        assert link.get_attribute("href") == f"../notebooks/{chapter.sections[0].notebook}.html"
        assert card.locator(".course-question").inner_text() == chapter.question
        facts = card.locator(".course-facts").text_content()
        assert facts.startswith(f"{chapter.hours} hours"), chapter.number
        before = [int(k) for k in re.findall(r"chapter (\d+)", facts)]
        assert before == chapter.builds_on


def test_films_move_until_they_are_held_still(landing):
    page = landing()
    page.locator(".course-film").first.scroll_into_view_if_needed()
    still(page).wait_for()
    assert still(page).inner_text() == "Pause animations"
    page.clock.run_for(500)
    before = page.evaluate(PICTURES)
    page.clock.run_for(500)
    after = page.evaluate(PICTURES)
    assert before[0] != after[0]
    still(page).click()
    assert still(page).inner_text() == "Play animations"
    held = page.evaluate(PICTURES)
    page.clock.run_for(1000)
    assert page.evaluate(PICTURES) == held
    still(page).click()
    page.clock.run_for(500)
    assert page.evaluate(PICTURES)[0] != held[0]


def test_the_button_leads_on_where_one_has_stopped(landing):
    name = next(name for name in IN_ORDER if judged_in_page(name))
    page = landing({name: {"text": "m", "verdict": "right"}})
    further = next(other for other in IN_ORDER if judged_in_page(other) and other != name)
    number = IN_ORDER.index(further) + 1
    start = page.locator(
        ".course-start a", has_text=f"Continue: exercise {number} of “1. The pendulum”"
    )
    start.wait_for()
    assert start.get_attribute("href").endswith(f"{FIRST_PAGES[0]}#exercise-{further}")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete all").click()
    page.locator(".course-start a", has_text="Start with one pendulum").wait_for()
