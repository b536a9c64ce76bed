"""What is said of answers, and by which rules: what a cell and a page read alike.

The rules stand in rules.json, the sentences in sentences.json. A sentence that names what a reader
writes has two forms there, for Python in a cell and for a formula in a page. All kinds of answers
use them.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def _read(name: str) -> Any:
    return json.loads((resources.files("course.judge") / name).read_text(encoding="utf-8"))


_TEXTS: dict[str, str | dict[str, str]] = _read("sentences.json")
#: How many tries are told more, how many terms are looked at, by which factors a number may be off.
RULES: dict[str, Any] = _read("rules.json")


def _in(medium: str) -> dict[str, str]:
    return {name: text if isinstance(text, str) else text[medium] for name, text in _TEXTS.items()}


#: Each sentence by its name, as a cell says it; what stands in braces is filled in.
SENTENCES = _in("cell")
#: The same as a page says it.
PAGE_SENTENCES = _in("page")


def said(name: str, **fields: object) -> str:
    """Return a sentence with its parts filled in.

    Parameters
    ----------
    name : str
        A key of `SENTENCES`.
    fields : object
        What stands in its braces.

    Returns
    -------
    str
    """
    return SENTENCES[name].format(**fields)
