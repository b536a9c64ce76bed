"""Files as other programs write them: one reader of notebooks, programs and logs for all commands.

Colab drops the ids of cells, VS Code adds fields, editors of Windows begin a file with a mark. What
is lost is mended; what cannot be mended is named, with its cell and a way out.
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
#: What Jupyter must know of a notebook to run it, and to export it as a program.
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
# On a line of its own, or in Markdown as tools that merge notebooks write it.
_CONFLICT = re.compile(r"^[\s\"]*(?:<span[^>]*>)?[`*]*(<{7}|>{7})(?: .*)?$", re.MULTILINE)
_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_EARLIER = (
    "take an earlier state of it, from git, a backup or the folder .ipynb_checkpoints beside it"
)


_EXAMPLE = "work/05-kane/1-partial-velocities.ipynb"


def text_of(path: Path) -> str:
    """Return the text of a file, in whatever encoding an editor has saved it.

    Parameters
    ----------
    path : Path
        With or without the mark by which a file says that it is in UTF-8, UTF-16 or UTF-32; else in
        UTF-8, or in that of Western Europe's Windows. A damaged letter becomes a question mark.
    """
    data = path.read_bytes()
    text = data.decode(json.detect_encoding(data), "replace")
    if "\ufffd" in text and all(letter.isascii() or letter == "\ufffd" for letter in text):
        return data.decode("cp1252", "replace")
    return text


def program_of(path: Path) -> str:
    """Return the text of a program, in the encoding that it names.

    Parameters
    ----------
    path : Path

    Raises
    ------
    ValueError
        If Python could not read it either.
    """
    if path.read_bytes().startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return text_of(path)
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (SyntaxError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}; save it as UTF-8") from error


def read_notebook(path: Path) -> NotebookNode:
    """Return a notebook, mended where another program has left something out or put it in.

    Parameters
    ----------
    path : Path

    Returns
    -------
    NotebookNode
        In the newest format. Each cell has an id, the same whenever it is read.

    Raises
    ------
    FileNotFoundError
        If it is not there.
    ModuleNotFoundError
        If notebooks cannot be read here.
    ValueError
        If it is none; the sentence names the cell and a way out.
    """
    return _of_file(path, notebook_of)


def _of_file(path: Path, read: Callable[[str], Kind]) -> Kind:
    """Read the text of a notebook's file, or say which file is none."""
    path = path_of(path, "path", _EXAMPLE)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        return read(text_of(path))
    except ValueError as error:
        raise ValueError(f"{path} is no notebook: {error}") from error


def notebook_of(text: str) -> NotebookNode:
    """Return the notebook of a text; as `read_notebook`, but what it refuses has no name.

    Parameters
    ----------
    text : str
    """
    try:
        import nbformat
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'notebooks cannot be read here: "pip install nbformat"', name=error.name
        ) from error
    try:
        whole = nbformat.reads(json.dumps(fields_of(text)), as_version=4)
        nbformat.validate(whole)
    except nbformat.ValidationError as error:
        place = [step for step in error.absolute_path if isinstance(step, int)]
        where = f"cell {place[0] + 1}" if place else "what it says of itself"
        raise ValueError(f"{where} is damaged; {_EARLIER}") from error
    return whole


