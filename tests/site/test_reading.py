"""How a chapter is read: with its code or without, and on paper."""

import re

import pytest

from .conftest import SITE
from .every_page import FIRST_PAGES
from .panel import PATIENCE
from .visits import NARROW, WIDE, prepare, violations, watch

FIRST = "notebooks/01-pendulum/5-memory.html"
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


def switch(page):
    return page.get_by_role("button", name="Hide all code")


class TestSwitch:
    def test_it_hides_all_code_and_leaves_what_it_shows(self, chapter):
        outputs = chapter.locator(".cell_output")
        before = outputs.evaluate_all(SEEN)
        solutions = chapter.locator(SOLUTIONS).evaluate_all(SEEN)
        assert code(chapter) > 10
        switch(chapter).click()
        assert code(chapter) == 0
        assert chapter.locator(".cell:not(.tag_solution) details:visible").count() == 0
        assert outputs.evaluate_all(SEEN) == before > 10
        assert chapter.locator(SOLUTIONS).evaluate_all(SEEN) == solutions > 5

    def test_it_works_by_keyboard_and_says_how_it_stands(self, chapter):
        button = switch(chapter)
        assert button.get_attribute("aria-pressed") == "false"
        button.focus()
        chapter.keyboard.press("Space")
        assert button.get_attribute("aria-pressed") == "true"
        assert code(chapter) == 0
        chapter.keyboard.press("Enter")
        assert button.get_attribute("aria-pressed") == "false"
        assert code(chapter) > 10

    def test_it_is_kept_for_all_chapters(self, chapter, site):
        switch(chapter).click()
        chapter.goto(site + "notebooks/05-kane/1-partial-velocities.html")
        assert code(chapter) == 0
        assert switch(chapter).get_attribute("aria-pressed") == "true"

    def test_what_is_read_stays_where_it_is(self, chapter):
        for late in chapter.locator("article :is(iframe, .tutlib-answer)").all():
            late.scroll_into_view_if_needed()
        heading = chapter.locator("article h2").nth(2)
        heading.evaluate("e => e.scrollIntoView({ block: 'start', behavior: 'instant' })")
        top = "e => e.getBoundingClientRect().top"
        before = heading.evaluate(top)
        assert 60 < before < 200
        switch(chapter).dispatch_event("click")  # Playwright's own click scrolls first
        assert abs(heading.evaluate(top) - before) < 2

    @pytest.mark.parametrize(("scheme", "width"), [("light", WIDE), ("dark", NARROW)])
    def test_axe_finds_nothing_without_code(self, chapter, scheme, width):
        chapter.set_viewport_size({"width": width, "height": 900})
        chapter.emulate_media(color_scheme=scheme)
        switch(chapter).click()
        prepare(chapter)
        assert violations(chapter) == []
        assert chapter.evaluate("document.documentElement.scrollWidth") <= width


class TestLongCode:
    """On a phone it waits, folded; on a wide screen and on paper it is open."""

    def lines(self, page):
        return page.get_by_role("button", name=re.compile(r"^\d+ lines of code$"))

    def test_it_is_folded_on_a_phone_alone(self, chapter):
        assert self.lines(chapter).count() == 0
        assert code(chapter) > 10
        chapter.set_viewport_size({"width": NARROW, "height": 900})
        assert self.lines(chapter).count() > 4
        assert chapter.locator(".cell:not(.tag_solution) .cell_input pre:visible").evaluate_all(
            "all => all.every((e) => e.textContent.trim().split('\\n').length <= 3)"
        )
        chapter.emulate_media(media="print")
        assert code(chapter) > 10

    def test_a_key_opens_it_and_no_line_slides(self, chapter):
        chapter.set_viewport_size({"width": NARROW, "height": 900})
        line = self.lines(chapter).nth(2)
        block = line.locator("xpath=..").locator("pre")
        line.focus()
        for is_open in (True, False, True):
            chapter.keyboard.press("Enter")
            assert block.is_visible() == is_open
            assert line.get_attribute("aria-expanded") == str(is_open).lower()
        assert len(block.inner_text().splitlines()) == int(line.inner_text().split()[0])
        assert block.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


