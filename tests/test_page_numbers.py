"""Every number that a page of the book or the repository names is the code's."""

import ast
import re
import tomllib
from functools import cache

import pytest
import yaml

from tests.texts import CHAPTERS, NOTEBOOKS, PAGES, ROOT, cells, code_blocks, markdown, paragraphs

TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SMALL = [
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    *TENS,
]
LARGE = ["dozen", "hundred", "thousand", "million", "billion"]
NUMBER = re.compile(rf"\d+(?:\.\d+)*|\b(?:{'|'.join(SMALL + LARGE)})\b", re.IGNORECASE)
# No quantities: mathematics, code, links to chapters, addresses, names such as SO(3) and four-bar.
NAMES = re.compile(
    r"\$[^$]*\$|`[^`]*`|\[[^]]*\]\([^)]*\.ipynb\)|\]\([^)]*\)|^\d\. |\b\w+\(\d\)|\bfour-bar\b"
)


def source(path):
    return (ROOT / path).read_text(encoding="utf-8")


def number_in(path, pattern):
    """Return what a pattern finds in a file, the same wherever it is found."""
    (found,) = set(re.findall(pattern, source(path), re.MULTILINE))
    return found


def constant(path, name):
    return ast.literal_eval(number_in(path, rf"^{re.escape(name)} = ([\d.]+)$"))


@cache
def text_of(chapter):
    return "\n\n".join(text for _, text in markdown(CHAPTERS[chapter]))


def title(chapter):
    return text_of(chapter).partition("\n")[0].removeprefix("# ").partition(":")[0]


def words(number):
    """Return a whole number as a text says it; what has no such name, in digits."""
    if number >= 100 and number % 100 == 0:
        return f"{words(number // 100)} hundred"
    return dict(zip([*range(1, 21), *range(30, 100, 10)], ["one", *SMALL])).get(number, str(number))


def exercises_of_a_chapter():
    """Return how many exercises a chapter has at least."""
    prompt = re.compile(r"^> \*\*Exercise \d", re.MULTILINE)
    return min(len(prompt.findall(text_of(chapter))) for chapter in CHAPTERS)


def cells_of_an_exercise():
    """Return how many cells name the first exercise of a chapter: in all chapters as many."""
    firsts = {path: f"{path.stem.partition('-')[2]}-1" for path in NOTEBOOKS}
    (count,) = {
        sum(bool(re.search(f'["`]{name}["`]', cell.source)) for cell in cells(path))
        for path, name in firsts.items()
    }
    return count


def energies():
    """Return how many energies a Lagrangian is made of."""
    signature = number_in("tutlib/mechanics/equations.py", r"def from_lagrangian\(([^)]*)\)")
    return len(re.findall(r"\b[TV]: ", signature))


def checks_of(heading, chapter):
    """Return how many checks a section has: each begins with its name."""
    section = text_of(chapter).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return len(re.findall(r"^\*\*[^*]+\.\*\* ", section, re.MULTILINE))


def chapter_with(code):
    (chapter,) = [n for n, path in CHAPTERS.items() if any(code in c.source for c in cells(path))]
    return str(chapter)


def steps(chapter):
    """Return the number of the last step of a chapter's recipe."""
    return max(map(int, re.findall(r"\*\*Steps?(?: \d and)? (\d+)", text_of(chapter))))


def highest_order(path):
    return max(re.findall(r"^#: Order (\d)", source(path), re.MULTILINE))


def pairs():
    """Return the embedded pairs by their names, as a list."""
    names = re.findall(r'_from_file\("([^"]+)"', source("tutlib/methods/tableaus.py"))
    return ", ".join(name.removesuffix(" 8(5,3)") for name in names)


PROJECT = tomllib.loads(source("pyproject.toml"))["project"]
PYTHON = PROJECT["requires-python"].removeprefix(">=")
YEAR = str(yaml.safe_load(source("CITATION.cff"))["date-released"])[:4]
COMMONS = number_in("LICENSE-TEXT.md", r"Attribution (\d\.\d)")
DOUBLE = "tutlib/models/double_pendulum.py"
RULES = "tests/notebooks/test_notebooks.py"
EXERCISES = "tests/unit/test_chapter_exercises.py"

# What a page says with a number, and what the number is. A whole number is said in words.


def how_to_work():
    return {
        "Python {} or newer": PYTHON,
        "the {} dots": len("..."),
        "of {} dots": len("..."),
    }


