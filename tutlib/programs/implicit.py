"""F(t, x, ẋ) = 0 as a value: what a mechanism with constraints gives, and what IDA integrates.

Chapter 6 writes such a residual by hand for the four-bar linkage.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from numpy.typing import ArrayLike

from tutlib.programs.right_hand_side import Array


@dataclass(frozen=True, eq=False)
class ImplicitEquations:
    """Equations of index 1 in residual form.

    Parameters
    ----------
    residual : function (t, x, ẋ) -> array of shape (k,)
        Zero along a motion.
    rates : function (t, x) -> array of shape (k,)
        The ẋ that belongs to a consistent state.
    algebraic : tuple of int
        Positions in x (not rows of the residual) of the states whose rates are in no row.
    names : tuple of str
        LaTeX names of the k states, if they have any.
    """

    residual: Callable[[float, Array, Array], Array]
    rates: Callable[[float, Array], ArrayLike]
    algebraic: tuple[int, ...]
    names: tuple[str, ...] = ()
