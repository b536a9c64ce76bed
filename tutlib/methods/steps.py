"""One step of any tableau, on ℝⁿ or any other space.

The same function runs in Python, with floats, and is traced into the compiled program, with
symbolic unknowns. Chapter 4 derives it; chapter 8 extends it to manifolds.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from straightline.aliases import Array
from straightline.arguments import shown
from straightline.assignments import Number
from tutlib.aliases import Function, Rate
from tutlib.fields import Field, as_field
from tutlib.methods.checks import AfterStep, check_end, check_step
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
from tutlib.methods.trajectory import Trajectory
from tutlib.spaces.space import R, Space

Tableau = ButcherTableau | CommutatorFreeTableau
#: Nonzero weights, each with the index of its slope.
Row = list[tuple[int, float]]

#: Flow and dexp⁻¹ on ℝᵏ, the same for every k.
_ON_R = R(1).maps

#: All named tableaus with a fixed step.
TABLEAUS: dict[str, Tableau] = {
    "euler": EULER,
    "midpoint": MIDPOINT,
    "heun": HEUN,
    "kutta3": KUTTA3,
    "rk4": RK4,
    "cf4": CF4,
}
#: Tableaus with an error estimate, for `integrate_adaptive`.
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
        An explicit tableau, or its name in `METHODS`.
    space : Space, optional
        State space. The default is the space of a field, and ℝᵏ for other functions.

    Returns
    -------
    array, shape (k,)
        The state at t + h.

    Raises
    ------
    ValueError
        If h is not positive and finite, a shape is wrong, the method is not an explicit tableau, or
        the state at t + h is not finite.

    References
    ----------
    :cite:p:`HairerNorsettWanner1993`, section II.1; on manifolds :cite:p:`MuntheKaas1999`.
    """
    t, x, h = check_step(f, t, x, h)
    field_of_f = as_field(f, space)
    chosen = TableauStep(find_tableau(method, "a step"), field_of_f.space)
    if (space := field_of_f.space) is not None and len(x) != space.dimension:
        raise ValueError(f"a state on {space.name} has {space.dimension} entries; got {len(x)}")
    return check_end(chosen.advance(field_of_f, t, x, h), h)


class Method:
    """Base class of methods with a fixed step, with defaults that suit most methods."""

    name: str
    #: Whether it accepts symbolic unknowns, so that it can run compiled.
    compiles = True

    def check(self, f: Field, x: Array, slope: Array, after_step: AfterStep | None) -> None:
        """Reject a field or an initial state that the method does not support."""

    def begin(self, f: Rate, t: Array, x: Array) -> Array:
        """Return the first row, from which `advance` computes the second: the initial state."""
        return x

    def advance(self, f: Rate, t: Number, x: Array, h: Number) -> Array:
        """Take one step; the new state need not be finite.

        Parameters
        ----------
        f : function (t, x) -> array
            Its values are fresh arrays, as those of a `Field`.
        t, x, h
            As for `step`.
        """
        raise NotImplementedError

    def states(self, t: Array, rows: Array, x: Array) -> Array:
        """Return the states of rows that begin at the initial state x."""
        return rows

    def check_motion(self, f: Field, motion: Trajectory) -> None:
        """Reject a trajectory for which the method is not valid."""


@dataclass(frozen=True)
class TableauStep(Method):
    """The step of an explicit tableau on a space.

    Parameters
    ----------
    method : ButcherTableau or CommutatorFreeTableau
    space : Space, optional
        ℝᵏ unless given.
    called : str
        The name with which it was chosen.
    """

    method: Tableau
    space: Space | None = None
    called: str = field(default="", compare=False)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name with which it was chosen, or that of the tableau."""
        return self.called or self.method.name

    def advance(self, f: Rate, t: Number, x: Array, h: Number) -> Array:
        """Take one step."""
        flow, dexp_inverse = self.space.maps if self.space else _ON_R
        carries_back, state = self.method.carries_back, x
        K: list[Any] = []
        sigma: Any
        for node, rows in self._stages:
            state, sigma = x, None
            for row in rows:
                sigma = h * combine(row, K)
                state = flow(sigma, state)
            if node is not None:
                slope = f(t + node * h if node else t, state)
                carried = carries_back and sigma is not None
                K.append(dexp_inverse(sigma, slope) if carried else slope)
        return state

    @functools.cached_property
    def _stages(self) -> list[tuple[float | None, list[Row]]]:
        """Node of each stage, and the rows of its flows; the result has no node."""
        if isinstance(self.method, CommutatorFreeTableau):
            c, flows = self.method.c, self.method.flows
        else:
            pair = self.method.pair
            c, flows = pair.c, [[row[:i]] for i, row in enumerate((*pair.A, pair.b))]
        weights = [[weights_of(row) for row in rows if row.any()] for rows in flows]
        return list(zip([*c.tolist(), None], weights))


def find_tableau(method: str | Tableau, who: str) -> Tableau:
    """Return an explicit tableau, from its name or the tableau itself.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    tableau = (TABLEAUS | PAIRS).get(method) if isinstance(method, str) else method
    if isinstance(tableau, ButcherTableau) and not tableau.is_explicit:
        raise ValueError(
            f"{tableau.name} is implicit: {who} needs an explicit Runge-Kutta method, which has no "
            "equations to solve"
        )
    if isinstance(tableau, Tableau):
        return tableau
    raise ValueError(
        f"{who} needs an explicit Runge-Kutta method, a tableau or one of "
        f"{', '.join(TABLEAUS | PAIRS)}; got {shown(method)}"
    )


def weights_of(row: Array) -> Row:
    """Return the indices of the nonzero weights of a row, and these weights."""
    return [(j, weight) for j, weight in enumerate(row.tolist()) if weight]


def combine(row: Row, K: Sequence[Array]) -> Array:
    """Return the weighted sum of slopes."""
    total: Any = None
    for j, weight in row:
        slope = K[j] if weight == 1.0 else weight * K[j]
        total = slope if total is None else total + slope
    combined: Array = total
    return combined
