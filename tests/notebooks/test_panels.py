"""What the live simulations of all chapters say of their numbers is true of their equations."""

import ast
import html
import math
import re
from urllib.parse import parse_qsl

import nbformat
import pytest

from course.desk import course_notebooks
from course.desk.course_record import name_of
from publishing.simulation_formulas import simulations
from tests.helpers import ROOT, record
from tests.notebooks import dimensions, panel_rules

pytestmark = pytest.mark.slow

STEMS = sorted(map(name_of, course_notebooks(ROOT)))
RULES = (
    panel_rules.unit_faults,
    panel_rules.range_faults,
    panel_rules.label_faults,
    panel_rules.name_faults,
)
# An address that sets a panel: see panels/simulations/setting.js.
SET = re.compile(r'href="#live&([^"]*)"')


def knows(data, key, value):
    """Tell whether a live simulation can be set so."""
    among = {
        "method": [method["name"] for method in data["methods"]],
        "preset": [preset["label"] for preset in data.get("presets", [])],
        "choice": [value],
    }
    if key in among:
        return value in among[key]
    settable = [*data["parameters"], *data["states"], *data.get("arrows", [])]
    numbers = ["h", "trace", "portrait", *(item.get("name") for item in settable)]
    return key in numbers and math.isfinite(float(value))


def panels_of(stem):
    """Return specification and formulas of each live simulation of an executed chapter."""
    return record(stem)["simulations"]


def panels_of_page(name):
    """Return those of a page of the book, whose cells run here."""
    found = []
    for code in re.findall(
        r"(?s)```\{code-cell\}[^\n]*\n(.*?)```", (ROOT / "book" / name).read_text()
    ):
        if "live(" in code:
            *before, last = ast.parse(re.sub(r"(?m)^:.*\n", "", code)).body
            space = {}
            exec(compile(ast.Module(before, []), name, "exec"), space)
            widget = eval(compile(ast.Expression(last.value), name, "eval"), space)
            found += simulations(widget)
    return found


def faults(panels):
    found = [fault for data, _ in panels for rule in RULES for fault in rule(data)]
    for data, code in panels:
        if not dimensions.has_numbers_of_its_own(code):
            found += dimensions.faults(data, code)
            open_ones = dimensions.undetermined(data, code) if not found else []
            found += [f"no equation tells the unit of {label}" for label in open_ones]
    return found


@pytest.mark.parametrize("stem", STEMS)
def test_units_are_the_dimensions_that_the_equations_give(stem):
    assert not faults(panels_of(stem))


def test_units_of_the_simulations_on_pages_of_the_book():
    pages = [path.name for path in (ROOT / "book").glob("*.md")]
    panels = [panel for name in pages for panel in panels_of_page(name)]
    assert panels
    assert not faults(panels)


@pytest.mark.parametrize("stem", STEMS)
def test_what_a_phrase_of_the_text_sets_is_there(stem):
    """A preset, a method or a parameter that is misspelled would silently set nothing."""
    shown = {}
    for data, _ in panels_of(stem):
        shown.setdefault(data["name"], []).append(data)
    notebook = nbformat.read(ROOT / "notebooks" / f"{stem}.ipynb", as_version=4)
    for address in SET.findall("\n".join(cell.source for cell in notebook.cells)):
        for name, value in parse_qsl(html.unescape(address), strict_parsing=True):
            panel, _, key = name.partition(".")
            assert any(knows(data, key, value) for data in shown[panel]), f"{name}={value}"
