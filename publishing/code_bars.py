"""What of a notebook's code a page folds: who reads a page wants the picture, and not its call.

In a notebook, what is imported stands first, in a cell of its own. A page shows a bar for each
folded cell, and a bar that shows nothing is in the way: its code moves to the next one. And a long
call that only shows something is folded, which in JupyterLab is open.
"""

from __future__ import annotations

import ast
from typing import Any

import nbformat

#: The calls that show something; and how many lines of code never wait, folded (see code.js, too).
PICTURES = ("animate", "live", "live_in_space", "sketch", "sketch_in_space")
SHORT = 3


def is_folded(cell: Any) -> bool:
    return cell.cell_type == "code" and "hide-input" in cell.metadata.get("tags", [])


def with_one_bar(notebook: Any) -> Any:
    """Move the folded imports of a notebook to the folded code of its first picture."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if len(code) < 2 or code[0].outputs or not all(map(is_folded, code[:2])):
        return notebook
    imports, picture = code[:2]
    picture.source = f"{imports.source}\n\n{picture.source}"
    picture.metadata.get("mystnb", {}).pop("code_prompt_show", None)  # how long it was
    notebook.cells = [cell for cell in notebook.cells if cell is not imports]
    return notebook


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
