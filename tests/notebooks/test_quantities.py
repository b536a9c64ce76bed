"""Every number with a unit, in a sentence or in a picture's description, stands in code."""

import ast
import re

import numpy as np
import pytest

from course.desk.course_record import name_of
from tests.texts import CHAPTERS, NOTEBOOKS, RECORD, cells, cells_of_chapter, shown_text

#: A unit in words or symbols, and what it is in the unit that code has.
UNITS = {
    r"ms|milliseconds?": 1e-3,
    r"µs|microseconds?": 1e-6,
    r"mm|millimeters?": 1e-3,
    r"cm|centimeters?": 1e-2,
    r"km|kilometers?": 1e3,
    r"%|percent": 1e-2,
    r"[smNJWV]|kg|rad|°|N[· ]m|seconds?|meters?|kilograms?|newtons?|joules?|watts?|degrees?": 1,
    r"steps?|times|starts|evaluations": 1,
}
NUMBER = r"(?<![\w.^_/,])[−-]?\d+(?:,\d{3})*(?:\.\d+)?(?:e-?\d+)?"
QUANTITY = re.compile(
    rf"({NUMBER})[ -]?(?:" + "|".join(f"({unit})" for unit in UNITS) + r")(?![\w²·])"
)
# What states no result: code, addresses, displayed formulas, and options of exercises.
LEFT_OUT = (
    r"(?s)<span class=.grade.*?</span>|`[^`]*`|<[^>]*>|(?<=\])\([^)]*\)|\$\$.*?\$\$|\\pm[^$]*"
    r"|(?m:^> - \*\*[a-z]\*\* · .*$)"
)
PRINTED = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d*)?(?:e[-+]?\d+)?")
WORDS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen"),
]


def quantities(text):
    """Return value, worth of the last digit, and unit in code of each number with a unit."""
    text = re.sub(LEFT_OUT, " § ", text)
    text = re.sub(r"\\[,;: ]|~|[$*]|\\mathrm|\n>? ?", " ", text).replace(r"^\circ", "°")
    text = re.sub(r"\b10\^\{?(-?\d+)\}?", r"1e\1", text)
    raised = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    text = re.sub(r"\b10([⁻⁰¹²³⁴-⁹]+)", lambda found: f"1e{found[1].translate(raised)}", text)
    for number, *units in QUANTITY.findall(text):
        (factor,) = (value for unit, value in zip(units, UNITS.values()) if unit)
        number = number.replace(",", "").replace("−", "-")
        digits, _, exponent = number.partition("e")
        grain = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
        yield float(number), grain, factor


def numbers_of(cell):
    """Return the numbers in a cell's code, what arithmetic on them is worth, and its outputs."""
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.Constant | ast.UnaryOp | ast.BinOp | ast.Call):
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
            if names <= {"np"} and len(ast.dump(node)) < 500 and not calls:
                value = eval(compile(ast.Expression(node), "cell", "eval"), {"np": np})
                if isinstance(value, int | float):
                    yield float(value)
    shown = PRINTED.findall(shown_text(cell))
    yield from (float(number.replace(",", "")) for number in shown)


def comes_from(known, value, grain):
    """Tell whether one of the known numbers, rounded to the digits of a value, is the value."""
    allowed = max(1e-9 * abs(value), min(grain / 2, 0.05 * abs(value)))
    return np.abs(known - value).min() <= allowed * (1 + 1e-9)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_number_with_a_unit_stands_in_code_of_its_page(path):
    code = [cell for cell in cells(path) if cell.cell_type == "code"]
    known = np.array([number for cell in code for number in numbers_of(cell)])
    texts = {cell.id: cell.source for cell in cells(path) if cell.cell_type == "markdown"}
    images = {cell.id: cell.metadata.get("mystnb", {}).get("image", {}) for cell in code}
    texts |= {cell: image.get("alt", "") for cell, image in images.items()}
    missing = [
        f"{cell}: {value:g}"
        for cell, text in texts.items()
        for value, grain, factor in quantities(text)
        if not any(comes_from(known, value * unit, grain * unit) for unit in (1, factor))
    ]
    assert not missing, f"no code of the page computes, prints or sets these: {missing}"


@pytest.mark.parametrize("number", CHAPTERS, ids=[RECORD[k].name for k in CHAPTERS])
def test_a_chapter_has_as_many_exercises_as_it_says(number):
    source = "\n".join(cell.source for cell in cells_of_chapter(number))
    said = re.findall(
        r"(\w+) exercises? gives? instant feedback", source
    )  # of all, or of each page
    count = len(re.findall(r"\*\*Exercise \d+ · ", source))
    total = sum(WORDS.index(word.lower()) for word in said)
    assert total == count, f"the text says {total} exercises, and there are {count}"
