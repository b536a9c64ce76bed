"""Total energy along a trajectory, from a model or a user-defined function.

Such functions return the total or its parts, for all states at once or for a single state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from straightline.aliases import Array
from straightline.arguments import function, real_array, shown
from tutlib.methods.trajectory import Trajectory

#: Largest number of parts of an energy.
_PARTS = 50


def total_energy(energies: Callable[[Array, Array], Any], trajectory: Trajectory) -> Array:
    """Return the total energy [J] at each time of a trajectory.

    Parameters
    ----------
    energies : function (t, x) -> array, or a sequence of arrays or numbers
        Function of all times and states, or of a single time and state, that returns the total
        energy or its parts; or the energies themselves.
    trajectory : Trajectory

    Returns
    -------
    array, shape (m,)

    Raises
    ------
    TypeError
        If the function takes other arguments.
    ValueError
        If it does not return one number, or a few parts, for each time.
    """
    function(energies, "energies", "t, x")
    t, x = trajectory.t, trajectory.x
    m, k = x.shape
    # with the last row repeated, there are more times than entries of a state, or parts
    rows = np.minimum(np.arange(max(m, k + 1, _PARTS + 1)), m - 1)
    i, at_once = m // 2, _answer(energies, t[rows], x[rows])
    total, single = _of_all(at_once, len(rows)), _of_one(_answer(energies, t[i], x[i]))
    if total is not None and (single is None or np.isclose(total[i], single, equal_nan=True)):
        return total[:m]
    each = [_of_one(_answer(energies, *row)) for row in zip(t, x)] if single is not None else []
    if not each or None in each:
        raise ValueError(
            "energies(t, x) must return the total energy at each time, shape (m,), or its parts, "
            f"shape (m, n); for {len(rows)} times and states of shape {x[rows].shape} it "
            f"{_described(at_once)}"
        )
    return np.array(each, dtype=float)


def _answer(energies: Callable[[Any, Any], Any], t: Any, x: Any) -> Array | Exception:
    """Return the energies as an array, or the error: not every function takes all states."""
    try:
        return real_array(energies(t, np.array(x)), "energies(t, x)", finite=False)
    except Exception as error:
        return error


def _of_all(value: Array | Exception, m: int) -> Array | None:
    """Return the sum of the parts at m times; None if the value does not have that shape."""
    if isinstance(value, Exception):
        return None
    if value.shape == (m,):
        return value
    if value.ndim != 2 or m not in value.shape or min(value.shape) > _PARTS:
        return None
    return np.asarray(value.sum(axis=1 if value.shape[0] == m else 0))


def _of_one(value: Array | Exception) -> float | None:
    """Return the sum of the parts of a single state."""
    if isinstance(value, Exception) or value.ndim > 1 or not 0 < value.size <= _PARTS:
        return None
    return float(value.sum())


def _described(value: Array | Exception) -> str:
    if isinstance(value, Exception):
        return f"raised {type(value).__name__}: {value}"
    return f"returned {shown(value)}, shape {value.shape}"
