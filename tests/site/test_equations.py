"""Each displayed equation of a chapter has a number, and results lead to what asserts them."""

import re

import pytest

from tests.notebooks.chapters import PAGES, STEMS, displayed
from tests.notebooks.test_equations import NO_RESULT, proofs

from .conftest import SITE

CHAPTERS = [stem for stem in STEMS if stem[:2].isdigit()]
NUMBERED = re.compile(
    r'<div class="tutlib-equation[^"]*" id="equation-(\d+)-(\d+)">(.*?)'
    r'<p class="tutlib-number">(?:<a href="#([^"]*)"[^>]*>)?\((\d+)\.(\d+)\)',
    re.DOTALL,
)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("stem", CHAPTERS)
def test_numbers_go_up_and_lead_to_the_proof(stem):
    pages = [SITE / f"notebooks/{name}.html" for name in PAGES[stem]]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    found = NUMBERED.findall(text)
    chapter, count = str(int(stem[:2])), len(displayed(stem))
    assert [(each[0], each[4]) for each in found] == [(chapter, chapter)] * count
    numbers = [str(k) for k in range(1, count + 1)]
    assert [each[1] for each in found] == [each[5] for each in found] == numbers
    assert all(each[2].count("<mjx-container") == 1 for each in found)
    results = {f"proof-{proof}" for proof in proofs(stem).values() if proof not in NO_RESULT}
    assert {each[3] for each in found} - {""} == results
    for place in results:
        assert len(re.findall(rf'(?:<div class="cell [^"]*"|<span) id="{place}">', text)) == 1, (
            place
        )
