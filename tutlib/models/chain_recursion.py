"""The chain of n links without a mass matrix: one pass up and one pass down, in n steps.

A dense solve costs n³ operations. Past some length the recursion wins; chapter 3 shows where.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.parameters import Values, match_names, parameter_values
from tutlib.models.chain import DEFAULTS, GRAVITY, check_links
from tutlib.programs.codegen import assignments, state_name
from tutlib.programs.right_hand_side import RightHandSide

# The force that a link must exert on all that hangs at its end is A a + b, with the end's
# acceleration a. Going up, eliminate each link's angular acceleration: D α = γ - v·a,
# of which the arrays hold γ / D and v / D.
_PASSES = """\
angle = 0.0
rate = 0.0
for i in range(n):
    angle = {previous_angle}x[i]
    rate = {previous_rate}x[n + i]
    s[i] = angle
    w[i] = rate * rate
for i in range(n):
    angle = s[i]
    s[i] = {sin}(angle)
    c[i] = {cos}(angle)
A_xx = A_xy = A_yy = 0.0
b_x = -F_x
b_y = -F_y
torque_beyond = 0.0
for i in range(n - 1, -1, -1):
    l = p[1 + 2 * n + i]
    m = p[1 + 3 * n + i]
    md = m * p[1 + i] * l
    A_t_x = A_xx * c[i] + A_xy * s[i]
    A_t_y = A_xy * c[i] + A_yy * s[i]
    A_r_x = A_xx * s[i] - A_xy * c[i]
    A_r_y = A_xy * s[i] - A_yy * c[i]
    v_x = md * c[i] + l * A_t_x
    v_y = md * s[i] + l * A_t_y
    per_D = 1.0 / (
        p[1 + n + i] + md * p[1 + i] * l + l * l * (c[i] * A_t_x + s[i] * A_t_y)
    )
    turned = c[i] * A_r_x + s[i] * A_r_y
    share[i] = per_D * (
        torque[i] - torque_beyond - md * p[0] * s[i]
        + l * (l * w[i] * turned - c[i] * b_x - s[i] * b_y)
    )
    torque_beyond = torque[i]
    share_x[i] = v_x * per_D
    share_y[i] = v_y * per_D
    b_x = b_x - w[i] * (l * A_r_x + md * s[i]) + v_x * share[i]
    b_y = b_y - w[i] * (l * A_r_y - md * c[i]) + v_y * share[i] + m * p[0]
    A_xx = A_xx + m - v_x * share_x[i]
    A_xy = A_xy - v_x * share_y[i]
    A_yy = A_yy + m - v_y * share_y[i]
a_x = a_y = before = 0.0
for i in range(n):
    l = p[1 + 2 * n + i]
    alpha = share[i] - share_x[i] * a_x - share_y[i] * a_y
    a_x = a_x + l * (alpha * c[i] - w[i] * s[i])
    a_y = a_y + l * (alpha * s[i] + w[i] * c[i])
    dx[i] = x[n + i]
    dx[n + i] = alpha{minus_before}
    before = alpha"""
_ARRAYS = "s", "c", "w", "share", "share_x", "share_y", "torque"


def chain_recursion(
    n: int,
    orientation: str = "absolute",
    inputs: Mapping[Any, Any] | None = None,
    values: Values | None = None,
    backend: str = "auto",
) -> RightHandSide:
    """Return the right-hand side of `chain` for any n, in time that grows with n alone.

    It is the articulated-body algorithm, in the plane and written out for a chain.

    Parameters
    ----------
    n : int
        Number of links, at least 1.
    orientation : {"absolute", "relative"}
        Of the coordinates.
    inputs : mapping from input or its name to Expr, optional
        Expressions of time and state for ``F_x, F_y, tau_1, ...``; those left out are zero.
    values : mapping from parameter name to float, optional
        Of those of a `chain` that differ from its defaults.
    backend : {"auto", "python", "numpy", "numba"}
        As for `EquationsOfMotion.compile`.

    Returns
    -------
    RightHandSide

    Raises
    ------
    ValueError
        If n or the orientation makes no sense, or a name is unknown.
    TypeError
        If a value is not a number.

    References
    ----------
    :cite:p:`Featherstone2008`, chapter 7.
    """
    relative = check_links(n, orientation)
    numbers = range(1, n + 1)
    states = [me.dynamicsymbols(f"theta_{i}") for i in numbers]
    states += [angle.diff(me.dynamicsymbols._t) for angle in states]
    names = ["F_x", "F_y", *(f"tau_{i}" for i in numbers)]
    given = match_names(inputs or {}, names, "no such input:", "the inputs are")
    forces = [sm.sympify(given.get(name, 0)) for name in names]
    every = {"g": GRAVITY} | {f"{k}_{i}": v for k, v in DEFAULTS.items() for i in numbers}
    own = match_names(values or {}, every, "no such parameter:", "the parameters are")
    symbols = [
        sm.Symbol(name, positive=name[0] in "lm" or None, nonnegative=name[:2] == "In" or None)
        for name in every
    ]
    return RightHandSide(
        scalar_source=_source(n, relative, forces, states, "math"),
        numpy_source=_source(n, relative, forces, states, "numpy"),
        state_names=tuple(map(state_name, states)),
        coordinates=n,
        speeds=n,
        parameter_names=tuple(every),
        parameter_values=np.array(parameter_values(symbols, every | own)),
        backend=backend,
    )


def _source(
    n: int, relative: bool, forces: list[sm.Expr], states: list[sm.Expr], module: str
) -> str:
    """Print the function; the inputs come first, by the state's symbols."""
    targets = ["F_x", "F_y", *(f"torque[{i}]" for i in range(n))]
    language = "Python" if module == "math" else "NumPy"
    passes = _PASSES.format(
        sin=f"{module}.sin",
        cos=f"{module}.cos",
        previous_angle="angle + " if relative else "",
        previous_rate="rate + " if relative else "",
        minus_before=" - before" if relative else "",
    )
    vectorized = language == "NumPy"
    body = [
        f"n = {n}",
        f"work = zeros(({len(_ARRAYS)}, n))",
        *(f"{name} = work[{i}]" for i, name in enumerate(_ARRAYS)),
        *assignments(targets, forces, states, language),
        *(["dx = [0.0] * (2 * n)"] if vectorized else ["M[0] = math.nan  # none is formed"]),
        *passes.splitlines(),
        *(["return rows(dx, x)"] if vectorized else []),
    ]
    arguments = "t, x, p" if vectorized else "t, x, p, dx, M, F"
    described = (
        f'    """x = [theta_1 ... theta_{n}, their rates], p = [g, d..., In..., l..., m...]."""'
    )
    lines = [f"def right_hand_side({arguments}):", described, *(f"    {line}" for line in body)]
    return "\n".join([*lines, ""])
