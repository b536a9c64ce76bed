"""n links hinged to one another, hanging from the ground: the double pendulum for n = 2.

Written down from the links' Jacobians, never by expanding an energy: chapters 2 and 3 tell why.
"""

from __future__ import annotations

from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.equations import EquationsOfMotion
from tutlib.models.model import Model, Skeleton

ORIENTATIONS = ("absolute", "relative")
#: Of every link, in SI units; and gravity.
DEFAULTS = {"d": 0.5, "In": 0.08, "l": 1.0, "m": 1.0}
GRAVITY = 9.81


def chain(n: int = 2, orientation: str = "absolute") -> Model:
    """Return a chain of n rigid links in a vertical plane, its first joint at the origin.

    The coordinates ``theta_1, ..., theta_n`` [rad] are counter-clockwise from hanging straight
    down: of each link (absolute), or of the first link and then of each against the one before
    (relative). Link i has length ``l_i`` = 1 m, mass ``m_i`` = 1 kg, its center of mass at the
    fraction ``d_i`` = 0.5 of its length and the inertia ``In_i`` = 0.08 kg·m² about it; gravity
    is ``g`` = 9.81 m/s². The inputs are the force ``F_x, F_y`` [N] at the free end, in world axes,
    and the joint torques ``tau_1, ..., tau_n`` [N·m], each between a link and the one before.

    Parameters
    ----------
    n : int
        Number of links, at least 1.
    orientation : {"absolute", "relative"}

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        If n is not a positive whole number or the orientation is unknown.

    References
    ----------
    :cite:p:`KaneLevinson1985`, chapters 2 to 4.
    """
    relative = check_links(n, orientation)
    names = [str(i) for i in range(1, n + 1)]
    q = sm.Matrix([me.dynamicsymbols(f"theta_{i}") for i in names])
    m, l = ([sm.Symbol(f"{letter}_{i}", positive=True) for i in names] for letter in "ml")
    d = [sm.Symbol(f"d_{i}", real=True) for i in names]
    inertia = [sm.Symbol(f"In_{i}", nonnegative=True) for i in names]
    g = sm.Symbol("g", real=True)
    # angles = turn q: the same matrix takes torques on links to generalized forces
    turn = sm.Matrix([[int(i == j or (relative and j < i)) for j in range(n)] for i in range(n)])
    angle, u = turn * q, q.diff(me.dynamicsymbols._t)
    # link j moves the center of link i by arm[i][j] (cos, sin): a column of the Jacobian
    arm = [[l[j] if j < i else d[i] * l[i] if j == i else 0 for j in range(n)] for i in range(n)]
    M, F, moments = _free_chain(angle, turn * u, arm, m, inertia, g)
    F += _loads(angle, l)
    M_q = turn.T * M * turn
    symmetric = sm.Matrix(n, n, lambda i, j: M_q[min(i, j), max(i, j)])
    links = {"l": l, "m": m, "d": d, "In": inertia}
    values = {symbol: DEFAULTS[letter] for letter, every in links.items() for symbol in every}
    return Model(
        name=f"chain of {n}",
        equations=EquationsOfMotion(tuple(q), tuple(u), symmetric, turn.T * F),
        kinetic_energy=((turn * u).T * M * turn * u)[0] / 2,
        potential_energy=-g * sum(w * sm.cos(a) for w, a in zip(moments, angle)),
        skeleton=_skeleton(angle, l),
        parameters={**values, g: GRAVITY},
    )


def check_links(n: int, orientation: str) -> bool:
    """Refuse what is no chain; return whether its angles are relative."""
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"a chain has a whole number of links, at least 1; got {n!r}")
    if orientation not in ORIENTATIONS:
        raise ValueError(f"unknown orientation {orientation!r}; choose one of {ORIENTATIONS}")
    return orientation == "relative"


def _free_chain(
    angle: sm.Matrix, rate: sm.Matrix, arm: Any, m: list[sm.Symbol], inertia: Any, g: sm.Symbol
) -> tuple[sm.Matrix, sm.Matrix, list[sm.Expr]]:
    """Return M, F and the moments Σ m arm of weight, for the links' own angles."""
    n = len(m)
    moments = [sum(m[i] * arm[i][j] for i in range(n)) for j in range(n)]
    M, F = sm.zeros(n), sm.zeros(n, 1)
    for j in range(n):
        F[j] = -g * moments[j] * sm.sin(angle[j])
        for k in range(n):
            shared = sum(m[i] * arm[i][j] * arm[i][k] for i in range(n))
            M[j, k] = shared * sm.cos(angle[j] - angle[k]) + (inertia[j] if j == k else 0)
            F[j] -= shared * sm.sin(angle[j] - angle[k]) * rate[k] ** 2
    return M, F, moments


def _loads(angle: sm.Matrix, l: list[sm.Symbol]) -> sm.Matrix:
    """Return what the force at the free end and the joint torques add to F."""
    tip = sm.Matrix(me.dynamicsymbols("F_x F_y"))
    torques = [*(me.dynamicsymbols(f"tau_{i + 1}") for i in range(len(l))), sm.S.Zero]
    across = [sm.Matrix([sm.cos(a), sm.sin(a)]) for a in angle]
    return sm.Matrix(
        [l[j] * across[j].dot(tip) + torques[j] - torques[j + 1] for j in range(len(l))]
    )


def _skeleton(angle: sm.Matrix, l: list[sm.Symbol]) -> Skeleton:
    joints = [(sm.S.Zero, sm.S.Zero)]
    for a, length in zip(angle, l):
        x, y = joints[-1]
        joints.append((x + length * sm.sin(a), y - length * sm.cos(a)))
    n = len(l)
    return Skeleton(tuple(joints), (tuple(range(n + 1)),), tuple(range(1, n + 1)), (0,))
