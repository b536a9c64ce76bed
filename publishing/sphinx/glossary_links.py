"""Links to the glossary, at the first bold occurrence of a word in each chapter."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

CHAPTERS, GLOSSARY = "notebooks/", "book/glossary"


def terms_of(app: Sphinx) -> dict[str, str]:
    """Return the anchor of each word in the glossary."""
    if GLOSSARY not in app.env.found_docs:
        return {}
    entries = app.env.get_doctree(GLOSSARY).findall(nodes.term)
    return {entry.astext(): entry["ids"][0] for entry in entries if entry["ids"]}


def link_terms(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Turn the first bold occurrence of each word in a chapter into a link to its entry."""
    if not page.startswith(CHAPTERS):
        return
    terms = terms_of(app)
    for bold in list(doctree.findall(nodes.strong)):
        word = " ".join(bold.astext().split())
        anchor = terms.pop(word, "") or terms.pop(word.removesuffix("s"), "")
        if not anchor or isinstance(bold.parent, nodes.reference | addnodes.pending_xref):
            continue
        address = app.builder.get_relative_uri(page, GLOSSARY) + f"#{anchor}"
        link = nodes.reference("", "", refuri=address, internal=True, classes=["term"])
        bold.replace_self(link)
        link += bold


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-resolved", link_terms)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
