"""What many answer, and no hint is for: where an author finds the next misconception.

``python -m course answers FILES...`` reads logs and the files that readers export from the pages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from course.desk.files import text_of
from course.desk.log import printable, read_log

#: Of each exercise, so many answers are told.
MOST = 10


def frequent_answers(files: Sequence[str | Path]) -> list[str]:
    """Return the wrong answers that met no hint of their own, the most frequent first.

    Parameters
    ----------
    files : sequence of path
        Logs, and files of answers that were saved on the course's pages. A log says which answers
        met the hint for a known mistake, and these are left out; a page's file does not say it.
        A reader's same answer counts once in a file.

    Returns
    -------
    list of str
        For each exercise a line, and one for each answer with how many readers gave it.

    Raises
    ------
    FileNotFoundError
        If a file is not there.
    ValueError
        If a file is neither, or there is none.
    """
    if not files:
        raise ValueError("name the files: exported logs, and answers saved on the course's pages")
    counts: Counter[tuple[str, str]] = Counter()
    for file in map(Path, files):
        counts.update(set(_without_hint(file)))
    lines = []
    for exercise in sorted({name for name, _ in counts}, key=_in_order):
        answers = sorted((-n, answer) for (name, answer), n in counts.items() if name == exercise)
        lines += [exercise, *(f"  {-n:4d}  {answer}" for n, answer in answers[:MOST]), ""]
    return lines or ["No wrong answer without a hint of its own."]


def _in_order(name: str) -> tuple[str, int, str]:
    chapter, _, number = name.rpartition("-")
    return chapter, len(number.lstrip("0")), name  # as numbers are ordered, however long


def _without_hint(file: Path) -> Iterator[tuple[str, str]]:
    """Yield exercise and answer, on one line."""
    try:
        page = json.loads(text_of(file))
    except (ValueError, RecursionError):
        page = None  # a log has a line for each answer
    if isinstance(page, dict) and isinstance(page.get("answers"), dict):
        for exercise, one in page["answers"].items():
            for answer in _of_page(one):
                yield printable(exercise), printable(answer)
        return
    entries = read_log(file)
    if not entries and file.stat().st_size:
        raise ValueError(f"{file} is neither a log nor a file of answers from the course's pages")
    for entry in entries:
        if entry["verdict"] in ("wrong", "unread") and entry.get("stage") != "misconception":
            yield printable(entry["exercise"]), printable(entry["answer"])


def _of_page(one: object) -> list[str]:
    """Return the wrong answers that a page has kept of one exercise."""
    if not isinstance(one, dict):
        return []
    tried = one.get("tried")
    wrong = list(tried) if isinstance(tried, list) else []
    if one.get("verdict") in ("wrong", "unread"):
        wrong.append(one.get("text"))
    return [answer for answer in wrong if isinstance(answer, str)]
