"""Every axis of a figure has a label with a unit, and curves of one figure look different."""

import pytest

from course.desk.course_record import name_of
from tests.helpers import record
from tests.notebooks import picture_rules
from tests.texts import NOTEBOOKS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_no_figure_breaks_a_rule(path):
    broken = [
        f"{shown['cell']}: {rule.__name__}: {fault}"
        for shown in record(name_of(path))["figures"]
        for figure in shown["figures"]
        for rule in picture_rules.RULES
        for fault in rule(figure)
    ]
    assert not broken, "\n".join(broken)
