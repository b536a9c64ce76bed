"""Controls that Python answers: what they show at first, after a change, and when it fails."""

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from panels import explore
from publishing.execute_notebooks import CELL_TIMEOUT

DRAWS = """
import course  # with its style, the same figure is the same text
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
RETURNS = """
explore(lambda n: HTML("<b>" * n), n=[1, 2])
"""
SHOWS_NONE = """
explore(lambda n=1: None, n=(0, 1))
"""
#: Ways to draw one picture: the name of each function says what is unusual about it.
WAYS = """
import warnings
import numpy as np
from matplotlib.figure import Figure
from tutlib import integrate, plot_states

def unstable(h=0.1):
    spring = lambda t, x: [x[1], -100 * x[0]]
    plot_states(integrate(spring, np.arange(0, 40, h), [1.0, 0.0], "euler"))
    plt.show()

def forgotten(k=1.0):
    plt.plot([0, 1], [0, k])

def returned_axes(k=1.0):
    return new_axes("x", "y", nrows=2)

def returned_axes_after_show(k=1.0):
    ax = new_axes("x", "y")
    plt.show()
    return ax

def returned_lines(k=1.0):
    return plt.plot([0, 1], [0, k])

def returned_figure(k=1.0):
    figure = Figure()
    figure.subplots().plot([0, k])
    return figure

def returned_number(k=1.0):
    plt.plot([0, k])
    return k

def printed(k=1.0):
    plt.plot([0, k])
    print("k is", k)
    warnings.warn("careful")

for way in (unstable, forgotten, returned_axes, returned_axes_after_show, returned_lines,
            returned_figure, returned_number, printed):
    name = "h" if way is unstable else "k"
    widget = explore(way, **{name: (0.05, 2.0, 0.05)})
    widget.children[0].value = 0.2
    kinds = ["/".join([o["output_type"], *(k for k in o.get("data", ()) if "image" in k)])
             for o in widget.out.outputs]
    texts = "".join(o.get("text", "") for o in widget.out.outputs)
    print(way.__name__, *kinds, "UnstableWarning" in texts, "k is 0.2" in texts, "careful" in texts)
"""
PICTURE = "display_data/image/svg+xml"
EXPECTED = f"""
unstable {PICTURE} stream True False False
forgotten {PICTURE} False False False
returned_axes {PICTURE} False False False
returned_axes_after_show {PICTURE} False False False
returned_lines {PICTURE} False False False
returned_figure {PICTURE} False False False
returned_number {PICTURE} False False False
printed stream {PICTURE} stream False True True
"""


@pytest.fixture(scope="module")
def outputs():
    """Return what cells show in a kernel that no page is connected to."""
    sources = (DRAWS, CHANGES, SHOWS_TWO, SHOWS_NONE, RETURNS, WAYS)
    notebook = new_notebook(cells=[new_code_cell(source.strip()) for source in sources])
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=CELL_TIMEOUT, allow_errors=True).execute()
    return [cell.outputs for cell in notebook.cells]


@pytest.mark.slow
def test_where_no_kernel_answers_the_first_picture_stands_and_what_is_returned(outputs):
    (first,), (later,), _, _, (returned,), _ = outputs
    assert "application/vnd.jupyter.widget-view+json" in first.data
    assert first.data["image/svg+xml"].lstrip().startswith("<?xml")
    assert later.get("ename") is None, later
    assert later.data["image/svg+xml"] == first.data["image/svg+xml"]
    assert returned.data["text/html"] == "<b>"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "message"),
    [
        (2, "the function must show one picture; it showed 2"),
        (3, "the function showed no picture: draw one and end with plt.show()"),
    ],
)
def test_no_picture_and_two_are_explained(outputs, number, message):
    (told,) = outputs[number]
    assert told.ename == "ValueError"
    assert message in told.evalue


@pytest.mark.slow
def test_warnings_prints_and_forgotten_shows_do_not_hide_the_picture(outputs):
    printed = "".join(output.get("text", str(output)) for output in outputs[5])
    assert printed.strip() == EXPECTED.strip()


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
