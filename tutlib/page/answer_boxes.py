"""What a site serves for its answer boxes: one script, one style sheet, and each chapter's data.

The book's pages have a box under every prompt whose answer a page can judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from tutlib.exercises.exercise import Exercise
from tutlib.exercises.published import published
from tutlib.exercises.sentences import SENTENCES
from tutlib.page.bundle import bundled
from tutlib.pictures.frames import resource
from tutlib.programs.arguments import instance, several

#: The scripts of an answer box, each after those that it imports.
ANSWER_SCRIPTS = (
    "words", "saying", "nearest", "derivative", "reading", "formula", "values", "judge_numbers",
    "judge_symbols", "judging", "answer_box",
)  # fmt: skip


def answer_files(exercises: Iterable[Exercise]) -> dict[str, str]:
    """Return the files of the answer boxes of a site, each with its text.

    Parameters
    ----------
    exercises : iterable of Exercise
        Those whose answers are functions have no data: only Python can run them.

    Returns
    -------
    dict
        ``answers.js``, ``answers.css``, and for each chapter such as ``pendulum.json``.

    Raises
    ------
    TypeError
        If one of them is no exercise.
    """
    known = several(exercises, "exercises", lambda one: instance(one, "an exercise", Exercise))
    chapters: dict[str, dict[str, object]] = {}
    for exercise in known:
        data = published(exercise)
        if data["kind"] != "function":
            chapters.setdefault(exercise.name.rpartition("-")[0], {})[exercise.name] = data
    files = {
        f"{chapter}.json": _as_json({"sentences": SENTENCES, "exercises": found})
        for chapter, found in chapters.items()
    }
    return files | {
        "answers.js": bundled(*ANSWER_SCRIPTS),
        "answers.css": resource("page/answer_box.css"),
    }


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
