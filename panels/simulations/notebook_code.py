"""Statements of a notebook that a panel needs, out of all the cells before it.

"Copy as Python" gives the reader their own text: the panel's cell, and the statements above it
without which it would not run.
"""

from __future__ import annotations

import ast
import builtins
import dis
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from types import CodeType
from typing import Any

Names = frozenset[str]

#: Code objects that run in place.
_AT_ONCE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
#: Statements that bind their names regardless of earlier values.
_FRESH = (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom, *_DEFINITIONS)


@dataclass(frozen=True)
class Statement:
    """A statement of a cell, or several in one line.

    Parameters
    ----------
    text : str
    reads, binds, changes : frozenset of str
        Names; those of `changes` belong to objects that are changed in place.
    later : frozenset of str
        Of those that it reads, those that its functions read when they are called.
    is_fresh : bool
        Whether it binds its names regardless of earlier values.
    imports : Import or ImportFrom, optional
        The statement, if it is one.
    """

    text: str
    reads: Names
    binds: Names
    changes: Names
    later: Names
    is_fresh: bool
    imports: ast.Import | ast.ImportFrom | None = None

    def only(self, names: set[str]) -> Statement:
        """Return an import restricted to some names; any other statement unchanged."""
        if self.imports is None or "*" in self.binds:
            return self
        used = [alias for alias in self.imports.names if _bound_by(alias) in names]
        if len(used) == len(self.imports.names):
            return self
        shorter = type(self.imports)(**{**vars(self.imports), "names": used})
        return replace(self, text=ast.unparse(shorter), binds=frozenset(map(_bound_by, used)))


def cells_so_far(caller: dict[str, Any]) -> list[str]:
    """Return the code of a notebook's cells as they ran, the running one last.

    Parameters
    ----------
    caller : dict
        The global names of the caller. Only the cells of a notebook get an answer.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or shell.user_global_ns is not caller:
        return []
    return [cell for cell in shell.history_manager.input_hist_parsed if cell]


def needed(cells: list[str]) -> str:
    """Return the last cell, below what it needs of those before it.

    Parameters
    ----------
    cells : list of str
        In the order in which they ran; cells that are not Python are skipped.

    Returns
    -------
    str
    """
    every = [statements(cell) for cell in cells]
    modules = {name for cell in every for s in cell if s.imports for name in s.binds}
    called: set[str] = set()
    while True:
        kept = _kept(every, called, modules)
        further = called.union(*(s.later for cell in kept for s in cell))
        if further == called:
            return "\n\n".join("\n".join(s.text for s in cell) for cell in kept if cell)
        called = further


def _kept(
    every: list[tuple[Statement, ...]], called: set[str], modules: set[str]
) -> list[list[Statement]]:
    """Return the needed statements of each cell, searched from the last to the first.

    Names that functions read when they are `called` may be bound anywhere. Calls of functions of
    `modules` change nothing.
    """
    wanted, kept = {*called}, []
    for number, cell in reversed([*enumerate(every, 1)]):
        used = []
        for s in reversed(cell):
            gives = (s.binds | (s.changes - modules)) & wanted or "*" in s.binds
            if number == len(every) or gives:
                used.append(s.only(wanted))
                wanted = (wanted - s.binds if s.is_fresh else wanted) | s.reads
        kept.append(used[::-1])
    return kept[::-1]


@lru_cache(maxsize=1000)
def statements(cell: str) -> tuple[Statement, ...]:
    """Return the statements of a cell with the comments above them; none if it is not Python."""
    try:
        body = ast.parse(cell).body
    except SyntaxError:
        return ()
    lines, end, parsed = cell.splitlines(), 0, []
    while body:
        together = [body.pop(0)]
        while body and body[0].lineno == together[-1].end_lineno:
            together.append(body.pop(0))
        last = together[-1].end_lineno or end
        parsed.append(_statement("\n".join(lines[end:last]).strip("\n"), together))
        end = last
    return tuple(parsed)


def _statement(text: str, together: list[ast.stmt]) -> Statement:
    (first, *rest), module = together, ast.Module(together, [])
    code = compile(module, "<cell>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    (reads, binds, later), changes, imports = _names(code), {*_changed(module)}, None
    if isinstance(first, ast.Import | ast.ImportFrom) and not rest:
        imports, binds = first, binds or {"*"}
    if isinstance(first, ast.For):  # changing an item changes the iterated object
        items, through = (_written(part) for part in (first.target, first.iter))
        reads -= items - through
        changes |= through if changes & items else set()
    is_fresh = all(isinstance(statement, _FRESH) for statement in together)
    of = frozenset[str]
    return Statement(text, of(reads), of(binds), of(changes), of(later), is_fresh, imports)


def _names(code: CodeType, inside: bool = False) -> tuple[set[str], set[str], set[str]]:
    """Return the notebook's names that code reads, binds, and reads only when it is called."""
    reads, binds, later = kinds = set[str](), set[str](), set[str]()
    stores = ("STORE_GLOBAL",) if inside else ("STORE_GLOBAL", "STORE_NAME")
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
            reads.add(instruction.argval)
        elif instruction.opname in stores:
            binds.add(instruction.argval)
    if inside:
        later |= reads
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            of_it = _names(constant, inside or constant.co_name not in _AT_ONCE)
            for names, more in zip(kinds, of_it):
                names |= more
    return kinds


def _changed(node: ast.AST) -> Iterator[str]:
    """Generate the names of objects that a statement changes in place, as far as its text shows."""
    if isinstance(node, (*_DEFINITIONS, ast.Try)):  # a tried statement demonstrates an error
        return
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield from _root(node)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield from _root(node.value.func)
    for child in ast.iter_child_nodes(node):
        yield from _changed(child)


def _root(node: ast.expr) -> Iterator[str]:
    """Generate the name in front of the first dot or bracket, if there is one."""
    inner = node
    while isinstance(inner, ast.Subscript | ast.Attribute):
        inner = inner.value
    if inner is not node and isinstance(inner, ast.Name):
        yield inner.id


def _written(node: ast.expr) -> set[str]:
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names - {*dir(builtins)}


def _bound_by(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]
