"""Folded reference: each module of a package's page is a line that opens to show its signatures.

The line has the module's name, the first sentence of its docstring, and its public names. A link to
a signature opens it: see code.js.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


class Module(nodes.Element):
    """A module's documentation, folded."""


class ModuleLine(nodes.TextElement):
    """The line that stays visible."""


def fold_modules(app: Sphinx, doctree: nodes.document) -> None:
    """Fold what follows each module's anchor, up to the next anchor or section."""
    for parent in {anchor.parent for anchor in doctree.findall(is_anchor)}:
        folded: list[nodes.Node] = []
        for child in parent.children:
            last = folded[-1] if folded else None
            if is_anchor(child):
                module = Module()
                if is_module_entry(last):  # it comes before its anchor
                    module += folded.pop()
                module += child
                folded.append(module)
            elif isinstance(last, Module) and belongs(child):
                last += child
            else:
                folded.append(child)
        parent.children = []
        parent += folded
        for module in folded:
            if isinstance(module, Module):
                module.insert(0, line_of(module))


def is_anchor(node: nodes.Node) -> bool:
    return isinstance(node, nodes.target) and bool(node.get("ismod"))


def belongs(node: nodes.Node) -> bool:
    return not isinstance(node, nodes.section) and not is_module_entry(node)


def is_module_entry(node: nodes.Node | None) -> bool:
    """Return whether a node is the index entry of a module."""
    return isinstance(node, addnodes.index) and any(
        str(entry[2]).startswith("module-") for entry in node["entries"]
    )


def line_of(module: Module) -> ModuleLine:
    """Return the visible line, which takes the first paragraph of the docstring."""
    entry = next(child for child in module.children if is_module_entry(child))
    name = entry["entries"][0][2].removeprefix("module-")
    line = ModuleLine("", "", nodes.literal(text=name))
    first = next((c for c in module.children if isinstance(c, nodes.paragraph)), None)
    if first is not None:
        module.remove(first)
        line["ids"] = first["ids"]  # docutils moves the anchor's ids there
        line += [nodes.Text(" "), *first.children]
    if names := [*names_in(module.children)]:
        line += nodes.inline("", ", ".join(names), classes=["tutlib-names"])
    return line


def names_in(children: Iterable[nodes.Node]) -> Iterable[str]:
    """Return the names that a module documents, without methods."""
    for child in children:
        if isinstance(child, addnodes.desc):
            yield child.next_node(addnodes.desc_signature)["fullname"]


def open_module(translator: Any, node: Module) -> None:
    translator.body.append('<details class="tutlib-module">')


def close_module(translator: Any, node: Module) -> None:
    translator.body.append("</details>\n")


def open_line(translator: Any, node: ModuleLine) -> None:
    translator.body.append(translator.starttag(node, "summary", ""))


def close_line(translator: Any, node: ModuleLine) -> None:
    translator.body.append("</summary>\n")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_node(Module, html=(open_module, close_module))
    app.add_node(ModuleLine, html=(open_line, close_line))
    app.connect("doctree-read", fold_modules)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
