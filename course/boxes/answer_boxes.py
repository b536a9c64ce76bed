"""Files of a site's answer boxes: scripts, a style sheet, data of each chapter, pictures.

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
    """Return the files of a site's answer boxes, each with its text.

    Parameters
    ----------
    exercises : iterable of Exercise
        Exercises whose answers are functions get no data, because only Python can run them.
    pages : mapping of str to str, optional
        The page of each exercise whose chapter has several pages, such as
        ``"notebooks/01-pendulum/2-yardstick"``.

    Returns
    -------
    dict
        ``answers.js``, ``answers.css``, one file for each chapter such as ``pendulum.js``,
        ``progress.js``, which counts the right answers, and one page for each answer with a motion,
        such as ``pendulum-1.html``, which the box shows in a frame.

    Raises
    ------
    TypeError
        If one of them is not an exercise.
    """
    chapters: dict[str, dict[str, object]] = {}
    motions: dict[str, str] = {}
    names: dict[str, list[str]] = {}  # in order; empty for those that no page judges
    hashes: dict[str, str] = {}
    for exercise in _exercises(exercises):
        data = published(exercise)
        # a stored answer is valid while nothing of its exercise changes
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
    """Return the pictures of choices, as HTML in one file each.

    Parameters
    ----------
    exercises : iterable of Exercise
        Only a `Choice` with ``reveal`` has pictures, one for each option.

    Returns
    -------
    dict
        Such as ``pendulum-4-b.js``. A page loads it when that choice was made.

    Raises
    ------
    TypeError
        If one of them is not an exercise.
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
    """Return a module of this folder, and code after it, as a plain script."""
    return f"(() => {{\n{script(f'course/boxes/{name}.js')}{then}\n}})();\n"


def _exercises(exercises: Iterable[Exercise]) -> list[Exercise]:
    return list(
        several(exercises, "exercises", lambda item: instance(item, "an exercise", Exercise))
    )


def _brings(name: str, value: object) -> str:
    """Return a script that passes a value to the boxes under a name."""
    return f"tutlibBrings({_as_json(name)}, {_as_json(value)});\n"


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
