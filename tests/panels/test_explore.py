"""Controls that Python answers: what they show at first, after a change, and when it fails."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from panels import explore
from publishing.execute_notebooks import CELL_TIMEOUT

DRAWS = """
import matplotlib.pyplot as plt
from IPython.display import HTML
from ipywidgets import FloatSlider
from panels import explore
from tutlib.progress import progress
from tutlib.plots import new_axes

def line(end=2, step=0.1):
    if end == 5:
        raise ValueError("no line is that long")
    new_axes("x", "y").plot([0, end], [0, step])
    plt.show()

shown = explore(line, end=(1, 5), step=FloatSlider(0.1, max=1, description="step [s]"))
shown
"""
CHANGES = """
end, step = shown.children[:2]
begun = shown.out.outputs[0]["data"]
end.value = 4
drawn = shown.out.outputs[0]["data"]
assert drawn["image/svg+xml"] != begun["image/svg+xml"]
assert shown.kwargs == {"end": 4, "step": 0.1}
assert (end.continuous_update, step.description) == (False, "step [s]")
end.value = 5
(told,) = shown.out.outputs
assert told["traceback"] == ["ValueError: no line is that long"]
end.value = 2
assert shown.out.outputs[0]["data"] == begun
shown
"""
SHOWS_TWO = """
def two(n=1):
    for k in range(2):
        new_axes("x", "y").plot([0, k])
        plt.show()

explore(two, n=(0, 1))
"""
PRINTS = """
def says(n=1):
    print(n)

explore(says, n=(0, 1))
"""
RETURNS = """
explore(lambda n: HTML("<b>" * n), n=[1, 2])
"""


@pytest.fixture(scope="module")
def outputs():
    """Return what cells show in a kernel that no page is connected to."""
    sources = (DRAWS, CHANGES, SHOWS_TWO, PRINTS, RETURNS)
    notebook = new_notebook(cells=[new_code_cell(source.strip()) for source in sources])
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=CELL_TIMEOUT, allow_errors=True).execute()
    return [cell.outputs for cell in notebook.cells]


@pytest.mark.slow
def test_where_no_kernel_answers_the_first_picture_stands_and_what_is_returned(outputs):
    (first,), (later,), *_, (returned,) = outputs
    assert "application/vnd.jupyter.widget-view+json" in first.data
    assert first.data["image/svg+xml"].lstrip().startswith("<?xml")
    assert later.get("ename") is None, later
    assert later.data["image/svg+xml"] == first.data["image/svg+xml"]
    assert returned.data["text/html"] == "<b>"


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 3])
def test_one_picture_is_shown_and_nothing_printed(outputs, number):
    (told,) = outputs[number]
    assert told.ename == "ValueError"
    shows, prints = {2: (2, "''"), 3: (0, r"'1\n'")}[number]
    assert f"it showed {shows}, and printed {prints}" in told.evalue


@pytest.mark.parametrize(
    ("function", "controls", "said"),
    [
        (None, {"n": (1, 2)}, "function must be a function"),
        (lambda n: None, {"m": (1, 2)}, "got one that takes"),
        (lambda n: None, {"n": None}, "cannot be transformed to a widget"),
    ],
)
def test_wrong_calls_are_told(function, controls, said):
    with pytest.raises((TypeError, ValueError), match=said):
        explore(function, **controls)
