"""An execution is used again only if nothing that it can depend on has changed."""

import ast
import tomllib
from functools import cache

import pytest

from course.desk.course_record import name_of
from publishing import execute_notebooks
from publishing.dependencies import DATA, Dependencies
from publishing.execute_notebooks import dependencies
from tests.helpers import record
from tests.texts import NOTEBOOKS, ROOT

#: A small project: a lazy door, an import in a function, data, scripts, exercises.
PROJECT = {
    "tutlib/__init__.py": "from typing import TYPE_CHECKING\n"
    "from straightline.doors import lazy\n"
    "if TYPE_CHECKING:\n    from tutlib.loops import integrate\n"
    "else:\n    from tutlib.always import something\n"
    '__getattr__ = lazy(__name__, {"integrate": "tutlib.loops", "step": "tutlib.steps.rk4"})',
    "tutlib/always.py": "",
    "tutlib/loops.py": "def integrate():\n    from tutlib import late",
    "tutlib/late.py": "",
    "tutlib/steps/__init__.py": "",
    "tutlib/steps/rk4.py": "from numpy import array",
    "tutlib/steps/table.json": "[]",
    "straightline/__init__.py": "",
    "straightline/doors.py": 'HIDDEN = ("tutlib", "panels")',
    "panels/__init__.py": "",
    "panels/live.py": 'SCRIPT = "panels/scripts/live.js"',
    "panels/scripts/live.js": 'import {\n  draw,\n} from "../drawing/draw.js";',
    "panels/drawing/draw.js": 'import units from "../../tutlib/steps/table.json" with {};',
    "course/__init__.py": "",
    "course/exercises/__init__.py": "from importlib import import_module",
    "course/exercises/kane.py": "import panels.live as simulations",
    "course/exercises/pendulum.py": "",
}
DOOR = {
    "tutlib/__init__.py",
    "tutlib/always.py",
    "straightline/__init__.py",
    "straightline/doors.py",
}
LOOPS = {*DOOR, "tutlib/loops.py", "tutlib/late.py"}
STEPS = {
    *DOOR,
    "tutlib/steps/__init__.py",
    "tutlib/steps/rk4.py",
    "tutlib/steps/table.json",
}
PANEL = {
    "panels/__init__.py",
    "panels/live.py",
    "panels/scripts/live.js",
    "panels/drawing/draw.js",
    "tutlib/steps/table.json",
}
KANE = {"course/exercises/kane.py", "course/exercises/__init__.py", "course/__init__.py", *PANEL}


@cache
def used():
    """Return the files that each notebook depends on, by name."""
    return {name_of(path): {*dependencies(path)} for path in NOTEBOOKS}


@pytest.fixture
def project(tmp_path):
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import numpy as np", set()),
        ("from tutlib import integrate", LOOPS),
        ("from tutlib import step as advance", STEPS),
        ("def later():\n    from tutlib import step", STEPS),
        ("import tutlib", LOOPS | STEPS),
        ("import tutlib.steps.rk4", LOOPS | STEPS),
        ("import tutlib.steps.rk4 as rk4", STEPS),
        ("from tutlib import *", LOOPS | STEPS),
        ("from tutlib.steps.rk4 import array", STEPS),
        ("import_module('tutlib.steps.rk4')", STEPS),
        ("from panels import live", PANEL),
        ("check('kane-3', answer)", {"course/exercises/kane.py", *PANEL}),
        ("print('kane-3 is an exercise')", set()),
        ("from course.exercises import every_exercise", {*KANE, "course/exercises/pendulum.py"}),
        (
            "from course.exercises import find",
            {"course/__init__.py", "course/exercises/__init__.py"},
        ),
        ("%matplotlib inline", {*PROJECT}),
        ("from . import something", {*PROJECT}),
    ],
)
def test_code_depends_on_what_it_can_import_or_read(project, code, expected):
    assert {*Dependencies(project).of([code])} == expected


def test_a_digest_is_of_names_and_contents(project):
    code = ["from tutlib import step"]
    seen = set()
    for name, text in (
        ("tutlib/steps/rk4.py", "from numpy import array"),  # as it is
        ("tutlib/loops.py", "another text"),  # which this code does not use
        ("tutlib/steps/rk4.py", "import numpy"),
        ("tutlib/steps/table.json", "[1]"),
        ("tutlib/steps/another.json", "[]"),
    ):
        (project / name).write_text(text, encoding="utf-8")
        files = Dependencies(project)
        seen.add(files.digest(files.of(code)))
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("file", "chapters"),
    [
        ("straightline/assignments.py", "all"),
        ("course/judge/units.py", "all"),
        ("tutlib/units.json", "all"),
        ("publishing/kernel_companion.py", "all"),
        ("publishing/figures.py", "all"),
        ("course/exercises/kane.py", {"05"}),
        ("verification/ladder.py", {"10"}),
        ("course/desk/copies.py", set()),
        ("publishing/pdf.py", set()),
    ],
)
def test_an_edit_reaches_the_chapters_that_use_the_file(file, chapters):
    reached = {name for name, files in used().items() if file in files}
    if chapters == "all":
        assert reached == {*used()}
    else:
        assert {name[:2] for name in reached} == chapters


def test_a_page_with_a_live_simulation_depends_on_its_scripts():
    simulated = {name for name, files in used().items() if "panels/simulations/live.js" in files}
    calls = {name_of(p) for p in NOTEBOOKS if '"live(' in p.read_text(encoding="utf-8")}
    assert calls
    assert calls <= simulated < {*used()}


def test_a_page_of_the_book_depends_on_all_that_readers_import():
    files = {*dependencies(ROOT / "book" / "museum.md")}
    assert {
        "verification/ladder.py",
        "panels/simulations/live.js",
        "course/desk/chapters.py",
    } <= files
    assert "publishing/pdf.py" not in files


def test_all_data_of_the_packages_is_known():
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]
    patterns = {pattern for each in setup["package-data"].values() for pattern in each}
    assert {p.rpartition("*")[2] for p in patterns} - {"py.typed"} <= {*DATA}


#: Modules that import by a computed name: doors, which are followed; exercises, which are found by
#: name; and what no notebook runs.
COMPUTED = {
    "straightline/doors.py",
    "course/exercises/__init__.py",
    "course/desk/review.py",
}


def test_no_other_module_imports_by_a_computed_name():
    found = set()
    for file in execute_notebooks.project().files:
        text = (ROOT / file).read_text(encoding="utf-8") if file.endswith(".py") else ""
        for node in (
            ast.walk(ast.parse(text)) if "import_module" in text or "__import__" in text else ()
        ):
            called = isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2]
            if called in ("import_module", "__import__") and not isinstance(
                node.args[0], ast.Constant
            ):
                found.add(file)
    assert found == COMPUTED


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_imported_only_what_it_depends_on(path):
    imported = {*record(name_of(path))["imported"]}
    assert "course/exercises/__init__.py" in imported
    assert imported <= used()[name_of(path)]
