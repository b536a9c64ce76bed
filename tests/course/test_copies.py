"""A student's work is never overwritten, and copies hold solutions only where they should."""

import errno
import os
import shutil
from pathlib import Path

import nbformat
import numpy as np
import pytest

from course.__main__ import main
from course.desk import (
    chapters_of_course,
    copies,
    copy_notebooks,
    course_folder,
    course_notebooks,
    without_author_cells,
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
    assert len(done) == len(NOTEBOOKS)
    assert all(line.startswith("made") for line in done)
    for notebook in NOTEBOOKS:
        copy = tmp_path / "a" / "b" / f"{name_of(notebook)}.ipynb"
        text = notebook.read_text(encoding="utf-8")
        assert copy.read_text(encoding="utf-8") == without_author_cells(text)


def test_a_file_that_exists_is_left_alone_and_named(tmp_path):
    mine = tmp_path / f"{name_of(NOTEBOOKS[0])}.ipynb"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("my own work", encoding="utf-8")
    done = copy_notebooks(tmp_path)
    assert mine.read_text(encoding="utf-8") == "my own work"
    assert done[0].startswith(
        f"left alone {mine}: it is there already, but {mine} is no notebook: "
    )
    assert done[0].endswith("python -m course notebooks --fresh 01")
    assert copy_notebooks(tmp_path)[1].endswith(": it is there already")


def test_a_fresh_copy_comes_beside_and_counts(tmp_path):
    copy_notebooks(tmp_path)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*.ipynb")}
    for _ in range(2):
        copy_notebooks(tmp_path, fresh="01")
    made = [tmp_path / f"{name_of(p)}-{k}.ipynb" for p in NOTEBOOKS for k in (2, 3)]
    assert {p for p in made if p.exists()} == {p for p in made if name_of(p)[:2] == "01"}
    assert all(p.read_bytes() == b for p, b in before.items())


def test_a_full_disk_leaves_no_half_of_a_notebook(tmp_path, monkeypatch, capsys):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert main(["notebooks", str(tmp_path)]) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert copy_notebooks(tmp_path)[0].startswith("made")


def test_a_chapter_is_known_by_its_number(tmp_path):
    names = [name_of(path) for path in NOTEBOOKS if name_of(path)[:2] == "01"]
    for place, number in enumerate(["01", "1", 1, np.int64(1)]):
        folder = tmp_path / str(place)
        made = [f"made       {folder / name}.ipynb" for name in names]
        assert copy_notebooks(folder, number) == made
    with pytest.raises(FileNotFoundError, match="no notebook 77"):
        copy_notebooks(tmp_path, fresh="77")


@pytest.mark.parametrize(
    "number", ["", "*", "[0-9][0-9]", "../../x", -1, 100, 1.5, True, [1], "1\n"]
)
def test_what_is_no_number_of_a_chapter_is_told(tmp_path, number, capsys):
    with pytest.raises(ValueError, match=r'fresh must be the number of a chapter, such as "01"'):
        copy_notebooks(tmp_path, number)
    assert not list(tmp_path.iterdir())
    if isinstance(number, str):
        assert main(["notebooks", str(tmp_path), "--fresh", number]) == 1
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_is_no_folder_no_choice_and_no_text_is_told(tmp_path):
    for folder in (0, [], ["work"], b"work", {}, np.array(["work"])):
        with pytest.raises(TypeError, match='folder must be a path, such as "work"; got'):
            copy_notebooks(folder)
    for solutions in ("no", None, [], np.ones(2)):
        with pytest.raises(TypeError, match="solutions must be True or False"):
            copy_notebooks(tmp_path, solutions=solutions)
    for text in (None, 5, b"{}", {}, []):
        for leave_out in (without_author_cells, without_solutions):
            with pytest.raises(TypeError, match=r"text must be a str; got .*: that of a notebook"):
                leave_out(text)


def test_the_notebooks_are_found_where_you_are(tmp_path, monkeypatch):
    copy_course(tmp_path)
    monkeypatch.setattr(copies, "_REPOSITORY", tmp_path / "nowhere")
    monkeypatch.chdir(tmp_path)
    assert course_folder() == tmp_path
    monkeypatch.chdir("/")
    with pytest.raises(FileNotFoundError, match="go to the folder of the course"):
        course_folder()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name_of)
