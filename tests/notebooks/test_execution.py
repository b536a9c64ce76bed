"""Executing a notebook once stands for three runs: the teacher's, the untouched and the solved."""

from multiprocessing import active_children

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from publishing import execute_notebooks
from publishing.dependencies import Dependencies
from publishing.execute_notebooks import execute, recorded, with_outputs

pytestmark = [pytest.mark.slow, pytest.mark.tools]

ASK = 'half_answer = ...\n\ncheck("trial-1", half_answer)'
SOLUTION = '# Solution\nhalf_solution = 0.5\nassert check("trial-1", half_solution)'
CHECK = "def check(name, answer):\n    return ... if answer is ... else answer == 0.5"


def notebook_of(*sources):
    """Return a notebook; a source that begins as a solution, or for authors, is tagged so."""
    cells = [new_markdown_cell("# A trial")]
    for number, source in enumerate(sources):
        cell = new_code_cell(source, id=f"cell-{number}")
        if source.startswith("# Solution"):
            cell.metadata["tags"] = ["solution"]
        if source.startswith("# For authors"):
            cell.metadata["tags"] = ["remove-cell"]
        cells.append(cell)
    return new_notebook(cells=cells)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Execute a notebook of these sources; return its record and its executed copy."""
    folder = tmp_path_factory.mktemp("execution")

    def execute_cells(*sources):
        nbformat.write(notebook_of(*sources), folder / "trial.ipynb")
        found = execute(folder / "trial.ipynb", folder / "executed")
        return found, nbformat.read(folder / "executed" / "trial.ipynb", as_version=4)

    return execute_cells


@pytest.fixture(scope="module")
def sound(run):
    return run(
        CHECK,
        "width, title = 3, 'swing'",
        ASK,
        SOLUTION + "\nwidth = 4\nextra = 1",
        "seen = (width, 'extra' in globals(), half_answer is ...)\nprint(seen)",
        ASK.replace("1", "2").replace("half", "third"),
        "# Solution\nthird_solution = half_solution\nassert extra == 1\n"
        'assert check("trial-2", third_solution)',
        "calls = []",
        ASK.replace("1", "3").replace("half", "other"),
        "# Solution\ncalls.append(1)\nother_solution = 0.5 * len(calls)\n"
        'assert check("trial-3", other_solution)',
    )


def test_outputs_are_those_of_a_run_from_the_top(sound):
    record, copy = sound
    assert record["failure"] == ""
    assert [cell.execution_count for cell in copy.cells[1:]] == list(range(1, 11))
    assert "ptions" not in str(copy.metadata.get("widgets", ""))


def test_no_cell_sees_what_only_a_solution_binds(sound):
    """So a copy without solutions runs as the published notebook does."""
    (output,) = sound[1].cells[5].outputs
    assert output.text == "(3, False, True)\n"


@pytest.fixture(scope="module")
def with_authors(run):
    return run(
        CHECK,
        "seen = [1]",
        "# For authors\nseen.append(2)\nlater = 3",
        "print(seen, 'later' in globals())",
        ASK,
        SOLUTION + "\nassert len(seen) == 1",
        "# For authors\nassert seen == [1, 2] and later == 3",
    )


def test_author_cells_run_after_all_that_a_student_s_copy_has(with_authors):
    """So they change nothing that a student sees; each of them sees those above it."""
    record, copy = with_authors
    assert record["failure"] == ""
    assert [cell.execution_count for cell in copy.cells[1:]] == [1, 2, 6, 3, 4, 5, 7]
    (output,) = copy.cells[4].outputs
    assert output.text == "[1] False\n"
    assert record["pasted"] == {"trial-1": "right"}
    assert record["values"]["later"] == 3


def test_a_cell_that_needs_an_author_cell_fails(run):
    record, _ = run("x = 1", "# For authors\nbound = x", "print(bound)")
    assert "cell-2" in record["failure"]
    assert "name 'bound' is not defined" in record["failure"]


def test_a_solution_is_pasted_into_the_cell_that_waits_and_what_is_not_right_is_told(sound):
    """The second uses the first, which has an answer's name there; the third is right but once."""
    pasted = sound[0]["pasted"]
    assert (pasted["trial-1"], pasted["trial-2"]) == ("right", "right")
    assert "AssertionError" in pasted["trial-3"]


