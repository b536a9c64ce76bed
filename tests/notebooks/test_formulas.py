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

DISPLAYED = [(stem, *key) for stem in STEMS for key in displayed(stem)]


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


@pytest.mark.parametrize("stem", STEMS)
def test_every_formula_has_a_meaning_and_every_meaning_a_formula(stem):
    assert sorted(table(stem, "displayed")) == sorted(displayed(stem))
    assert sorted(table(stem, "inline")) == sorted(inline(stem))
    assert sorted(table(stem, "terms")) == sorted(terms(stem))


@pytest.mark.parametrize(("stem", "cell", "place"), DISPLAYED)
def test_a_displayed_formula_says_what_the_code_computes(stem, cell, place):
    text = displayed(stem)[cell, place]
    assert not wrong(read(text), table(stem, "displayed")[cell, place])


@pytest.mark.parametrize("stem", STEMS)
def test_formulas_in_sentences_say_what_the_code_computes(stem):
    rows = table(stem, "inline")
    assert [text for text in inline(stem) if wrong(read(text), rows[text])] == []


@pytest.mark.parametrize("stem", STEMS)
def test_terms_in_sentences_are_worth_what_the_code_computes(stem):
    rows = table(stem, "terms")
    assert [text for text in terms(stem) if wrong([equated(text)], rows[text])] == []


def equated(term):
    """Return the statement that a term has its row's value."""
    ((side, *_),) = read(f"{term} = 0")
    return [side, "=", ("name", Name("="))]


@pytest.mark.parametrize(("stem", "cell", "place"), DISPLAYED)
def test_a_displayed_formula_with_any_one_fault_is_refused(stem, cell, place):
    text = displayed(stem)[cell, place]
    assert survivors(read(text), table(stem, "displayed")[cell, place]) == []


@pytest.mark.parametrize("stem", STEMS)
def test_formulas_in_sentences_with_any_one_fault_are_refused(stem):
    rows = table(stem, "inline")
    found = {text: survivors(read(text), rows[text]) for text in rows}
    rows = table(stem, "terms")
    found |= {text: survivors([equated(text)], rows[text]) for text in rows}
    assert {text: faults for text, faults in found.items() if faults} == {}
