"""What a site serves for its answer boxes, and where they stand on a page."""

import json
import re

import nbformat
import pytest
import sympy as sm

from course.boxes import answer_files, answer_pictures
from course.desk.course_record import name_of
from course.judge import Choice, Exercise, Expression, Function, Misconception, Number
from course.judge.sentences import PAGE_SENTENCES, SENTENCES
from panels.drawing.bundle import script
from publishing import build_book
from publishing.build_book import (
    ASKED,
    ASKED_IN_PAGE,
    judged_in_page,
    with_answer_boxes,
)
from tests.texts import NOTEBOOKS

x = sm.Symbol("x", positive=True)
OWN = [
    Exercise("own-1", Expression(x**2), (Misconception(2 * x, "Twice."),), "Squares", "So it is."),
    Exercise("own-2", Function(abs, ((1.0,),)), (), "Sizes"),
    Exercise("other-1", Number(2.5, "m"), (), "Lengths"),
    Exercise("other-2", Choice("a", {"a": "up", "b": "down"}), (), "Directions"),
]


def brought(text):
    """Return the name and the value that a script hands over."""
    return json.loads(re.fullmatch(r"tutlibBrings\((.*)\);\n", text)[1].join("[]"))


def exercises_in(files, chapter):
    name, value = brought(files[f"{chapter}.js"])
    assert name == chapter
    return value["exercises"]


def test_each_chapter_has_a_file_without_functions():
    files = answer_files(OWN)
    scripts = {"answers.js", "answers.css", "progress.js"}
    assert set(files) == {*scripts, "own.js", "other.js"}
    for name in ("answers.js", "progress.js", "own.js"):  # plain, they may come from a disk
        assert not re.search(r"^(import|export) |import\.meta|fetch\(", files[name], re.M)
    assert list(exercises_in(files, "own")) == ["own-1"]
    assert list(exercises_in(files, "other")) == ["other-1", "other-2"]
    assert "Not yet." in brought(files["own.js"])[1]["sentences"]["wrong"]
    counted = 'progress({"own":["own-1",""],"other":["other-1","other-2"]}, {"'
    assert counted in files["progress.js"]  # of what a page can judge


def test_an_exercise_that_changes_has_another_hash():
    """So that an answer that was right before does not count for it."""
    files = answer_files(OWN)
    hashes = {name: one["hash"] for name, one in exercises_in(files, "other").items()}
    assert json.dumps(hashes, separators=(",", ":"))[1:-1] in files["progress.js"]
    again = answer_files([*OWN[:2], Exercise("other-1", Number(2.6, "m"), (), "Lengths"), OWN[3]])
    changed = {name: one["hash"] for name, one in exercises_in(again, "other").items()}
    assert changed["other-1"] != hashes["other-1"]
    assert changed["other-2"] == hashes["other-2"]
    assert all(re.fullmatch("[0-9a-f]{8}", one) for one in hashes.values())


@pytest.mark.parametrize(
    "name",
    [
        "course/boxes/answer_box.js",
        "course/boxes/driven_simulation.js",
        "panels/simulations/zooming.js",
    ],
)
def test_what_a_script_imports_stands_before_it(name):
    exported = {}
    for part in re.split(r"^(?=const \$)", script(name), flags=re.M)[1:]:
        scope = re.match(r"const \$(\w+) = \(\(\) => \{\n", part)[1]
        for names, module in re.findall(r"^const \{([^}]*)\} = \$(\w+);$", part, re.M):
            wanted = {one.partition(":")[0].strip() for one in names.split(",") if one.strip()}
            assert wanted <= (exported | {scope: wanted})[module], f"{scope} imports from {module}"
        *_, listed = re.findall(r"^return \{ (.*?) \};$", part, re.M)
        exported[scope] = {one.partition(":")[0] for one in listed.split(", ")}
    assert exported.popitem()[0] == name.rpartition("/")[2].removesuffix(".js")


