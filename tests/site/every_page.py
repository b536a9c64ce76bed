"""What holds for each page of the site, in both themes, wide and narrow."""

import ast
import gzip
import re
from urllib.parse import unquote, urlsplit

import nbformat
import yaml
from fontTools import ttLib

from publishing.pages import pages_of
from publishing.sphinx.section_heights import LONG

from .conftest import ROOT, SITE
from .visits import ENLARGED, STATES

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
PAGES = [f"{page}.html" for page in pages_of(TOC)]
CHAPTERS = [page for page in PAGES if page.startswith("notebooks/")]
FIRST_PAGES = [page for page in CHAPTERS if re.fullmatch(r"notebooks/[^/]*(/1-[^/]*)?", page)]
#: Written by one program of docstrings alone: the longest of them is visited with the others.
ALIKE = [page for page in PAGES if re.match("book/tutlib-(?!programs)", page)]
AROUND = [page for page in PAGES if page not in CHAPTERS and page not in ALIKE]
CELL = re.compile(
    r"^```\{code-cell\}.*\n(?::.*\n|---\n(?s:.*?)\n---\n)*((?s:.*?))^```$", re.MULTILINE
)


def is_long(page):
    """Tell whether sections of a page that are far from the screen wait."""
    return len((SITE / page).read_text(encoding="utf-8")) > LONG


def code_of(page):
    """Return the code that a page runs, but for solutions, which nobody sees unasked."""
    source = (ROOT / page).with_suffix(".ipynb")
    if not source.exists():
        text = source.with_suffix(".md").read_text(encoding="utf-8")
        return "\n".join(CELL.findall(text))
    cells = nbformat.read(source, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    return "\n".join(c.source for c in code if "solution" not in c.metadata.get("tags", []))


def panels_of(page):
    """Return the names that code gives to panels."""
    for call in ast.walk(ast.parse(code_of(page))):
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith(
            ("live", "side_by_side")
        ):
            yield from (word.value.value for word in call.keywords if word.arg == "name")


#: The page of each panel, by its name.
PANELS = {name: page for page in PAGES for name in panels_of(page)}


def opens_with(chapter):
    """Return the call that shows the first moving picture of a chapter."""
    found = re.search(r"^(?:    return )?(animate|live\w*)\(", code_of(chapter), re.MULTILINE)
    return found and found[1]


def transferred(asked):
    """Return the sizes of the files that a page asks for in bytes as servers send them."""
    names = {unquote(urlsplit(url).path[1:]) for url in asked if url.startswith("http:")}
    contents = {name: (SITE / name).read_bytes() for name in names}
    # Fonts and images are compressed already.
    return {name: min(len(c), len(gzip.compress(c, 6))) for name, c in contents.items()}


WITH_FILM = [chapter for chapter in CHAPTERS if opens_with(chapter) == "animate"]


class EveryPage:
    """Tests of one page; its subclasses say which pages."""

    def test_nothing_goes_wrong_and_no_other_host_is_asked(self, page_of, path):
        """No message in the console, no missing file, no error in a script or a frame."""
        assert page_of(path)["complaints"] == []

    def test_every_frame_comes_to_life(self, page_of, path):
        assert page_of(path)["frames"] >= (path in WITH_FILM) + list(PANELS.values()).count(path)

    def test_its_icons_are_in_their_font_which_comes_once(self, page_of, path):
        fonts = {url for url in page_of(path)["asked"] if "fontawesome" in url}
        (font,) = [SITE / unquote(urlsplit(url).path[1:]) for url in fonts]
        shown = page_of(path)["at load"]["icons"]
        assert font.name == "fa-solid-900.woff"
        assert len(shown) >= 8
        assert {*map(ord, shown)} <= {*ttLib.TTFont(font).getBestCmap()}

    def test_axe_finds_nothing_on_it(self, page_of, path):
        assert [page_of(path)[state]["axe"] for state in STATES] == [[], []]

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
        for state in STATES:
            seen = page_of(path)[state]
            assert seen["contrast"]["kinds"] >= 8, state
            assert seen["contrast"]["found"] == [], state

    def test_a_verdict_can_be_read(self, page_of, path):
        for state in STATES:
            assert all(lightness > 0.6 for lightness in page_of(path)[state]["verdicts"]), state
