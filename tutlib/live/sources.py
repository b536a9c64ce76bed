"""The text of a function that a reader wrote in a notebook, and what it takes from there.

Used by `tutlib.live.written` for "Copy as Python".
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any


@dataclass(frozen=True)
class Found:
    """A function's text.

    Parameters
    ----------
    source : str
        Its definition, or a lambda.
    is_lambda : bool
    needs : dict from str
        What it uses from around, by name.
    """

    source: str
    is_lambda: bool
    needs: dict[str, Any]


def found(function: FunctionType) -> Found:
    """Return the text of a function, and what it uses.

    Raises
    ------
    OSError, TypeError, SyntaxError
        If there is no text of it.
    """
    is_lambda = function.__name__ == "<lambda>"
    source = _lambda(function) if is_lambda else textwrap.dedent(inspect.getsource(function))
    read = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    used = read & {*_names(function.__code__)}
    closed = inspect.getclosurevars(function).nonlocals
    around = {**function.__globals__, **closed}
    needs = {name: around[name] for name in sorted(used) if name in around}
    needs.pop(function.__name__, None)
    return Found(source.rstrip(), is_lambda, needs)


def _names(code: CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_freevars)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _lambda(function: FunctionType) -> str:
    """Return the text of a lambda, which may be one of several in a line."""
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    places = [place for place in code.co_positions() if place[0] and place[2] is not None]
    lambdas = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda)]
    for node in lambdas:
        body = node.body
        first, last = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
        if node.lineno == code.co_firstlineno and any(
            (line, column) == first and (end, end_column) == last
            for line, end, column, end_column in places
        ):
            return str(ast.get_source_segment(text, node))
    raise OSError("the text of the lambda is nowhere")
