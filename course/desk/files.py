"""Readers of notebooks, programs, and logs that other programs have written.

Colab drops the ids of cells, VS Code adds fields, editors on Windows write a byte order mark. Such
differences are repaired; damage that cannot be repaired is reported with its cell and a remedy.
"""

from __future__ import annotations

import codecs
import json
import re
import tokenize
from collections.abc import Callable
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from straightline.aliases import Kind
from straightline.arguments import path_of

if TYPE_CHECKING:
    from nbformat import NotebookNode


_OF_EVERY_CELL = {"cell_type": "", "id": "", "metadata": {}, "source": ""}
_CELLS: dict[str, dict[str, Any]] = {
    "code": {**_OF_EVERY_CELL, "execution_count": None, "outputs": []},
    "markdown": {**_OF_EVERY_CELL, "attachments": {}},
    "raw": {**_OF_EVERY_CELL, "attachments": {}},
}
_OUTPUTS: dict[str, dict[str, Any]] = {
    "stream": {"name": "stdout", "text": ""},
    "display_data": {"data": {}, "metadata": {}},
    "execute_result": {"data": {}, "metadata": {}, "execution_count": None},
    "error": {"ename": "", "evalue": "", "traceback": []},
}
#: Metadata that Jupyter needs to run a notebook, and to export it as a program.
PYTHON: dict[str, Any] = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
# Conflict marks of git on a line of their own, or in Markdown from tools that merge notebooks.
_CONFLICT = re.compile(r"^[\s\"]*(?:<span[^>]*>)?[`*]*(<{7}|>{7})(?: .*)?$", re.MULTILINE)
_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_RESTORE = (
    "restore an earlier version from git, a backup, or the folder .ipynb_checkpoints next to it"
)
#: The tag of a cell for authors: it guards numbers of the text, and a student's copy leaves it out.
AUTHOR_CELL = "remove-cell"
_EXAMPLE = "work/05-kane/1-partial-velocities.ipynb"


def text_of(path: Path) -> str:
    """Return the text of a file in any encoding that an editor may have used.

    Parameters
    ----------
    path : Path
        File with a byte order mark of UTF-8, UTF-16, or UTF-32, or in UTF-8 or Windows-1252
        without one. An undecodable byte becomes a replacement character.
    """
    data = path.read_bytes()
    text = data.decode(json.detect_encoding(data), "replace")
    if "\ufffd" in text and all(letter.isascii() or letter == "\ufffd" for letter in text):
        return data.decode("cp1252", "replace")
    return text


def program_of(path: Path) -> str:
    """Return the text of a program, in the encoding that it declares.

    Parameters
    ----------
    path : Path

    Raises
    ------
    ValueError
        If Python cannot read it.
    """
    if path.read_bytes().startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return text_of(path)
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (SyntaxError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}; save it as UTF-8") from error


def read_notebook(path: Path) -> NotebookNode:
    """Return a notebook, with missing fields added and unknown fields removed.

    Parameters
    ----------
    path : Path

    Returns
    -------
    NotebookNode
        Notebook in the newest format. Each cell has an id, the same at every reading.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    ModuleNotFoundError
        If nbformat is not installed.
    ValueError
        If it is not a notebook; the message has the cell and a remedy.
    """
    return _read_file(path, notebook_of)


def _read_file(path: Path, read: Callable[[str], Kind]) -> Kind:
    """Return what ``read`` makes of a notebook's file; errors name the file."""
    path = path_of(path, "path", _EXAMPLE)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        return read(text_of(path))
    except ValueError as error:
        raise ValueError(f"{path} is not a notebook: {error}") from error


def notebook_of(text: str) -> NotebookNode:
    """Return the notebook in a text, as `read_notebook` does, with errors that name no file.

    Parameters
    ----------
    text : str

    Raises
    ------
    ModuleNotFoundError
        If nbformat is not installed.
    ValueError
        If the text is no notebook.
    """
    try:
        import nbformat
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'to read notebooks, install nbformat: "pip install nbformat"', name=error.name
        ) from error
    try:
        notebook = nbformat.reads(json.dumps(fields_of(text)), as_version=4)
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        indices = [step for step in error.absolute_path if isinstance(step, int)]
        where = f"cell {indices[0] + 1}" if indices else "its metadata"
        raise ValueError(f"{where} is damaged; {_RESTORE}") from error
    return notebook