@pytest.mark.parametrize("path", FIRST_PAGES)
def test_one_bar_of_code_stands_before_the_first_picture(site, path):
    text = (SITE / path).read_text(encoding="utf-8")
    before = text.partition("<article")[2].partition("<iframe")[0]
    assert before.count('<details class="admonition hide') == 1


class TestPaper:
    def test_solutions_stand_at_the_end_and_all_else_that_is_folded_stays_so(self, chapter):
        folded = chapter.locator("article details:not([open])")
        order = "() => [...document.querySelectorAll('article .cell')].map((e) => e.textContent)"
        before, cells = folded.count(), chapter.evaluate(order)
        chapter.emulate_media(media="print")
        chapter.evaluate("dispatchEvent(new Event('beforeprint'))")
        solutions = chapter.locator(".tutlib-solutions")
        assert (
            chapter.locator(".tag_solution").count() == solutions.locator(".tag_solution").count()
        )
        assert solutions.locator("pre:visible").count() > 5
        assert solutions.get_by_role("heading", level=3).first.inner_text().startswith("Exercise 1")
        assert solutions.locator("details:not([open])").count() == 0
        assert chapter.locator("article summary:visible").count() == 1  # of the rubric
        assert chapter.locator("iframe:visible").count() == 0
        assert chapter.locator("img.tutlib-still:visible").count() >= 2
        chapter.evaluate("dispatchEvent(new Event('afterprint'))")
        assert (folded.count(), chapter.evaluate(order)) == (before, cells)
        assert solutions.count() == 0

    def test_an_answer_is_written_on_three_lines(self, chapter):
        box = chapter.locator(".tutlib-answer").first
        box.scroll_into_view_if_needed()
        box.locator("form").wait_for()
        chapter.emulate_media(media="print")
        assert box.locator("form:visible").count() == 0
        ruled = """(e) => [null, "::before", "::after"]
          .map((part) => getComputedStyle(e, part).borderBottomStyle)"""
        assert box.evaluate(ruled) == ["solid"] * 3
        assert box.evaluate("(e) => e.getBoundingClientRect().height") > 75  # 2 cm

    def test_a_dark_page_is_printed_light(self, chapter):
        chapter.emulate_media(color_scheme="dark")
        theme = "document.documentElement.dataset.theme"
        chapter.wait_for_function(f"{theme} === 'dark'")
        chapter.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert chapter.evaluate(theme) == "light"
        chapter.evaluate("dispatchEvent(new Event('afterprint'))")
        assert chapter.evaluate(theme) == "dark"

    def test_nothing_is_cut_off_at_the_edge(self, chapter):
        chapter.set_viewport_size({"width": 720, "height": 900})
        chapter.emulate_media(media="print")
        chapter.evaluate("dispatchEvent(new Event('beforeprint'))")
        cut = chapter.locator("article pre").evaluate_all(
            "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"
        )
        assert cut == []
        chapter.evaluate("dispatchEvent(new Event('afterprint'))")

    def test_formulas_far_from_the_screen_have_their_fonts(self, chapter, site):
        """Large brackets, too: the PDF of a page that nobody has scrolled names them."""
        chapter.goto(f"{site}notebooks/02-double-pendulum/1-two-masses.html")
        chapter.wait_for_load_state("networkidle")
        printed = chapter.pdf()
        fonts = {name.decode() for name in re.findall(rb"\+(MathJax_[\w-]+)", printed)}
        assert {f"MathJax_Size{k}" for k in (1, 2, 3, 4)} <= {f.partition("-")[0] for f in fonts}

    def test_the_browser_itself_gathers_the_solutions_before_it_prints(self, chapter):
        """Not a test of an event that we send: of a PDF that Chromium makes."""
        chapter.evaluate(
            """addEventListener("beforeprint", () => {
                globalThis.gathered = document.querySelectorAll(".tutlib-solutions pre").length;
            })"""
        )
        assert len(chapter.pdf()) > 500_000
        assert chapter.evaluate("globalThis.gathered") > 5
        assert chapter.locator(".tutlib-solutions").count() == 0
