"""The first page: where to begin, a map that moves and can be held still, and what one has done."""

import json
import re

import pytest

from course.desk import chapters_of_course
from course.exercises import pendulum
from publishing.build_book import judged_in_page
from tests.texts import NOTEBOOKS, cells

from .conftest import SITE
from .every_page import FIRST_PAGES, TOC

LANDING, READY = f"{TOC['root']}.html", "book/ready.html"
PICTURES = """() => [...document.querySelectorAll("canvas.course-film")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value, i) => (sum * 31 + value * (i % 97)) % 1000003, 0);
})"""
DRAWN = """() => [...document.querySelectorAll("canvas.course-film")].map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value) => value !== data[0]);
})"""
IN_ORDER = [exercise.name for exercise in pendulum.EXERCISES]
ANSWERS = {
    "pendulum-1": {"text": "m", "verdict": "wrong"},
    "pendulum-2": {"text": "m", "verdict": "right"},
    "ready-1": {"text": "m", "verdict": "right"},
}


@pytest.fixture
def landing(fresh, site):
    """Open the first page, with answers that are kept; time passes by ``run`` only."""

    def open_one(answers=None, path=LANDING, **options):
        page = fresh(**options)
        page.goto(site + path)
        page.evaluate(
            "(kept) => kept ? localStorage.setItem('equations-in-motion-answers', kept)"
            " : localStorage.clear()",
            json.dumps(answers) if answers else "",
        )
        page.goto(site + path)
        page.wait_for_load_state("networkidle")
        return page

    return open_one


def still(page):
    return page.locator("button.course-still")


def test_one_button_begins_with_the_first_chapter(landing):
    page = landing()
    start = page.locator(".course-start a")
    assert start.count() == 1
    assert start.get_attribute("href") == "../" + FIRST_PAGES[0]
    page.set_viewport_size({"width": 390, "height": 844})
    box = start.bounding_box()
    assert box["y"] + box["height"] < 844, "it is on the first screen of a phone"


def test_a_card_tells_what_its_chapter_says(landing):
    page = landing()
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


def test_a_click_anywhere_on_a_card_leads_to_its_chapter(landing):
    page = landing()
    page.locator(".course-card").first.locator(".course-film").click(force=True)
    page.wait_for_url("**/" + FIRST_PAGES[0])


def test_films_move_until_they_are_held_still(landing):
    page = landing()
    page.locator(".course-film").first.scroll_into_view_if_needed()
    still(page).wait_for()
    assert still(page).inner_text() == "Hold the pictures still"
    page.clock.run_for(500)
    before = page.evaluate(PICTURES)
    page.clock.run_for(500)
    after = page.evaluate(PICTURES)
    assert before[0] != after[0]
    still(page).click()
    assert still(page).inner_text() == "Let the pictures move"
    held = page.evaluate(PICTURES)
    page.clock.run_for(1000)
    assert page.evaluate(PICTURES) == held
    still(page).click()
    page.clock.run_for(500)
    assert page.evaluate(PICTURES)[0] != held[0]


def test_who_wants_stillness_gets_a_picture_of_every_chapter(landing):
    page = landing(reduced_motion="reduce")
    still(page).wait_for()
    assert still(page).inner_text() == "Let the pictures move"
    drawn = page.evaluate(DRAWN)
    assert drawn == [True] * len(FIRST_PAGES)
    before = page.evaluate(PICTURES)
    page.clock.run_for(1000)
    assert page.evaluate(PICTURES) == before


def test_films_follow_the_theme(landing):
    page = landing(reduced_motion="reduce")
    still(page).wait_for()
    light = page.evaluate(PICTURES)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"(light) => ({PICTURES})()[0] !== light", arg=light[0])


def test_each_film_says_what_it_shows(landing):
    page = landing()
    labels = [film.get_attribute("aria-label") for film in page.locator(".course-film").all()]
    assert len(set(labels)) == len(labels) == len(FIRST_PAGES)
    assert all(len(label.split()) >= 3 for label in labels)


def test_ticks_tell_what_one_has_done(landing):
    page = landing(ANSWERS)
    ticks = page.locator(".course-card[data-chapter=pendulum] .course-ticks")
    ticks.wait_for()
    seen = ticks.locator("span").first.inner_text()
    judged = [name for name in IN_ORDER if judged_in_page(name)]
    assert seen == "".join("✓" if name == "pendulum-2" else "○" for name in judged)
    assert f"1 of {len(judged)} exercises right" in ticks.text_content()
    other = page.locator(".course-card[data-chapter=kane] .course-ticks")
    assert not other.is_visible()


def test_the_button_leads_on_where_one_has_stopped(landing):
    name = next(name for name in IN_ORDER if judged_in_page(name))
    page = landing({name: ANSWERS["pendulum-2"]})
    further = next(other for other in IN_ORDER if judged_in_page(other) and other != name)
    number = IN_ORDER.index(further) + 1
    start = page.locator(
        ".course-start a", has_text=f"Go on: exercise {number} of “1. The pendulum”"
    )
    start.wait_for()
    assert start.get_attribute("href").endswith(f"{FIRST_PAGES[0]}#exercise-{further}")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget all").click()
    page.locator(".course-start a", has_text="Start with one pendulum").wait_for()


def test_what_one_knew_before_is_listed_and_not_gone_on_with(landing):
    page = landing({"ready-1": ANSWERS["ready-1"]})
    line = page.locator(".tutlib-kept li a", has_text="Are you ready?")
    line.wait_for()
    assert line.get_attribute("href").endswith(READY)
    first = page.locator(".course-start a", has_text="exercise 1 of")
    assert "ready" not in first.get_attribute("href")


@pytest.mark.parametrize("path", [LANDING, READY])
def test_nothing_needs_a_wider_screen_at_four_hundred_percent(landing, path):
    page = landing(path=path, width=320)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_keys_reach_the_map_in_its_order(landing):
    page = landing()
    still(page).focus()
    reached = []
    for _ in range(3):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent"))
    titles = [chapter.short_title for chapter in chapters_of_course().values()]
    assert reached == [titles[0], titles[1], "chapter 1"]


def test_the_self_test_answers_back(landing):
    page = landing(path=READY)
    box = page.locator("[data-exercise=ready-1]")
    box.scroll_into_view_if_needed()
    field = box.get_by_role("textbox")
    for text, said in (("-l*sin(theta)", "chain rule"), ("-l*sin(theta)*theta.diff()", "Right")):
        field.fill(text)
        box.get_by_role("button", name="Check").click()
        box.get_by_text(re.compile(said)).first.wait_for()


def test_the_numbers_are_those_of_the_code(site):
    """Counted here in another way than on the page."""
    text = (SITE / LANDING).read_text(encoding="utf-8")
    numbers = [int(n.replace(",", "")) for n in re.findall(r"<dt>([\d,]+)</dt>", text)]
    code = [c.source for path in NOTEBOOKS for c in cells(path) if c.cell_type == "code"]
    asserted = sum(len(re.findall(r"^ *assert\b", source, re.MULTILINE)) for source in code)
    assert abs(numbers[0] - asserted) <= 2, "one may stand behind a colon"
    assert numbers[1] > 400
    assert numbers[2] >= 8
