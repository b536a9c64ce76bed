"""What the symbols of each chapter's formulas mean, by the names of its executed notebook.

A chapter's module has `displayed`, by cell and place in it. A row is a table from LaTeX to a
meaning, or a list of such tables: the formula must hold for each. A row of a whole cell is for all
of its formulas, and `shared` for the chapter's; a row of a formula may give symbols another
meaning, and is missing where it has nothing to add.
"""

import re
from functools import reduce
from operator import getitem

import numpy as np

from tests.notebooks.meanings import Each


def in_numbers(model, state):
    """Return mass matrix, forcing and accelerations of a model at a state."""
    model = model.free()
    eom = model.equations
    known = dict(zip(eom.states, state)) | dict(model.parameters)
    mass_matrix, forcing = (
        np.array(part.subs(known), dtype=float) for part in (eom.mass_matrix, eom.forcing)
    )
    return {
        "M": mass_matrix,
        "F": forcing[:, 0],
        "u": np.array(state[len(eom.q) :]),
        r"\dot u": model.compile()(0.0, np.array(state, dtype=float))[len(eom.q) :],
    }


def indexed(lists, indices=None):
    r"""Return names with indices, by their values: x_j is the j-th, and a_{ij} one of a table."""

    def each(name, values):
        places = indices or re.findall(r"_\{?(\w+)\}?$", name)[0]
        return Each(lambda *where: reduce(getitem, where, values), places)

    return {name: each(name, values) for name, values in lists.items()}


def named(notebook, names):
    r"""Return the variables of a notebook that are called as symbols are: ``\theta_d``, ``m``."""
    return {name: getattr(notebook, name.replace("\\", "")) for name in names.split()}
