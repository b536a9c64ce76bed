"""What a followed function became, to read: one operation a line, each only once.

Chapter 4 prints a step of the reader's own this way. What runs is made of the same list.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tutlib.programs.assignments import MOST_ENTRIES, Assignments
from tutlib.programs.compiled import Compiled
from tutlib.programs.follow import Followed
from tutlib.programs.python_text import python_lines
from tutlib.reading.arguments import function as read_function
from tutlib.reading.arguments import whole_number

_TEXTS = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}",
    "lt": "{} < {}", "le": "{} <= {}", "gt": "{} > {}", "ge": "{} >= {}", "eq": "{} == {}",
    "and": "{} and {}", "or": "{} or {}", "not": "not {}", "select": "where({}, {}, {})",
    "sine": "sin({})", "cosine": "cos({})",
}  # fmt: skip


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
    takes = list(inspect.signature(read_function(function, "function", "...")).parameters)
    if len(takes) != len(arguments):
        raise TypeError(
            f"followed_source needs a function, a length or None for each of {', '.join(takes)}; "
            f"got {len(arguments)}"
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
    result = _formula(function)(*values)
    roots = [made.place(value) for value in np.ravel(np.asarray(result, dtype=object))]
    lines, printed = python_lines(made, roots, _TEXTS)
    ends = f"[{', '.join(printed)}]" if np.ndim(result) else printed[0]
    head = f"def {function.__name__}({', '.join(names)}):"
    return "\n".join([head, *(f"    {line}" for line in [*lines, f"return {ends}"]), ""])


def _formula(function: Callable[..., object]) -> Followed:
    return function.formula if isinstance(function, Compiled) else Followed(function)
