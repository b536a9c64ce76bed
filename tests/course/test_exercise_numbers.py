"""Every number that a prompt, a lesson, a hint or a description states is computed somewhere.

The `facts` of an exercise are phrases with computed numbers, and each must be said. What a figure's
`curves` say is proved by the picture; what a prompt gives may be said again. All other numbers are
refused, but for those of formulas, spaces and chapters.
"""

import re
from functools import cache

import pytest

from tests.course.test_chapter_exercises import CHAPTERS, EXERCISES
from tests.course.test_exercise_pictures import drawn
from tests.notebooks.prompts import prompt

pytestmark = pytest.mark.slow

NUMBER = re.compile(r"(?<![\w.])(?<!\w\()(?<!chapter )\d+(?:\.\d+)?(?:e-?\d+)?|[¼¾⅓]")
OF_FORMULAS = {"0", "1", "2"}


def descriptions(name):
    """Return what is said of an exercise's moving picture and of its drawn one."""
    exercise = EXERCISES[name]
    moving = [exercise.show.description] if exercise.show else []
    return moving + ([drawn(name)[1]] if exercise.reveal else [])


def texts(name):
    exercise = EXERCISES[name]
    hints = [mistake.hint for mistake in exercise.misconceptions]
    return [exercise.lesson, *hints, *descriptions(name)]


@cache
def facts(name):
    exercise = EXERCISES[name]
    return exercise.facts() if exercise.facts else ()


def unproved(text, proved=(), given=()):
    """Return the numbers of a text that lie in none of the phrases, and are not given."""
    spans = [found.span() for phrase in proved for found in re.finditer(re.escape(phrase), text)]
    return [
        found.group()
        for found in NUMBER.finditer(text)
        if found.group() not in (*OF_FORMULAS, *given)
        and not any(start <= found.start() and found.end() <= end for start, end in spans)
    ]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_number_that_is_stated_is_computed_or_asked_about(chapter):
    """And every fact is said."""
    missing = []
    for name in (exercise.name for exercise in CHAPTERS[chapter].EXERCISES):
        proved = [*facts(name), *(words for words, _ in EXERCISES[name].curves.values())]
        given = NUMBER.findall(prompt(name))
        for text in texts(name):
            numbers = unproved(text, proved, given)
            if numbers:
                missing.append(f"{name}: compute {numbers} of “{text}” in facts=")
        said = " ".join([*texts(name), prompt(name)])
        missing += [f"{name}: nothing says “{fact}”" for fact in facts(name) if fact not in said]
    assert not missing, "\n".join(missing)
