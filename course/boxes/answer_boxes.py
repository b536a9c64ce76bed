"""What a site serves for its answer boxes: scripts, a style sheet, each chapter's data, pictures.

The book's pages have a box under every prompt whose answer a page can judge.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from course.boxes.answer_motions import answer_motion
from course.boxes.published import published
from course.judge.answers import Choice
from course.judge.exercise import Exercise, judged
from course.judge.sentences import PAGE_SENTENCES
from panels.drawing.bundle import resource, script
from straightline.arguments import instance, several


def answer_files(
    exercises: Iterable[Exercise], pages: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the files of the answer boxes of a site, each with its text.

    Parameters
    ----------
    exercises : iterable of Exercise
        Those whose answers are functions have no data: only Python can run them.
    pages : mapping of str to str, optional
        For the names of exercises whose chapter has several pages, that of their page, such as
        ``"notebooks/01-pendulum/2-yardstick"``.

    Returns
    -------
    dict
        ``answers.js``, ``answers.css``, for each chapter such as ``pendulum.js``,
        ``progress.js``, which counts the right answers, and for each answer that moves a page such
        as ``pendulum-1.html``, which the box puts into a frame.

    Raises
    ------
    TypeError
        If one of them is no exercise.
    """
    chapters: dict[str, dict[str, object]] = {}
    motions: dict[str, str] = {}
    names: dict[str, list[str]] = {}  # in order; those that no page judges are empty
    hashes: dict[str, str] = {}
    for exercise in _exercises(exercises):
        data = published(exercise)
        # a kept answer is to this exercise as long as nothing of it has changed
        data["hash"] = hashlib.sha256(_as_json(data).encode()).hexdigest()[:8]
        if motion := answer_motion(exercise):
            data["moves"], motions[f"{exercise.name}.html"] = motion
        chapter = exercise.name.rpartition("-")[0]
        names.setdefault(chapter, []).append("" if data["kind"] == "function" else exercise.name)
        if data["kind"] != "function":
            chapters.setdefault(chapter, {})[exercise.name] = data
            hashes[exercise.name] = data["hash"]
    files = {
        f"{chapter}.js": _brings(chapter, {"sentences": PAGE_SENTENCES, "exercises": records})
        for chapter, records in chapters.items()
    }
    counting = f"progress({_as_json(names)}, {_as_json(hashes)}, {_as_json(dict(pages or {}))});"
    scripts_and_style = {
        "answers.js": _plain("answer_box", 'tutlibBrings("answers", $answer_box);'),
        "progress.js": _plain("progress", counting),
        "answers.css": resource("course/boxes/answer_box.css"),
    }
    return files | motions | scripts_and_style


def answer_pictures(exercises: Iterable[Exercise]) -> dict[str, str]:
    """Return the pictures that come with choices, each file with its HTML.

    Parameters
    ----------
    exercises : iterable of Exercise
        Only a `Choice` with a ``reveal`` has pictures, one for each option.

    Returns
    -------
    dict
        Such as ``pendulum-4-b.js``. A page asks for it when that choice was made.

    Raises
    ------
    TypeError
        If one of them is no exercise.
    """
    return {
        f"{exercise.name}-{letter}.js": _brings(
            f"{exercise.name}-{letter}", judged(exercise, letter).picture
        )
        for exercise in _exercises(exercises)
        if exercise.reveal is not None and isinstance(exercise.answer, Choice)
        for letter in exercise.answer.options
    }


def _plain(name: str, then: str) -> str:
    """Return a module of this folder, and what follows it, as a script that is no module."""
    return f"(() => {{\n{script(f'course/boxes/{name}.js')}{then}\n}})();\n"


def _exercises(exercises: Iterable[Exercise]) -> list[Exercise]:
    return list(several(exercises, "exercises", lambda one: instance(one, "an exercise", Exercise)))


def _brings(name: str, value: object) -> str:
    """Return a script that hands a value over to the boxes, under a name."""
    return f"tutlibBrings({_as_json(name)}, {_as_json(value)});\n"


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
