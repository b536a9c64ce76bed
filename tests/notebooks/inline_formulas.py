"""List the formulas in sentences: ``python -m tests.notebooks.inline_formulas`` renews it."""

import re
from pathlib import Path

from course.desk.course_record import name_of
from tests.texts import NOTEBOOKS, cells

FILE = Path(__file__).with_suffix(".txt")
RENEW = ".venv/bin/python -m tests.notebooks.inline_formulas"
DISPLAYED = re.compile(r"\$\$.*?\$\$", re.DOTALL)
FORMULA = re.compile(r"\$([^$]+)\$")
#: Formulas of single symbols are not listed.
OPERATOR = re.compile(r"[-+=<>]|\\(?:le|ge|approx|times|sum|int)(?![a-z])")


def formulas_in(text):
    """Return the formulas in the sentences of a cell, without displayed formulas and code."""
    text = re.sub(r"`[^`]*`", "", DISPLAYED.sub("", text.replace("\n> ", "\n")))
    found = (" ".join(formula.split()) for formula in FORMULA.findall(text))
    return [formula for formula in found if OPERATOR.search(formula)]


def listed():
    """Return the formulas of all pages, one per line, each page below its name."""
    lines = []
    for path in NOTEBOOKS:
        texts = [cell.source for cell in cells(path) if cell.cell_type == "markdown"]
        formulas = dict.fromkeys(formula for text in texts for formula in formulas_in(text))
        lines += [f"[{name_of(path)}]", *formulas, ""]
    return "\n".join(lines)


if __name__ == "__main__":
    FILE.write_text(listed(), encoding="utf-8")
