"""The rules that every notebook keeps; CONTRIBUTING.md explains them."""

import ast
import builtins
import re
import statistics
import symtable
from collections import Counter

import nbformat
import pytest

from course.desk.course_record import name_of
from publishing import normalize_notebook as normalizer
from tests.texts import NOTEBOOKS as PATHS
from tests.texts import ROOT, shown_text

NOTEBOOKS = {name_of(path): nbformat.read(path, as_version=4) for path in PATHS}
CHECKED = "nbval-check-output"
TAGS = {CHECKED, "hide-input", "hide-cell", "remove-cell", "solution"}
# Loop variables and the current axes may come again: nobody reads them in a later cell.
MAY_COME_AGAIN = {"ax", "axes", "fig", "_"}

pytestmark = pytest.mark.parametrize("name", NOTEBOOKS)


def code_cells(name):
    return [cell for cell in NOTEBOOKS[name].cells if cell.cell_type == "code"]


def text_cells(name):
    return [cell for cell in NOTEBOOKS[name].cells if cell.cell_type == "markdown"]


def tags(cell):
    return set(cell.metadata.get("tags", []))


def bound_names(source):
    """Return the names that a cell binds for later cells, without those of its functions."""
    found = set()

    def visit(node):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            return
        if isinstance(node, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.DictComp):
            return
        if isinstance(node, ast.For):
            for child in [*node.body, node.iter]:
                visit(child)
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(source))
    return found


def test_it_is_a_valid_notebook_with_a_plain_name_and_one_title(name):
    nbformat.validate(NOTEBOOKS[name])
    assert re.fullmatch(r"\d\d-[a-z0-9-]+(/\d-[a-z0-9-]+)?", name)
    text = "\n".join(cell.source for cell in text_cells(name))
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1


