"""The equations of a chapter have numbers, and each number leads to the code that asserts it.

A cell of text says in its metadata `equations` which cell of code that is, for each of its
displayed formulas in order; a test sees to it that it is true. For what is no result (a definition,
mathematics that is known) a word stands there instead, and the number leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import nbformat
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

CHAPTERS = "notebooks/"
logger = logging.getLogger(__name__)


def displayed(doctree: nodes.document) -> list[nodes.math_block]:
    """Return the formulas that the text displays, without those that code does."""
    return [block for block in doctree.findall(nodes.math_block) if not within_code(block)]


def within_code(node: nodes.Node) -> bool:
    while node := node.parent:
        if node.get("nb_element") == "cell_code":
            return True
    return False


def proofs(cells: list[Any]) -> Iterator[str]:
    """Generate for each displayed formula the cell that asserts it, or a word."""
    for cell in cells:
        yield from cell.metadata.get("equations", [])


def number_equations(app: Sphinx, doctree: nodes.document) -> None:
    """Put a number beside each displayed formula of a chapter."""
    page = app.env.docname
    if not page.startswith(CHAPTERS):
        return
    cells = nbformat.read(app.env.doc2path(page), as_version=4).cells
    code = {
        cells[node["cell_index"]].id: node
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
    }
    blocks, said = displayed(doctree), list(proofs(cells))
    if len(blocks) != len(said):
        logger.warning("%s displays %d equations and tells of %d", page, len(blocks), len(said))
        return
    chapter = int(page.removeprefix(CHAPTERS)[:2])
    for k, (block, proof) in enumerate(zip(blocks, said), 1):
        block.replace_self(numbered(block.deepcopy(), f"{chapter}.{k}", code.get(proof), proof))


def numbered(
    block: nodes.math_block, number: str, code: nodes.Element | None, proof: str
) -> nodes.container:
    """Return a formula with its number, which leads to the cell of code, if there is one."""
    text = f"({number})"
    if code is not None:
        place = f"proof-{proof}"
        if place not in code["ids"]:
            code["ids"].append(place)
        told = f"Equation {number}: to the code that asserts it"
        text = f'<a href="#{place}" title="{told}">{text}</a>'
    name = f"equation-{number.replace('.', '-')}"
    number_beside = nodes.raw("", f'<p class="tutlib-number">{text}</p>', format="html")
    return nodes.container("", block, number_beside, ids=[name], classes=["tutlib-equation"])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", number_equations)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
