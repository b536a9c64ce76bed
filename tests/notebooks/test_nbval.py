"""nbval skips silently in some cases; these tests show which, and that ours are compared."""

import nbformat
import pytest

from tests.helpers import run_nbval


def run(folder, *cells):
    """Run nbval over a notebook of (source, output text, execution count), as `make test` does."""
    notebook = nbformat.v4.new_notebook()
    for source, text, count in cells:
        cell = nbformat.v4.new_code_cell(source, execution_count=count)
        cell.metadata["tags"] = ["nbval-check-output"]
        if text is not None:
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
        notebook.cells.append(cell)
    nbformat.write(notebook, folder / "trial.ipynb")
    return run_nbval(folder / "trial.ipynb")


WRONG = [
    ("print(1 + 1)", "3\n"),
    ("print('a')", "a\nb\n"),
    ("print(0.123)", "0.124\n"),
    ("print(-0.5)", "0.5\n"),
    ("print(-0.01)", "0.01\n"),
    ("print('0.5 s')", "0.6 s\n"),
    ("print('now there is text')", None),
]


def test_every_wrong_output_fails(tmp_path):
    result = run(tmp_path, *((source, text, i + 1) for i, (source, text) in enumerate(WRONG)))
    assert result.returncode == 1, result.stdout
    assert f"{len(WRONG)} failed in" in result.stdout, result.stdout


@pytest.mark.parametrize("source", ["raise ValueError", "assert 1 == 2"])
def test_a_cell_that_raises_fails(tmp_path, source):
    result = run(tmp_path, (source, None, 1))
    assert result.returncode == 1, result.stdout
    assert "1 failed" in result.stdout


def test_a_right_output_passes(tmp_path):
    result = run(tmp_path, ("print(2)", "2\n", 1), ("print(-0.0, 1.0)", "0.0 1.0\n", 2))
    assert result.returncode == 0, result.stdout
    assert "2 passed" in result.stdout


def test_without_an_execution_count_nothing_is_compared(tmp_path):
    """The trap that test_checked_cells_can_be_compared guards against."""
    result = run(tmp_path, ("print('never compared')", None, None))
    assert result.returncode == 0, result.stdout
    assert "1 passed" in result.stdout
