"""A log of one's own answers: a line for each, in a file that the reader has asked for.

The file lies beside the notebook. Where there is none, nothing is written; nothing leaves the
computer. ``python -m course log on`` makes it, and `check` writes to it.
"""

from __future__ import annotations

import datetime
import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sympy as sm

#: The file's name; it is the switch, too.
NAME = "answers.jsonl"
#: No more of an answer is kept.
MOST_LETTERS = 1000
# A reader is told once that the log cannot be written.
_warned: set[str] = set()


def write_down(answer: Any, verdict: Mapping[str, str]) -> str:
    """Write an answer and what was said of it to the log, if there is one where Python runs.

    Parameters
    ----------
    answer : Any
        As it was given.
    verdict : dict from str to str
        With ``exercise``, ``verdict``, ``stage`` and ``message``.

    Returns
    -------
    str
        Empty; or, the first time that the log cannot be written, a sentence that says why.
    """
    try:
        path = Path.cwd() / NAME
        if not path.is_file():
            return ""
        text = _text(answer, verdict["stage"] != "reading")
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            line = json.dumps({"answer": text, **verdict, "day": day}, ensure_ascii=False)
            file.write(line + "\n")
    except OSError as error:
        if NAME in _warned:
            return ""
        _warned.add(NAME)
        return f"(It could not be written to {NAME}: {error.strerror or type(error).__name__}.)"
    return ""


def _text(answer: Any, readable: bool) -> str:
    """Return an answer as text; of what could not be read, and may be huge, what it is."""
    try:
        if inspect.isfunction(answer):
            return inspect.getsource(answer)[:MOST_LETTERS]
        if isinstance(answer, str | list | tuple):
            answer = answer[:MOST_LETTERS]
        elif not readable and not isinstance(answer, int | float):
            return f"({type(answer).__name__})"
        text = _plain(answer)
    except Exception:  # whatever a reader's object says of itself
        text = f"({type(answer).__name__})"
    return text[:MOST_LETTERS]


def _plain(answer: Any) -> str:
    return str(sm.sstr(answer)) if isinstance(answer, sm.Basic | sm.MatrixBase) else str(answer)