def cells_of(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook as dicts, each ``source`` as one string.

    Parameters
    ----------
    path : Path

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    ValueError
        If it is not a notebook.
    """
    cells: list[dict[str, Any]] = _read_file(path, fields_of)["cells"]
    return cells


def fields_of(text: str) -> dict[str, Any]:
    """Return the repaired fields of a notebook's text, in the newest format.

    Parameters
    ----------
    text : str

    Raises
    ------
    ValueError
        If it is not the text of a notebook.
    """
    content = _parsed(text)
    if isinstance(content, dict) and content.get("nbformat") in (1, 2, 3):
        content = _converted(text)
    if not (isinstance(content, dict) and isinstance(content.get("cells"), list)):
        raise ValueError(f"it has no list of cells; {_RESTORE}")
    if content.get("nbformat", 4) != 4:
        raise ValueError(f"its format is {content['nbformat']}; this course reads formats up to 4")
    taken: set[str] = set()
    cells = [_cell(cell, k, taken) for k, cell in enumerate(content["cells"], 1)]
    _refuse_marks([cell["source"] for cell in cells])
    return {
        "cells": cells,
        "metadata": _metadata(content.get("metadata")),
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _parsed(text: str) -> object:
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text)
    except ValueError as error:
        position = getattr(error, "pos", 0)
        mark = _CONFLICT.search(text)
        if mark is None:
            raise ValueError(f"{_location(text, position)}: {error}; {_RESTORE}") from error
        raise ValueError(_conflict(_location(text, mark.end()), mark[0])) from error


def _location(text: str, end: int) -> str:
    line, cell = text.count("\n", 0, end) + 1, text.count('"cell_type"', 0, end)
    return f"line {line}, in cell {cell}" if cell else f"line {line}"


def _conflict(where: str, mark: str) -> str:
    return (
        f'{where} has the conflict marker "{mark.strip()}" of git: '
        '"git checkout --ours FILE" keeps one version, "git checkout --theirs FILE" the other'
    )


def _refuse_marks(sources: list[str]) -> None:
    """Reject a notebook with both versions of a conflict, from tools that merge cells."""
    marks = [(k, mark) for k, s in enumerate(sources, 1) for mark in _CONFLICT.finditer(s)]
    if {"<" * 7, ">" * 7} <= {mark[1] for _, mark in marks}:
        raise ValueError(_conflict(f"cell {marks[0][0]}", marks[0][1][0]))


def _converted(text: str) -> dict[str, object]:
    """Return the fields of a notebook of an older format."""
    import nbformat

    try:
        notebook = nbformat.reads(text, as_version=4)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"it has an old format and is damaged; {_RESTORE}") from error
    for cell in notebook.cells:
        cell.pop("id", None)  # nbformat has made a random one
    return dict(notebook)


def _cell(entry: object, number: int, taken: set[str]) -> dict[str, Any]:
    cell = entry if isinstance(entry, dict) else {}
    kind = cell.get("cell_type")
    if kind not in _CELLS:
        raise ValueError(f"cell {number} has an unknown type, {kind!r}; {_RESTORE}")
    source = _joined(cell.get("source", ""), number)
    metadata = {**cell["metadata"]} if isinstance(cell.get("metadata"), dict) else {}
    names = chain([cell.get("id"), metadata.pop("id", None)], map("cell-{}".format, count(number)))
    fits = (n for n in names if isinstance(n, str) and _ID.fullmatch(n) and n not in taken)
    name = next(fits)
    taken.add(name)
    fields: dict[str, Any] = {"id": name, "source": source, "metadata": metadata}
    if isinstance(tags := metadata.get("tags"), list):
        metadata["tags"] = [*dict.fromkeys(map(str, tags))]
    if kind == "code":
        outputs = cell.get("outputs")
        fields["outputs"] = [*map(_output, outputs)] if isinstance(outputs, list) else []
        fields["outputs"] = [output for output in fields["outputs"] if output]
    elif not cell.get("attachments"):
        return {"cell_type": kind, **fields}
    return {key: fields.get(key, cell.get(key, plain)) for key, plain in _CELLS[kind].items()}


def _joined(source: object, number: int) -> str:
    lines = [source] if isinstance(source, str) else source
    if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise ValueError(f"cell {number} has no text; {_RESTORE}")
    return "".join(lines)


def _output(entry: object) -> dict[str, object] | None:
    """Return an output with the fields of its type and no others; None for an unknown type."""
    output = entry if isinstance(entry, dict) else {}
    kind = output.get("output_type")
    if kind not in _OUTPUTS:
        return None
    fields = {key: output.get(key, plain) for key, plain in _OUTPUTS[kind].items()}
    return {"output_type": kind, **fields}


def _metadata(metadata: object) -> dict[str, object]:
    """Return a notebook's metadata without the states of widgets, which no longer exist."""
    kept = {**metadata} if isinstance(metadata, dict) else {}
    kept.pop("widgets", None)
    for key, plain in PYTHON.items():
        field = kept.get(key)
        if not (isinstance(field, dict) and {"name", "display_name"} & set(plain) <= set(field)):
            kept[key] = plain
    return kept
