"""Every formula of the chapters, and of the notation, says what the code computes."""

import importlib.util
from functools import cache

import pytest

from tests.notebooks.chapters import STEMS, Notebook, displayed, inline, terms
from tests.notebooks.latex import read
from tests.notebooks.latex_tokens import Name
from tests.notebooks.meanings import Case, case
from tests.notebooks.mutants import mutants
from tests.notebooks.worth import all_hold

pytestmark = pytest.mark.slow


@cache
def table(stem, kind):
    """Return a chapter's rows, each as the cases in which its formula is tried."""
    name = f"tests.notebooks.formulas.{(stem.partition('-')[2] or stem).replace('-', '_')}"
    if importlib.util.find_spec(name) is None:
        return {}  # a draft may have no formula yet
    chapter = importlib.import_module(name)
    notebook = Notebook(stem)
    common = chapter.shared(notebook)
    return {key: cases_of(row, common) for key, row in getattr(chapter, kind)(notebook).items()}


def cases_of(row, common):
    given = row if isinstance(row, list) else [row]
    cases = [entry if isinstance(entry, Case) else case(entry) for entry in given]
    return [Case(case(common).names | one.names, one.holds) for one in cases]


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
    shown, said, worth = (table(stem, kind) for kind in ("displayed", "inline", "terms"))
    return [
        *((key, read(text), shown[key]) for key, text in displayed(stem).items()),
        *((text, read(text), said[text]) for text in inline(stem)),
        *((text, [equated(text)], worth[text]) for text in terms(stem)),
    ]


@pytest.mark.parametrize("stem", STEMS)
def test_every_formula_has_a_meaning_and_every_meaning_a_formula(stem):
    assert sorted(table(stem, "displayed")) == sorted(displayed(stem))
    assert sorted(table(stem, "inline")) == sorted(inline(stem))
    assert sorted(table(stem, "terms")) == sorted(terms(stem))


@pytest.mark.parametrize("stem", STEMS)
def test_a_formula_says_what_the_code_computes(stem):
    assert [place for place, statements, cases in formulas(stem) if wrong(statements, cases)] == []


@pytest.mark.parametrize("stem", STEMS)
def test_a_formula_with_any_one_fault_is_refused(stem):
    found = {place: survivors(statements, cases) for place, statements, cases in formulas(stem)}
    assert {place: faults for place, faults in found.items() if faults} == {}
