"""Section numbers of chapters with several pages: 1.3.2 is section 2 of page 3.

The number of a page is that of its file. The title of the first page has the number of its chapter;
Sphinx would count the other pages as sections.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

PAGE = re.compile(r"notebooks/\d\d-[^/]+/(\d)-")


def renumbered(number: tuple[int, ...], page: int, first: bool) -> tuple[int, ...]:
    """Return the number of a page, or of a section of it, given Sphinx's number."""
    if first:
        return number if len(number) == 1 else (number[0], page, *number[1:])
    return (number[0], page, *number[2:])


def count_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Renumber pages and their sections in Sphinx's environment."""
    for name, numbers in env.toc_secnumbers.items():
        if not (match := PAGE.match(name)):
            continue
        page, first = int(match[1]), len(env.titles[name].get("secnumber", (0, 0))) == 1
        for anchor, number in numbers.items():
            numbers[anchor] = renumbered(number, page, first)
        numbered = [env.titles[name], *env.tocs[name].findall(nodes.reference)]
        for node in numbered:
            if number := node.get("secnumber"):
                node["secnumber"] = renumbered(number, page, first)
    return []


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("env-get-updated", count_pages, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
