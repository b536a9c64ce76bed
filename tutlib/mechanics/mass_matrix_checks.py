"""Reject singular and indefinite mass matrices.

Used by `equations` as soon as parameter values are known, before any simulation.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np

from straightline.aliases import Array
from tutlib.fields import Field
from tutlib.mechanics.diagnosis import blame, mass_matrix, singular_direction


def refuse_singular_masses(function: Field, scales: Callable[[], Array]) -> None:
    """Reject values for which the mass matrix is singular at several random states.

    Parameters
    ----------
    function : Field
    scales : function () -> array, shape (number of states,)
        Natural scales of the states, for a second look.

    Raises
    ------
    ValueError
        With the speed without inertia, and the values.
    """
    speed, condition = "", 0.0
    tried = _tried(function)
    for i in range(2 * len(tried)):
        state = tried[i] if i < len(tried) else tried[i - len(tried)] * scales()
        singular = singular_direction(function, 0.0, state)
        if singular is None:
            return
        speed, condition = singular
    raise ValueError(
        f"the mass matrix is singular for these values (condition number {condition:.1e}): "
        f"{blame(function, speed)}; {_values(function)}"
    )


def warn_of_negative_masses(function: Field, multipliers: int) -> None:
    """Warn of values for which a symmetric mass matrix is not positive.

    Warns
    -----
    RuntimeWarning
        With the speed, and the values.
    """
    M = mass_matrix(function, 0.0, _tried(function)[0])
    size = np.sqrt(np.abs(np.diag(M)))
    if multipliers or not np.isfinite(M).all() or not size.all():
        return
    M = M / np.outer(size, size)  # without units
    if not np.allclose(M, M.T):
        return
    least, vectors = np.linalg.eigh(M)
    if len(least) and least[0] < 0:
        i = (function.coordinates or 0) + int(np.argmax(np.abs(vectors[:, 0])))
        labels: tuple[str, ...] = getattr(function.mechanism, "labels", ()) or function.names
        warnings.warn(
            f"the mass matrix is not positive: {labels[i]} has a negative inertia, "
            f"as from a negative mass; {_values(function)}",
            RuntimeWarning,
            stacklevel=3,
        )


def _tried(function: Field) -> Array:
    return np.random.default_rng(0).uniform(0.3, 1.2, size=(3, len(function.names)))


def _values(function: Field) -> str:
    return ", ".join(f"{n} = {v:g}" for n, v in function.parameters.items())
