"""Numbers of chapters that are folders of pages: 1.3.2 is the second section of the third page.

The first page has the number of its chapter; Sphinx counts the others on from its sections.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

PAGE = re.compile(r"notebooks/\d\d-[^/]+/(\d)-")


def renumbered(number: tuple[int, ...], page: int) -> tuple[int, ...]:
    """Return the number of a page of a chapter, or of a section of it, from Sphinx's own."""
    if page == 1:
        return number if len(number) == 1 else (number[0], 1, *number[1:])
    return (number[0], page, *number[2:])


def count_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Put the numbers of pages and their sections wherever Sphinx keeps them."""
    for name, numbers in env.toc_secnumbers.items():
        if not (match := PAGE.match(name)):
            continue
        page = int(match[1])
        for anchor, number in numbers.items():
            numbers[anchor] = renumbered(number, page)
        places = [env.titles[name], *env.tocs[name].findall(nodes.reference)]
        for place in places:
            if number := place.get("secnumber"):
                place["secnumber"] = renumbered(number, page)
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("env-get-updated", count_pages, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
