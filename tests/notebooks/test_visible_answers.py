"""No cell outside of solutions tells a right answer: no name that it binds, nothing that it shows.

A copy without solutions holds just these cells. What they bind and show was compared with the right
answers as they ran (`publishing.visible_answers`).
"""

import ast
import re
from functools import cache

import numpy as np
import pytest
import sympy as sm

from course.desk import course_notebooks
from course.desk.course_record import name_of
from course.judge import Choice, Equation, Exercise, Expression, Function, Number, NumberArray
from publishing.exercise_cells import exercises, is_solution
from publishing.visible_answers import Seen, answers
from tests.helpers import ROOT, executed, exercises_of, record

PATHS = course_notebooks(ROOT)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w]|\.\d)")
BAR = r"\d+/\d+ \[\d"
#: The chapter computes on with it after the exercise, and never shows it.
GOES_ON = {
    ("relative-vs-absolute-1", "P"): "the whole chapter translates by it",
    ("kane-1", "F_active"): "step 6 balances it with the inertia force",
    ("kane-5", "pull"): "its course in time is drawn",
    ("holonomic-constraints-1", "phi"): "all of the chapter closes the loop with it",
}

pytestmark = pytest.mark.slow


@cache
def cells_of(path):
    return executed(name_of(path)).cells


def at_fault(path):
    """Return what tells an answer: exercise, cell and name; a name that goes on may come after."""
    cells = cells_of(path)
    place = {cell.id: k for k, cell in enumerate(cells)}
    before = PATHS[: PATHS.index(path)]  # what was asked on a page before
    asked = {e.name: -1 for page in before for e in exercises(cells_of(page))}
    asked |= {e.name: place[e.answer.id] for e in exercises(cells)}
    return [
        (exercise, cell, name)
        for exercise, cell, name in record(name_of(path))["visible answers"]
        if (exercise, name) not in GOES_ON or place[cell] < asked[exercise]
    ]


def printed(cell):
    """Return the numbers that a cell prints, shown as the text or the table that it makes.

    A bar that says how far something has come, on a slow computer, is none of them.
    """
    outputs = [o for o in cell.get("outputs", []) if o.get("name") != "stderr"]
    texts = [output.get("text", "") for output in outputs]
    texts += [output.get("data", {}).get("text/plain", "") for output in outputs]
    texts = [text for text in texts if not re.search(BAR, text)]
    return [float(number) for text in texts for number in NUMBER.findall(text)]


def clocked(cells):
    """Return the ids of the cells that show what a clock has measured: any number, by chance."""
    measured, those = set(), set()

    def names(node, context):
        each = ast.walk(node)
        return {n.id for n in each if isinstance(n, ast.Name) and isinstance(n.ctx, context)}

    def measures(node):
        return bool(measured & names(node, ast.Load)) or "perf_counter" in ast.unparse(node)

    for cell in cells:
        for statement in ast.parse(cell.source).body if cell.cell_type == "code" else []:
            if not measures(statement):
                continue
            if isinstance(statement, ast.FunctionDef):
                measured.add(statement.name)
                continue
            those.add(cell.id)
            for node in ast.walk(statement):
                if isinstance(node, ast.Assign) and measures(node.value):
                    for target in node.targets:
                        measured |= names(target, ast.Store) - {"_"}
    return those


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_no_name_and_nothing_shown_is_a_right_answer(path):
    assert at_fault(path) == []


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_no_number_that_is_printed_is_a_right_answer(path):
    asked = [e for e in exercises_of(path) if isinstance(e.answer, Number) and e.answer.digits]
    chance = clocked(cells_of(path))
    found = [
        (exercise.name, cell.id, number)
        for cell in cells_of(path)
        if cell.cell_type == "code" and cell.id not in chance and not is_solution(cell)
        for number in printed(cell)
        for exercise in asked
        if answers(exercise, number)
    ]
    assert found == []


