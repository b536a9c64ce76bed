"""Search index of the site: every section of every page with its own words.

Sphinx's index has pages only, and chapters are long. Here each section is an entry, and so is each
word of the glossary and each object of the package. `search.js` ranks them. Other names of a
section are in ``book/search.toml``. The index is a script, because a page that was opened from disk
cannot load other files.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

#: Nodes without prose: outputs, markup, comments, citations. A formula becomes an ellipsis.
UNREAD = (nodes.raw, nodes.comment, nodes.system_message, nodes.image)
FORMULAS = (nodes.math, nodes.math_block)
CALLED = "book/search.toml"
CHAPTERS, GLOSSARY, LISTS = "notebooks/", "book/glossary", ("book/bibliography", "book/changelog")
#: Sections at the end of a chapter, which mention subjects of other sections.
ENDS = ("What you can now do", "Further reading")
NAME = re.compile(r"[^\W\d]\w+")


def kind_of(page: str, title: str) -> str:
    if page.startswith(CHAPTERS):
        return "end" if title in ENDS else "chapter"
    return "list" if page in LISTS else "page"


def is_entry(node: nodes.Node) -> bool:
    """Return whether a node is an entry of its own, apart from the text around it."""
    if isinstance(node, nodes.definition_list_item):
        return bool(node.next_node(nodes.term)["ids"])
    return isinstance(node, nodes.section | addnodes.desc)


def is_heading(node: nodes.Node) -> bool:
    return isinstance(node, nodes.title | nodes.term | addnodes.desc_signature)


def collect(node: nodes.Node, prose: list[str], code: list[str]) -> None:
    """Collect the prose of a node, and its code, without the entries in it."""
    if isinstance(node, nodes.Text):
        prose.append(node.astext())
    elif isinstance(node, nodes.literal_block):
        code.append(node.astext())
    elif isinstance(node, FORMULAS):
        prose.append("…")
    elif isinstance(node, nodes.Element):
        shown = "cell_output" in node.get("classes", ())
        if shown or isinstance(node, UNREAD) or node.get("refdomain") == "cite":
            return
        prose.append("" if isinstance(node, nodes.Inline) else " ")
        for child in node.children:
            if not is_entry(child) and not is_heading(child):
                collect(child, prose, code)


def own_words(node: nodes.Element) -> tuple[str, str]:
    """Return the prose of an entry, and the names in its code; for an object its summary."""
    prose: list[str] = []
    code: list[str] = []
    for child in node.children:
        if not is_entry(child) and not is_heading(child):
            collect(child, prose, code)
    if isinstance(node, addnodes.desc):
        first = node.next_node(nodes.paragraph)
        return (first.astext() if first else ""), ""
    return " ".join("".join(prose).split()), " ".join(dict.fromkeys(NAME.findall("\n".join(code))))


def place_of(node: nodes.Element, page: str, numbers: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return anchor, number, title, and kind of an entry."""
    if isinstance(node, addnodes.desc):
        signature = node.next_node(addnodes.desc_signature)
        return signature["ids"][0], "", signature["ids"][0], "object"
    if isinstance(node, nodes.definition_list_item):
        term = node.next_node(nodes.term)
        return term["ids"][0], "", term.astext(), "term"
    anchor = "" if isinstance(node.parent, nodes.document) else node["ids"][0]
    number = ".".join(map(str, numbers.get(f"#{anchor}" if anchor else "", ()) or ()))
    title = node.next_node(nodes.title).astext()
    return anchor, number, title, kind_of(page, title)


def entries_of(page: str, doctree: nodes.document, numbers: dict[str, Any]) -> Iterator[list[str]]:
    for node in doctree.findall(is_entry):
        if isinstance(node, addnodes.desc) and not node.next_node(addnodes.desc_signature)["ids"]:
            continue
        yield [page, *place_of(node, page, numbers), *own_words(node)]


def names_of(glossary: nodes.document) -> dict[tuple[str, str], str]:
    """Return the glossary words that a section explains, by its page and anchor.

    For terms of three or more words, their initials are added: LQR, DAE.
    """
    names: dict[tuple[str, str], str] = {}
    for item in glossary.findall(nodes.definition_list_item):
        term = item.next_node(nodes.term).astext()
        words = re.split(r"[\s-]+", term)
        letters = "".join(word[0] for word in words) if len(words) > 2 else ""
        for link in item.findall(addnodes.pending_xref):
            target = link["reftarget"], link.get("reftargetid") or ""
            names[target] = " ".join(filter(None, [names.get(target, ""), term, letters]))
    return names


def write_index(app: Sphinx, exception: Exception | None) -> None:
    """Write the index beside the pages, and delete Sphinx's own."""
    if exception or app.builder.name != "html":
        return
    entries: list[list[str]] = []
    for page in sorted(app.env.found_docs):
        numbers = app.env.toc_secnumbers.get(page, {})
        entries.extend(entries_of(page, app.env.get_doctree(page), numbers))
    has_glossary = GLOSSARY in app.env.found_docs
    names = names_of(app.env.get_doctree(GLOSSARY)) if has_glossary else {}
    called = tomllib.loads(Path(app.srcdir, CALLED).read_text(encoding="utf-8"))
    for entry in entries:
        page, anchor = entry[:2]
        also = called["names"].get(f"{page}#{anchor}" if anchor else page, "")
        entry.append(" ".join(filter(None, [names.get((page, anchor), ""), also])))
    texts = (
        json.dumps(x, ensure_ascii=False, separators=(",", ":")) for x in (entries, called["words"])
    )
    target = Path(app.outdir, "_static", "sections.js")
    target.write_text(f'"use strict";tutlibSections({",".join(texts)});\n', encoding="utf-8")
    for left in ("searchindex.js", "_static/searchtools.js"):
        Path(app.outdir, left).unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", write_index)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
