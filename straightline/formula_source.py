"""What a followed function became, to read and to count: one operation a line, each only once.

Chapter 4 prints a step of the reader's own this way. What runs is made of the same list.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import function as read_function
from straightline.arguments import whole_number
from straightline.assignments import MOST_ENTRIES, SOURCES, Assignments
from straightline.compiled_function import Compiled
from straightline.passes import needed, pairs, regions, written_out
from straightline.python_text import python_lines
from straightline.tracing import Followed

_TEXTS = {
    "add": "{} + {}",
    "sub": "{} - {}",
    "mul": "{} * {}",
    "div": "{} / {}",
    "neg": "-{}",
    "lt": "{} < {}",
    "le": "{} <= {}",
    "gt": "{} > {}",
    "ge": "{} >= {}",
    "eq": "{} == {}",
    "and": "{} and {}",
    "or": "{} or {}",
    "not": "not {}",
    "select": "where({}, {}, {})",
    "sine": "sin({})",
    "cosine": "cos({})",
}


def followed_source(
    function: Callable[..., object], *arguments: Callable[..., object] | int | None
) -> str:
    """Return a function as it is followed: a Python function with one operation a line.

    Parameters
    ----------
    function : function of numbers and arrays
    arguments : function, int or None
        For each argument a function that is followed with it, the length of an array, or None
        for a number.

    Returns
    -------
    str

    Raises
    ------
    TypeError
        If the function asks for the value of a number, or takes other arguments.
    """
    made, names, result = _followed(function, arguments)
    roots = _places(made, result)
    lines, printed = python_lines(made, roots, _TEXTS)
    ends = f"[{', '.join(printed)}]" if result.ndim else printed[0]
    head = f"def {function.__name__}({', '.join(names)}):"
    return "\n".join([head, *(f"    {line}" for line in [*lines, f"return {ends}"]), ""])


def operation_count(
    function: Callable[..., object], *arguments: Callable[..., object] | int | None
) -> int:
    """Count the operations of a processor that a function takes, once it is compiled.

    Sines and cosines are written out, two angles at a time, as in the compiled program. What is
    computed in one branch of a `where` alone is left out.

    Parameters
    ----------
    function : function of numbers and arrays
    arguments : function, int or None
        As for `followed_source`.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If the function asks for the value of a number, or takes other arguments.
    """
    made, _, result = _followed(function, arguments)
    roots = written_out(made, _places(made, result), in_pairs=True)
    order = needed(made.nodes, roots)
    branch = regions(made.nodes, order, roots, pairs(made.nodes, order))
    free = SOURCES | {"pair constant"}
    return sum(made.nodes[place][0] not in free and not branch[place] for place in order)


def _places(made: Assignments, result: Array) -> list[int]:
    return [made.place(value) for value in np.ravel(result)]


def _followed(
    function: Callable[..., object], arguments: tuple[Callable[..., object] | int | None, ...]
) -> tuple[Assignments, list[str], Array]:
    """Return the list of a function's operations, the names of its unknowns, and its result."""
    takes = list(inspect.signature(read_function(function, "function", "...")).parameters)
    if len(takes) != len(arguments):
        raise TypeError(
            f"{function.__name__} is followed with a function, a length or None for each of "
            f"{', '.join(takes)}; got {len(arguments)}"
        )
    made, names = Assignments(), []
    values: list[Any] = []
    for name, argument in zip(takes, arguments):
        if callable(argument):
            values.append(_formula(read_function(argument, name, "...")))
            continue
        names.append(name)
        if argument is None:
            values.append(made.unknown("local", name))
        else:
            count = whole_number(argument, "the length of an array", 0, MOST_ENTRIES)
            entries = [made.unknown("local", f"{name}[{i}]") for i in range(count)]
            values.append(np.array(entries, dtype=object))
    return made, names, np.asarray(_formula(function)(*values), dtype=object)


def _formula(function: Callable[..., object]) -> Followed:
    return function.formula if isinstance(function, Compiled) else Followed(function)
