"""Exercises in the outline of their page, each below its section."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def exercises_of(doctree: nodes.document) -> dict[str, list[tuple[str, str]]]:
    """Return anchors and titles of the exercises of each section, by the section's anchor."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for prompt in doctree.findall(nodes.block_quote):
        anchors = [name for name in prompt["ids"] if name.startswith("exercise-")]
        title = next(iter(prompt.findall(nodes.strong)), None)
        section = prompt.parent
        if anchors and title and isinstance(section, nodes.section):
            sections.setdefault(section["ids"][0], []).append((anchors[0], title.astext()))
    return sections


def list_exercises(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add the exercises of a page to its outline."""
    for section, exercises in exercises_of(doctree).items() if doctree else ():
        entries = "".join(
            f'<li><a class="reference internal" href="#{anchor}">{escape(title)}</a></li>\n'
            for anchor, title in exercises
        )
        pattern = rf'(?s)<a [^>]*href="#{re.escape(section)}">.*?</a>'
        if match := re.search(pattern, context["toc"]):
            before, after = context["toc"][: match.end()], context["toc"][match.end() :]
            context["toc"] = f"{before}<ul>{entries}</ul>{after}"


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("html-page-context", list_exercises)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
