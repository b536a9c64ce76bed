"""Every chapter in a real browser: its page, its opening film, its exercises."""

import re

import nbformat
import numpy as np
import pytest

from publishing.build_book import judged_in_page
from publishing.exercise_cells import exercises

from .conftest import ROOT, SITE
from .every_page import CHAPTERS, FIRST_PAGES, PANELS, WITH_FILM, EveryPage, is_long, transferred
from .visits import ENLARGED, STATES, untypeset

FIRST = "notebooks/04-integrators/1-speeds-first.html"
each = pytest.mark.parametrize("path", CHAPTERS)


@each
class TestPage(EveryPage):
    def test_mathematics_is_typeset(self, page_of, path):
        found = page_of(path)["at load"]
        assert found["formulas"] > 3
        assert untypeset(found["text"]) is None

    def test_it_speaks_to_who_reads_a_page(self, page_of, path):
        text = " ".join(page_of(path)["at load"]["text"].split())
        asks = any("What you will be able to do" in cell.source for cell in cells_of(path))
        assert ("write your answer into the box below each" in text) == asks
        assert "in place of the three dots, run the cell" not in text

    def test_with_all_its_pictures_it_is_light(self, page_of, path):
        """On a first visit, compressed as servers do it."""
        sizes = transferred(page_of(path)["asked"])
        assert path in sizes
        assert sum(sizes.values()) < 1_000_000, sorted(sizes.items(), key=lambda i: -i[1])[:8]

    def test_the_end_of_a_long_page_waits(self, page_of, path):
        """Also when all scripts have run; it is there as soon as somebody looks."""
        assert page_of(path)["end is set"] == [not is_long(path)]

    def test_code_can_be_copied(self, page_of, path):
        assert page_of(path)["at load"]["copyButtons"] > 3

    def test_hidden_code_can_be_shown(self, page_of, path):
        assert page_of(path)["at load"]["hiddenCode"] >= 1
        assert page_of(path)["by hand"]["code shown"]

    def test_a_formula_fits_or_says_that_it_scrolls(self, page_of, path):
        found = page_of(path)
        for width, shown in ((ENLARGED, found["enlarged"]), *((w, found[s, w]) for s, w in STATES)):
            formulas = shown["displayed"]
            assert all(one["reached"] and one["told"] for one in formulas if one["over"] > 1)
            assert all(one["over"] > -1 for one in formulas if one["told"])
            assert sum(one["over"] > 1 for one in formulas) <= (8 if width == ENLARGED else 4)
            assert all(one["size"] > 13 for one in formulas)

    def test_what_is_far_from_the_screen_takes_its_place(self, page_of, path):
        """So the page does not grow or shrink while one reads it."""
        for which, state in enumerate(STATES, 1):
            seen = page_of(path)[state]
            places = [(found[0], found[which]) for found in seen["sections"]]
            if not is_long(path):
                assert np.isnan([said for _, said in places]).all()
                continue
            high, said = map(sum, zip(*places))
            assert len(places) > 3
            assert said == pytest.approx(high, rel=0.1)
            assert all(said == pytest.approx(high, rel=0.5, abs=200) for high, said in places)
        formulas = page_of(path)[STATES[0]]["displayed"]
        assert all(abs(high - said) < 0.3 for high, said in (one["high"] for one in formulas))  # em


@pytest.mark.parametrize("path", FIRST_PAGES)
def test_a_chapter_opens_with_a_film_or_a_simulation(site, path):
    """As its notebook says. What a simulation must do is tested with all others."""
    text = (SITE / path).read_text(encoding="utf-8")
    kind, name = re.search(r'<iframe class="tutlib-(\w+)" data-name="(\w*)"', text).groups()
    assert kind == ("animation" if path in WITH_FILM else "live")
    assert path in WITH_FILM or PANELS[name] == path


