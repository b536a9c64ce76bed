"""Public names: an open cell of some chapter uses each of them, apart from exceptions."""

import ast
import importlib
import inspect
import re
from collections import defaultdict
from functools import cache

import pytest

from tests.test_architecture import DOORS, FILES, package_of, public_names
from tests.texts import NOTEBOOKS, ROOT, cells

#: The packages that a student imports; `course` has `check` alone.
PACKAGES = ("tutlib", "panels", "verification")
STUDENT_DOORS = [door for door in DOORS if package_of(door) in PACKAGES]
PUBLIC = {name: door for door in STUDENT_DOORS for name in public_names(door)}
#: Tags of cells that a page does not show open.
FOLDED = {"hide-input", "hide-cell", "remove-cell"}
#: About a hundred names are enough.
MOST = 110

#: Public names that no open cell uses, by the reason to have them.
ERRORS = "a reader catches this error, or filters this warning"
PICTURES = "pages fold the code of pictures and panels, which needs it"
CHECKS = "a folded solution or a check of the text needs it"
RETURNED = "a public function returns it, and a reader may make one"
EXERCISES = "the pictures of exercises need it"
BENCHMARKS = "a benchmark looks up methods by name"
BOOK = "the page about pictures shows it"
EXCEPTIONS = {
    ERRORS: {
        "EnsembleError",
        "Interrupted",
        "InterruptedEnsemble",
        "NoTrimWarning",
        "OpenLoopWarning",
        "RedundantConstraintWarning",
        "SimulationError",
        "SingularPoseWarning",
        "StoreWarning",
        "UnreadableError",
        "UnstableWarning",
    },
    PICTURES: {
        "Angle",
        "Center",
        "EndTimes",
        "Force",
        "Length",
        "Torque",
        "animate",
        "bicycle_views",
        "eliminate_common_subexpressions",
        "explore",
        "live_in_space",
        "plot_spreads",
        "rolling_disc_in_space",
        "sketch_in_space",
        "unit_vectors",
    },
    CHECKS: {"Product", "R", "density"},
    RETURNED: {"Field", "Verification"},
    EXERCISES: {"figure_as_html", "plot_curves"},
    BENCHMARKS: {"METHODS"},
    BOOK: {"label_lines"},
}


def imported(trees):
    """Return the public names and the modules that a notebook imports, by their local names."""
    names, modules = {}, {}
    statements = [node for tree in trees for node in ast.walk(tree)]
    for node in statements:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                local, whole = alias.asname or alias.name, f"{node.module}.{alias.name}"
                if node.module in STUDENT_DOORS and alias.name in public_names(node.module):
                    names[local] = alias.name
                elif {whole, f"{whole}.__init__"} & {*FILES}:
                    modules[local] = whole
        elif isinstance(node, ast.Import):
            modules |= {alias.asname or alias.name: alias.name for alias in node.names}
    return names, {local: name for local, name in modules.items() if package_of(name) in PACKAGES}


@cache
def uses():
    """Return for each public name the tags of the cells that use it, other than to import it."""
    found = defaultdict(list)
    for notebook in NOTEBOOKS:
        code = [cell for cell in cells(notebook) if cell.cell_type == "code"]
        trees = [ast.parse(cell.source) for cell in code]
        names, modules = imported(trees)
        for cell, tree in zip(code, trees):
            tags = set(cell.metadata.get("tags", []))
            for node in ast.walk(tree):
                if isinstance(node, ast.Name) and node.id in names:
                    found[names[node.id]].append(tags)
                elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in modules:
                    found[node.attr].append(tags)
    return found


@cache
def opened():
    """Return the public names that some open cell uses."""
    return {name for name, cells in uses().items() if any(not tags & FOLDED for tags in cells)}


@cache
def text_of(pattern):
    """Return the text of files."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob(pattern)))


@cache
def return_types():
    """Return the annotations of what public functions and methods return, as one text."""
    found = []
    for name, door in PUBLIC.items():
        value = getattr(importlib.import_module(door), name)
        functions = [value, *vars(value).values()] if inspect.isclass(value) else [value]
        found += [getattr(f, "__annotations__", {}).get("return", "") for f in functions]
    return " ".join(map(str, found))


def is_true(reason, name):
    """Return whether the reason for an exception holds."""
    value = getattr(importlib.import_module(PUBLIC[name]), name)
    word = re.compile(rf"\b{name}\b")
    if reason == ERRORS:
        return inspect.isclass(value) and issubclass(value, BaseException)
    if reason == PICTURES:
        return any("hide-input" in tags for tags in uses()[name])
    if reason == CHECKS:
        return any(tags & {"remove-cell", "hide-cell"} for tags in uses()[name])
    if reason == RETURNED:
        return word.search(return_types())
    where = {
        EXERCISES: "course/exercises/*.py",
        BENCHMARKS: "benchmarks/*.py",
        BOOK: "book/pictures.md",
    }
    return word.search(text_of(where[reason]))


def test_every_public_name_is_used_in_an_open_cell_or_is_an_exception():
    excepted = [name for names in EXCEPTIONS.values() for name in names]
    assert len(excepted) == len(set(excepted))
    assert sorted(PUBLIC.keys() - opened()) == sorted(excepted)


@pytest.mark.parametrize("reason", EXCEPTIONS)
def test_the_reason_for_an_exception_is_true(reason):
    assert [name for name in sorted(EXCEPTIONS[reason]) if not is_true(reason, name)] == []


def test_there_are_about_a_hundred():
    assert len(PUBLIC) <= MOST
