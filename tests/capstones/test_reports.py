"""From a blank notebook to a file that moves: what a student is given, and what comes out."""

import json
import re
from pathlib import Path

import nbformat
import pytest

from course.__main__ import main
from course.capstones import CAPSTONES, capstone
from course.capstones.tasks import RUBRIC
from course.desk import html_report
from course.desk.capstone_notebook import blank_notebook, start_capstone
from course.desk.html_report import report_file
from course.desk.verify_file import execute
from tests.texts import ROOT

pytestmark = pytest.mark.slow

SOLVED = sorted((Path(__file__).parent / "solved").glob("*.ipynb"))


def assignment(path):
    """Return the capstone and the variant of a file such as slider-crank-17.ipynb."""
    name, _, variant = path.stem.rpartition("-")
    return capstone(name, int(variant))


@pytest.fixture(scope="module", params=SOLVED, ids=lambda path: path.stem)
def report(request, tmp_path_factory):
    """Return a finished report's file, its page and what was said."""
    file = tmp_path_factory.mktemp("work") / request.param.name
    file.write_text(request.param.read_text(encoding="utf-8"), encoding="utf-8")
    said = report_file(file)
    return request.param, file.with_suffix(".html").read_text(encoding="utf-8"), said


class TestBlank:
    @pytest.mark.parametrize("name", CAPSTONES)
    def test_it_has_every_part_and_every_question(self, name):
        mine = capstone(name, 3)
        cells = nbformat.reads(blank_notebook(mine), 4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        stages = [stage.title for stage in mine.capstone.stages]
        parts = ["Verification", "Numerics", "Results"]
        first = [mine.capstone.title, "The machine", *stages[:2]]
        assert headings == [*first, *parts, *stages[2:], "In one page"]
        for part, points, _ in RUBRIC:
            assert f"| {part} | {points} |" in text
        code = [cell.source for cell in cells if cell.cell_type == "code"]
        assert sum("check(mine.stage(" in one for one in code) == len(stages)
        assert f'capstone("{name}", variant=3)' in code[0]

    def test_it_runs_untouched_and_each_check_waits(self, tmp_path):
        (line, *_) = start_capstone("chaplygin-sleigh", 3, tmp_path / "a")
        file = tmp_path / "a" / "chaplygin-sleigh-3.ipynb"
        assert line == f"made       {file}"
        whole = nbformat.read(file, 4)
        execute(whole, file)
        shown = [
            one.data.get("text/plain", "")
            for c in whole.cells
            for one in c.get("outputs", [])
            if "data" in one
        ]
        assert sum(text.startswith("… ") for text in shown) == 4

    def test_a_file_that_exists_is_left_alone(self, tmp_path, capsys):
        given = ["start", "slider-crank", "--variant", "7", "--folder", str(tmp_path)]
        assert main(given) == 0
        file = tmp_path / "slider-crank-7.ipynb"
        file.write_text("my own work", encoding="utf-8")
        assert main(given) == 0
        assert f"kept {file}, which already exists" in capsys.readouterr().out
        assert file.read_text(encoding="utf-8") == "my own work"
        assert [path.name for path in tmp_path.iterdir()] == ["slider-crank-7.ipynb"]

    def test_what_is_wrong_is_said_and_nothing_written(self, tmp_path, capsys):
        assert main(["start", "rocket", "--folder", str(tmp_path / "b")]) == 1
        assert "no capstone 'rocket'; there are slider-crank" in capsys.readouterr().err
        assert not (tmp_path / "b").exists()
        with pytest.raises(TypeError, match="folder must be a path"):
            start_capstone("slider-crank", 0, 3)

    def test_no_solution_is_in_what_a_student_copies(self):
        """Solved reports lie with the tests: neither the book nor working copies have them."""
        assert SOLVED
        for path in SOLVED:
            assert path.is_relative_to(ROOT / "tests")
            own = {cell.source for cell in nbformat.read(path, 4).cells}
            blank = json.loads(blank_notebook(assignment(path)))
            given = {"".join(cell["source"]) for cell in blank["cells"]}
            solving = [text for text in own - given if "answer_" in text]
            assert len(solving) >= 4
            shared = own & given
            assert not any("answer_" in text and "..." not in text for text in shared)


@pytest.fixture
def unexecuted(monkeypatch):
    """Write notebooks that have no code to run."""
    monkeypatch.setattr(html_report, "execute", lambda whole, path, limit: None)


def write(file, *sources):
    """Write a notebook: text, but for the last cell of several, which is code."""
    cells = [nbformat.v4.new_markdown_cell(sources[0])]
    cells += [nbformat.v4.new_code_cell(source) for source in sources[1:]]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), file)


