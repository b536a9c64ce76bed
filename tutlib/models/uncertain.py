"""Quadrotors with uncertain constants: their masses and lengths are parameters.

Chapter 11 draws them at random for each flight of an ensemble.
"""

from __future__ import annotations

import copy

import numpy as np

from straightline.aliases import Array
from straightline.arguments import function, instance
from straightline.assignments import Number
from straightline.compiled_function import compiled
from tutlib.fields import Field
from tutlib.models.quadrotors import Control, Quadrotors


def uncertain_quadrotors(quadrotors: Quadrotors, control: Control) -> Field:
    """Return the vector field of quadrotors under a control, with their constants as parameters.

    The control is unchanged: it was designed for the nominal constants.

    Parameters
    ----------
    quadrotors : Quadrotors
        Nominal constants, which are the default values of the parameters.
    control : function (t, State) -> (forces, moments)
        As for `Quadrotors.vector_field`.

    Returns
    -------
    Field
        Its parameters are ``load``, ``mass_i``, ``length_i`` and ``inertia_i_k``, with vehicles i
        and axes k counted from 1.
    """
    instance(quadrotors, "quadrotors", Quadrotors)
    function(control, "control", "t, State")
    arrays = {name: getattr(quadrotors, name) for name in ("mass", "length", "inertia")}
    values = {"load": quadrotors.load}
    for name, array in arrays.items():
        for index, value in np.ndenumerate(array):
            values["_".join([name, *(str(k + 1) for k in index)])] = value

    def rates(t: float, x: Array, load: Number, **parameters: object) -> Array:
        values_left, actual = iter(parameters.values()), copy.copy(quadrotors)
        object.__setattr__(actual, "load", load)
        for name, array in arrays.items():
            entry = np.array([next(values_left) for _ in range(array.size)])
            object.__setattr__(actual, name, entry.reshape(array.shape))
        return np.asarray(actual.vector_field(control)(t, x))

    return Field(compiled(rates), quadrotors.space, values)
