"""Displayed formulas say what the code computes; formulas in sentences are pinned."""

import difflib
import importlib.util
from functools import cache

import pytest

from tests.notebooks import inline_formulas
from tests.notebooks.chapters import STEMS, displayed, notebook
from tests.notebooks.latex import read
from tests.notebooks.meanings import Case, case
from tests.notebooks.worth import all_hold

pytestmark = pytest.mark.slow


@cache
def table(stem, kind):
    """Return a chapter's rows of a kind; a draft may have no formula yet."""
    name = f"tests.notebooks.formulas.{(stem.partition('-')[2] or stem).replace('-', '_')}"
    chapter = importlib.util.find_spec(name) and importlib.import_module(name)
    return getattr(chapter, kind)(notebook(stem)) if hasattr(chapter, kind) else {}


def cases_of(stem, cell, row):
    """Return the cases in which a formula of a cell is tried: what its row says comes first."""
    found = [Case({})]
    for layer in (table(stem, "shared"), table(stem, "displayed").get(cell, {}), row):
        each = layer if isinstance(layer, list) else [layer]
        more = [entry if isinstance(entry, Case) else case(entry) for entry in each]
        found = [Case(a.names | b.names, a.holds and b.holds) for a in found for b in more]
    return found


def wrong(statements, cases):
    """Return the cases that a formula fails."""
    return [one for one in cases if all_hold(statements, one) != one.holds]


@cache
def formulas(stem):
    """Return the cell and place, the statements, and the cases of every displayed formula."""
    rows = table(stem, "displayed")
    return [
        (key, read(text), cases_of(stem, key[0], rows.get(key, {})))
        for key, text in displayed(stem).items()
    ]


def unexplained(statements, cases):
    """Return the error message for a symbol that has no meaning, or nothing."""
    try:
        wrong(statements, cases)
    except KeyError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("stem", STEMS)
def test_every_formula_has_a_meaning_and_every_meaning_a_formula(stem):
    cells = {cell for cell, _ in displayed(stem)}
    assert {*table(stem, "displayed")} <= {*displayed(stem), *cells}
    missing = {place: unexplained(statements, cases) for place, statements, cases in formulas(stem)}
    assert {place: symbol for place, symbol in missing.items() if symbol} == {}


@pytest.mark.parametrize("stem", STEMS)
def test_a_formula_says_what_the_code_computes(stem):
    assert [place for place, statements, cases in formulas(stem) if wrong(statements, cases)] == []


def test_inline_formulas_are_those_that_were_read():
    pinned = inline_formulas.FILE.read_text(encoding="utf-8").splitlines()
    found = inline_formulas.listed().splitlines()
    changes = [line for line in difflib.ndiff(pinned, found) if line[:2] in ("- ", "+ ")]
    assert not changes, f"check these, then run {inline_formulas.RENEW}:\n" + "\n".join(changes)
