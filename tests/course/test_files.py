"""Files as other programs write them: what can be mended is mended, and the rest is named."""

import copy
import itertools
import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course.desk import cells_of, read_notebook

CELLS = [new_markdown_cell("# Füße", id="title"), new_code_cell("x = 1", id="first")]
GOOD = json.loads(nbformat.writes(new_notebook(cells=CELLS)))
IMAGE = json.loads(json.dumps(new_output("display_data", {"text/plain": "x"})))
WIDGETS = {"application/vnd.jupyter.widget-state+json": {"abc": {"state": {}}}}


def colab(whole):
    whole.update(nbformat_minor=0, metadata={"widgets": WIDGETS, "colab": {"provenance": []}})
    for cell in whole["cells"]:
        cell["metadata"] = {"id": cell.pop("id"), "colab": {}}


def change(*path, **fields):
    def changed(whole):
        place = whole
        for step in path:
            place = place[step]
        place.update(fields)

    return changed


CHANGES = {
    "nothing": lambda whole: None,
    "Colab": colab,
    "ids in an older format": change(nbformat_minor=4),
    "a newer format": change(nbformat_minor=9),
    "outputs of a text": change("cells", 0, outputs=[], execution_count=None),
    "fields of an editor": change("cells", 1, collapsed=True, vscode={"id": 3}),
    "an output with more": lambda w: w["cells"][1]["outputs"].append(IMAGE | {"transient": {}}),
    "an output without metadata": lambda w: w["cells"][1]["outputs"].append(
        {key: IMAGE[key] for key in ("output_type", "data")}
    ),
    "an output of no kind": change("cells", 1, outputs=[{"output_type": "sound"}, None]),
    "no outputs": lambda whole: whole["cells"][1].pop("outputs"),
    "no metadata": lambda whole: (whole.pop("metadata"), whole["cells"][1].pop("metadata")),
    "a tag twice": change("cells", 1, metadata={"tags": ["a", "a"]}),
    "half a kernel": change(metadata={"kernelspec": {"name": "python3"}, "language_info": None}),
    "no format": lambda whole: whole.pop("nbformat"),
}


ENCODINGS = itertools.cycle(["utf-8", "utf-8-sig", "utf-16", "utf-32-le"])


@pytest.mark.parametrize(("name", "encoding"), zip(CHANGES, ENCODINGS))
def test_what_is_lost_is_mended(tmp_path, name, encoding):
    whole = copy.deepcopy(GOOD)
    CHANGES[name](whole)
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps(whole, ensure_ascii=False), encoding=encoding)
    found = read_notebook(path)
    nbformat.validate(found)
    assert [(cell.id, cell.source) for cell in found.cells] == [
        ("title", "# Füße"),
        ("first", "x = 1"),
    ]
    assert [cell["id"] for cell in cells_of(path)] == ["title", "first"]
    assert found.metadata.language_info.file_extension == ".py"
    assert "widgets" not in found.metadata


TEXT = nbformat.writes(new_notebook(cells=CELLS))
LINE = next(k for k, line in enumerate(TEXT.splitlines(), 1) if "x = 1" in line)
MARKED = TEXT.splitlines()
MARKED.insert(LINE - 1, "<<<<<<< HEAD")
CELL_MARKS = [new_markdown_cell(f"`{7 * sign} local`") for sign in "<>"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\n".join(MARKED), f'line {LINE}, in cell 2 has the conflict marker "<<<<<<< HEAD"'),
        (
            nbformat.writes(new_notebook(cells=[CELLS[1], *CELL_MARKS])),
            'cell 2 has the conflict marker "`<<<<<<< lo',
        ),
        (TEXT[: TEXT.index("x = 1")], f"line {LINE}, in cell 2: "),
        (
            json.dumps(GOOD | {"cells": [CELLS[0], {"cell_type": "song"}]}),
            "cell 2 has an unknown type",
        ),
        (json.dumps(GOOD | {"nbformat": 5}), "its format is 5"),
    ],
)
def test_what_cannot_be_mended_is_named_with_a_way_out(tmp_path, text, told):
    path = tmp_path / "mine.ipynb"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^.*mine\.ipynb is not a notebook: ") as found:
        read_notebook(path)
    assert told in str(found.value)
    assert any(way in str(found.value) for way in ("restore an earlier", "git checkout", "up to 4"))
