"""Equation numbers of a chapter, each linked to the code that asserts the equation.

The metadata `equations` of a text cell gives the asserting code cell for each of its displayed
formulas, in order, which a test checks. For a formula that is not a result, it is a word instead,
such as "definition" or "known", and the number is not a link.
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
    """Return the displayed formulas of the text, without those in outputs of code."""
    return [block for block in doctree.findall(nodes.math_block) if not within_code(block)]


def within_code(node: nodes.Node) -> bool:
    while node := node.parent:
        if node.get("nb_element") == "cell_code":
            return True
    return False


def proofs(cells: list[Any]) -> Iterator[str]:
    """Yield the asserting cell, or a word, for each displayed formula."""
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
    """Return the notebooks before a notebook in the folder of its chapter."""
    folder = Path(path).parent
    if not re.match(r"\d\d-", folder.name):
        return []
    return sorted(
        notebook for notebook in folder.glob("*.ipynb") if notebook.name < Path(path).name
    )


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
    blocks, cells_or_words = displayed(doctree), list(proofs(cells))
    if len(blocks) != len(cells_or_words):
        logger.warning(
            "%s displays %d equations and tells of %d", page, len(blocks), len(cells_or_words)
        )
        return
    chapter = int(page.removeprefix(CHAPTERS)[:2])
    first = 1 + sum(len([*proofs(read(path))]) for path in pages_before(app.env.doc2path(page)))
    for k, (block, proof) in enumerate(zip(blocks, cells_or_words), first):
        block.replace_self(numbered(block.deepcopy(), f"{chapter}.{k}", code.get(proof), proof))


def numbered(
    block: nodes.math_block, number: str, code: nodes.Element | None, proof: str
) -> nodes.container:
    """Return a formula with its number, which is a link to the code cell if there is one."""
    text = f"({number})"
    if code is not None:
        anchor = f"proof-{proof}"
        if anchor not in code["ids"]:
            code["ids"].append(anchor)
        title = f"Equation {number}: to the code that asserts it"
        text = f'<a href="#{anchor}" title="{title}">{text}</a>'
    name = f"equation-{number.replace('.', '-')}"
    number_beside = nodes.raw("", f'<p class="tutlib-number">{text}</p>', format="html")
    return nodes.container("", block, number_beside, ids=[name], classes=["tutlib-equation"])


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", number_equations)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
