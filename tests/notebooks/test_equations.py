"""Every displayed equation is asserted by a cell of its chapter, and says by which.

The metadata ``equations`` of a cell of text holds, for each of its displayed formulas in order, the
cell that asserts it or of whose checked output it is. What is no result says so: a definition,
which the words around it make; mathematics that is known; and what a source has printed wrongly.
What a formula's symbols mean, and that they are worth what it says, is the matter of
`test_formulas`; here stands where a reader finds the proof.
"""

import re
from functools import cache

import pytest

from tests.notebooks.chapters import STEMS, cells_of, displayed

CHAPTERS = [stem for stem in STEMS if stem[:2].isdigit()]
NO_RESULT = {"definition", "known", "printed"}


@cache
def proofs(stem):
    """Return, by cell and place, what asserts each displayed equation of a chapter."""
    said = {cell.id: cell.metadata.get("equations", []) for cell in cells_of(stem)}
    return {(cell, place): each for cell, all_ in said.items() for place, each in enumerate(all_)}


@cache
def sections(stem):
    """Return the number of the section that each cell stands in."""
    number, found = 0, {}
    for cell in cells_of(stem):
        if cell.cell_type == "markdown":
            number += len(re.findall(r"^## ", cell.source, re.MULTILINE))
        found[cell.id] = number
    return found


def asserts(cell):
    """Tell whether a cell asserts something, or prints what is compared."""
    checked = "nbval-check-output" in cell.metadata.get("tags", [])
    return checked or bool(re.search(r"^\s*assert ", cell.source, re.MULTILINE))


RESULTS = [
    (stem, cell, proof)
    for stem in CHAPTERS
    for (cell, _), proof in proofs(stem).items()
    if proof not in NO_RESULT
]


@pytest.mark.parametrize("stem", CHAPTERS)
def test_every_displayed_equation_says_what_it_is(stem):
    unsaid = sorted(set(displayed(stem)) - set(proofs(stem)))
    assert not unsaid, f"name the cells that assert these in the metadata `equations`: {unsaid}"
    assert sorted(proofs(stem)) == sorted(displayed(stem))


def test_most_of_them_are_results():
    """A word instead of a cell is the exception, and what is printed wrongly is refuted."""
    every = [proof for stem in CHAPTERS for proof in proofs(stem).values()]
    assert len(RESULTS) > 0.75 * len(every)
    assert every.count("printed") == 1
    assert proofs("02-double-pendulum")["hidden", 0] == "printed"


def test_a_cell_of_its_section_or_soon_after_asserts_it():
    for stem, cell, proof in RESULTS:
        cells = {each.id: each for each in cells_of(stem) if each.cell_type == "code"}
        assert proof in cells, f"{stem} has no cell of code {proof}"
        assert asserts(cells[proof]), f"{stem}: {proof} asserts nothing"
        assert 0 <= sections(stem)[proof] - sections(stem)[cell] <= 2, f"{proof} is far from {cell}"