def test_without_author_cells_nothing_else_is_missing(notebook):
    text = notebook.read_text(encoding="utf-8")
    whole, rest = (nbformat.reads(s, as_version=4) for s in (text, without_author_cells(text)))
    kept = [c for c in whole.cells if "remove-cell" not in c.metadata.get("tags", [])]
    assert kept
    assert rest.cells == kept
    assert "remove-cell" not in without_author_cells(text)
    nbformat.validate(rest)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=name_of)
def test_without_solutions_nothing_else_is_missing(notebook):
    text = notebook.read_text(encoding="utf-8")
    whole, rest = (nbformat.reads(s, as_version=4) for s in (text, without_solutions(text)))
    kept = [c for c in whole.cells if "solution" not in c.metadata.get("tags", [])]
    assert kept
    assert rest.cells == kept
    nbformat.validate(rest)
    assert "_solution" not in without_solutions(text)


@pytest.mark.parametrize(
    "text",
    [
        "not JSON",
        '"text"',
        "[]",
        '{"nbformat": 4}',
        '{"nbformat": 9}',
        *(
            f'{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": {cells}}}'
            for cells in ("5", "[3]", "[{}]")
        ),
    ],
)
def test_what_is_no_notebook_is_told(text):
    with pytest.raises(ValueError, match=r"take an earlier state of it|of format 9"):
        without_solutions(text)


def test_a_broken_notebook_is_left_out_and_named(tmp_path, monkeypatch, capsys):
    copy_course(tmp_path)
    broken = tmp_path / "notebooks" / f"{name_of(NOTEBOOKS[0])}.ipynb"
    broken.write_text("not JSON", encoding="utf-8")
    monkeypatch.setattr(copies, "_REPOSITORY", tmp_path)
    assert main(["notebooks", "--without-solutions"]) == 1
    assert capsys.readouterr().err.startswith(f"{broken} is no notebook: ")
    made = {name_of(path) for path in (tmp_path / "work").rglob("*.ipynb")}
    assert made == {name_of(path) for path in NOTEBOOKS} - {name_of(broken)}


class TestContents:
    """The record of the chapters is the list of the course's notebooks."""

    def test_a_notebook_that_it_does_not_list_is_nobody_s(self, tmp_path, monkeypatch):
        copy_course(tmp_path)
        text = next(path for path in NOTEBOOKS if name_of(path)[:2] == "02").read_text("utf-8")
        for name in ("01-pendulum (1)", "02-double-pendulum_old", "12-mine", "02-a copy"):
            stray = tmp_path / "notebooks" / f"{name}.ipynb"
            stray.write_text(text.replace("The double", "My own"), encoding="utf-8")
        monkeypatch.setattr(copies, "_REPOSITORY", tmp_path)
        names = [name_of(path) for path in NOTEBOOKS]
        assert [name_of(path) for path in course_notebooks()] == names
        assert chapters_of_course()[2].title == "The double pendulum"
        copy_notebooks(tmp_path / "a")
        assert sorted(name_of(path) for path in (tmp_path / "a").rglob("*.ipynb")) == names

    def test_a_notebook_that_it_lists_must_be_there(self, tmp_path):
        copy_course(tmp_path)
        (tmp_path / "notebooks" / "07-linearization/1-a-tangent.ipynb").unlink()
        with pytest.raises(FileNotFoundError, match=r"07-lin\S+\.ipynb is not there, but course/"):
            course_notebooks(tmp_path)


class TestCommand:
    def test_it_makes_copies_in_a_folder_with_a_strange_name(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert main(["notebooks", "my wörk", "--without-solutions"]) == 0
        copies = [*(tmp_path / "my wörk").rglob("*.ipynb")]
        assert len(copies) == len(NOTEBOOKS)
        assert not [c for c in copies if "_solution" in c.read_text(encoding="utf-8")]

    def test_what_is_in_the_way_is_said_in_a_line(self, tmp_path, capsys):
        (tmp_path / "file").write_text("", encoding="utf-8")
        assert main(["notebooks", str(tmp_path / "file")]) == 1
        assert len(capsys.readouterr().err.splitlines()) == 1
        assert main(["notebooks", str(tmp_path), "--fresh", "55"]) == 1
        assert capsys.readouterr().err == "there is no notebook 55\n"
