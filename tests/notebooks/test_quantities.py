"""Every quantity that a chapter's sentences and pictures' descriptions state comes from code."""

import re

import pytest

from course.desk.course_record import name_of
from tests.notebooks.quantities_of_code import numbers_of_code
from tests.notebooks.quantities_of_text import number_of_words, quantities, sentences
from tests.notebooks.sections import sections
from tests.texts import CHAPTERS, cells, cells_of_chapter
from tests.texts import NOTEBOOKS as PATHS


def read(text):
    return [(q.value, q.unit) for q in quantities(sentences(text))]


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_every_quantity_of_a_text_comes_from_code_beside_it(path):
    missing = [
        f"{section.heading} > {stated.cell}: {stated.quantity.value:g} "
        f"{stated.quantity.unit or ''} in '{stated.quantity.said}'"
        for section in sections(path)
        for stated in section.stated
        if not section.binds(stated)
    ]
    assert not missing, "no code beside it computes, prints or sets it:\n" + "\n".join(missing)


@pytest.mark.parametrize("number", CHAPTERS)
def test_a_chapter_has_as_many_exercises_as_it_says(number):
    source = "\n".join(cell.source for cell in cells_of_chapter(number))
    said = re.findall(r"(\w+) exercises? answers? back", source)  # of all, or of each page
    count = len(re.findall(r"\*\*Exercise \d+ · ", source))
    assert sum(map(number_of_words, said)) == count


def test_no_assertion_compares_a_literal_with_itself():
    """A quantity is computed: ``assert 9 == 9`` binds nothing."""
    constant = re.compile(r"^\s*assert \(?(-?[\d.]+)\)? == \(?-?[\d.]+\)?(?:\s*#.*)?$", re.M)
    for path in PATHS:
        for cell in cells(path):
            assert not constant.search(cell.source), cell.id


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Take $h = 0.01$ s and 2 m, $10^{-8}$ rad and $q_1 = 10°$.",
            "0.01 s, 2 m, 1e-08 rad, 10 deg",
        ),
        ("It ends at −37.32 N·m, or minus 72 degrees.", "-37.32 N·m, -72 deg"),
        ("The swings grow from 90 to about 160 degrees.", "90 deg, 160 deg"),
        ("Below 10⁻³. Here 18 % or 5 percent.", "0.001 , 18 %, 5 %"),
        ("two hundred times a second, three times, twice as long", "200 1/s, 3 , 2 "),
        ("twenty-five degrees, one degree and a half, half a second", "25 deg, 1.5 deg, 0.5 s"),
        ("two thirds of it, a tenth of a millimeter, five hundredths", "0.666667 , 0.1 mm, 0.05 "),
        ("ten thousand starts, order four, a fourth-order method", "10000 , 4 , 4 "),
        ("a hundred-thousandth; 1/3 of 400,000; 2 × 2", "1e-05 , 0.333333 , 400000 , 2 , 2 "),
        ("See chapter 4, exercise 3, `x[7]`, {cite:p}`Verlet1967`, of 2014, RK4 and SO(3).", ""),
        ("the third line, a second try, $2n$ states, $T_0 = 2\\pi\\sqrt{l/g}$, $$x = 5$$", ""),
        ('<a href="#live&arm.preset=Twenty+times&arm.h=0.1">Ten times a second</a>', "10 1/s"),
        ("six degrees of freedom", "6 "),
        ("> - **b** · about twice as long", ""),
    ],
)
def test_quantities_of_a_text_are_read(text, found):
    assert [f"{value:g} {unit or ''}" for value, unit in read(text)] == (
        found.split(", ") if found else []
    )


def test_what_only_arranges_a_picture_binds_nothing():
    source = "ax.plot(x[7], lw=5, ms=6)\nax.text(3, 4, 'here')\nprint(f'{x:.9f}')"
    assert numbers_of_code(source) == []
