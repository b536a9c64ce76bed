"""Line breaks: none between a number and its unit, or between a formula and a comma after it.

Browsers break a line after any formula, even before a comma, and between a number and its unit. On
a narrow screen, lines would then begin with a comma or a unit.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

NO_BREAK = "\N{NO-BREAK SPACE}"
#: Space between a number and its unit, which no letter follows.
PARTED = re.compile(
    r"(?<=\d)[ \n](?=%|Ω|(?:N·m|[kmMµ]?(?:m|g|s|N|J|V|A|W|Hz|rad|deg|B))(?![A-Za-z]))"
)
#: Punctuation after a formula.
CLOSING = re.compile(r"[,.;:!?)\u2019]+")
#: Nodes whose text is code or markup.
UNTOUCHED = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block)


def hold_units(doctree: nodes.document) -> None:
    """Replace the space between each number and its unit by a no-break space."""
    for text in list(doctree.findall(nodes.Text)):
        unbroken = PARTED.sub(NO_BREAK, text.astext())
        if unbroken != text.astext() and not isinstance(text.parent, UNTOUCHED):
            text.parent.replace(text, nodes.Text(unbroken))


def hold_commas(doctree: nodes.document) -> None:
    """Enclose each formula together with the punctuation after it."""
    for formula in list(doctree.findall(nodes.math)):
        index = formula.parent.index(formula)
        for after in formula.parent[index + 1 : index + 2]:
            if isinstance(after, nodes.Text) and (closing := CLOSING.match(after.astext())):
                # By its index: `replace` would take the first text that is equal.
                formula.parent[index + 1] = nodes.Text(after.astext()[closing.end() :])
                group = nodes.inline("", "", classes=["held"])
                formula.replace_self(group)
                group += [formula, nodes.Text(closing[0])]


def hold(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Prevent such line breaks on each page of the site."""
    if app.builder.format == "html":
        hold_units(doctree)
        hold_commas(doctree)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-resolved", hold)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
