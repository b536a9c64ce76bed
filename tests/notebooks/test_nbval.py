"""Planted faults that nbval must see when it hears a recording.

nbval skips silently in some cases; the tests show which, and that ours are compared.
"""

import re

import nbformat
import pytest

from publishing.execute_notebooks import execute
from tests.helpers import ROOT
from tests.notebooks import replay

pytestmark = [pytest.mark.slow, pytest.mark.tools]

# source, output on record, whether nbval must find it wrong
CELLS = {
    "another number": ("print(1 + 1)", "3\n", True),
    "a line too few": ("print('a')", "a\nb\n", True),
    "another digit": ("print(0.123)", "0.124\n", True),
    "another sign": ("print(-0.5)", "0.5\n", True),
    "the sign of a small number": ("print(-0.01)", "0.01\n", True),
    "another number before a unit": ("print('0.5 s')", "0.6 s\n", True),
    "text where there was none": ("print('now there is text')", None, True),
    "none where there was text": ("pass", "text\n", True),
    "an error stream": ("import sys; print('x', file=sys.stderr)", None, True),
    "the same": ("print(2)", "2\n", False),
    "zero has no sign": ("print(-0.0, 1.0)", "0.0 1.0\n", False),
    "what is not checked": ("print(3)", "4\n", False),
    "a cell that raises": ("raise ValueError", None, True),
    "a cell after it": ("print(5)", "6\n", True),
}


def notebook_of(cells):
    notebook = nbformat.v4.new_notebook()
    for count, (name, (source, text, _)) in enumerate(cells.items(), 1):
        cell = nbformat.v4.new_code_cell(source, execution_count=count)
        if name != "what is not checked":
            cell.metadata["tags"] = ["nbval-check-output"]
        if text is not None:
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
        notebook.cells.append(cell)
    return notebook


def verdicts(output):
    """Return which cells passed, by their numbers, from the lines of `pytest -rA`."""
    found = re.findall(r"^(PASSED|FAILED) \S*::Cell (\d+)", output, re.MULTILINE)
    return {int(number): word == "PASSED" for word, number in found}


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    path = tmp_path_factory.mktemp("nbval") / "trial.ipynb"
    nbformat.write(notebook_of(CELLS), path)
    return path


@pytest.fixture(scope="module")
def recording(trial):
    execute(trial, trial.parent / "executed")
    return trial.parent / "executed"


def judge(pytester, monkeypatch, path, copies):
    """Return what nbval says of a notebook when it hears the recording in a folder."""
    monkeypatch.setattr(replay, "FOLDER", path.parent)
    monkeypatch.setattr(replay, "COPIES", copies)
    options = ["--nbval-lax", "--nbval-current-env", "-p", "no:cacheprovider", "-rA"]
    options += ["--nbval-sanitize-with", ROOT / "tests/notebooks/sanitize.cfg"]
    return pytester.runpytest_inprocess(*options, path).stdout.str()


def test_a_recording_s_outputs_are_judged(pytester, monkeypatch, trial, recording):
    found = verdicts(judge(pytester, monkeypatch, trial, recording))
    assert found == {i: not wrong for i, (*_, wrong) in enumerate(CELLS.values())}


def test_a_cell_that_was_not_recorded_fails(pytester, monkeypatch, tmp_path, recording):
    """The judge trusts no recording of another notebook, should one lie in its place."""
    other = notebook_of({"the same": CELLS["the same"]})
    other.cells[0].source = "print(1 + 1)  # again"
    nbformat.write(other, tmp_path / "trial.ipynb")
    monkeypatch.setattr(replay, "up_to_date", lambda *_: {"failure": ""})
    output = judge(pytester, monkeypatch, tmp_path / "trial.ipynb", recording)
    assert "not in the recording" in output
    assert verdicts(output) == {0: False}


def test_without_an_execution_count_nothing_is_compared(
    pytester, monkeypatch, trial, recording, tmp_path
):
    """The trap that a rule of `test_notebooks.py` guards against."""
    notebook = nbformat.read(trial, as_version=4)
    notebook.cells = notebook.cells[:1]
    notebook.cells[0].execution_count, notebook.cells[0].outputs = None, []
    nbformat.write(notebook, tmp_path / "trial.ipynb")
    monkeypatch.setattr(replay, "up_to_date", lambda *_: {"failure": ""})
    output = judge(pytester, monkeypatch, tmp_path / "trial.ipynb", recording)
    assert verdicts(output) == {0: True}
