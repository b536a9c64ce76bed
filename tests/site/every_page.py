"""What holds for each page of the site, in both themes, wide and narrow."""

import re

import nbformat
import yaml

from publishing.pages import pages_of

from .conftest import ROOT
from .visits import ENLARGED, STATES

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [f"{page}.html" for page in pages_of(TOC)]
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
AROUND = [page for page in PAGES if page not in CHAPTERS]
PANELS = {
    "double_pendulum": "book/intro.html",
    "walked_through": "book/architecture.html",
    "rod_energy": "book/instructors.html",
    "box_of_signs": "book/pictures.html",
    "signs": "book/pictures.html",
    "starts": "book/pictures.html",
    "opening": "notebooks/01-pendulum.html",
    "servo_arm": "notebooks/01-pendulum.html",
    "sampled": "notebooks/01-pendulum.html",
    "flips": "notebooks/02-double-pendulum.html",
    "twins": "notebooks/02-double-pendulum.html",
    "obedient": "notebooks/02-double-pendulum.html",
    "chains": "notebooks/03-relative-vs-absolute.html",
    "swing": "notebooks/04-integrators.html",
    "disc": "notebooks/05-kane.html",
    "with_forces": "notebooks/06-holonomic-constraints.html",
    "linear": "notebooks/07-linearization.html",
    "rider": "notebooks/07-linearization.html",
    "balanced": "notebooks/07-linearization.html",
    "box": "notebooks/08-lie-group-integrators.html",
    "spherical": "notebooks/08-lie-group-integrators.html",
    "carry": "notebooks/09-quadrotors.html",
    "museum": "notebooks/10-your-own-machine.html",
    "steered": "notebooks/10-your-own-machine.html",
    "many": "notebooks/11-many-pendulums.html",
    "exponents": "notebooks/11-many-pendulums.html",
}


def opens_with(chapter):
    """Return the call that shows the first moving picture of a chapter."""
    cells = nbformat.read((ROOT / chapter).with_suffix(".ipynb"), as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    found = re.search(r"^(?:    return )?(animate|live\w*)\(", code, re.MULTILINE)
    return found and found[1]


WITH_FILM = [chapter for chapter in CHAPTERS if opens_with(chapter) == "animate"]


class EveryPage:
    """Tests of one page; its subclasses say which pages."""

    def test_nothing_goes_wrong_and_no_other_host_is_asked(self, page_of, path):
        """No message in the console, no missing file, no error in a script or a frame."""
        assert page_of(path)["complaints"] == []

    def test_every_frame_comes_to_life(self, page_of, path):
        assert page_of(path)["frames"] >= (path in WITH_FILM) + list(PANELS.values()).count(path)

    def test_axe_finds_nothing_on_it(self, page_of, path):
        found = page_of(path)
        assert found["light", STATES[0][1]]["axe"] == []
        assert found["dark", STATES[2][1]]["axe"] == []

    def test_it_can_be_read_at_four_times_the_size(self, page_of, path):
        """Nothing but a block that says so is scrolled sideways."""
        seen = page_of(path)["enlarged"]
        assert seen["width"] == ENLARGED
        assert all(more <= 0 for more in seen["too wide"])
        assert seen["unmarked"] == []

    def test_it_loads_and_fits(self, page_of, path):
        for scheme, width in STATES:
            seen = page_of(path)[scheme, width]
            assert (seen["theme"], seen["width"] <= width) == (scheme, True)

    def test_its_markup_and_formulas_are_sound(self, page_of, path):
        for state in STATES:
            seen = page_of(path)[state]
            assert (seen["headings"], seen["badFormulas"], seen["badMarkup"]) == (1, 0, 0), state

    def test_its_pictures_are_there_and_its_tables_fit(self, page_of, path):
        for state in STATES:
            seen = page_of(path)[state]
            assert (seen["missing"], seen["wide tables"]) == ([], []), state

    def test_its_figures_can_be_read(self, page_of, path):
        """Texts are large enough and differ from the ground; none is cut, none covers another."""
        for state in STATES:
            for figure in page_of(path)[state]["figures"]:
                assert figure["text"] >= 10, (state, figure)
                assert figure["index"] >= 7, (state, figure)
                assert (figure["outside"], figure["overlapping"]) == ([], []), (state, figure)
                assert figure["contrast"] > 4.5, (state, figure)
                assert figure["lines"] > 2.5, (state, figure)

    def test_its_text_can_be_read_and_links_be_told_from_it(self, page_of, path):
        for state in (STATES[0], STATES[2]):
            seen = page_of(path)[state]
            assert seen["contrast"]["kinds"] >= 8, state
            assert seen["contrast"]["found"] == [], state

    def test_a_verdict_can_be_read(self, page_of, path):
        for state in STATES:
            assert all(lightness > 0.6 for lightness in page_of(path)[state]["verdicts"]), state