def test_each_option_has_the_picture_that_check_shows():
    def reveal(letter):
        return f"<svg>{letter}</svg>"

    shown = Exercise("own-3", Choice("a", {"a": "up", "b": "down"}), (), "Ways", reveal=reveal)
    pictures = answer_pictures([*OWN, shown])
    assert list(pictures) == ["own-3-a.js", "own-3-b.js"]
    assert brought(pictures["own-3-b.js"]) == ["own-3-b", "<svg>b</svg>"]
    files = answer_files([*OWN, shown])
    assert exercises_in(files, "own")["own-3"]["pictures"] == ["a", "b"]
    assert exercises_in(files, "other")["other-2"]["pictures"] == []
    with pytest.raises(TypeError, match="an exercise"):
        answer_pictures([3])


def test_an_expression_is_published_by_values_alone():
    found = exercises_in(answer_files(OWN), "own")["own-1"]
    points, (entry,) = found["points"]["x"], found["entries"]
    assert len(points) == 12
    for point, value, half in zip(points, entry["values"], found["misconceptions"][0]["values"][0]):
        assert value == pytest.approx(point**2, rel=1e-12)
        assert half == pytest.approx(2 * point, rel=1e-12)
    limit, power = entry["mistakes"]
    assert limit[0] == "limit"
    assert limit[2:] == [["x"], 1, []]
    assert power[:4] == ["part", "Only one power or root is wrong.", [], 0]
    assert power[4] == pytest.approx([points[k] ** 3 for k in found["few"]], rel=1e-8)
    assert found["names"] == [{"name": "x", "label": "x", "latex": "x", "changes": False}]
    assert "**" not in json.dumps(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_under_each_prompt_is_a_box_or_a_way_to_run_python(path):
    cells = with_answer_boxes(nbformat.read(path, 4), f"{name_of(path)}.ipynb").cells
    added = [k for k, cell in enumerate(cells) if "tutlib-answer" in cell.source]
    asked = [re.search(r'check\("([\w-]+)", \w+_answer', cells[k + 1].source)[1] for k in added]
    assert len(asked) == len(set(asked))
    # a page asks for an answer in its box, and leaves the exercise's name to the cell
    before = [cell.source for cell in nbformat.read(path, 4).cells]
    for name in asked:
        (prompt,) = (k for k, source in enumerate(before) if f" (`{name}`)" in source)
        before[prompt] = f"(exercise-{name})=\n" + before[prompt].replace(f" (`{name}`)", "")
    before = [ASKED.sub(ASKED_IN_PAGE, source) for source in before]
    rest = [c.source for k, c in enumerate(cells) if k not in added]
    assert [k for k, pair in enumerate(zip(rest, before, strict=True)) if len({*pair}) > 1] == []
    for k, name in zip(added, asked):
        assert cells[k - 1].cell_type == "markdown"
        assert cells[k - 1].source.startswith(f"(exercise-{name})=\n")
        name_ = name_of(path)
        link = f'href="{"../" * (1 + name_.count("/"))}_sources/notebooks/{name_}.ipynb" download'
        assert (f'data-exercise="{name}"' if judged_in_page(name) else link) in cells[k].source
        # below a box the cell is folded, and says nothing of three dots
        folded = "hide-input" in cells[k + 1].metadata.tags
        assert folded == ("data-exercise" in cells[k].source)
        assert cells[k + 1].outputs == []


def test_a_page_says_the_same_without_python():
    """And with the same parts filled in."""
    assert list(PAGE_SENTENCES) == list(SENTENCES)
    differing = {name for name, told in SENTENCES.items() if PAGE_SENTENCES[name] != told}
    assert differing == {"no symbols", "is zero", "rounded"}
    for name, told in PAGE_SENTENCES.items():
        assert re.findall(r"\{\w+\}", told) == re.findall(r"\{\w+\}", SENTENCES[name])
        assert not re.search(r"\bsm\.|\*\*", told)


def test_without_solutions_lessons_are_never_written(tmp_path, monkeypatch):
    monkeypatch.setattr(build_book, "every_exercise", lambda: OWN)
    for solutions in (True, False):
        build_book.write_answers(tmp_path, solutions)
        text = (tmp_path / "_static/answers/own.js").read_text(encoding="utf-8")
        assert ("So it is." in text) == solutions
