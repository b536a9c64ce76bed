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
    "text",
    [
        "4_kg",
        "95_%",
        "at most 8,000_N, as",
        "9.81_m/s²",
        "0.3_kg·m².",
        "60_N·m",
        "3.8_Ω",
        "2_rad/s",
        "2 machines",
        "chapter 4 says",
        "0 and 1 alone",
        "10 Newtons",
    ],
)
def test_a_unit_stays_with_its_number_and_a_word_is_none(text):
    for blank in " \n" if "_" in text else " ":
        doctree = paragraph(nodes.Text(text.replace("_", blank)))
        hold_units(doctree)
        assert doctree.astext() == text.replace("_", SPACE)


@pytest.mark.parametrize("closing", [",", ".", "),", ":", "\u2019"])
def test_a_comma_stays_with_its_formula(closing):
    doctree = paragraph(nodes.Text("up to "), nodes.math("", "x"), nodes.Text(f"{closing} then"))
    hold_commas(doctree)
    before, held, after = doctree[0].children
    assert (before.astext(), after.astext()) == ("up to ", " then")
    assert held["classes"] == ["held"]
    assert [type(part) for part in held] == [nodes.math, nodes.Text]
    assert held[1].astext() == closing


def test_a_comma_leaves_an_equal_text_before_it_alone():
    comma = [nodes.Text(", "), nodes.emphasis("", "there"), nodes.math("", "x"), nodes.Text(", ")]
    doctree = paragraph(nodes.emphasis("", "here"), *comma)
    hold_commas(doctree)
    assert doctree.astext() == "here, therex, "