@pytest.mark.parametrize("path", WITH_FILM)
class TestOpeningFilm:
    """It is the first frame of the page. It waits for its reader, who starts it."""

    def test_it_rests_at_first(self, page_of, path):
        assert page_of(path)["film"]["rests"]

    def test_it_plays(self, page_of, path):
        assert page_of(path)["film"]["plays"]

    def test_it_obeys_the_keyboard(self, page_of, path):
        film = page_of(path)["film"]
        assert film["first"].startswith("t = 0.00 s of ")
        assert film["last"] >= 1
        assert film["told"] == f"{film['last']:.2f} s"

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_it_wears_the_theme_of_the_page(self, page_of, path, scheme):
        """Also where reader and system disagree: the page has the last word."""
        found = page_of(path)
        themes = {seen["film theme"] for key, seen in found.items() if key[0] == scheme}
        assert themes == {scheme}
        assert found["film"][f"{scheme} by hand"] == scheme

    @pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
    def test_axe_finds_nothing_in_it(self, page_of, path, scheme, width):
        found = page_of(path)[scheme, width]["film axe"]
        assert [v for v in found if not v.startswith("page-has-heading-one")] == []


def cells_of(path):
    return nbformat.read((ROOT / path).with_suffix(".ipynb"), as_version=4).cells


def exercises_on(path):
    """Return how many exercises a page has."""
    return len(exercises(cells_of(path)))


def exercise_numbers(path):
    """Return the numbers of the exercises of a page, in their order."""
    text = "\n".join(cell.source for cell in cells_of(path) if cell.cell_type == "markdown")
    return re.findall(r"^> \*\*Exercise (\d+) ·", text, re.MULTILINE)


def solutions(path):
    """Return how many cells of code of a chapter are solutions."""
    tagged = [cell for cell in cells_of(path) if "solution" in cell.metadata.get("tags", [])]
    return sum(cell.cell_type == "code" for cell in tagged)


def prompts(path):
    """Return how many blocks of a chapter ask its reader: exercises, open questions, projects."""
    texts = [cell.source for cell in cells_of(path) if cell.cell_type == "markdown"]
    return sum(len(re.findall(r"(?:^>.*\n?)+", text, re.MULTILINE)) for text in texts)


@each
class TestExercises:
    def test_each_has_a_solution_that_is_folded(self, page_of, path):
        """Open questions have a rubric, and some of them a solution, too."""
        found = page_of(path)["by hand"]
        assert found["folded"] == solutions(path) >= exercises_on(path)
        assert found["quotes"] == prompts(path) >= exercises_on(path)
        assert found["shown"] == 0

    def test_each_waits_for_an_answer_in_the_page_or_says_who_judges_it(self, page_of, path):
        """What a box does, the notebook's cell under it need not offer again."""
        found = page_of(path)["by hand"]
        assert found["places"] == exercises_on(path)
        assert found["boxes"] == found["foldedCells"]
        names = [exercise.name for exercise in exercises(cells_of(path))]
        assert found["boxes"] or not any(map(judged_in_page, names))
        assert found["told"] == 0

    def test_each_stands_in_the_outline_of_its_page(self, path):
        text = (SITE / path).read_text(encoding="utf-8")
        outline = text[text.index('class="page-toc"') : text.rindex("</nav>")]
        listed = re.findall(r'href="#exercise-[\w-]+">(Exercise \d+) ·', outline)
        assert listed == [f"Exercise {k}" for k in exercise_numbers(path)]

    def test_a_solution_unfolds_by_keyboard(self, page_of, path):
        found = page_of(path)["by hand"]
        assert found["summary"] == "Show the solution"
        assert found["unfolds"]

    def test_every_solution_that_shows_a_verdict_is_right(self, page_of, path):
        found = page_of(path)["by hand"]
        assert found["wrong"] == 0
        assert all("Right." in text for text in found["right"])


def test_the_bibliography_is_numbered_and_the_chapter_cites_it(page_of):
    assert page_of(FIRST)["at load"]["citations"] >= 5
