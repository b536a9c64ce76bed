"""The page for instructors: its plans hold, and say of each chapter what the chapter says."""

import ast
import re
from functools import cache
from types import SimpleNamespace

from course.capstones import CAPSTONES
from tests.notebooks.quantities_of_text import number_of_words
from tests.texts import CHAPTERS, ROOT, markdown

PAGE = ROOT / "book/instructors.md"
CELL = re.compile(r"(?s)```\{code-cell\} python\n:tags: \[remove-input\]\n(.*?)```")
#: The page says that these can be left out.
LEFT_OUT = {3, 8, 9, 11}


@cache
def page():
    """Return the names that the page's hidden cells bind, and the tables that they show."""
    space, tables = {}, []
    for code in CELL.findall(PAGE.read_text(encoding="utf-8")):
        *before, last = ast.parse(code).body
        exec(compile(ast.Module(before, []), PAGE.name, "exec"), space)
        tables.append(eval(compile(ast.Expression(last.value), PAGE.name, "eval"), space))
    return SimpleNamespace(**space, tables=tables)


def top(number):
    """Return what stands at the top of a chapter, on one line."""
    text = "\n\n".join(text for _, text in markdown(CHAPTERS[number]))
    return " ".join(text[: text.index("The solution is folded away")].split())


def needed(numbers):
    """Return chapters with all that they build on, by way of others too."""
    before = {k for number in numbers for k in page().chapters[number].before}
    return set(numbers) | (needed(before) if before else set())


def first_chapters(capstone):
    return {int(name[:2]) for name in capstone.chapters}


def test_the_hours_are_those_that_the_chapters_state():
    assert [*page().chapters] == [*CHAPTERS]
    for number, one in page().chapters.items():
        (hours,) = re.findall(r"\*\*It takes\*\* about (\w+) hours", top(number))
        assert one.hours == number_of_words(hours)
        assert one.hours / 2 < one.core < one.hours


def test_each_chapter_builds_on_what_it_says():
    for number, one in page().chapters.items():
        said = top(number).partition("**It builds on**")[2].partition("**It takes**")[0]
        linked = {k for k in CHAPTERS if f"({CHAPTERS[k].name})" in said}
        assert {*one.before} == linked
        assert all(k < number for k in linked)
    assert [k for k, one in page().chapters.items() if not one.before] == [1]


def test_all_that_a_chapter_promises_is_told():
    for number, one in page().chapters.items():
        promised = top(number).partition("**What you will be able to do** - ")[2]
        assert one.learned.count("; ") >= 4
        assert one.learned.endswith(".")
        assert promised.startswith(one.learned.replace("; ", "; - "))


def test_the_term_has_every_chapter_after_those_that_it_builds_on():
    assert len(page().term) == 13
    assert page().term[: len(CHAPTERS)] == [*CHAPTERS]


def test_the_week_has_a_chapter_a_day_after_those_that_it_builds_on():
    days = [*page().week.values()]
    assert len(days) == 5
    assert needed(days) == set(days)
    assert days == sorted(days)


def test_what_can_begin_after_the_week_needs_no_more():
    days = {*page().week.values()}
    begun = {one.title for one in CAPSTONES.values() if first_chapters(one) <= days}
    assert set(page().begun) == begun
    assert begun


def test_what_may_be_left_out_is_needed_for_nothing_else():
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    (said,) = re.findall(r"leave out (.*?): no other chapter builds on them", text)
    assert {int(number) for number in re.findall(r"\[chapter (\d+)\]", said)} == LEFT_OUT
    kept = set(CHAPTERS) - LEFT_OUT
    assert needed(kept) == kept
    assert all(first_chapters(one) <= kept for one in CAPSTONES.values())


def test_every_capstone_is_in_the_table_and_in_the_book():
    book = (ROOT / "book/capstones.md").read_text(encoding="utf-8")
    assert re.findall(r'^show\("([\w-]+)"\)$', book, re.MULTILINE) == [*CAPSTONES]
    assert [row[1] for row in page().tables[-1].rows] == [*CAPSTONES]
