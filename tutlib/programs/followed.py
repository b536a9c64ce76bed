"""What a followed function became, to read: one operation a line, each only once.

Chapter 4 prints a step of the reader's own this way. What runs is made of the same list.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tutlib.programs.assignments import Assignments, Node
from tutlib.programs.compiled import Compiled
from tutlib.programs.follow import Followed
from tutlib.programs.passes import needed
from tutlib.reading.arguments import function as read_function

_TEXTS = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}",
    "lt": "{} < {}", "le": "{} <= {}", "gt": "{} > {}", "ge": "{} >= {}", "eq": "{} == {}",
    "and": "{} and {}", "or": "{} or {}", "not": "not {}", "select": "where({}, {}, {})",
    "sine": "sin({})", "cosine": "cos({})",
}  # fmt: skip


def followed_source(function: Callable[..., Any], *arguments: Any) -> str:
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
    takes = list(inspect.signature(read_function(function, "function", "...")).parameters)
    if len(takes) != len(arguments):
        raise TypeError(
            f"followed_source needs a function, a length or None for each of {', '.join(takes)}; "
            f"got {len(arguments)}"
        )
    assignments, names = Assignments(), []
    values: list[Any] = []
    for name, argument in zip(takes, arguments):
        if callable(argument):
            values.append(_formula(read_function(argument, name, "...")))
            continue
        names.append(name)
        if argument is None:
            values.append(assignments.unknown("input", name))
        else:
            values.append(assignments.inputs(name, argument))
    result = _formula(function)(*values)
    roots = [assignments.place(value) for value in np.ravel(np.asarray(result, dtype=object))]
    lines, printed = _lines(assignments.nodes, roots)
    ends = f"[{', '.join(printed)}]" if np.ndim(result) else printed[0]
    head = f"def {function.__name__}({', '.join(names)}):"
    return "\n".join([head, *(f"    {line}" for line in [*lines, f"return {ends}"]), ""])


def _formula(function: Callable[..., Any]) -> Followed:
    return function.formula if isinstance(function, Compiled) else Followed(function)


def _lines(nodes: Sequence[Node], roots: Sequence[int]) -> tuple[list[str], list[str]]:
    """Return a line for each operation that roots need, and the roots' names."""
    names: dict[int, str] = {}
    lines: list[str] = []
    for place in needed(nodes, roots):
        operation, *rest = nodes[place]
        if operation == "constant":
            value = float.fromhex(rest[0])
            names[place] = repr(value) if math.isfinite(value) else f'float("{value}")'
        elif operation == "input":
            names[place] = f"{rest[0]}[{rest[1]}]" if rest[1:] else rest[0]
        else:
            names[place] = f"_{len(lines) + 1}"
            entries = [names[argument] for argument in rest]
            call = f"{operation}({', '.join(entries)})"
            text = _TEXTS[operation].format(*entries) if operation in _TEXTS else call
            lines.append(f"{names[place]} = {text}")
    return lines, [names[root] for root in roots]
