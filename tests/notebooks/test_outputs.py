"""Every notebook runs, and shows the outputs that are stored in it."""

import re

import pytest

from course.desk.course_record import name_of
from tests.helpers import executed
from tests.texts import NOTEBOOKS, cells, shown_text

pytestmark = pytest.mark.slow


def comparable(cell):
    """Return the shown text of a cell, in which zero has no sign."""
    return re.sub(r"-(0\.0+)(?![0-9])", r"\1", shown_text(cell))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_shows_its_stored_outputs(path):
    found = {cell.id: cell for cell in executed(name_of(path)).cells}
    different = [
        f"{cell.id}: stored\n{comparable(cell)}but found\n{comparable(found[cell.id])}"
        for cell in cells(path)
        if "nbval-check-output" in cell.metadata.get("tags", [])
        and comparable(cell) != comparable(found[cell.id])
    ]
    assert not different, "\n".join(different)