def test_a_cell_that_needs_a_solution_fails(run):
    record, copy = run(CHECK, ASK, SOLUTION, "print(half_solution)", "print('never reached')")
    assert "cell-3" in record["failure"]
    assert "name 'half_solution' is not defined" in record["failure"]
    assert copy.cells[-1].execution_count is None
    assert copy.cells[-1].outputs == []


def test_a_warning_that_no_page_shows_is_a_failure(run):
    record, _ = run("import warnings", "warnings.warn('the part is damaged')", "print('on')")
    assert record["failure"].startswith("cell-1: written to stderr: ")
    assert "UserWarning: the part is damaged" in record["failure"]
    assert record["values"] == {}


def test_a_record_is_of_one_state_of_code_and_package(tmp_path, monkeypatch):
    path, copies = tmp_path / "trial.ipynb", tmp_path / "executed"
    nbformat.write(notebook_of("x = 1"), path)
    assert recorded(path, copies) is None
    monkeypatch.setattr(execute_notebooks, "run_cells", lambda *_: "")
    execute(path, copies)
    assert recorded(path, copies)["failure"] == ""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("x = 1", "x = 2"), encoding="utf-8")
    assert recorded(path, copies) is None
    path.write_text(text.replace("# A trial", "# Another title"), encoding="utf-8")
    assert recorded(path, copies) is not None
    assert with_outputs(path, copies).cells[0].source == "# Another title"
    monkeypatch.setattr(execute_notebooks, "versions", lambda: b"another Python")
    assert recorded(path, copies) is None


def test_what_a_run_depends_on_is_in_its_key(tmp_path, monkeypatch):
    """More of it is in `test_dependencies`."""
    files = [
        "tutlib/a.py",
        "tutlib/b.json",
        "course/exercises/trial.py",
        "publishing/kernel_companion.py",
    ]
    others = ["course/exercises/kane.py", "course/desk/d.py", "tutlib/models/c.py"]
    for name in [*files, *others, *execute_notebooks.TOOLS]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1", encoding="utf-8")
    path = tmp_path / "01-trial.ipynb"
    nbformat.write(notebook_of("from tutlib.a import x"), path)
    monkeypatch.setattr(execute_notebooks, "project", lambda: Dependencies(tmp_path))
    digests = {execute_notebooks.key(path)}
    for name in files:
        (tmp_path / name).write_text("2", encoding="utf-8")
        digests.add(execute_notebooks.key(path))
    assert len(digests) == 1 + len(files)
    for name in others:
        (tmp_path / name).write_text("2", encoding="utf-8")
    assert execute_notebooks.key(path) in digests


def test_a_notebook_that_cannot_be_read_is_named_in_a_line(tmp_path, capsys):
    path = tmp_path / "01-trial.ipynb"
    path.write_text('{"cells": [\n<<<<<<< HEAD\n]}', encoding="utf-8")
    assert execute_notebooks.execute_all([path]) == 1
    line = capsys.readouterr().out.splitlines()[-1]
    begin = f"notebook 1 of 1: 01-trial.ipynb {path} is not a notebook: line 2 has"
    assert line.startswith(begin)


def test_ctrl_c_stops_all_notebooks_and_says_how_to_go_on(tmp_path, capsys, monkeypatch):
    def stopped(running):
        raise KeyboardInterrupt

    monkeypatch.setattr(execute_notebooks, "as_completed", stopped)
    paths = [tmp_path / f"0{k}-trial.ipynb" for k in range(4)]
    for path in paths:
        nbformat.write(notebook_of("import time; time.sleep(3600)"), path)
    assert execute_notebooks.execute_all(paths) == 130
    assert "run the same command again to continue" in capsys.readouterr().out
    assert not active_children()