def test_it_is_normalized(name):
    text = (ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8")
    assert normalizer.normalized(text) == text


def test_a_solution_is_folded_by_normalizing(name):
    """So who writes one need not know how JupyterLab says it."""
    notebook = nbformat.from_dict(NOTEBOOKS[name])
    solutions = [cell for cell in code_cells(name) if "solution" in tags(cell)]
    unfolded = nbformat.writes(notebook).replace('"source_hidden": true', '"source_hidden": false')
    again = nbformat.reads(normalizer.normalized(unfolded), as_version=4)
    code = [cell for cell in again.cells if cell.cell_type == "code"]
    folded = [cell.metadata.jupyter for cell in code if "solution" in tags(cell)]
    assert folded == len(solutions) * [normalizer.FOLDED["jupyter"]]


def test_cells_have_ids_of_their_own_that_say_what_they_are(name):
    ids = [cell.id for cell in NOTEBOOKS[name].cells]
    assert max(Counter(ids).values()) == 1
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", i) for i in ids)
    assert not any(re.fullmatch(r"[0-9a-f]{8}", i) for i in ids)


def test_a_guard_asserts_shows_nothing_and_is_folded(name):
    """What guards the numbers of a text is for its author: a page has one line for all of them."""
    for cell in code_cells(name):
        if "remove-cell" in tags(cell):
            assert cell.metadata.get("jupyter") == {"source_hidden": True}, cell.id
            assert "assert " in cell.source, cell.id
            assert not re.search(r"\b(print|show|display)\(", cell.source), cell.id


def test_tags_are_known(name):
    """A misspelled tag would silently do nothing; raises-exception passes if nothing is raised."""
    for cell in code_cells(name):
        assert tags(cell) <= TAGS, cell.id


def test_code_cells_are_short(name):
    """Of pages whose lines are short, for a phone, they have some lines more."""
    lengths = {cell.id: len(cell.source.splitlines()) for cell in code_cells(name)}
    # imports of the longest chapter: a line for each package and name
    assert max(lengths.values()) <= 26, max(lengths, key=lengths.get)
    assert statistics.median(lengths.values()) <= (10 if "/" in name else 6)
    assert min(lengths.values()) >= 1


def test_a_name_is_bound_in_one_cell_only(name):
    bound = Counter(n for cell in code_cells(name) for n in bound_names(cell.source))
    again = {n for n, count in bound.items() if count > 1} - MAY_COME_AGAIN
    assert not again


def test_what_a_page_runs_stands_on_the_page(name):
    """Not in a guard, which a reader of the page never sees."""
    guarded, shown = set(), set()
    for cell in code_cells(name):
        if "remove-cell" in tags(cell):
            guarded |= set(bound_names(cell.source))
            continue
        shown |= set(bound_names(cell.source))
        nodes = list(ast.walk(ast.parse(cell.source)))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        inner = {node.arg for node in nodes if isinstance(node, ast.arg)}
        inner |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
        assert not ({name.id for name in names} - inner) & (guarded - shown), cell.id


def test_a_guard_needs_nothing_from_below(name):
    """All guards run last; where it stands, each finds the same, for an author in JupyterLab."""
    cells = [(cell, *read_and_bound(cell)) for cell in code_cells(name)]
    known = {*dir(builtins)}
    for k, (cell, read, bound) in enumerate(cells):
        if "remove-cell" in tags(cell):
            assert read <= known | bound, cell.id
            again = {
                n
                for below, _, names in cells[k:]
                if "remove-cell" not in tags(below)
                for n in names
            }
            assert not (read - bound) & again, cell.id
        known |= bound


def read_and_bound(cell):
    """Return the notebook's names that a cell reads, in its functions too, and those it binds."""
    top = symtable.symtable(cell.source, cell.id, "exec")
    bound = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    read, tables = set(), [top]
    for table in tables:
        tables += table.get_children()
        names = [s for s in table.get_symbols() if s.is_referenced()]
        read |= {s.get_name() for s in names if table is top or s.is_global()}
    return read, bound


def tables_only(output):
    """Tell whether an output is printed text, or else a table of the course."""
    return "data" not in output or "tutlib-table" in output.data.get("text/html", "")


def test_checked_cells_can_be_compared_and_others_are_stripped(name):
    for cell in code_cells(name):
        if CHECKED not in tags(cell):
            assert cell.outputs == [], cell.id
            assert cell.execution_count is None, cell.id
            continue
        assert cell.execution_count is not None, cell.id
        kinds = [output.output_type for output in cell.outputs]
        assert kinds in (["stream"], ["execute_result"], ["stream", "execute_result"]), cell.id
        assert all(tables_only(output) for output in cell.outputs), cell.id
        text = shown_text(cell)
        assert 0 < len(text) < 800, cell.id
        assert not re.search(r"\d\.\d{10,}", text), f"{cell.id} shows digits that differ"


def test_figures_are_described(name):
    for cell in code_cells(name):
        if "plt.show()" in cell.source:
            alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            assert len(alt.split()) >= 8, f"{cell.id}: say what is seen"
        if "image" in cell.metadata.get("mystnb", {}):
            assert "plt.show()" in cell.source, f"{cell.id} describes a picture it does not show"


def test_code_is_plain_python(name):
    for cell in code_cells(name):
        ast.parse(cell.source)
        assert not cell.source.rstrip().endswith(";"), cell.id
        assert not re.search(r"^\s*[!%]", cell.source, re.MULTILINE), cell.id
        assert not re.search(r"warnings\.(filter|simple)", cell.source), cell.id


def test_words_that_talk_down_are_absent_and_spelling_is_american(name):
    down = r"(?:simply|obviously|trivially?|of course)\b"
    british = r"(?:colour|behaviour|centre|metre|analyse|linearis|neighbour|labelled|modelling)\w*"
    for cell in text_cells(name):
        found = re.findall(rf"\b(?:{down}|{british})", cell.source, re.IGNORECASE)
        assert not found, f"{cell.id}: {found}"