def cells_of(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook as plain fields, each ``source`` as one text.

    Parameters
    ----------
    path : Path

    Raises
    ------
    FileNotFoundError
        If it is not there.
    ValueError
        If it is no notebook.
    """
    cells: list[dict[str, Any]] = _of_file(path, fields_of)["cells"]
    return cells


def fields_of(text: str) -> dict[str, Any]:
    """Return what a notebook's text holds, mended, in the newest format.

    Parameters
    ----------
    text : str

    Raises
    ------
    ValueError
        If it is not the text of a notebook.
    """
    whole = _parsed(text)
    if isinstance(whole, dict) and whole.get("nbformat") in (1, 2, 3):
        whole = _converted(text)
    if not (isinstance(whole, dict) and isinstance(whole.get("cells"), list)):
        raise ValueError(f"it has no list of cells; {_EARLIER}")
    if whole.get("nbformat", 4) != 4:
        raise ValueError(f"it is of format {whole['nbformat']}, and known here are those up to 4")
    taken: set[str] = set()
    cells = [_cell(cell, k, taken) for k, cell in enumerate(whole["cells"], 1)]
    _refuse_marks([cell["source"] for cell in cells])
    return {
        "cells": cells,
        "metadata": _metadata(whole.get("metadata")),
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _parsed(text: str) -> object:
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text)
    except ValueError as error:
        place = getattr(error, "pos", 0)
        mark = _CONFLICT.search(text)
        if mark is None:
            raise ValueError(f"{_place(text, place)}: {error}; {_EARLIER}") from error
        raise ValueError(_conflict(_place(text, mark.end()), mark[0])) from error


def _place(text: str, end: int) -> str:
    line, cell = text.count("\n", 0, end) + 1, text.count('"cell_type"', 0, end)
    return f"line {line}, in cell {cell}" if cell else f"line {line}"


def _conflict(place: str, mark: str) -> str:
    return (
        f'{place} has "{mark.strip()}", by which git marks what two people have changed: '
        '"git checkout --ours FILE" keeps the one version, "git checkout --theirs FILE" the other'
    )


def _refuse_marks(sources: list[str]) -> None:
    """Refuse both versions of a conflict, as tools that merge cells write them."""
    marks = [(k, mark) for k, s in enumerate(sources, 1) for mark in _CONFLICT.finditer(s)]
    if {"<" * 7, ">" * 7} <= {mark[1] for _, mark in marks}:
        raise ValueError(_conflict(f"cell {marks[0][0]}", marks[0][1][0]))


def _converted(text: str) -> dict[str, object]:
    """Return the fields of a notebook of an older format."""
    import nbformat

    try:
        whole = nbformat.reads(text, as_version=4)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"it is of an old format, and damaged; {_EARLIER}") from error
    for cell in whole.cells:
        cell.pop("id", None)  # drawn by lot
    return dict(whole)


def _cell(entry: object, number: int, taken: set[str]) -> dict[str, Any]:
    cell = entry if isinstance(entry, dict) else {}
    kind = cell.get("cell_type")
    if kind not in _CELLS:
        raise ValueError(f"cell {number} is of no kind that there is, {kind!r}; {_EARLIER}")
    source = _joined(cell.get("source", ""), number)
    metadata = {**cell["metadata"]} if isinstance(cell.get("metadata"), dict) else {}
    names = chain([cell.get("id"), metadata.pop("id", None)], map("cell-{}".format, count(number)))
    fits = (n for n in names if isinstance(n, str) and _ID.fullmatch(n) and n not in taken)
    name = next(fits)
    taken.add(name)
    mended: dict[str, Any] = {"id": name, "source": source, "metadata": metadata}
    if isinstance(tags := metadata.get("tags"), list):
        metadata["tags"] = [*dict.fromkeys(map(str, tags))]
    if kind == "code":
        outputs = cell.get("outputs")
        mended["outputs"] = [*map(_output, outputs)] if isinstance(outputs, list) else []
        mended["outputs"] = [output for output in mended["outputs"] if output]
    elif not cell.get("attachments"):
        return {"cell_type": kind, **mended}
    return {key: mended.get(key, cell.get(key, plain)) for key, plain in _CELLS[kind].items()}


def _joined(source: object, number: int) -> str:
    lines = [source] if isinstance(source, str) else source
    if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise ValueError(f"cell {number} has no text; {_EARLIER}")
    return "".join(lines)


def _output(entry: object) -> dict[str, object] | None:
    """Return an output with the fields of its kind and no others; nothing if there is no kind."""
    output = entry if isinstance(entry, dict) else {}
    kind = output.get("output_type")
    if kind not in _OUTPUTS:
        return None
    fields = {key: output.get(key, plain) for key, plain in _OUTPUTS[kind].items()}
    return {"output_type": kind, **fields}


def _metadata(metadata: object) -> dict[str, object]:
    """Return what a notebook says of itself, but for the states of widgets, which have gone."""
    kept = {**metadata} if isinstance(metadata, dict) else {}
    kept.pop("widgets", None)
    for key, plain in PYTHON.items():
        field = kept.get(key)
        if not (isinstance(field, dict) and {"name", "display_name"} & set(plain) <= set(field)):
            kept[key] = plain
    return kept