def test_a_bar_is_nothing_that_is_printed():
    texts = ["\r 3/7 [00:01<00:02]", " 27%|  | 1898/7000 [00:02<00:05, 900 motions/s]", "4.5\n"]
    names = "stderr", "stdout", "stdout"
    outputs = [{"name": name, "text": text} for name, text in zip(names, texts)]
    outputs.append({"data": {"text/plain": texts[1]}})
    assert printed({"outputs": outputs}) == [4.5]


def test_what_a_clock_has_measured_is_known():
    those = {name_of(path)[:2]: set() for path in PATHS}
    for path in PATHS:
        those[name_of(path)[:2]] |= clocked(cells_of(path))
    assert {chapter for chapter, cells in those.items() if cells} == {"03", "11"}
    assert those["11"] == {"cost-measure", "cost-rows"}
    assert {"published-run", "cold", "benchmark-result"} <= those["03"]


def test_what_goes_on_is_there():
    found = {
        (exercise, name)
        for path in PATHS
        for exercise, _, name in record(name_of(path))["visible answers"]
    }
    assert set(GOES_ON) <= found


class TestSeen:
    """What counts as telling an answer."""

    x, y = sm.symbols("x y", positive=True)
    t = sm.Symbol("t")
    angle = sm.Function("angle")(t)

    def asks(self, answer):
        return Exercise("own-1", answer, (), "A section")

    @pytest.mark.parametrize(
        ("answer", "value"),
        [
            (Number(3.132), 3.13),
            (Number(3.132), np.array(3.132)),
            (Number(0.5), sm.Rational(1, 2)),
            (NumberArray([1.0, 2.0]), [1, 2]),
            (Expression(x * y), (x + y) ** 2 / 2 - x**2 / 2 - y**2 / 2),
            (Expression(x * y, also=[angle]), x * y + sm.sin(angle) ** 2 + sm.cos(angle) ** 2 - 1),
            (Expression(x * y), sm.Symbol("x") * sm.Symbol("y")),
            (Expression(sm.Matrix([x, y])), sm.Matrix([x, y])),
            (Expression(sm.Matrix([x, y])), [x, y]),
            (Equation(angle.diff(t, 2) + angle), sm.Eq(angle.diff(t, 2), -angle)),
            (Equation(angle.diff(t, 2) + x * angle), angle.diff(t, 2) / x + angle),
        ],
    )
    def test_a_right_answer_in_any_form(self, answer, value):
        assert answers(self.asks(answer), value)

    @pytest.mark.parametrize(
        ("answer", "value"),
        [
            (Number(3.132), 3.2),
            (Number(1.0), True),
            (Number(3.132), "3.132"),
            (Expression(x * y), x + y),
            (Expression(x * y), "x*y"),
            (Expression(x * y), [x * y, x * y]),
            (NumberArray([1.0, 2.0]), [1.0, 2.0, 3.0]),
            (Choice("a", {"a": "up", "b": "down"}), "a"),
            (Function(np.cross, [(np.ones(3), np.ones(3))]), np.cross),  # of a library
        ],
    )
    def test_what_is_none(self, answer, value):
        assert not answers(self.asks(answer), value)

    def test_a_function_of_the_notebook(self):
        kind = Function(lambda x: 2 * x, [(1.0,), (2.0,)])
        own = {"__name__": "__main__"}
        exec("def twice(x):\n    return x + x\n\n\ndef of_two(x, y):\n    return 2 * x\n", own)
        assert answers(self.asks(kind), own["twice"])
        assert not answers(self.asks(kind), own["of_two"])

    def test_names_count_where_they_are_bound_and_what_is_shown_with_its_parts(self):
        seen = Seen("own")
        seen._exercises = [self.asks(Number(2.5))]
        first = {"one": 1.0, "pair": [2.5, 3.0]}
        seen.add("a", first, None)
        seen.add("b", {**first, "half": 2.5}, None)
        seen.add("c", {**first, "half": 2.5}, {"rows": [[1.0, 2.5]]})
        assert seen.answers() == [["own-1", "b", "half"]]
        seen.add("d", {"one": 1.0}, [[1.0, 2.5]])
        assert seen.answers() == [["own-1", "b", "half"], ["own-1", "d", ""]]
