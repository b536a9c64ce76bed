"""Code of "Copy as Python": the notebook's own code, up to a live simulation.

Below it the page writes the current settings, and the same motion in Python: see setting.js.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable

from panels.simulations.notebook_code import cells_so_far, needed
from tutlib.methods.integration import METHODS

_NAMES = ("panel", "model", "start", "times", "trajectory")
_IMPORTS = ("import numpy as np", "from tutlib import integrate")


def copied(
    parameters: Iterable[str], methods: Iterable[str], simulated: Iterable[str]
) -> dict[str, object]:
    """Return what the page needs of the code that made a live simulation, as ``python``.

    Parameters
    ----------
    parameters : iterable of str
        The names of the model's own, for `with_parameters`.
    methods : iterable of str
        The names of those that can be chosen.
    simulated : iterable of str
        The arguments of `integrate`, such as ``"{model}.field"``.

    Returns
    -------
    dict
        ``cells``, the code; ``imports`` that it does not have; ``names`` for what is made below
        it; ``parameters``, ``simulated``; ``custom``, methods that have no name for `integrate`.
        Empty where the simulation is not made and shown by a cell of a notebook.
    """
    cells = cells_so_far(sys._getframe(2).f_globals)  # of who called `live`
    if not cells or not _shows(cells[-1]):
        return {}
    text = needed(cells)
    names = {name: _free(name, text) for name in _NAMES}
    lines = cells[-1].splitlines()
    begins = ast.parse(cells[-1]).body[-1].lineno - 1
    lines[begins] = f"{names['panel']} = {lines[begins]}"
    python = {
        "cells": needed([*cells[:-1], "\n".join(lines)]),
        "imports": [line for line in _IMPORTS if line not in text],
        "names": names,
        "parameters": [*parameters],
        "simulated": [argument.format(**names) for argument in simulated],
        "custom": [name for name in methods if name not in METHODS],
    }
    return {"python": python}


def _shows(cell: str) -> bool:
    """Return whether the last line of a cell is an expression, which can get a name."""
    try:
        last = ast.parse(cell).body[-1]
    except (SyntaxError, IndexError):
        return False
    return isinstance(last, ast.Expr) and last.col_offset == 0


def _free(name: str, text: str) -> str:
    """Return a name that a text does not use, lengthened if necessary."""
    while re.search(rf"\b{name}\b", text):
        name += "_"
    return name
