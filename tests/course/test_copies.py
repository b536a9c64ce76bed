"""A student's work is never overwritten, and copies hold solutions only where they should."""

import re
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course.__main__ import main
from course.desk import (
    copies,
    copy_notebooks,
    course_notebooks,
    student_copy,
    without_solutions,
)
from course.desk.course_record import name_of

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = course_notebooks(ROOT)


def copy_course(folder):
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    (folder / "course").mkdir()
    shutil.copy(ROOT / "course/course.toml", folder / "course")


def test_the_first_copies_are_those_of_the_course(tmp_path):
    done = copy_notebooks(tmp_path / "a" / "b")
    assert done == [f"{len(NOTEBOOKS)} notebooks were copied to {tmp_path / 'a' / 'b'}"]
    for notebook in NOTEBOOKS:
        copy = tmp_path / "a" / "b" / f"{name_of(notebook)}.ipynb"
        text = notebook.read_text(encoding="utf-8")
        assert copy.read_text(encoding="utf-8") == student_copy(text)


def test_a_file_that_exists_is_left_alone_and_named(tmp_path):
    mine = tmp_path / f"{name_of(NOTEBOOKS[0])}.ipynb"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("my own work", encoding="utf-8")
    done = copy_notebooks(tmp_path)
    assert mine.read_text(encoding="utf-8") == "my own work"
    assert done[-1].startswith(f"{mine} was left as it is, but {mine} is not a notebook: ")
    assert done[-1].endswith("python -m course notebooks --fresh 01")
    rest = f"{len(NOTEBOOKS) - 1} notebooks in {tmp_path}"
    up_to_date = f"{rest} are up to date; none was overwritten"
    assert copy_notebooks(tmp_path) == [up_to_date, done[-1]]


def test_copies_that_are_older_than_the_course_are_named(tmp_path, monkeypatch):
    copy_course(tmp_path)
    monkeypatch.setattr(copies, "_REPOSITORY", tmp_path)
    copy_notebooks()
    changed, renamed = (tmp_path / "notebooks" / f"{name_of(path)}.ipynb" for path in NOTEBOOKS[:2])
    notebook = nbformat.read(changed, as_version=4)
    notebook.cells[0].source += " More."
    nbformat.write(notebook, changed)
    record, page = tmp_path / "course" / "course.toml", renamed.stem
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace(page, "2-new-name"), encoding="utf-8")
    renamed.rename(renamed.with_stem("2-new-name"))
    mine = {path: path.read_bytes() for path in (tmp_path / "work").rglob("*.ipynb")}
    made, same, older, gone = copy_notebooks()
    assert made == f"made {tmp_path / 'work' / renamed.parent.name / '2-new-name.ipynb'}"
    assert same.startswith(f"{len(NOTEBOOKS) - 2} notebooks in ")
    own = tmp_path / "work" / f"{name_of(NOTEBOOKS[0])}.ipynb"
    assert older.startswith(f"{own} is older than the course")
    assert older.endswith("--fresh 01")
    assert page in gone
    assert "not part of the course anymore" in gone
    assert all(path.read_bytes() == content for path, content in mine.items())
    copy_notebooks(fresh="01")
    assert not any("older than" in line for line in copy_notebooks())  # the second copy is new


def test_a_fresh_copy_comes_beside_and_counts(tmp_path):
    copy_notebooks(tmp_path)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*.ipynb")}
    for _ in range(2):
        copy_notebooks(tmp_path, fresh="01")
    made = [tmp_path / f"{name_of(p)}-{k}.ipynb" for p in NOTEBOOKS for k in (2, 3)]
    assert {p for p in made if p.exists()} == {p for p in made if name_of(p)[:2] == "01"}
    assert all(p.read_bytes() == b for p, b in before.items())


def test_a_chapter_is_known_by_its_number(tmp_path):
    names = [name_of(path) for path in NOTEBOOKS if name_of(path)[:2] == "01"]
    for place, number in enumerate(["01", "1", 1, np.int64(1)]):
        folder = tmp_path / str(place)
        made = [f"made {folder / name}.ipynb" for name in names]
        assert copy_notebooks(folder, number) == made
    with pytest.raises(FileNotFoundError, match="no chapter 77"):
        copy_notebooks(tmp_path, fresh="77")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name_of)
def test_a_student_copy_has_all_other_cells_and_can_be_read_in_jupyterlab(notebook):
    text = notebook.read_text(encoding="utf-8")
    whole, copy = (nbformat.reads(s, as_version=4) for s in (text, student_copy(text)))
    kept = [c for c in whole.cells if "remove-cell" not in c.metadata.get("tags", [])]
    assert [c.id for c in copy.cells] == [c.id for c in kept]
    for cell, original in zip(copy.cells, kept):
        if "hide-input" in original.metadata.get("tags", []):
            assert cell.source == original.source
            assert cell.metadata.jupyter.source_hidden
        elif not re.search(r"\{cite:|sets-panel", original.source):
            assert cell == original
        assert "{cite:" not in cell.source
        assert "#live&" not in cell.source
    nbformat.validate(copy)


def test_citations_of_a_copy_are_authors_and_years():
    cited = (
        "See {cite:t}`HairerLubichWanner2006`, {cite:p}`Verlet1967,SwopeAndersenBerensWilson1982`."
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(cited)])
    copy = nbformat.reads(student_copy(nbformat.writes(notebook)), as_version=4)
    assert copy.cells[0].source == (
        "See Hairer, Lubich and Wanner (2006), (Verlet 1967; Swope et al. 1982)."
    )


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name_of)
def test_without_solutions_nothing_else_is_missing(notebook):
    text = notebook.read_text(encoding="utf-8")
    whole, rest = (nbformat.reads(s, as_version=4) for s in (text, without_solutions(text)))
    kept = [c for c in whole.cells if "solution" not in c.metadata.get("tags", [])]
    assert kept
    assert rest.cells == kept
    nbformat.validate(rest)
    assert "_solution" not in without_solutions(text)


def test_a_broken_notebook_is_left_out_and_named(tmp_path, monkeypatch, capsys):
    copy_course(tmp_path)
    broken = tmp_path / "notebooks" / f"{name_of(NOTEBOOKS[0])}.ipynb"
    broken.write_text("not JSON", encoding="utf-8")
    monkeypatch.setattr(copies, "_REPOSITORY", tmp_path)
    assert main(["notebooks", "--without-solutions"]) == 1
    assert capsys.readouterr().err.startswith(f"{broken} is not a notebook: ")
    made = {name_of(path) for path in (tmp_path / "work").rglob("*.ipynb")}
    assert made == {name_of(path) for path in NOTEBOOKS} - {name_of(broken)}
