"""Bring a state back to where its constraints hold: what follows each step in chapter 6.

Made by `constraints`; called by `integrate` after each step, in Python or compiled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tutlib.programs.kernels import kernel_source
from tutlib.programs.linear_solve import solve_symmetric
from tutlib.programs.right_hand_side import Array, execute, module_on_disk


@dataclass(frozen=True, eq=False)
class Projection:
    """One Newton correction of the coordinates, then the speeds: call it as x = project(t, x).

    Parameters
    ----------
    source : str
        Text of ``correction(t, x, p, M, F)``, which changes x in place.
    constraints : int
        How many there are.
    parameter_names : tuple of str
        Names of the parameters, in the order of p.
    parameter_values : array
        Their values, in SI units.
    """

    source: str
    constraints: int
    parameter_names: tuple[str, ...]
    parameter_values: Array

    def __call__(self, t: float, x: ArrayLike) -> Array:
        """Return a corrected copy of a state.

        Parameters
        ----------
        t : float
            Time [s].
        x : array, shape (k,)
            State. It is left as it is.

        Returns
        -------
        array, shape (k,)

        Raises
        ------
        ValueError
            If the constraints' gradients depend on one another at this state.
        """
        before = np.asarray(x, dtype=float)
        state = before.tolist()
        M, F = [0.0] * self.constraints**2, [0.0] * self.constraints
        self._function(float(t), state, self.parameter_values.tolist(), M, F)
        if not np.isfinite(state).all() and np.isfinite(before).all():
            raise ValueError(
                f"the configuration is singular at t = {t:g}: the constraints' "
                "gradients depend on one another, so that no correction exists at "
                f"x = {before.tolist()}"
            )
        return np.array(state)

    @cached_property
    def kernel(self) -> Any:
        """The function compiled by Numba, ``kernel(t, x, p, M, F)``."""
        return module_on_disk(kernel_source(self.source, "CORRECTION")).correction

    @cached_property
    def _function(self) -> Callable[..., None]:
        names = {"math": math, "solve_symmetric": solve_symmetric}
        return execute(self.source, names, "correction")
