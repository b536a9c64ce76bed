"""Words of sentences: lists of names, and one thing or several."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str], link: str = "and") -> str:
    """Join words as a sentence does: a, b and c."""
    return f" {link} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def agree(things: Sequence[object], one: str, several: str) -> str:
    """Return the word for one thing or for several."""
    return one if len(things) == 1 else several
