"""Frequent wrong answers without a hint, from which an author finds the next misconception.

``python -m course answers FILES...`` reads logs, and files of answers saved from the pages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from course.desk.files import text_of
from course.desk.log import printable, read_log

#: Most answers listed for each exercise.
MOST = 10


def frequent_answers(files: Sequence[str | Path]) -> list[str]:
    """Return the wrong answers that have no hint of their own, the most frequent first.

    Parameters
    ----------
    files : sequence of path
        Logs, and files of answers that were saved on the course's pages. Answers that a log marks
        as known mistakes are left out; a page's file has no such marks. Equal answers in one file
        count once.

    Returns
    -------
    list of str
        For each exercise a line, and one line for each answer with its number of files.

    Raises
    ------
    FileNotFoundError
        If a file is not there.
    ValueError
        If a file is of another kind, or no file is given.
    """
    if not files:
        raise ValueError(
            "name the files: exported logs, or files of answers saved from the course's pages"
        )
    counts: Counter[tuple[str, str]] = Counter()
    for file in map(Path, files):
        counts.update(set(_without_hint(file)))
    lines = []
    for exercise in sorted({name for name, _ in counts}, key=_order):
        answers = sorted((-n, answer) for (name, answer), n in counts.items() if name == exercise)
        lines += [exercise, *(f"  {-n:4d}  {answer}" for n, answer in answers[:MOST]), ""]
    return lines or ["Every wrong answer has a hint of its own."]


def _order(name: str) -> tuple[str, int, str]:
    chapter, _, number = name.rpartition("-")
    return chapter, len(number.lstrip("0")), name  # in the order of numbers of any length


def _without_hint(file: Path) -> Iterator[tuple[str, str]]:
    """Yield exercise and answer, on one line each."""
    try:
        page = json.loads(text_of(file))
    except (ValueError, RecursionError):
        page = None  # a log, with one answer on each line
    if isinstance(page, dict) and isinstance(page.get("answers"), dict):
        for exercise, kept in page["answers"].items():
            for answer in _wrong_answers_of_page(kept):
                yield printable(exercise), printable(answer)
        return
    entries = read_log(file)
    if not entries and file.stat().st_size:
        raise ValueError(f"{file} is neither a log nor a file of answers from the course's pages")
    for entry in entries:
        if entry["verdict"] in ("wrong", "unread") and entry.get("stage") != "misconception":
            yield printable(entry["exercise"]), printable(entry["answer"])


def _wrong_answers_of_page(kept: object) -> list[str]:
    """Return the wrong answers to one exercise that a page has kept."""
    if not isinstance(kept, dict):
        return []
    tried = kept.get("tried")
    wrong = list(tried) if isinstance(tried, list) else []
    if kept.get("verdict") in ("wrong", "unread"):
        wrong.append(kept.get("text"))
    return [answer for answer in wrong if isinstance(answer, str)]
