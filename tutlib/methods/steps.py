"""One step of any tableau, on ℝⁿ or any other space.

What this text says is what runs: called with floats it steps in Python, called with unknown numbers
it becomes the compiled program. Chapter 4 derives it, chapter 8 takes it to manifolds.
"""

from __future__ import annotations

import numpy as np

from tutlib.methods.checks import check_end, check_step, rates
from tutlib.methods.commutator_free import CF4, CommutatorFreeTableau
from tutlib.methods.tableaus import (
    DOP853,
    DORMAND_PRINCE,
    EULER,
    HEUN,
    KUTTA3,
    MIDPOINT,
    RK4,
    ButcherTableau,
)
from tutlib.programs.arguments import shown
from tutlib.programs.right_hand_side import Array, Function
from tutlib.spaces.space import R, Space, read_space
from tutlib.spaces.vector_field import VectorField

Tableau = ButcherTableau | CommutatorFreeTableau

#: Every tableau with a fixed step that has a name.
TABLEAUS: dict[str, Tableau] = {
    "euler": EULER,
    "midpoint": MIDPOINT,
    "heun": HEUN,
    "kutta3": KUTTA3,
    "rk4": RK4,
    "cf4": CF4,
}
#: Those with an estimate of their error, for `integrate_adaptive`.
PAIRS: dict[str, ButcherTableau] = {"dormand_prince": DORMAND_PRINCE, "dop853": DOP853}


def step(
    f: Function,
    t: float,
    x: Array,
    h: float,
    method: str | Tableau = RK4,
    space: Space | None = None,
) -> Array:
    """Take one explicit Runge-Kutta step, on ℝⁿ or any other space.

    Parameters
    ----------
    f : function (t, x) -> array
        Right-hand side; on a space other than ℝⁿ it gives an element of the algebra.
    t : float
        Time [s].
    x : array, shape (k,)
        State.
    h : float
        Step size [s], positive.
    method : str, ButcherTableau or CommutatorFreeTableau
        An explicit one, or its name in `METHODS`.
    space : Space, optional
        A field's own space or ℝᵏ unless given.

    Returns
    -------
    array, shape (k,)
        The state at t + h.

    Raises
    ------
    ValueError
        If h is not positive and finite, a shape does not fit, the method is no explicit
        tableau, or the state at t + h is not finite.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.1; on manifolds :cite:p:`MuntheKaas1999`.
    """
    return check_end(step_in_run(f, t, x, h, method, space), h)  # type: ignore[no-any-return]


def step_in_run(
    f: Function, t: float, x: Array, h: float, method: str | Tableau, space: Space | None
) -> Array:
    """Take the same step, to a state that need not be finite: a run tells how it came there.

    What does not fit is refused as by `step`.
    """
    t, x, h = check_step(f, t, x, h)
    space = space_of(f, space) or R(len(x))
    if len(x) != space.dimension:
        raise ValueError(f"a state on {space.name} has {space.dimension} entries; got {len(x)}")
    method = find_tableau(method, "a step")
    c, flows = tableau_flows(method)
    flow, dexp_inverse = space.maps
    K: list[Array] = []
    for i, rows in enumerate(flows):
        state, sigma = x, np.zeros(space.algebra)
        for row in rows:
            sigma = h * combine(row, K, sigma)
            state = flow(sigma, state)
        if i == len(c):
            break
        slope = rates(f, t + c[i] * h, state, space)
        K.append(dexp_inverse(sigma, slope) if method.carries_back else slope)
    return state


def space_of(f: Function, space: Space | None) -> Space | None:
    """Return a space that is given, else the field's own; None is ℝᵏ.

    Raises
    ------
    TypeError
        If what is given is no space.
    """
    if space is None:
        return f.space if isinstance(f, VectorField) else None
    return read_space(space)


def find_tableau(method: str | Tableau, who: str) -> Tableau:
    """Return an explicit tableau, given or named.

    Raises
    ------
    ValueError
        If it is none.
    """
    found = (TABLEAUS | PAIRS).get(method) if isinstance(method, str) else method
    if isinstance(found, ButcherTableau) and not found.is_explicit:
        raise ValueError(
            f"{found.name} is implicit: {who} needs an explicit Runge-Kutta method, without "
            "equations to be solved"
        )
    if isinstance(found, Tableau):
        return found
    raise ValueError(
        f"{who} needs an explicit Runge-Kutta method, a tableau or one of "
        f"{', '.join(TABLEAUS | PAIRS)}; got {shown(method)}"
    )


def tableau_flows(method: Tableau) -> tuple[Array, list[list[Array]]]:
    """Return the nodes, and for each stage and the result the rows of its flows."""
    if isinstance(method, CommutatorFreeTableau):
        return method.c, method.flows
    pair = method.pair
    return pair.c, [[row[:i]] for i, row in enumerate((*pair.A, pair.b))]


def add_stage(
    f: Function, t: float, x: Array, sigma: Array, K: list[Array], space: Space
) -> tuple[Array, Array]:
    """Append to K the slope at exp(sigma)·x, seen from x; return that state and its slope."""
    flow, dexp_inverse = space.maps
    state = flow(sigma, x)
    slope = rates(f, t, state, space)
    K.append(dexp_inverse(sigma, slope))
    return state, slope


def combine(weights: Array, K: list[Array], x: Array) -> Array:
    """Return the weighted sum of slopes; without any, zeros like x."""
    total = np.zeros_like(K[0]) if K else np.zeros_like(x)
    for weight, slope in zip(weights, K):
        if weight:
            total = total + weight * slope
    return total
