"""Every page in a browser, opened once: in two themes, at two widths, and enlarged."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from urllib.parse import unquote, urldefrag, urljoin

import nbformat
import pytest

from publishing.build_book import judged_in_page
from publishing.execute_notebooks import FOLDER, with_outputs
from publishing.exercise_cells import exercises

from .conftest import ROOT, SITE
from .every_page import ALIKE, AROUND, CHAPTERS, PANELS, WITH_FILM
from .visits import ENLARGED, NOT_CONTRAST, STATES, prepare, untypeset, violations


@pytest.mark.parametrize("path", [*CHAPTERS, *AROUND])
class TestPage:
    def test_nothing_goes_wrong_and_every_frame_moves(self, page_of, path):
        """No message in the console, no missing file, no other host, no error in a frame."""
        found = page_of(path)
        assert found["complaints"] == []
        assert found["frames"] >= (path in WITH_FILM) + list(PANELS.values()).count(path)
        assert (found["headings"], found["bad"], found["missing"]) == (1, 0, [])
        assert path not in CHAPTERS or found["formulas"] > 3
        assert untypeset(found["text"]) is None or path not in CHAPTERS

    def test_axe_finds_nothing(self, page_of, path):
        for scheme, _ in STATES:
            seen = page_of(path)[scheme]
            assert seen["axe"] == [], scheme
            assert seen["contrast"]["found"] == [], scheme
            assert seen["contrast"]["kinds"] >= 8, scheme

    def test_it_fits_also_at_four_times_the_size(self, page_of, path):
        for scheme, width in STATES:
            seen = page_of(path)[scheme]
            assert (seen["width"] <= width, seen["wide tables"]) == (True, []), scheme
        assert page_of(path)["enlarged"] == ENLARGED

    def test_its_figures_can_be_read(self, page_of, path):
        """Texts are large enough and differ from the ground; none is cut, none covers another."""
        for scheme, _ in STATES:
            for figure in page_of(path)[scheme]["figures"]:
                assert figure["text"] >= 10, (scheme, figure)
                assert figure["index"] >= 7, (scheme, figure)
                assert (figure["outside"], figure["overlapping"]) == ([], []), (scheme, figure)
                assert figure["contrast"] > 4.5, (scheme, figure)
                assert figure["lines"] > 2.5, (scheme, figure)


def cells_of(path):
    return nbformat.read((ROOT / path).with_suffix(".ipynb"), as_version=4).cells


def is_solution(cell):
    return cell.cell_type == "code" and "solution" in cell.metadata.get("tags", [])


@pytest.mark.parametrize("path", CHAPTERS)
def test_exercises_wait_for_answers_and_fold_their_solutions(page_of, path):
    cells, found = cells_of(path), page_of(path)["exercises"]
    tagged = [cell for cell in cells if "solution" in cell.metadata.get("tags", [])]
    asked = exercises(cells)
    # the site joins solutions that follow each other, unless the first one has an output
    executed = with_outputs((ROOT / path).with_suffix(".ipynb"), FOLDER).cells
    joined = sum(
        is_solution(before) and is_solution(after) and not before.outputs
        for before, after in pairwise(executed)
    )
    code = sum(cell.cell_type == "code" for cell in tagged)
    assert found["folded"] == code - joined >= len(asked)
    assert found["places"] == len(asked)
    assert found["boxes"] == found["foldedCells"]
    assert found["boxes"] or not any(judged_in_page(exercise.name) for exercise in asked)
    assert (found["shown"], found["told"], found["wrong"]) == (0, 0, 0)
    assert all("Right." in text for text in found["right"])
    text = (SITE / path).read_text(encoding="utf-8")
    outline = text[text.index('class="page-toc"') : text.rindex("</nav>")]
    assert len(re.findall(r'href="#exercise-[\w-]+">Exercise \d+ ·', outline)) == len(asked)


@pytest.mark.parametrize("path", ALIKE)
def test_a_page_that_is_like_another_is_sound(visitor, site, path):
    """At four times the size, where all that may be too wide is."""
    page, complaints = visitor
    complaints.clear()
    page.set_viewport_size({"width": ENLARGED, "height": 900})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(site + path)
    prepare(page)
    assert violations(page, rules=NOT_CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") == ENLARGED
    assert complaints == []


class Links(HTMLParser):
    """Collect the addresses and the ids of a page."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.add(found["id"])
        if "data-name" in found:  # what a phrase of the text can set
            self.ids.add(f"live&{found['data-name']}")
        for name in ("href", "src"):
            if name in found and tag in ("a", "link", "script", "img"):
                self.addresses.append(found[name])


@pytest.fixture(scope="module")
def links(site):
    found = [path for path in SITE.rglob("*.html") if "_static" not in path.parts]
    return {
        path.relative_to(SITE).as_posix(): Links(path.read_text(encoding="utf-8")) for path in found
    }


def test_every_link_within_the_site_leads_somewhere(links):
    broken = []
    for page, found in links.items():
        for address in found.addresses:
            if re.match(r"[a-z]+:|//", address) or address in ("", "#"):
                continue
            target, fragment = urldefrag(urljoin(page, unquote(address)))
            target = target.partition("?")[0] or page
            fragment = fragment.partition(".")[0] if fragment[:5] == "live&" else fragment
            known = links[target].ids if target in links else {fragment}
            if not (SITE / target).is_file() or (fragment and fragment not in known):
                broken.append(f"{page}: {address}")
    assert not broken
