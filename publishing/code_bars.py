"""Folding of a notebook's code in its page, where readers want pictures instead of calls.

All cells that check numbers of the text, tagged ``remove-cell``, are in one folded cell at the end
of a page. Imports are in a cell of their own in a notebook, but a folded cell without output in a
page is only in the way: its code moves to the next folded cell. A long call that shows something is
folded in a page, and open in JupyterLab.
"""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import Any

import nbformat

from course.desk.files import AUTHOR_CELL

#: Functions that show something; and the most lines of code that are never folded (see code.js).
PICTURES = ("animate", "compare", "in_a_row", "live", "live_in_space", "sketch", "sketch_in_space")
SHORT = 3


def is_folded(cell: Any) -> bool:
    return cell.cell_type == "code" and cell.metadata.get("tags", []) == ["hide-input"]


def with_one_bar(notebook: Any) -> Any:
    """Move folded code without output to the folded code right after it.

    Folded imports move to the next folded code, even across text and open code.
    """
    folded = [cell for cell in notebook.cells if is_folded(cell)]
    moved = []
    for cell, following in pairwise(folded):
        near = notebook.cells.index(following) == notebook.cells.index(cell) + 1
        if not cell.outputs and (near or only_imports(cell)):
            following.source = f"{cell.source}\n\n{following.source}"
            moved.append(cell)
    notebook.cells = [
        cell for cell in notebook.cells if not any(cell is merged for merged in moved)
    ]
    return notebook


def with_one_solution(notebook: Any) -> Any:
    """Join solutions that follow each other, each without output, into one folded cell."""
    cells: list[Any] = []
    for cell in notebook.cells:
        before = cells[-1] if cells else cell
        both = _is_solution(before) and _is_solution(cell) and before is not cell
        if both and not before.outputs:
            cell.source = f"{cells.pop().source}\n\n{cell.source}"
        cells.append(cell)
    notebook.cells = cells
    return notebook


def _is_solution(cell: Any) -> bool:
    return cell.cell_type == "code" and "solution" in cell.metadata.get("tags", [])


def only_imports(cell: Any) -> bool:
    """Return whether a code cell does nothing but import."""
    imports = (ast.Import, ast.ImportFrom)
    return all(isinstance(node, imports) for node in ast.parse(cell.source).body)


def with_guards_last(notebook: Any) -> Any:
    """Merge the checks of a page into one folded cell at its end."""
    guards = [cell for cell in notebook.cells if AUTHOR_CELL in cell.metadata.get("tags", [])]
    if guards:
        notebook.cells = [cell for cell in notebook.cells if cell not in guards]
        notebook.cells.append(_together(guards))
    return notebook


def _together(guards: list[Any]) -> Any:
    """Return one folded cell with the code of several checks."""
    whole = nbformat.v4.new_code_cell(
        "\n\n".join(guard.source for guard in guards), id=guards[-1].id
    )
    count = sum(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(whole.source)))
    are = "number on this page is" if count == 1 else "numbers on this page are"
    whole.metadata.update(
        tags=["hide-input", "guards"],
        guards=[guard.id for guard in guards],
        mystnb={"code_prompt_show": f"{count} {are} checked"},
    )
    return whole


def lines_of_picture(cell: Any) -> int:
    """Return the number of lines of a call at the end of a plain code cell that shows something."""
    is_plain = cell.cell_type == "code" and not cell.metadata.get("tags")
    match ast.parse(cell.source).body if is_plain else []:
        case [*_, ast.Expr(ast.Call(ast.Name(name))) as last] if name in PICTURES:
            return len(cell.source.rstrip().splitlines()) - last.lineno + 1
    return 0


def with_pictures_first(notebook: Any) -> Any:
    """Fold long calls that show something, without the code before them in their cell."""
    cells = []
    for cell in notebook.cells:
        if (lines := lines_of_picture(cell)) > SHORT:
            source = cell.source.splitlines()
            if before := "\n".join(source[:-lines]).strip():
                cells.append(nbformat.v4.new_code_cell(before, id=f"{cell.id}-before"))
            cell.source = "\n".join(source[-lines:])
            cell.metadata.tags = ["hide-input"]
        cells.append(cell)
    notebook.cells = cells
    return notebook
