"""Pages of the site, from the table of contents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def pages_of(toc: dict[str, Any]) -> list[str]:
    """Return the names of the pages in reading order."""
    return [toc["root"], *(page for part in toc["parts"] for page in _listed(part["chapters"]))]


def _listed(entries: list[dict[str, Any]]) -> Iterator[str]:
    for entry in entries:
        yield entry["file"]
        yield from _listed(entry.get("sections", []))
