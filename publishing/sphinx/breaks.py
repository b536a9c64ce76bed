"""A number and its unit stay on one line, and so do a formula and the comma after it.

Browsers break a line after any formula, even before a comma, and between a number and its unit. On
a narrow screen a line then begins with a comma, or with a unit that belongs to nothing.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

NO_BREAK = "\N{NO-BREAK SPACE}"
#: Between a number and its unit, which ends where no letter follows.
PARTED = re.compile(
    r"(?<=\d)[ \n](?=%|Ω|(?:N·m|[kmMµ]?(?:m|g|s|N|J|V|A|W|Hz|rad|deg|B))(?![A-Za-z]))"
)
#: What belongs to the formula before it.
CLOSING = re.compile(r"[,.;:!?)\u2019]+")
#: What stands as it was written, and what is read by a program.
UNTOUCHED = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block)


def hold_units(doctree: nodes.document) -> None:
    """Put a space that does not break between each number and its unit."""
    for text in list(doctree.findall(nodes.Text)):
        held = PARTED.sub(NO_BREAK, text.astext())
        if held != text.astext() and not isinstance(text.parent, UNTOUCHED):
            text.parent.replace(text, nodes.Text(held))


def hold_commas(doctree: nodes.document) -> None:
    """Enclose each formula in a text with what closes it."""
    for formula in list(doctree.findall(nodes.math)):
        place = formula.parent.index(formula)
        for after in formula.parent[place + 1 : place + 2]:
            if isinstance(after, nodes.Text) and (closing := CLOSING.match(after.astext())):
                after.parent.replace(after, nodes.Text(after.astext()[closing.end() :]))
                held = nodes.inline("", "", classes=["held"])
                formula.replace_self(held)
                held += [formula, nodes.Text(closing[0])]


def hold(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Hold together what a line must not part, on each page of the site."""
    if app.builder.format == "html":
        hold_units(doctree)
        hold_commas(doctree)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-resolved", hold)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
