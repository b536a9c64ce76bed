"""Exercises in the notebooks: prompt, answer, folded solution; untouched and solved, both run."""

import re
from copy import deepcopy
from functools import cache

import nbformat
import pytest

from course.desk import copy_notebooks
from course.desk.course_record import name_of
from course.desk.jupyterlab import for_jupyterlab
from course.judge import Choice
from publishing.exercise_cells import CHECK, STUB, exercises, in_running_order
from publishing.normalize_notebook import FOLDED
from tests.helpers import ROOT, executed, exercises_of, record
from tests.texts import NOTEBOOKS as PATHS
from tests.texts import cells

# In JupyterLab it is read as text; on the site it is a badge.
GRADE = r'<span class="grade (warm-up|core|stretch)">\1 · (\d+) minutes</span>'
pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("path", PATHS, ids=name_of),
]


def triples(path):
    """Return each exercise's name with its prompt, answer cell and solution cell."""
    return exercises(cells(path))


@cache
def run(path):
    """Return the cells of a page as they ran."""
    return executed(name_of(path)).cells


def of_page(path):
    """Return those of a chapter's exercises that stand on a page."""
    names = {name for name, *_ in triples(path)}
    return [exercise for exercise in exercises_of(path) if exercise.name in names]


def test_every_exercise_of_the_chapter_is_there_in_order(path):
    chapter = [one for one in PATHS if name_of(one)[:2] == name_of(path)[:2]]
    names = [name for one in chapter for name, *_ in triples(one)]
    records = [exercise.name for exercise in exercises_of(path)]
    assert names == records, f"give each of EXERCISES three cells in {chapter}, in the same order"


def test_a_prompt_is_one_block_with_a_number_and_a_title(path):
    for name, prompt, _, _ in triples(path):
        number = 1 + [exercise.name for exercise in exercises_of(path)].index(name)
        assert prompt.cell_type == "markdown"
        pattern = rf"> \*\*Exercise {number} · [^*\n]+\*\* \(`{name}`\) {GRADE}\n>\n"
        assert re.match(pattern, prompt.source), prompt.source
        assert prompt.source.count('class="grade') <= 1, "a prompt has one grade"
        assert all(line.startswith(">") for line in prompt.source.splitlines())


def test_an_exercise_has_a_grade_and_takes_three_minutes_or_a_multiple_of_five(path):
    grades = [re.search(GRADE, prompt.source) for _, prompt, *_ in triples(path)]
    minutes = [int(grade[2]) for grade in grades]
    assert all(m == 3 or (m % 5 == 0 and 5 <= m <= 60) for m in minutes), minutes


def test_an_answer_waits_to_be_given(path):
    for name, _, cell, _ in triples(path):
        assert len(STUB.findall(cell.source)) == 1, name
        assert cell.source.splitlines()[-1].startswith(f'check("{name}", '), name


def test_a_solution_is_folded_and_proves_itself(path):
    for name, _, answer, solution in triples(path):
        assert solution.source.startswith("# Solution\n"), f"{name}: begin with # Solution"
        assert dict(solution.metadata) == FOLDED, f"{name}: normalize the notebook"
        stem = CHECK.search(answer.source)[2]
        assert f'check("{name}", {stem}_solution' in solution.source
        assert re.search(r"^assert (check\(|\w+$)", solution.source, re.MULTILINE), name


def test_nothing_depends_on_a_solution_or_an_answer(path):
    """So every other cell shows the same, whatever a student has answered."""
    own = {answer.id for _, _, answer, _ in triples(path)}
    for cell in cells(path):
        if "solution" not in cell.metadata.get("tags", []):
            assert "_solution" not in cell.source, cell.id
        if cell.cell_type == "code" and cell.id not in own:
            assert not re.search(r"\w+_answer\b", cell.source), cell.id


def test_the_options_are_those_of_the_exercise(path):
    prompts = {name: prompt.source for name, prompt, *_ in triples(path)}
    for exercise in of_page(path):
        if isinstance(exercise.answer, Choice):
            options = dict(re.findall(r"^> - \*\*(\w)\*\* · (.*)$", prompts[exercise.name], re.M))
            assert options == dict(exercise.answer.options)


def test_a_students_untouched_copy_runs(path, tmp_path):
    """Its cells are those that ran, in the same order, and saw nothing of any other cell.

    What solutions bind is hidden from them, and author cells ran after them all.
    """
    for solutions in (False, True):
        folder = tmp_path / str(solutions)
        copy_notebooks(folder, name_of(path)[:2], solutions=solutions)
        copy = nbformat.read(folder / f"{name_of(path)}.ipynb", as_version=4)
        left_out = {"remove-cell"} if solutions else {"remove-cell", "solution"}
        ran = [cell for cell in run(path) if left_out.isdisjoint(cell.metadata.get("tags", []))]
        ran = deepcopy(ran)
        for_jupyterlab(ran, ROOT / "book" / "references.bib")
        assert [(cell.id, cell.source) for cell in copy.cells] == [(c.id, c.source) for c in ran]
    whole = [cell for cell in run(path) if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in in_running_order(whole)]
    assert counts == [*range(1, len(whole) + 1)]


def test_an_untouched_answer_is_told_so(path):
    """No verdict stands in the page before an answer is given."""
    outputs = {cell.id: str(cell.get("outputs")) for cell in run(path)}
    for name, _, answer, _ in triples(path):
        assert "No answer yet" in outputs[answer.id], name


def test_every_solution_pasted_in_is_right(path):
    assert record(name_of(path))["pasted"] == {e.name: "right" for e in of_page(path)}
