"""``python -m course verify FILE``: each machine of a notebook or a program is verified."""

import nbformat
import pytest

from course.__main__ import main
from course.desk.verify_names import machines_in, verify_names
from tutlib.models import chain, four_bar, pendulum

PROGRAM = """
from pathlib import Path
from tutlib.models import pendulum
from verification import MUSEUM
assert Path("beside.txt").exists()
arm, slow = pendulum(), MUSEUM[4].{which}()
"""


def test_models_go_first_and_each_is_there_once():
    model = pendulum()
    names = {"_hidden": chain(1), "arm": model, "same": pendulum(), "eom": model.equations}
    assert machines_in(names) == {"arm": model}
    assert [*machines_in({"eom": model.equations, "x": 3})] == ["eom"]
    loop = four_bar().constrained
    assert [*machines_in({"eom": model.equations, "loop": loop})] == ["loop"]
    assert machines_in({"x": 3}) == {}
    ((name, passed, text),) = verify_names({"cut": four_bar().equations})
    assert (name, passed) == ("cut", False)
    assert text.startswith("It cannot be verified: no state of the machine was found")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "beside.txt").touch()
    return tmp_path


@pytest.mark.slow
def test_a_notebook_is_executed_in_its_folder(folder, capsys):
    path, cells = folder / "mine.ipynb", [nbformat.v4.new_code_cell(PROGRAM.format(which="wrong"))]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert main(["verify", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "arm"
    assert lines[-1] == "2 models: checks failed for slow."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("broken.py", "1 / 0", "does not run to its end: ZeroDivisionError: division by zero"),
        ("bad.ipynb", "{}", "is not a notebook"),
        ("gone.py", "import os; os._exit(3)", "crashed Python in the program"),
    ],
)
def test_a_file_that_does_not_run(folder, capsys, name, text, message):
    (folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    assert main(["verify", str(folder / name)]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_what_does_not_finish_is_stopped(folder, capsys):
    path = folder / "waits.ipynb"
    cells = [nbformat.v4.new_code_cell(text) for text in ("x = 1", "while True:\n    pass")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert main(["verify", str(path), "--limit", "1"]) == 1
    assert capsys.readouterr().err == (
        f"{path} did not finish: cell 2 was stopped after 1 s; --limit 10 lets it run longer\n"
    )
    for limit in ("0", "inf", "soon"):
        with pytest.raises(SystemExit):
            main(["verify", str(path), "--limit", limit])
