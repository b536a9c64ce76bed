"""What is said of answers, and by which rules: what a cell and a page read alike.

The rules stand in rules.json, the sentences in sentences.json. A sentence that names what a reader
writes has two forms there, for Python in a cell and for a formula in a page. All kinds of answers
use them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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


def sized(shape: Sequence[int], thing: str = "number") -> str:
    """Return how much there is, such as "three numbers" or "two rows of three numbers"."""
    sizes = [max(shape)] if 1 in shape else list(shape) or [1]
    things = ["row"] * (len(sizes) - 1) + [thing]
    words = [*RULES["numbers"], *map(str, range(13, max(sizes) + 1))]
    return " of ".join(f"{words[n]} {one}{'s' * (n != 1)}" for n, one in zip(sizes, things))


def placed(shape: Sequence[int], place: int) -> str:
    """Return where an entry stands, such as "the second number" or "row 1, column 3"."""
    if len(shape) > 1 and 1 not in shape:
        return f"row {place // shape[1] + 1}, column {place % shape[1] + 1}"
    return f"the {[*RULES['orders'], *(f'{k}th' for k in range(13, 100))][place]} number"


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
