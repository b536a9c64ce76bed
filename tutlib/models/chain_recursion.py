"""Chain of n links without a mass matrix: one pass up and one pass down, in O(n) operations.

A dense solve costs O(n³). Beyond some length the recursion wins; chapter 3 shows where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from sympy.core.function import AppliedUndef

from straightline.angles import cosine, sine
from straightline.assignments import Number, Numbers
from straightline.expressions import from_sympy
from straightline.formulas import Formula
from straightline.operations import divide
from tutlib.fields import Field
from tutlib.mechanics.reading import refuse_namesakes
from tutlib.models.chain import DEFAULTS, GRAVITY, check_links
from tutlib.reading.expressions import read_expression
from tutlib.reading.names import state_name
from tutlib.reading.parameters import Values, match_names, parameter_values

#: Largest number of links, whose symbols are created within seconds.
_MOST = 10_000


@dataclass(frozen=True)
class ChainRecursion:
    """Formula of dx/dt of a chain by the articulated-body algorithm: two passes over its links.

    Parameters
    ----------
    links : int
    relative : bool
        ``F_x, F_y, tau_1, ...`` as functions of time and state.
    loads : Formula
        ``F_x, F_y, tau_1, ...`` of time and state.
    """

    links: int
    relative: bool
    loads: Formula

    def __call__(self, t: Number, x: Numbers, p: Numbers) -> list[list[Number]]:
        """Return dx/dt of x = [angles, rates]; p holds g, then d, In, l, m of all links."""
        n = self.links
        angle, rate = list(x[:n]), list(x[n:])
        if self.relative:
            angle, rate = list(np.cumsum(angle)), list(np.cumsum(rate))
        s, c, w = list(map(sine, angle)), list(map(cosine, angle)), [u * u for u in rate]
        F_x, F_y, *torque = self.loads(t, x, p)
        shares = self._up(s, c, w, p, [-F_x, -F_y], [*torque, 0.0])
        alpha = self._down(s, c, w, p[1 + 2 * n : 1 + 3 * n], shares)
        change = [a - b for a, b in zip(alpha, [0.0, *alpha])] if self.relative else alpha
        return [*x[n:], *change]

    def _up(
        self, s: Numbers, c: Numbers, w: Numbers, p: Numbers, b: list[Number], torque: list[Number]
    ) -> list[tuple[Number, ...]]:
        """Return γ / D and v / D of each α = (γ − v·a) / D, from the last link to the first."""
        # The force that accelerates all links beyond the end of a link is A a + b, where a is the
        # acceleration of that end.
        n, g = self.links, p[0]
        A_xx: Any = 0.0
        A_xy: Any = 0.0
        A_yy: Any = 0.0
        shares: list[tuple[Any, ...]] = [()] * n
        for i in reversed(range(n)):
            d, inertia, l, m = (p[1 + k * n + i] for k in range(4))
            moment = m * d * l
            along = A_xx * c[i] + A_xy * s[i], A_xy * c[i] + A_yy * s[i]
            across = A_xx * s[i] - A_xy * c[i], A_xy * s[i] - A_yy * c[i]
            v = moment * c[i] + l * along[0], moment * s[i] + l * along[1]
            D = inertia + moment * d * l + l * l * (c[i] * along[0] + s[i] * along[1])
            turned = c[i] * across[0] + s[i] * across[1]
            gamma = torque[i] - torque[i + 1] - moment * g * s[i]
            gamma = gamma + l * (l * w[i] * turned - c[i] * b[0] - s[i] * b[1])
            per_D = divide(1.0, D)
            share = per_D * gamma, v[0] * per_D, v[1] * per_D
            shares[i] = share
            b[0] = b[0] - w[i] * (l * across[0] + moment * s[i]) + v[0] * share[0]
            b[1] = b[1] - w[i] * (l * across[1] - moment * c[i]) + v[1] * share[0] + m * g
            A_xx = A_xx + m - v[0] * share[1]
            A_xy = A_xy - v[0] * share[2]
            A_yy = A_yy + m - v[1] * share[2]
        return shares

    def _down(self, s: Numbers, c: Numbers, w: Numbers, length: Any, shares: Any) -> list[Number]:
        """Return the angular accelerations, from the first link to the last."""
        a_x: Any = 0.0
        a_y: Any = 0.0
        accelerations = []
        for i, (share, share_x, share_y) in enumerate(shares):
            alpha = share - share_x * a_x - share_y * a_y
            a_x = a_x + length[i] * (alpha * c[i] - w[i] * s[i])
            a_y = a_y + length[i] * (alpha * s[i] + w[i] * c[i])
            accelerations.append(alpha)
        return accelerations


def chain_recursion(
    n: int,
    orientation: str = "absolute",
    inputs: Mapping[sm.Expr | float, sm.Expr | float] | None = None,
    values: Values | None = None,
) -> Field:
    """Return the right-hand side of `chain`, evaluated in O(n) operations.

    It uses the articulated-body algorithm in the plane, specialized to a chain.

    Parameters
    ----------
    n : int
        Number of links, at least 1.
    orientation : {"absolute", "relative"}
        Orientation of the angles: from the vertical, or from the link before.
    inputs : mapping from input or its name to Expr, optional
        Expressions of time and state for ``F_x, F_y, tau_1, ...``; those left out are zero.
    values : mapping from parameter (or its name) to float, optional
        Values that differ from the defaults of `chain`, and those of parameters of the inputs.

    Returns
    -------
    Field

    Raises
    ------
    ValueError
        If n or the orientation is not valid, n is above 10,000, a name is unknown, or an input
        contains a parameter without a value or a function of time that is not a state.
    TypeError
        If a value is not a number.

    References
    ----------
    :cite:p:`Featherstone2008`, chapter 7.
    """
    n, relative = check_links(n, orientation)
    if n > _MOST:
        raise ValueError(f"n must be at most {_MOST} here; got {n}")
    numbers = range(1, n + 1)
    states = [me.dynamicsymbols(f"theta_{i}") for i in numbers]
    states += [angle.diff(me.dynamicsymbols._t) for angle in states]
    names = ["F_x", "F_y", *(f"tau_{i}" for i in numbers)]
    named = match_names({} if inputs is None else inputs, names, "no such input:", "the inputs are")
    every = {"g": GRAVITY} | {f"{k}_{i}": v for k, v in DEFAULTS.items() for i in numbers}
    symbols = tuple(
        sm.Symbol(name, positive=name[0] in "lm" or None, nonnegative=name[:2] == "In" or None)
        for name in every
    )
    loads = _loads([read_expression(named.get(name, 0), name) for name in names], states, symbols)
    further = set().union(*(load.free_symbols for load in loads)) - {me.dynamicsymbols._t}
    symbols += tuple(sorted(further - {*symbols}, key=str))
    changed = match_names(
        {} if values is None else values, symbols, "no such parameter:", "the parameters are"
    )
    defaults = {symbol: every[symbol.name] for symbol in symbols if symbol.name in every}
    computed = from_sympy(loads, (me.dynamicsymbols._t, states, symbols))
    return Field(
        None,
        formula=ChainRecursion(n, relative, computed),
        names=tuple(map(state_name, states)),
        coordinates=n,
        parameters=dict(zip(map(str, symbols), parameter_values(symbols, defaults | changed))),
    )


def _loads(
    loads: Sequence[sm.Expr], states: Sequence[sm.Expr], symbols: Sequence[sm.Symbol]
) -> tuple[sm.Expr, ...]:
    """Return inputs in terms of the chain's symbols; reject functions of time without a value."""
    refuse_namesakes(loads, states, "an input")
    by_name, known = {symbol.name: symbol for symbol in symbols}, {*states}
    for load in loads:
        for function in sorted(load.atoms(AppliedUndef, sm.Derivative) - known, key=str):
            raise ValueError(
                f"{function} in an input is not a state of the chain, so it has no value"
            )
    return tuple(
        load.xreplace({s: by_name[s.name] for s in load.free_symbols if s.name in by_name})
        for load in loads
    )
