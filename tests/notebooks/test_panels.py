"""What the live simulations of all chapters say of their numbers is true of their equations."""

import ast
import re

import pytest

from tests.helpers import ROOT, record
from tests.notebooks import dimensions, panel_rules
from tools.formulas import simulations

pytestmark = pytest.mark.slow

STEMS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
RULES = (
    panel_rules.unit_faults, panel_rules.range_faults, panel_rules.label_faults,
    panel_rules.name_faults,
)  # fmt: skip


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


def test_every_chapter_has_a_live_simulation():
    assert all(panels_of(stem) for stem in STEMS)


def test_units_of_the_simulations_on_pages_of_the_book():
    pages = [path.name for path in (ROOT / "book").glob("*.md")]
    panels = [panel for name in pages for panel in panels_of_page(name)]
    assert panels
    assert not faults(panels)
