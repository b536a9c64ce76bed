"""Sliders that Python answers; where none answers, a picture stands."""

import re
from itertools import pairwise

import pytest

from course.desk import course_notebooks
from course.desk.course_record import name_of
from publishing.build_book import with_figures_inline
from tests.helpers import ROOT, executed

STEMS = sorted(map(name_of, course_notebooks(ROOT)))
SAID = r"In JupyterLab\s+(?:this|the next)\s+(?:picture|formula|table)\s+has"
WIDGET = "application/vnd.jupyter.widget-view+json"

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("stem", STEMS)]


def explored(notebook):
    """Return the cells that ask Python by controls, each with the text before it."""
    return [
        (before, cell)
        for before, cell in pairwise(notebook.cells)
        if cell.cell_type == "code" and re.search(r"^explore\(", cell.source, re.MULTILINE)
    ]


def test_a_page_says_where_controls_are_and_shows_a_picture_that_does_not_wait_for_python(stem):
    for before, cell in explored(executed(stem)):
        assert re.search(SAID, before.source), cell.id
        (shown,) = (output for output in cell.outputs if output.output_type == "execute_result")
        assert WIDGET in shown.data, "a kernel offers the controls"
    pages = explored(with_figures_inline(executed(stem)))
    for _, cell in pages:
        (shown,) = cell.outputs
        assert {"text/html", "text/latex"} & set(shown.data), "a page prefers these: _config.yml"
        if "plt.show()" in cell.source:
            assert set(shown.data) == {"text/html"}, cell.id
            assert f'aria-label="{cell.metadata.mystnb.image.alt[:40]}' in shown.data["text/html"]
