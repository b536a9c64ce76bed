"""What a site serves for its answer boxes, and where they stand on a page."""

import json
import re

import nbformat
import pytest
import sympy as sm

from tests.texts import NOTEBOOKS
from tools.build_book import with_answer_boxes
from tutlib.exercises import Choice, Exercise, Expression, Function, Misconception, Number
from tutlib.page import answer_files, answer_pictures
from tutlib.page.bundle import bundled

x = sm.Symbol("x", positive=True)
OWN = [
    Exercise("own-1", Expression(x**2), (Misconception(2 * x, "Twice."),), "Squares", "So it is."),
    Exercise("own-2", Function(abs, ((1.0,),)), (), "Sizes"),
    Exercise("other-1", Number(2.5, "m"), (), "Lengths"),
    Exercise("other-2", Choice("a", {"a": "up", "b": "down"}), (), "Directions"),
]


def test_each_chapter_has_a_file_without_functions():
    files = answer_files(OWN)
    scripts = {"answers.js", "answers.css", "progress.js"}
    assert set(files) == {*scripts, "own.json", "other.json"}
    assert list(json.loads(files["own.json"])["exercises"]) == ["own-1"]
    assert list(json.loads(files["other.json"])["exercises"]) == ["other-1", "other-2"]
    assert "Not yet." in json.loads(files["own.json"])["sentences"]["wrong"]


def test_progress_is_counted_of_what_a_page_can_judge():
    script = answer_files(OWN)["progress.js"]
    assert '$progress.progress({"own":["own-1"],"other":["other-1","other-2"]});' in script
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)  # also from a disk


def test_each_option_has_the_picture_that_check_shows():
    def reveal(letter):
        return f"<svg>{letter}</svg>"

    shown = Exercise("own-3", Choice("a", {"a": "up", "b": "down"}), (), "Ways", reveal=reveal)
    assert answer_pictures([*OWN, shown]) == {
        "own-3-a.txt": "<svg>a</svg>",
        "own-3-b.txt": "<svg>b</svg>",
    }
    files = answer_files([*OWN, shown])
    assert json.loads(files["own.json"])["exercises"]["own-3"]["pictures"] == ["a", "b"]
    assert json.loads(files["other.json"])["exercises"]["other-2"]["pictures"] == []
    with pytest.raises(TypeError, match="an exercise"):
        answer_pictures([3])


def test_the_same_exercises_give_the_same_files():
    assert answer_files(OWN) == answer_files(OWN)


def test_an_expression_is_published_by_values_alone():
    found = json.loads(answer_files(OWN)["own.json"])["exercises"]["own-1"]
    points, (entry,) = found["points"]["x"], found["entries"]
    assert len(points) == 12
    for point, value, half, zero in zip(
        points, entry["values"], found["misconceptions"][0]["values"][0], entry["vanishing"]["x"]
    ):
        assert value == pytest.approx(point**2, rel=1e-12)
        assert half == pytest.approx(2 * point, rel=1e-12)
        assert zero == 0
    assert found["names"] == [
        {"name": "x", "label": "x", "latex": "x", "changes": False, "whole": False}
    ]
    assert "**" not in json.dumps(found)


def test_modules_in_one_file_keep_their_scopes():
    text = bundled("words", "saying")
    assert re.findall(r"^const \$(\w+) = \(\(\) => \{$", text, re.MULTILINE) == ["words", "saying"]
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert "const { GREEK_LETTER } = $words;" in text
    (exported,) = re.findall(r"^export const \{ (.*) \} = \$saying;$", text, re.MULTILINE)
    assert set(exported.split(", ")) == {"sayer", "listed", "agree", "tuple", "labelOf"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_under_each_prompt_is_a_box_or_a_way_to_run_a_function(path):
    notebook = nbformat.read(path, 4)
    before = [cell.source for cell in notebook.cells]
    cells = with_answer_boxes(notebook, path.name).cells
    added = [k for k, cell in enumerate(cells) if cell.source.startswith(("<div", "<p class"))]
    assert [c.source for k, c in enumerate(cells) if k not in added] == before
    asked = [re.search(r'check\("([\w-]+)", \w+_answer', cells[k + 1].source)[1] for k in added]
    assert len(asked) == len(set(asked))
    for k, name in zip(added, asked):
        assert cells[k - 1].cell_type == "markdown"
        assert f"`{name}`" in cells[k - 1].source
        source = cells[k].source
        assert f'data-exercise="{name}"' in source or f"notebooks/{path.name}" in source
