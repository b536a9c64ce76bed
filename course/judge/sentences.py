"""Sentences about answers and rules of judging, which cells and pages share.

The rules are in rules.json, the sentences in sentences.json. A sentence that names what a reader
writes has two forms: for Python in a cell, and for a formula in a page.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any


def _read(name: str) -> Any:
    return json.loads((resources.files("course.judge") / name).read_text(encoding="utf-8"))


_TEXTS: dict[str, str | dict[str, str]] = _read("sentences.json")
#: Rules: number of tries, most terms, factors of units, and others.
RULES: dict[str, Any] = _read("rules.json")


def _in(medium: str) -> dict[str, str]:
    return {name: text if isinstance(text, str) else text[medium] for name, text in _TEXTS.items()}


#: Sentences for cells by name, with fields in braces.
SENTENCES = _in("cell")
#: Sentences for pages by name.
PAGE_SENTENCES = _in("page")


def sized(shape: Sequence[int], thing: str = "number") -> str:
    """Return a size in words, such as "three numbers" or "two rows of three numbers"."""
    sizes = [max(shape)] if 1 in shape else list(shape) or [1]
    things = ["row"] * (len(sizes) - 1) + [thing]
    words = [*RULES["numbers"], *map(str, range(13, max(sizes) + 1))]
    return " of ".join(f"{words[n]} {word}{'s' * (n != 1)}" for n, word in zip(sizes, things))


def placed(shape: Sequence[int], index: int) -> str:
    """Return the position of an entry, such as "the second number" or "row 1, column 3"."""
    if len(shape) > 1 and 1 not in shape:
        return f"row {index // shape[1] + 1}, column {index % shape[1] + 1}"
    return f"the {[*RULES['orders'], *(f'{k}th' for k in range(13, 100))][index]} number"


def said(name: str, **fields: object) -> str:
    """Return a sentence with its fields filled in.

    Parameters
    ----------
    name : str
        A key of `SENTENCES`.
    fields : object
        Values of the fields.

    Returns
    -------
    str
    """
    return SENTENCES[name].format(**fields)
