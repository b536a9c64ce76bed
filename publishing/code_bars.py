"""One folded bar of code before a chapter's first picture, where its notebook has two cells.

In a notebook, what is imported stands first, in a cell of its own. A page shows a bar for each
folded cell, and a bar that shows nothing is in the way: its code moves to the next one.
"""

from __future__ import annotations

from typing import Any


def is_folded(cell: Any) -> bool:
    return cell.cell_type == "code" and "hide-input" in cell.metadata.get("tags", [])


def with_one_bar(notebook: Any) -> Any:
    """Move the folded imports of a notebook to the folded code of its first picture."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if len(code) < 2 or code[0].outputs or not all(map(is_folded, code[:2])):
        return notebook
    imports, picture = code[:2]
    picture.source = f"{imports.source}\n\n{picture.source}"
    notebook.cells = [cell for cell in notebook.cells if cell is not imports]
    return notebook
