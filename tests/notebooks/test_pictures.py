"""Every figure shows what its labels, its units and its alt text say."""

from functools import cache

import pytest

from course.desk.course_record import name_of
from publishing.review_pictures import differences, rendered, reviewed, shown_pictures
from tests.helpers import ROOT, record
from tests.notebooks import alt_text_rules, picture_rules
from tests.texts import NOTEBOOKS

pytestmark = pytest.mark.slow

STEMS = sorted(map(name_of, NOTEBOOKS))


@cache
def pictures_of(stem):
    record(stem)
    return shown_pictures(ROOT / "notebooks" / f"{stem}.ipynb")


@pytest.mark.parametrize("stem", STEMS)
def test_figures_are_those_that_were_reviewed(stem):
    record(stem)
    found = differences(rendered(ROOT / "notebooks" / f"{stem}.ipynb"), reviewed(stem))
    assert not found, "read these, then keep them by publishing/review_pictures.py:\n" + "\n".join(
        found
    )


@pytest.mark.parametrize("stem", STEMS)
def test_no_figure_breaks_a_rule(stem):
    broken = [
        f"{picture['cell']}: {rule.__name__}: {fault}"
        for picture in pictures_of(stem)
        for rule in picture_rules.RULES + alt_text_rules.RULES
        for fault in rule(picture)
    ]
    assert not broken, "\n".join(broken)


@pytest.mark.parametrize("stem", STEMS)
def test_one_quantity_has_one_unit_in_a_chapter(stem):
    """But it may be millimeters on a linear axis and meters on one of many powers of ten."""
    units = {}
    for picture in pictures_of(stem):
        for ax, side, quantity, unit in picture_rules.sides(picture):
            if unit:
                units.setdefault((quantity, ax[side]["scale"]), set()).add(unit)
    assert {quantity: found for quantity, found in units.items() if len(found) > 1} == {}
