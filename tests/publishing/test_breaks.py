"""What a line must not part: a number from its unit, a formula from the comma after it."""

import pytest

nodes = pytest.importorskip("docutils.nodes", reason="the book's own packages are not installed")
from publishing.sphinx.breaks import hold_commas, hold_units  # noqa: E402

SPACE = "\N{NO-BREAK SPACE}"


def paragraph(*children):
    doctree = nodes.Element()
    doctree += nodes.paragraph("", "", *children)
    return doctree


@pytest.mark.parametrize(
    ("number", "unit"),
    [
        ("4", "kg"), ("95", "%"), ("at most 8,000", "N, as"), ("9.81", "m/s²"), ("0.3", "kg·m²."),
        ("60", "N·m"), ("3.8", "Ω"), ("2", "rad/s"),
    ],
)  # fmt: skip
def test_a_unit_stays_with_its_number(number, unit):
    doctree = paragraph(nodes.Text(f"{number} {unit}"))
    hold_units(doctree)
    assert doctree.astext() == number + SPACE + unit


def test_at_the_end_of_a_line_as_well():
    doctree = paragraph(nodes.Text("from 3 to 12\nm"))
    hold_units(doctree)
    assert doctree.astext() == f"from 3 to 12{SPACE}m"


@pytest.mark.parametrize("free", ["2 machines", "chapter 4 says", "0 and 1 alone", "10 Newtons"])
def test_a_word_is_no_unit(free):
    doctree = paragraph(nodes.Text(free))
    hold_units(doctree)
    assert doctree.astext() == free


@pytest.mark.parametrize("closing", [",", ".", "),", ":", "\u2019"])
def test_a_comma_stays_with_its_formula(closing):
    doctree = paragraph(nodes.Text("up to "), nodes.math("", "x"), nodes.Text(f"{closing} then"))
    hold_commas(doctree)
    before, held, after = doctree[0].children
    assert (before.astext(), after.astext()) == ("up to ", " then")
    assert held["classes"] == ["held"]
    assert [type(part) for part in held] == [nodes.math, nodes.Text]
    assert held[1].astext() == closing
