"""The prompts of all exercises, as the notebooks have them."""

from publishing.exercise_cells import exercises
from tests.texts import NOTEBOOKS, cells

CELLS = {each.name: each for path in NOTEBOOKS for each in exercises(cells(path))}


def prompt(name):
    """Return a prompt as one line, without its heading."""
    assert name in CELLS, f"{name} has no cell with its check in its chapter's notebook: add three"
    lines = CELLS[name].prompt.source.splitlines()[1:]
    return " ".join(line.lstrip("> ") for line in lines)
