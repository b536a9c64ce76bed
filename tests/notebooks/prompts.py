"""The prompts of all exercises, as the notebooks have them."""

import nbformat

from course.desk import course_notebooks
from publishing.exercise_cells import exercises
from tests.helpers import ROOT

CELLS = {
    cells.name: cells
    for path in course_notebooks(ROOT)
    for cells in exercises(nbformat.read(path, as_version=4).cells)
}


def prompt(name):
    """Return a prompt as one line, without its heading."""
    assert name in CELLS, f"{name} has no cell with its check in its chapter's notebook: add three"
    lines = CELLS[name].prompt.source.splitlines()[1:]
    return " ".join(line.lstrip("> ") for line in lines)
