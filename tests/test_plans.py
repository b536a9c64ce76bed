"""The page for instructors: its plans hold."""

import re
from functools import cache
from types import SimpleNamespace

from course.capstones import CAPSTONES
from tests.texts import ROOT

PAGE = ROOT / "book/instructors.md"
CELL = re.compile(r"(?s)```\{code-cell\} python\n:tags: \[remove-input\]\n(.*?)```")


@cache
def plans():
    """Return the names that the page's hidden cells bind."""
    names = {}
    exec("\n".join(CELL.findall(PAGE.read_text(encoding="utf-8"))), names)
    return SimpleNamespace(**names)


def needed(numbers):
    """Return chapters with all that they build on, by way of others too."""
    before = {k for number in numbers for k in plans().chapters[number].builds_on}
    return set(numbers) | (needed(before) if before else set())


def first_chapters(capstone):
    return {int(name[:2]) for name in capstone.chapters}


def test_the_week_has_a_chapter_a_day_after_those_that_it_builds_on():
    days = [*plans().week.values()]
    assert len(days) == 5
    assert needed(days) == set(days)
    assert days == sorted(days)


def test_what_may_be_left_out_is_needed_for_nothing_else():
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    (said,) = re.findall(r"leave out (.*?): no other chapter builds on them", text)
    left_out = set(map(int, re.findall(r"\[chapter (\d+)\]", said)))
    kept = {*plans().chapters} - left_out
    assert left_out
    assert needed(kept) == kept
    assert all(first_chapters(one) <= kept for one in CAPSTONES.values())


def test_every_capstone_is_in_the_book():
    book = (ROOT / "book/capstones.md").read_text(encoding="utf-8")
    assert re.findall(r'^show\("([\w-]+)"\)$', book, re.MULTILINE) == [*CAPSTONES]
