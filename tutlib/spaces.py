"""Where a state lives: all that an integrator must know of it.

On ℝⁿ a step is an addition. On the curved spaces of chapter 8 it is a group action, and the same
integrator runs there unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tutlib.right_hand_side import Array


@dataclass(frozen=True)
class Space:
    """A space on which states move: two maps on flat arrays.

    Parameters
    ----------
    name : str
    dimension : int
        Length of a state.
    flow : function (ξ, x) -> x
        Move the state x by the algebra element ξ: exp(ξ)·x.
    dexp_inverse : function (u, v) -> v
        The inverse differential of the exponential at u, applied to v.

    References
    ----------
    :cite:p:`MuntheKaas1999`.
    """

    name: str
    dimension: int
    flow: Callable[[Array, Array], Array]
    dexp_inverse: Callable[[Array, Array], Array]


def R(n: int) -> Space:
    """Return ℝⁿ, where exp(ξ)·x = x + ξ and the correction is the identity.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Returns
    -------
    Space

    Raises
    ------
    ValueError
        If n < 1.
    """
    if n < 1:
        raise ValueError(f"the dimension must be at least 1; got {n}")
    return Space(f"R^{n}", n, flow=lambda xi, x: x + xi, dexp_inverse=lambda u, v: v)
