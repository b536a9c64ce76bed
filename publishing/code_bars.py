"""What of a notebook's code a page folds: who reads a page wants the picture, and not its call.

What guards the numbers of a text, cells tagged ``remove-cell``, a section has behind one line.

In a notebook, what is imported stands first, in a cell of its own. A page shows a bar for each
folded cell, and a bar that shows nothing is in the way: its code moves to the next one. And a long
call that only shows something is folded, which in JupyterLab is open.
"""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import Any

import nbformat

#: The calls that show something; and how many lines of code never wait, folded (see code.js, too).
PICTURES = ("animate", "live", "live_in_space", "sketch", "sketch_in_space")
SHORT = 3
#: The tag of a cell that guards the numbers of the text around it.
GUARD = "remove-cell"


def is_folded(cell: Any) -> bool:
    return cell.cell_type == "code" and cell.metadata.get("tags", []) == ["hide-input"]


def with_one_bar(notebook: Any) -> Any:
    """Move folded code that shows nothing to the folded code that comes right after it.

    The imports of a notebook go to its first picture, whatever text is between.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    moved = []
    for k, (cell, following) in enumerate(pairwise(code)):
        near = k == 0 or notebook.cells.index(following) == notebook.cells.index(cell) + 1
        if near and not cell.outputs and is_folded(cell) and is_folded(following):
            following.source = f"{cell.source}\n\n{following.source}"
            following.metadata.get("mystnb", {}).pop("code_prompt_show", None)  # how long it was
            moved.append(cell)
    notebook.cells = [cell for cell in notebook.cells if not any(cell is one for one in moved)]
    return notebook


def with_guards_last(notebook: Any) -> Any:
    """Gather the guards of a section in one folded cell, where the last of them stands."""
    cells: list[Any] = []
    guards: list[Any] = []  # of this section so far
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and re.search(r"^## ", cell.source, re.MULTILINE):
            guards = []
        if GUARD in cell.metadata.get("tags", []):
            cells = [other for other in cells if not (guards and other is guards[-1])]
            guards.append(_together(guards, cell))
            cell = guards[-1]
        cells.append(cell)
    notebook.cells = cells
    return notebook


def _together(guards: list[Any], cell: Any) -> Any:
    """Return a folded cell with a guard and those before it."""
    before = guards[-1:]
    whole = nbformat.v4.new_code_cell(
        "\n\n".join(one.source for one in [*before, cell]), id=cell.id
    )
    count = sum(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(whole.source)))
    are = "number of this section is" if count == 1 else "numbers of this section are"
    ids = [*(name for one in before for name in one.metadata["guards"]), cell.id]
    whole.metadata.update(
        tags=["hide-input", "guards"],
        guards=ids,
        mystnb={"code_prompt_show": f"{count} {are} checked"},
    )
    return whole


def lines_of_picture(cell: Any) -> int:
    """Return how many lines at the end of a plain cell of code are a call that shows something."""
    is_plain = cell.cell_type == "code" and not cell.metadata.get("tags")
    match ast.parse(cell.source).body if is_plain else []:
        case [*_, ast.Expr(ast.Call(ast.Name(name))) as last] if name in PICTURES:
            return len(cell.source.rstrip().splitlines()) - last.lineno + 1
    return 0


def with_pictures_first(notebook: Any) -> Any:
    """Fold long calls that show something; code before one in its cell stays as it is."""
    cells = []
    for cell in notebook.cells:
        if (lines := lines_of_picture(cell)) > SHORT:
            source = cell.source.splitlines()
            if before := "\n".join(source[:-lines]).strip():
                cells.append(nbformat.v4.new_code_cell(before, id=f"{cell.id}-before"))
            cell.source = "\n".join(source[-lines:])
            cell.metadata.tags = ["hide-input"]
            cell.metadata.setdefault("mystnb", {})["code_prompt_show"] = f"{lines} lines of code"
        cells.append(cell)
    notebook.cells = cells
    return notebook
