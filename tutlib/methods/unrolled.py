"""Unrolled steps: the arithmetic of one tableau, line by line, as a Python function.

The text of a step goes through tables and lists. Traced with unknown numbers it leaves only the
arithmetic, which a loop in Python repeats without the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from straightline import ieee_floats as floats
from straightline.assignments import Assignments, Condition, Number, Unknown
from straightline.python_text import python_lines
from tutlib.spaces.space import R, Space

#: A state of so few entries goes number by number: an array costs as much as a dozen of them.
FEW = 12

#: Names of what a text calls, each with how many numbers it gives; None: one number or array.
Counts = Mapping[str, int | None]


def goes_by_numbers(space: Space | None, states: int) -> bool:
    """Return whether a step on a space is unrolled number by number: on ℝᵏ, if k is small."""
    return states <= FEW and (space is None or space == R(states))


def unrolled(
    text: Callable[..., object], arguments: Counts, functions: Counts, known: Mapping[str, object]
) -> Callable[..., Number]:
    """Return what a text does, as a function of the functions that are not known, and arguments.

    Parameters
    ----------
    text : function (functions by name, *arguments) -> unknown numbers, tuples and lists of them
    arguments, functions : mapping from str to int or None
        How many numbers each is or gives, as a sequence; None: one number, or one array.
    known : mapping from str to function
        Those of the functions that are always the same.

    Returns
    -------
    function
    """
    made = Assignments()
    calls = {name: partial(_called, made, name, count) for name, count in functions.items()}
    symbols, unpacked = [], []
    for name, count in arguments.items():
        entries = [name] if count is None else [f"{name}_{i}" for i in range(count)]
        unknowns = [made.unknown("local", entry) for entry in entries]
        symbols.append(unknowns[0] if count is None else np.array(unknowns, dtype=object))
        if count is not None:
            unpacked.append(f"{', '.join(entries)}, = {name}")
    result = text(calls, *symbols)
    roots: list[int] = []
    shape = _shape(made, result, roots)
    lines, names = python_lines(made, roots)
    head = [name for name in functions if name not in known] + list(arguments)
    body = [f"def step({', '.join(head)}):", *unpacked, *lines, f"return {_printed(shape, names)}"]
    space = {**vars(floats), **known}
    exec("\n    ".join(body), space)
    return space["step"]  # type: ignore[no-any-return]


def _called(made: Assignments, name: str, count: int | None, *values: object) -> object:
    """Write a call down; return what it gives."""
    flat = [entry for value in values for entry in np.ravel(np.asarray(value, dtype=object))]
    place = made.node("call", name, *map(made.index_of, flat))
    if count is None:
        return Unknown(made, place)
    return np.array([made.unknown("result", place, i) for i in range(count)], dtype=object)


def _shape(made: Assignments, result: Any, roots: list[int]) -> object:
    """Return a result with numbers of roots instead of its values, which are appended."""
    if isinstance(result, tuple | list | np.ndarray):
        return [_shape(made, entry, roots) for entry in result]
    if result is None:
        return None
    roots.append(
        result.node_index if isinstance(result, Unknown | Condition) else made.index_of(result)
    )
    return len(roots) - 1


def _printed(shape: Any, names: list[str]) -> str:
    if isinstance(shape, list):
        return f"[{', '.join(_printed(entry, names) for entry in shape)}]"
    return "None" if shape is None else names[shape]
