"""The equations of a chapter have numbers, and each number leads to the code that asserts it.

A cell of text says in its metadata `equations` which cell of code that is, for each of its
displayed formulas in order; a test sees to it that it is true. For what is no result (a definition,
mathematics that is known) a word stands there instead, and the number leads nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
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


def read(path: str | Path) -> list[Any]:
    cells: list[Any] = nbformat.read(path, as_version=4).cells
    return cells


def names_of(cell: Any) -> list[str]:
    """Return the ids of the cells that a page shows as one: see publishing/code_bars.py."""
    names: list[str] = cell.metadata.get("guards", [cell.id])
    return names


def pages_before(path: str) -> list[Path]:
    """Return the notebooks of a chapter's folder that come before one of them."""
    folder = Path(path).parent
    if not re.match(r"\d\d-", folder.name):
        return []
    return sorted(one for one in folder.glob("*.ipynb") if one.name < Path(path).name)


def number_equations(app: Sphinx, doctree: nodes.document) -> None:
    """Put a number beside each displayed formula of a chapter."""
    page = app.env.docname
    if not page.startswith(CHAPTERS):
        return
    cells = read(app.env.doc2path(page))
    code = {
        name: node
        for node in doctree.findall(nodes.container)
        if node.get("nb_element") == "cell_code"
        for name in names_of(cells[node["cell_index"]])
    }
    blocks, said = displayed(doctree), list(proofs(cells))
    if len(blocks) != len(said):
        logger.warning("%s displays %d equations and tells of %d", page, len(blocks), len(said))
        return
    chapter = int(page.removeprefix(CHAPTERS)[:2])
    first = 1 + sum(len([*proofs(read(path))]) for path in pages_before(app.env.doc2path(page)))
    for k, (block, proof) in enumerate(zip(blocks, said), first):
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
        title = f"Equation {number}: to the code that asserts it"
        text = f'<a href="#{place}" title="{title}">{text}</a>'
    name = f"equation-{number.replace('.', '-')}"
    number_beside = nodes.raw("", f'<p class="tutlib-number">{text}</p>', format="html")
    return nodes.container("", block, number_beside, ids=[name], classes=["tutlib-equation"])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", number_equations)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
