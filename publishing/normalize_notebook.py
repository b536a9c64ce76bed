"""Normalize notebooks for commits: ``normalize_notebook.py FILE...``.

Outputs and execution counts stay only in cells tagged ``nbval-check-output``, metadata only if it
has an effect, and cell ids always, including those that Colab hides. A solution, a cell that begins
with ``# Solution``, is folded. Files that change are rewritten and listed, and the exit code is 1.
"""

import sys
from pathlib import Path
from typing import Any

import nbformat

from course.desk.files import PYTHON, notebook_of, text_of

CHECKED = "nbval-check-output"
FOLDED = {
    "jupyter": {"outputs_hidden": True, "source_hidden": True},
    "mystnb": {"code_prompt_show": "Show the solution", "code_prompt_hide": "Hide the solution"},
    "tags": ["hide-cell", "solution"],
}
KEPT = ("tags", "mystnb", "jupyter", "equations")


def normalized(text: str) -> str:
    notebook: Any = notebook_of(text)
    notebook.metadata = PYTHON
    for cell in notebook.cells:
        cell.metadata = {key: cell.metadata[key] for key in KEPT if cell.metadata.get(key)}
        cell.source = cell.source.rstrip()
        if cell.cell_type != "code":
            continue
        if cell.source.startswith("# Solution"):
            cell.metadata.update(FOLDED)
        elif "solution" in cell.metadata.get("tags", []):
            cell.metadata["jupyter"] = FOLDED["jupyter"]
        if CHECKED not in cell.metadata.get("tags", []):
            cell.outputs, cell.execution_count = [], None
        for output in cell.outputs:
            for image in ("image/png", "image/svg+xml"):
                output.get("data", {}).pop(image, None)
            if "metadata" in output:
                output.metadata = {}
    return nbformat.writes(notebook, indent=1, sort_keys=True) + "\n"


def main(paths: list[str]) -> int:
    changed = False
    for path in map(Path, paths):
        try:
            after = normalized(text_of(path))
        except ValueError as error:
            raise SystemExit(f"{path} is not a notebook: {error}") from None
        if after.encode() != path.read_bytes():
            path.write_text(after, encoding="utf-8", newline="\n")
            print(f"normalized {path}")
            changed = True
    return int(changed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
