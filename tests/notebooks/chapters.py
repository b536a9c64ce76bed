"""Displayed formulas of a chapter, and the values and functions of its executed notebooks."""

import ast
import re
from functools import cache, cached_property

import nbformat
import numpy as np
import sympy as sm

from course.desk.course_record import name_of
from straightline import solve
from tests.helpers import ROOT, record
from tests.texts import CHAPTERS, cells

PAGES = {name_of(paths[0]).partition("/")[0]: [*map(name_of, paths)] for paths in CHAPTERS.values()}
STEMS = [*sorted(PAGES), "notation"]
DISPLAYED = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)


@cache
def cells_of(stem):
    """Return the cells of a chapter; a page of the book is one."""
    page = ROOT / "book" / f"{stem}.md"
    if page.exists():
        return [nbformat.v4.new_markdown_cell(page.read_text(encoding="utf-8"), id="page")]
    files = [ROOT / "notebooks" / f"{name}.ipynb" for name in PAGES[stem]]
    return [cell for file in files for cell in cells(file)]


def displayed(stem):
    """Return the displayed formulas of a chapter by cell and place in it."""
    return {
        (cell.id, place): text
        for cell in cells_of(stem)
        if cell.cell_type == "markdown"
        for place, text in enumerate(DISPLAYED.findall(cell.source))
    }


@cache
def notebook(stem):
    return Notebook(stem)


class Notebook:
    """What a chapter's executed notebooks end with, as SymPy and NumPy had it; what cells say.

    Where several of them bind a name, the first has it.
    """

    def __init__(self, stem):
        self.stem = stem

    @cached_property
    def values(self):
        known = [record(name)["values"] for name in PAGES[self.stem]]
        return {name: value for values in reversed(known) for name, value in values.items()}

    @cache  # noqa: B019
    def __getattr__(self, name):
        return decoded(self.values[name])

    def source(self, cell):
        return next(each.source for each in cells_of(self.stem) if each.id == cell)

    def said(self, cell, expression):
        """Return the value of an expression that stands in a cell."""
        if expression not in self.source(cell):
            raise ValueError(f"{expression} does not stand in {cell}")
        names = {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
        return eval(expression, {"np": np, "sm": sm} | self.known(names))

    def function(self, cell, name):
        """Return a function that a cell defines."""
        tree = ast.parse(self.source(cell))
        (found,) = (node for node in tree.body if getattr(node, "name", "") == name)
        names = {node.id for node in ast.walk(found) if isinstance(node, ast.Name)}
        space = {"np": np, "sm": sm, "solve": solve} | self.known(names)
        exec(ast.unparse(found), space)
        return space[name]

    def known(self, names):
        return {name: getattr(self, name) for name in names if name in self.values}


def decoded(value):
    if isinstance(value, list):
        return [decoded(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"sympy"}:
        return sm.sympify(value["sympy"])
    if set(value) == {"array"}:
        return np.array(value["array"])
    return {key: decoded(entry) for key, entry in value.items()}