def instructors():
    return {
        "CC BY {}": COMMONS,
        "{} random points": constant("tutlib/exercises/equivalence.py", "_POINTS"),
        "{} digits": constant("tutlib/exercises/equivalence.py", "_context.dps"),
        "ended after {} second.": {1: "a"}[
            round(constant("tutlib/exercises/exercise.py", "TIME_LIMIT"))
        ],
        "add {} cells": cells_of_an_exercise(),
        "**Exercise {} · Title**": str(exercises_of_a_chapter() + 1),
        "{} further forms": int(number_in(EXERCISES, r"FORMS\[name\]\) >= (\d)")),
        "in {} minutes": "five",  # an estimate
    }


def intro():
    return {
        "{} times a second": round(1 / float(number_in("book/intro.md", r"^    h=([\d.]+),$"))),
        "its {} energies": energies(),
        "{} ways to check": checks_of("Is it right?", 2),
        "closed in {} ways": number_in(
            "notebooks/06-holonomic-constraints.ipynb", r"keep it closed in (\w+) ways"
        ),
        "balances {} rods": int(number_in(DOUBLE, r"rods = chain\((\d)")),
        "lets {} carry a load": title(9).partition(" and ")[0].lower(),
        "CC BY {}": COMMONS,
    }


def notation():
    return {
        "$g = {}$ m/s²": str(constant("tutlib/models/chain.py", "GRAVITY")),
        "direction of length {}": number_in("tutlib/spaces/space.py", r"length (\d)"),
    }


def readme():
    return {
        "{} chapters": len(CHAPTERS),
        "*{}*": title(9),
        "## {} commands": len(code_blocks(ROOT / "README.md")[0][1].splitlines()),
        "Python {} or newer": PYTHON,
        "BSD {}": PROJECT["license"].removeprefix("BSD-"),
        "CC BY {}": COMMONS,
        "version {}": f"{PROJECT['version']}, {YEAR}",
    }


def contributing():
    return {
        "Node.js {} or newer": number_in("package.json", r'"node": ">=(\d+)"'),
        "at least {}.": int(number_in(RULES, r"checked_cells\(name\)\) >= (\d)")),
        "at most {} lines": number_in(RULES, r"max\(lengths\.values\(\)\) <= (\d+)"),
        "An exercise is {} cells": cells_of_an_exercise(),
    }


def changelog():
    return {
        "## {} ": PROJECT["version"],
        **{f"- Chapter {chapter}, *{{}}*: ": title(chapter) for chapter in CHAPTERS},
        "from {} energies": energies(),
        "{} energies, term by term": energies(),
        "{} steps, speeds": steps(5),
        "in {} steps": steps(6),
        "orders 1 to {}": highest_order("tutlib/methods/commutator_free.py"),
        "a {} times its start": {1e6: "million"}[
            float(number_in("tutlib/methods/trajectory.py", r"bound = (\S+) \*"))
        ],
        "pairs ({})": pairs(),
        "a {}-link servo arm": int(number_in(DOUBLE, r"arm = chain\((\d)")),
        "Chapter {} has one of the servo": chapter_with('switches={switch: ("servo"'),
        "Each chapter has at least {}": exercises_of_a_chapter(),
    }


SAID = {
    "book/how-to-work.md": how_to_work,
    "book/instructors.md": instructors,
    "book/intro.md": intro,
    "book/notation.md": notation,
    "README.md": readme,
    "CONTRIBUTING.md": contributing,
    "CHANGELOG.md": changelog,
}


@cache
def said(page):
    """Return the phrases of a page, with their numbers put in."""
    name = page.relative_to(ROOT).as_posix()
    values = SAID[name]() if name in SAID else {}
    return [
        phrase.format(words(value) if isinstance(value, int) else value)
        for phrase, value in values.items()
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
class TestNumbers:
    def test_what_is_said_is_what_is_true(self, page):
        text = "\n".join(paragraph.text for paragraph in paragraphs(page))
        for phrase in said(page):
            assert re.search(rf"(?<!\w){re.escape(phrase)}", text, re.IGNORECASE), phrase

    def test_every_number_is_of_that_kind(self, page):
        for paragraph in paragraphs(page):
            text = paragraph.text
            for phrase in said(page):
                text = re.sub(rf"(?<!\w){re.escape(phrase)}", " ", text, flags=re.IGNORECASE)
            left = NUMBER.findall(NAMES.sub(" ", text))
            assert not left, f"{paragraph.place}\nnothing tells where {left} come from: see SAID"


def test_the_readme_lists_the_chapters_by_their_titles():
    (listed,) = [p.text for p in paragraphs(ROOT / "README.md") if " chapters: " in p.text]
    assert re.findall(r"\*([^*]+)\*", listed) == [title(chapter) for chapter in CHAPTERS]
