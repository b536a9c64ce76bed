"""Every formula of the chapters, and of the notation, says what the code computes."""

import importlib.util
from functools import cache

import pytest

from tests.notebooks.chapters import STEMS, displayed, inline, notebook, terms
from tests.notebooks.latex import read
from tests.notebooks.latex_tokens import Name
from tests.notebooks.meanings import Case, case
from tests.notebooks.mutants import mutants
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


def survives(statement, cases):
    """Whether a statement with a fault is taken for right."""
    try:
        return not wrong([statement], cases)
    except (TypeError, ValueError, KeyError, ArithmeticError, AttributeError, IndexError):
        return False


def survivors(statements, cases):
    return [
        fault
        for statement in statements
        for fault in mutants(statement, cases[0].names)
        if survives(fault, cases)
    ]


def equated(term):
    """Return the statement that a term has its row's value."""
    ((side, *_),) = read(f"{term} = 0")
    return [side, "=", ("name", Name("="))]


@cache
def formulas(stem):
    """Return place or text, statements and cases of every formula of a chapter."""
    shown = {key: (key[0], read(text)) for key, text in displayed(stem).items()}
    said = {text: (cell, read(text)) for text, cell in inline(stem).items()}
    worth = {text: (cell, [equated(text)]) for text, cell in terms(stem).items()}
    return [
        (key, statements, cases_of(stem, cell, table(stem, kind).get(key, {})))
        for kind, those in (("displayed", shown), ("inline", said), ("terms", worth))
        for key, (cell, statements) in those.items()
    ]


def unexplained(statements, cases):
    """Return what is said of a symbol that has no meaning."""
    try:
        wrong(statements, cases)
    except KeyError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("stem", STEMS)
def test_every_formula_has_a_meaning_and_every_meaning_a_formula(stem):
    cells = {*inline(stem).values(), *terms(stem).values(), *(cell for cell, _ in displayed(stem))}
    assert {*table(stem, "displayed")} <= {*displayed(stem), *cells}
    assert {*table(stem, "inline")} <= {*inline(stem)}
    assert {*table(stem, "terms")} <= {*terms(stem)}
    missing = {place: unexplained(statements, cases) for place, statements, cases in formulas(stem)}
    assert {place: symbol for place, symbol in missing.items() if symbol} == {}


@pytest.mark.parametrize("stem", STEMS)
def test_a_formula_says_what_the_code_computes(stem):
    assert [place for place, statements, cases in formulas(stem) if wrong(statements, cases)] == []


@pytest.mark.parametrize("stem", STEMS)
def test_a_formula_with_any_one_fault_is_refused(stem):
    found = {place: survivors(statements, cases) for place, statements, cases in formulas(stem)}
    assert {place: faults for place, faults in found.items() if faults} == {}