def test_a_reader_may_write_what_they_like(tmp_path, unexecuted):
    told = "frames are fitted here; formulas stand here; {{ resources.frames }}"
    write(tmp_path / "mine.ipynb", told, repr(told))
    report_file(tmp_path / "mine.ipynb")
    page = (tmp_path / "mine.html").read_text(encoding="utf-8")
    assert page.count("frames are fitted here; formulas stand here; {{ resources.frames") >= 2
    assert page.count((ROOT / "book" / "_static" / "frames.js").read_text("utf-8")) == 1


class TestReport:
    @pytest.mark.parametrize("path", SOLVED, ids=lambda path: path.stem)
    def test_it_answers_the_questions_as_they_are_asked_today(self, path):
        cells = nbformat.read(path, 4).cells
        assert not any(cell.get("outputs") for cell in cells)
        text = "\n".join(cell.source for cell in cells)
        for cell in nbformat.reads(blank_notebook(assignment(path)), 4).cells:
            if cell.source.startswith("#") and ">" in cell.source:
                assert cell.source in text
            elif "check(" in cell.source:
                assert cell.source.splitlines()[1] in text

    def test_every_check_is_right_and_it_moves_and_asks_no_other_host(self, report):
        path, page, said = report
        stages = len(assignment(path).capstone.stages)
        assert page.count('class="tutlib-feedback right"') == stages
        assert "tutlib-feedback wrong" not in page
        assert "tutlib-feedback open" not in page
        assert said[0].startswith("wrote ")
        assert page.count("<iframe") == 2
        assert 'class="tutlib-live"' in page
        assert 'class="tutlib-animation"' in page
        assert "addEventListener" in page.rpartition("<script>")[2]
        if len(said) == 1:  # formulas are set without the network
            outside = re.findall(r"""<(?:script|link|img)[^>]+(?:src|href)=["']?https?:""", page)
            assert not outside

    def test_a_report_is_written_anew_and_nothing_else_is_lost(self, tmp_path, capsys, unexecuted):
        file, page = tmp_path / "short.ipynb", tmp_path / "short.html"
        write(file, "first")
        assert main(["report", str(file)]) == 0
        assert page.read_text(encoding="utf-8").startswith(
            "<!-- a report by tutlib -->\n<!DOCTYPE html>"
        )
        write(file, "second")
        assert main(["report", str(file)]) == 0
        assert "second" in page.read_text(encoding="utf-8")
        page.write_text("<p>my own page</p>", encoding="utf-8")
        assert main(["report", str(file)]) == 1
        assert "give another name with --output" in capsys.readouterr().err
        assert page.read_text(encoding="utf-8") == "<p>my own page</p>"
        other = tmp_path / "other.html"
        assert main(["report", str(file), "--output", str(other)]) == 0
        assert "second" in other.read_text(encoding="utf-8")
        with pytest.raises(TypeError, match="output must be a path"):
            report_file(file, 3)

    def test_what_does_not_run_is_said(self, tmp_path, capsys):
        file = tmp_path / "broken.ipynb"
        cells = [nbformat.v4.new_code_cell(text) for text in ("x = 1", "import os; os._exit(1)")]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), file)
        assert main(["report", str(file)]) == 1
        assert "crashed Python in cell 2" in capsys.readouterr().err
        assert not file.with_suffix(".html").exists()
        for asked, error, told in (
            (tmp_path / "model.py", ValueError, "a report is made from a notebook"),
            (tmp_path / "none.ipynb", FileNotFoundError, "there is no file"),
            (3, TypeError, "file must be a path"),
        ):
            with pytest.raises(error, match=told):
                report_file(asked)
