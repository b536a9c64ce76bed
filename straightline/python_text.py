"""Assignments as Python text, one operation a line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from straightline.assignments import Assignments
from straightline.passes import dependencies


def python_lines(
    assignments: Assignments, roots: Sequence[int], texts: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Return lines that compute values from variables, with calls for functions.

    Parameters
    ----------
    assignments : Assignments
        Without inputs and memory.
    roots : sequence of int
        Indices of the values.
    texts : mapping from str to str
        Templates of operations; others are written as calls.

    Returns
    -------
    lines : list of str
    names : list of str
        The names of the values in these lines.
    """
    lines, names = list[str](), dict[int, str]()
    for index in dependencies(assignments.nodes, roots):
        operation, *rest = assignments.nodes[index]
        if operation == "local":
            names[index] = rest[0]
            continue
        if operation == "constant":
            value = float.fromhex(rest[0])
            names[index] = repr(value) if math.isfinite(value) else f"float('{value}')"
            continue
        if operation == "result":
            text = f"{names[rest[0]]}[{rest[1]}]"
        else:
            called, arguments = (rest[0], rest[1:]) if operation == "call" else (operation, rest)
            entries = [names[argument] for argument in arguments]
            as_call = f"{called}({', '.join(entries)})"
            text = texts.get(operation, as_call).format(*entries)
        names[index] = f"_{len(lines) + 1}"
        lines.append(f"{names[index]} = {text}")
    return lines, [names[root] for root in roots]
