"""Every number that a page of the book or the repository names is the code's."""

import ast
import re
from functools import cache

import pytest
import sympy as sm
import yaml

from course.desk.course_record import chapter_of, name_of
from publishing.self_test import SELF_TEST
from tests.notebooks.quantities_of_text import LARGE, ONES, TENS
from tests.test_environment import PROJECT, PYTHONS, WORKFLOWS
from tests.texts import (
    CHAPTERS,
    FINISHED,
    PAGES,
    ROOT,
    cells_of_chapter,
    code_blocks,
    markdown,
    paragraphs,
)
from tutlib.models import double_pendulum
from verification import MUSEUM

WORDS = [*ONES[2:], *TENS, *LARGE, "dozen"]
NUMBER = re.compile(rf"\d+(?:\.\d+)*|\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)
# No quantities: mathematics, code, links to chapters, addresses, names such as SO(3) and four-bar.
NAMES = re.compile(
    r"\$[^$]*\$|`[^`]*`|\[[^]]*\]\([^)]*\.ipynb\)|\]\([^)]*\)|\b\w+\(\d\)|\bfour-bar\b"
    r"|^\d\. |^## \d+ · |^\| \d+ (?=\|)|<div[^>]*>|^- Chapter \d+, \*[^*]+\*"
    r"|^\| \[\d+\]\(notebooks/.*"  # the table of chapters, which their record writes
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
    return "\n\n".join(text for path in CHAPTERS[chapter] for _, text in markdown(path))


def title(chapter):
    return FINISHED[chapter].short_title


def words(number):
    """Return a whole number as a text says it; what has no such name, in digits."""
    if number >= 100 and number % 100 == 0:
        return f"{words(number // 100)} hundred"
    names = dict(zip([*range(20), *range(20, 100, 10)], [*ONES, *TENS]))
    return names.get(number, str(number))


def exercises_of_a_chapter():
    """Return how many exercises a chapter has at least."""
    prompt = re.compile(r"^> \*\*Exercise \d", re.MULTILINE)
    return min(len(prompt.findall(text_of(chapter))) for chapter in FINISHED)


def cells_of_an_exercise():
    """Return how many cells name the first exercise of a chapter: in all chapters as many."""
    firsts = {n: f"{chapter_of(name_of(paths[0]))}-1" for n, paths in CHAPTERS.items()}
    (count,) = {
        sum(bool(re.search(f'["`]{name}["`]', cell.source)) for cell in cells_of_chapter(n))
        for n, name in firsts.items()
    } - {0}
    return count


def energies():
    """Return how many energies a Lagrangian is made of."""
    signature = number_in("tutlib/mechanics/equations.py", r"def from_lagrangian\(([^)]*)\)")
    return len(re.findall(r"\b[TV]: ", signature))


def chapter_with(code):
    (chapter,) = [n for n in CHAPTERS if any(code in c.source for c in cells_of_chapter(n))]
    return str(chapter)


def steps(chapter):
    """Return the number of the last step of a chapter's recipe."""
    return max(map(int, re.findall(r"\*\*Steps?(?: \d and)? (\d+)", text_of(chapter))))


def systems():
    """Return on how many systems CI runs, each on one kind of processor or more."""
    return len({name.partition("-")[0] for name in WORKFLOW["systems"]["strategy"]["matrix"]["os"]})


def highest_order(path):
    return max(re.findall(r"^#: Order (\d)", source(path), re.MULTILINE))


def pairs():
    """Return the embedded pairs by their names, as a list."""
    names = re.findall(r'_from_file\("([^"]+)"', source("tutlib/methods/tableaus.py"))
    return ", ".join(name.removesuffix(" 8(5,3)") for name in names)


PYTHON = PROJECT["requires-python"].removeprefix(">=")
CITATION = yaml.safe_load(source("CITATION.cff"))
YEAR = str(CITATION["date-released"])[:4]
COMMONS = number_in("LICENSE-TEXT.md", r"Attribution (\d\.\d)")
WORKFLOW = WORKFLOWS["test"]["jobs"]
MUSEUM_ANIMATIONS = "verification/museum_animations.py"
DOUBLE = "tutlib/models/double_pendulum.py"
RULES = "tests/notebooks/test_notebooks.py"


@cache
def numbers():
    """Return what each page says with a number, and what it is. A whole one is said in words."""
    links, coordinates = len(double_pendulum().equations.q), len("xy")
    mass, pull, friction = 2, 6, 2
    assert (pull - friction) / mass == SELF_TEST[1].answer.value  # the sled's
    return {
        "book/how-to-work.md": {
            "Python {} or newer": PYTHON,
            "the {} dots": len("..."),
            "of {} dots": len("..."),
        },
        "book/instructors.md": {
            "CC BY {}": COMMONS,
            "{} random points": constant("course/judge/equivalence.py", "_POINTS"),
            "{} digits": constant("course/judge/equivalence.py", "_context.dps"),
            "compute for {} times": constant("course/judge/rehearsal.py", "TIMES"),
            "for {} seconds at least": round(constant("course/judge/rehearsal.py", "LEAST")),
            "add {} cells": cells_of_an_exercise(),
            "**Exercise {} · Title**": str(exercises_of_a_chapter() + 1),
            "in {} minutes": "five",  # an estimate
            "after {} s": number_in("course/desk/command_line.py", r"^LIMIT = (\d+)"),
        },
        "book/intro.md": {
            "{} times a second": round(1 / float(number_in("book/intro.md", r"^    h=([\d.]+),$"))),
            "[{} questions]": len(SELF_TEST),
            "in {} minutes": "five",  # an estimate
            "BSD {}": PROJECT["license"].removeprefix("BSD-"),
            "CC BY {}": COMMONS,
        },
        "book/ready.md": {
            "{} questions, a minute each": len(SELF_TEST),
            "A sled of {} kg": str(mass),
            "pulled with {} N": str(pull),
            "back with {} N": str(friction),
        },
        "book/notation.md": {
            "$g = {}$ m/s²": str(constant("tutlib/models/chain.py", "GRAVITY")),
            "direction of length {}": number_in("tutlib/spaces/space.py", r"length (\d)"),
        },
        "book/architecture.md": {
            "first {} bytes": len(b"\0asm"),
        },
        "book/museum.md": {
            "{} machines that are wrong": len(MUSEUM),
            "your {} answers": len(MUSEUM),
            "ask {} questions": "two",  # they follow
            "{} equations need": links,
            "{} rods meet": links,
            "{} dependent coordinates": coordinates,
            "{} speeds is enough": coordinates,
            "with {} m both": f"{double_pendulum().parameters[sm.Symbol('l_1', positive=True)]:g}",
            "exerts {} N·m": number_in(MUSEUM_ANIMATIONS, r'"tau_2": (\d)\.0'),
            "every {} s": number_in(MUSEUM_ANIMATIONS, r'"h_s": ([\d.]+)\}'),
            "lost its {}.": "2",  # of the formula beside it
            "with the {} or": "2",
        },
        "book/sources.md": {
            "{} public teaching texts": len(re.findall(r"^## ", source("book/sources.md"), re.M)),
            "the {} steps of the": steps(6),
            "hangs from {} vehicles": title(9).partition(" ")[0].lower(),
        },
        "README.md": {
            "{} chapters": len(FINISHED),
            "{} double pendulums": "two",
            'phone.png" width="{}"': "250",  # of the layout
            'answer.png" width="{}"': "500",
            "## {} commands": len(code_blocks(ROOT / "README.md")[0][1].splitlines()),
            "Python {}": f"{PYTHONS[0]} to {PYTHONS[-1]}",
            "x{}": "86-64",  # a name
            "Debian {}": "12, 13 and testing",  # of DEBIANS in publishing/fresh.py
            "| nothing | {}, by": number_in("CONTRIBUTING.md", r"^\| computer, ([\d-]+) \|"),
            "on the {} systems": systems(),
            "BSD {}": PROJECT["license"].removeprefix("BSD-"),
            "CC BY {}": COMMONS,
            "version {}": f"{PROJECT['version']}, {YEAR}",
        },
        "CONTRIBUTING.md": {
            "at most {} lines": number_in(RULES, r"max\(lengths\.values\(\)\) <= (\d+)"),
            "An exercise is {} cells": cells_of_an_exercise(),
            "{} cells, as those": cells_of_an_exercise(),
            "on {} systems": systems(),
            "{} versions of Python": len(WORKFLOW["systems"]["strategy"]["matrix"]["python"]),
            **{f"({{}} minutes{end}": minutes for minutes, end in (("ten", ""), ("five", ")"))},
            "at least {} wrong answers": "three",  # an estimate, as the minutes are
            "{} commands find": len(["exercises", "pytest"]),
        },
        "CHANGELOG.md": {
            "at {} times their size": "four",  # as the guidelines for everyone ask
            "a museum of {} wrong machines": len(MUSEUM),
            "## {}": f"{PROJECT['version']} ({CITATION['date-released']})",
            "on {} systems": systems(),
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
            "Chapter {} has one of the servo": chapter_with('switch: ("servo"'),
            "Each chapter has at least {}": exercises_of_a_chapter(),
        },
    }


@cache
def said(page):
    """Return the phrases of a page, with their numbers put in."""
    name = page.relative_to(ROOT).as_posix()
    values = numbers().get(name, {})
    return [
        phrase.format(words(value) if isinstance(value, int) else value)
        for phrase, value in values.items()
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_said_is_what_is_true_and_every_number_is_said_so(page):
    patterns = [re.compile(rf"(?<!\w){re.escape(p)}", re.IGNORECASE) for p in said(page)]
    text = "\n".join(paragraph.text for paragraph in paragraphs(page))
    assert [pattern.pattern for pattern in patterns if not pattern.search(text)] == []
    for paragraph in paragraphs(page):
        text = paragraph.text
        for pattern in patterns:
            text = pattern.sub(" ", text)
        left = NUMBER.findall(NAMES.sub(" ", text))
        assert not left, f"{paragraph.place}\nnothing tells where {left} come from: see `numbers`"
