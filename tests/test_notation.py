"""One letter, one meaning: what chapters write is on the page of notation, once or with reason."""

import ast
import re
from functools import cache

import pytest

from course.desk.course_record import chapter_of, name_of
from tests.texts import CHAPTERS, ROOT, cells_of_chapter

NAMES = {n: chapter_of(name_of(paths[0])).replace("-", " ") for n, paths in CHAPTERS.items()}
LETTER = r"\\[a-zA-Z]+|[a-zA-Z]"
GREEK = [
    *("alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "theta", "kappa", "lambda", "mu"),
    *("sigma", "tau", "phi", "varphi", "omega", "pi", "Gamma", "Delta", "Lambda", "Sigma"),
    *("Phi", "Psi", "Omega", "xi", "eta", "nu", "rho", "psi", "chi"),
]
#: Words of a formula that are no letters of it, and indices: they tell things of one kind apart.
WORDS = (
    r"\\(?:mathrm|text|operatorname|mathbb|begin|end|tag)\s?\{[^}]*\}|\\mathrm d|\\mathsf ?\{?T\}?|"
    r"\\t?frac\{d\}\{dt\}"
)
INDEX = r"_(?:\\\w+|\w|\{[^}]*\})"
#: Names of several letters tell by themselves what they are.
SYMBOL = re.compile(
    r"([A-Za-z])(?:_?[\d{:].*|_\w+)?'?$|(" + "|".join(GREEK) + r")(?:_?[\d{:].*|_\w+)?$"
)
MAKERS = ("symbols", "Symbol", "dynamicsymbols")


@cache
def tables():
    """Return both tables of letters: each row as a list of cells."""
    text = (ROOT / "book" / "notation.md").read_text(encoding="utf-8")
    found = []
    for heading in ("## Letters\n", "## Letters of single chapters\n"):
        section = text.partition(heading)[2].partition("\n## ")[0]
        rows = [line for line in section.splitlines() if line.startswith("|")][2:]
        found.append([[part.strip() for part in row.strip("|").split("|")] for row in rows])
    return found


def letters(cell):
    """Return what a row is about: the letters before what they depend on, with their indices."""
    found = []
    for formula in re.findall(r"\$([^$]+)\$", cell):
        head = re.split(r"[=(]", re.sub(WORDS, " ", formula))[0]
        found += re.findall(rf"(?:{LETTER})(?:_\w)?", head)
    return [letter for letter in found if letter[0] != "\\" or letter[1:].split("_")[0] in GREEK]


@cache
def everywhere():
    return [letter for row in tables()[0] for letter in letters(row[0])]


@cache
def of_chapter(number):
    """Return the letters that have a meaning in a chapter, without indices."""
    own = [
        letter
        for row in tables()[1]
        for letter in letters(row[0])
        if row[1] == "all" or NAMES[number] in row[1].split(", ")
    ]
    return {re.sub(r"_\w$", "", letter) for letter in [*everywhere(), *own]}


@cache
def written(number):
    """Return the letters of a chapter: of its formulas, and of the symbols that its code makes."""
    found = set()
    for cell in cells_of_chapter(number):
        if cell.cell_type == "code":
            found |= symbols(cell.source)
            continue
        for displayed, inline in re.findall(r"(?s)\$\$(.+?)\$\$|\$([^$]+)\$", cell.source):
            formula = re.sub(INDEX, " ", re.sub(WORDS, " ", displayed or inline))
            tokens = re.findall(LETTER, formula)
            found |= {t for t in tokens if len(t) == 1 or t[1:] in GREEK}
    return found


def symbols(source):
    """Return the letters of the symbols that code makes."""
    calls = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call) and n.args]
    texts = [
        str(call.args[0].value)
        for call in calls
        if ast.unparse(call.func).rpartition(".")[2] in MAKERS
        and isinstance(call.args[0], ast.Constant)
    ]
    found = [SYMBOL.match(name) for text in texts for name in re.split(r"[ ,]+", text)]
    return {match[1] or "\\" + match[2] for match in found if match}


def test_a_letter_stands_once_among_those_of_all_chapters():
    assert sorted(set(everywhere())) == sorted(everywhere())


def test_a_letter_of_single_chapters_names_them_and_has_one_meaning_in_each():
    seen = set()
    for row in tables()[1]:
        chapters = list(NAMES.values()) if row[1] == "all" else row[1].split(", ")
        assert set(chapters) <= set(NAMES.values()), row[1]
        assert row[2], row
        for pair in [(letter, name) for letter in letters(row[0]) for name in chapters]:
            assert pair not in seen or len(row[4]) > 10, (
                f"{pair} has another meaning, and no reason"
            )
            seen.add(pair)


@pytest.mark.parametrize("number", CHAPTERS)
def test_every_letter_of_a_chapter_is_explained(number):
    assert sorted(written(number) - of_chapter(number)) == []
