"""Log of a reader's own answers, one per line, in a file that the reader has created.

The file is beside the notebook. Without it nothing is written, and nothing leaves the computer.
``python -m course log on`` creates it; `check` writes to it.
"""

from __future__ import annotations

import datetime
import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sympy as sm

#: Name of the file, whose existence switches the log on.
NAME = "answers.jsonl"
#: Most letters that are kept of an answer.
MOST_LETTERS = 1000
# Only the first failure to write the log is reported.
_warned: set[str] = set()


def write_down(answer: Any, verdict: Mapping[str, str]) -> str:
    """Write an answer and its judgment to the log, if there is one in the current folder.

    Parameters
    ----------
    answer : Any
        The answer as given.
    verdict : dict from str to str
        Fields ``exercise``, ``verdict``, ``stage``, and ``message``.

    Returns
    -------
    str
        Empty, or, the first time that the log cannot be written, a sentence with the reason.
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
        return f"(It could not be recorded in {NAME}: {error.strerror or type(error).__name__}.)"
    return ""


def _text(answer: Any, readable: bool) -> str:
    """Return an answer as text; only the type of an unreadable one, which may be huge."""
    try:
        if inspect.isfunction(answer):
            return inspect.getsource(answer)[:MOST_LETTERS]
        if isinstance(answer, str | list | tuple):
            answer = answer[:MOST_LETTERS]
        elif not readable and not isinstance(answer, int | float):
            return f"({type(answer).__name__})"
        text = _plain(answer)
    except Exception:  # from the methods of a reader's object
        text = f"({type(answer).__name__})"
    return text[:MOST_LETTERS]


def _plain(answer: Any) -> str:
    return str(sm.sstr(answer)) if isinstance(answer, sm.Basic | sm.MatrixBase) else str(answer)
