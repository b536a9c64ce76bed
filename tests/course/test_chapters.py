"""What the top of a chapter tells those who plan."""

import json

import pytest

from course.desk import chapters_of_course
from course.desk.chapters import chapter_of
from tests.texts import CHAPTERS

TOP = """# A crane: and its load

*Can it be
calmed?*

**What you will be able to do**

- say what swings;
- calm it.

**It builds on** [chapter 1](01-pendulum.ipynb) and [4](04-integrators.ipynb). **It takes**
about three hours."""
STRETCH = "> **Exercise 2 · Build** <span>stretch · 45 minutes</span>"


def notebook(folder, *texts):
    cells = [{"cell_type": "markdown", "source": text.splitlines(True)} for text in texts]
    path = folder / "12-crane.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return path


def test_the_top_of_a_chapter_is_read(tmp_path):
    found = chapter_of(notebook(tmp_path, TOP, STRETCH))
    assert (found.number, found.name, found.title) == (12, "crane", "A crane")
    assert found.question == "Can it be calmed?"
    assert (found.before, found.hours, found.core) == ([1, 4], 3, 2.25)
    assert found.learned == "say what swings; calm it."


@pytest.mark.parametrize("lost", ["*Can it be\ncalmed?*", "**It builds on**", " three", "- say"])
def test_a_top_that_lacks_something_is_refused(tmp_path, lost):
    with pytest.raises(ValueError, match="must say at its top"):
        chapter_of(notebook(tmp_path, TOP.replace(lost, "")))


def test_every_chapter_asks_its_question():
    found = chapters_of_course()
    assert [*found] == [*CHAPTERS]
    assert all(chapter.question.endswith("?") for chapter in found.values())
    assert len({chapter.question for chapter in found.values()}) == len(found)
