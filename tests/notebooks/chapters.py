"""A page's formulas, and the names and functions of its code that say what they mean."""

import ast
import re
from functools import cache, cached_property

import nbformat
import numpy as np
import sympy as sm

from course.desk.course_record import name_of
from tests.helpers import ROOT, record
from tests.notebooks.latex import read
from tests.texts import CHAPTERS, cells

PAGES = {name_of(paths[0]).partition("/")[0]: [*map(name_of, paths)] for paths in CHAPTERS.values()}
STEMS = [*sorted(PAGES), "notation"]
DISPLAYED = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
INLINE = re.compile(r"\$([^$]+)\$")
RELATION = re.compile(r"[=<>]|\\(?:le|ge|approx)(?![a-z])")
SIGNS = {"add", "sub", "cross", "sum", "integral"}
SIGN = re.compile(r"[-+]|\\(?:times|sum|int)(?![a-z])")
BLANK = re.compile(r"\(\\cdot\)|, \\cdot\)")  # a place that something may fill
UNIT = r"\mathrm{kg", r"\mathrm{m"


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


def inline(stem):
    """Return the formulas in sentences that say more than the value of a symbol, with their cells.

    A formula belongs to the first cell that has it.
    """
    return {
        text: cell
        for text, cell in in_sentences(stem).items()
        if RELATION.search(text) and not is_setting(text)
    }


def terms(stem):
    """Return the sums, products of vectors and integrals in sentences that equal nothing there."""
    return {
        text: cell
        for text, cell in in_sentences(stem).items()
        if SIGN.search(text) and not RELATION.search(text) and not BLANK.search(text)
        if is_made_of(text, SIGNS)
    }


def is_made_of(text, signs):
    def kinds(tree):
        if isinstance(tree, tuple):
            yield from (tree[:1] if tree and isinstance(tree[0], str) else ())
            for part in tree:
                yield from kinds(part)

    return any(not signs.isdisjoint(kinds(s[0])) for s in read(f"{text} = 0") if len(s) == 3)


@cache
def in_sentences(stem):
    found = {}
    for cell in cells_of(stem):
        if cell.cell_type == "markdown":
            text = DISPLAYED.sub("", cell.source.replace("\n> ", "\n"))
            text = re.sub(r"`[^`]*`", "", text)
            for formula in INLINE.findall(text):
                found.setdefault(" ".join(formula.split()), cell.id)
    return found


def is_setting(text):
    """Whether a formula only gives symbols their value, as h = 0.05 does."""
    return all(
        set(statement[1::2]) == {"="}
        and all(side[0] == "name" for side in statement[:-1:2])
        and is_value(statement[-1])
        for statement in read(text)
    )


def is_value(tree):
    if tree[0] == "name":
        return str(tree[1]) == r"\pi" or tree[1].base.startswith(UNIT)
    if tree[0] in ("neg", "mul", "div", "pow", "degrees"):
        return all(map(is_value, tree[1:]))
    return tree[0] == "number"


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
        space = {"np": np, "sm": sm} | self.known(names)
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
