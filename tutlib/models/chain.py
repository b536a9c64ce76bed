"""Chain of n links hinged to one another, hanging from the ground; a double pendulum for n = 2.

The equations come from the Jacobians of the links, not from expanded energies; chapters 2 and 3
explain why.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Body, Load
from tutlib.models.model import Model
from tutlib.models.skeleton import Angle, Center, Direction, Force, Length, Mark, Skeleton, Torque
from tutlib.models.symbol_meanings import numbered
from tutlib.progress import progress

ORIENTATIONS = ("absolute", "relative")
#: Default parameters of every link, in SI units, and gravity.
DEFAULTS = {"d": 0.5, "In": 0.08, "l": 1.0, "m": 1.0}
GRAVITY = 9.81
#: Units of the symbols of every link, and of the symbols that occur once.
_UNITS = {"theta": "rad", "l": "m", "m": "kg", "d": "1", "In": "kg·m²", "tau": "N·m"}
_OF_ALL = {"g": "m/s²", "F_x": "N", "F_y": "N"}
#: Largest numbers of links: their equations take about a minute to form.
_MOST = {"absolute": 60, "relative": 30}


def chain(n: int = 2, orientation: str = "absolute") -> Model:
    """Return a chain of n rigid links in a vertical plane, its first joint at the origin.

    The coordinates ``theta_1, ..., theta_n`` [rad] are counterclockwise from hanging straight down:
    angles of each link (absolute), or of the first link and then of each link relative to the one
    before (relative). Link i has length ``l_i`` = 1 m, mass ``m_i`` = 1 kg, its center of mass at
    the fraction ``d_i`` = 0.5 of its length, and inertia ``In_i`` = 0.08 kg·m² about it; gravity
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
        If n is not a positive integer, the orientation is unknown, or the equations would take more
        than a minute to form, as for more than 60 links (absolute) or 30 links (relative).

    References
    ----------
    :cite:p:`KaneLevinson1985`, chapters 2 to 4.
    """
    n, relative = check_links(n, orientation)
    _refuse_minutes(n, orientation)
    names = [str(i) for i in range(1, n + 1)]
    q, g = sm.Matrix([me.dynamicsymbols(f"theta_{i}") for i in names]), sm.Symbol("g", real=True)
    m, l = ([sm.Symbol(f"{letter}_{i}", positive=True) for i in names] for letter in "ml")
    d = [sm.Symbol(f"d_{i}", real=True) for i in names]
    inertia = [sm.Symbol(f"In_{i}", nonnegative=True) for i in names]
    # links rotated by coordinate i: every link from i on (relative), or link i alone (absolute)
    turned = [range(i, n) if relative else [i] for i in range(n)]
    u = q.diff(me.dynamicsymbols._t)
    angle, rate = (
        [sm.Add(*(z[i] for i in range(n) if j in turned[i])) for j in range(n)] for z in (q, u)
    )
    # column j of the Jacobian: link j moves the center of link i by arm[i][j] (cos, sin)
    arm = [[l[j] if j < i else d[i] * l[i] if j == i else 0 for j in range(n)] for i in range(n)]
    M, F, moments = _free_chain(angle, rate, arm, m, inertia, g)
    kinetic = sm.Add(*(M[i, j] * rate[i] * rate[j] for i in range(n) for j in range(n))) / 2
    links = {"l": l, "m": m, "d": d, "In": inertia}
    return Model(
        name=f"chain of {n}",
        equations=EquationsOfMotion(q, u, *_in_coordinates(M, F + _load_terms(angle, l), turned)),
        kinetic_energy=kinetic,
        potential_energy=-g * sum(w * sm.cos(a) for w, a in zip(moments, angle)),
        skeleton=_skeleton(q, angle, links, relative),
        parameters={s: DEFAULTS[k] for k, every in links.items() for s in every} | {g: GRAVITY},
        names=_names(n, relative),
        bodies=_bodies(angle, links),
        loads=_loads_with_coordinates(angle, l),
        units=_OF_ALL | {f"{k}_{i}": unit for k, unit in _UNITS.items() for i in names},
    )


def _names(n: int, relative: bool) -> dict[str, str]:
    """Return the meanings of the symbols."""
    names = {
        "g": "gravity",
        "F_x": "horizontal force at the free end",
        "F_y": "vertical force at the free end",
    }
    for i in range(1, n + 1):
        link = numbered(i, "link")
        against = f" relative to {numbered(i - 1, 'link')}" if relative and i > 1 else ""
        names |= {
            f"theta_{i}": f"angle of {link}{against}",
            f"l_{i}": f"length of {link}",
            f"m_{i}": f"mass of {link}",
            f"d_{i}": f"part of {link} up to its center of mass",
            f"In_{i}": f"moment of inertia of {link}",
            f"tau_{i}": f"motor torque at {numbered(i, 'joint')}",
        }
    return names


def check_links(n: object, orientation: str) -> tuple[int, bool]:
    """Return the number of links, and whether angles are relative; reject invalid arguments."""
    if isinstance(n, bool) or not isinstance(n, Integral) or n < 1:
        raise ValueError(f"n must be a whole number of links, at least 1; got {n!r}")
    if not isinstance(orientation, str) or orientation not in ORIENTATIONS:
        raise ValueError(f"unknown orientation {orientation!r}; choose one of {ORIENTATIONS}")
    return int(n), orientation == "relative"


def _refuse_minutes(n: int, orientation: str) -> None:
    if n > _MOST[orientation]:
        raise ValueError(
            f"the equations of {n} links in {orientation} angles would take minutes to form; the "
            f"limit is {_MOST[orientation]} links. chain_recursion({n}, {orientation!r}) gives the "
            "same motion without them"
        )


def _free_chain(
    angle: list[sm.Expr],
    rate: list[sm.Expr],
    arm: sm.Expr,
    m: list[sm.Symbol],
    inertia: sm.Expr,
    g: sm.Expr,
) -> tuple[sm.Matrix, sm.Matrix, list[sm.Expr]]:
    """Return M, F, and the moments Σ m arm of weight, for absolute angles."""
    n = len(m)
    moments = [sm.Add(*(m[i] * arm[i][j] for i in range(j, n))) for j in range(n)]
    M, F = sm.zeros(n), [[-g * w * sm.sin(a)] for w, a in zip(moments, angle)]
    tell = progress("links")
    for j in range(n):
        tell(j, n)
        for k in range(j, n):
            shared = sm.Add(*(m[i] * arm[i][j] * arm[i][k] for i in range(k, n)))
            if j == k:
                M[j, j] = shared + inertia[j]
            else:
                M[j, k] = M[k, j] = shared * sm.cos(angle[j] - angle[k])
                lever = shared * sm.sin(angle[j] - angle[k])
                F[j].append(-lever * rate[k] ** 2)
                F[k].append(lever * rate[j] ** 2)
    return M, sm.Matrix([sm.Add(*terms) for terms in F]), moments


def _in_coordinates(
    M: sm.Matrix, F: sm.Matrix, turned: Sequence[Sequence[int]]
) -> tuple[sm.Matrix, sm.Matrix]:
    """Sum M and F over the links that each coordinate rotates."""
    n = len(F)
    M_q, F_q = sm.zeros(n), sm.Matrix([sm.Add(*(F[k] for k in turned[i])) for i in range(n)])
    for i in range(n):
        for j in range(i, n):
            M_q[i, j] = M_q[j, i] = sm.Add(*(M[a, b] for a in turned[i] for b in turned[j]))
    return M_q, F_q


def _load_terms(angle: list[sm.Expr], l: list[sm.Symbol]) -> sm.Matrix:
    """Return the contributions of the force at the free end and the joint torques to F."""
    F_x, F_y = me.dynamicsymbols("F_x F_y")
    torques = [*(me.dynamicsymbols(f"tau_{i + 1}") for i in range(len(l))), sm.S.Zero]
    return sm.Matrix(
        [
            l[j] * (F_x * sm.cos(a) + F_y * sm.sin(a)) + torques[j] - torques[j + 1]
            for j, a in enumerate(angle)
        ]
    )


def _bodies(angle: list[sm.Expr], links: dict[str, list[sm.Symbol]]) -> tuple[Body, ...]:
    bodies, x, y = [], sm.S.Zero, sm.S.Zero
    for a, l, m, d, inertia in zip(angle, *(links[letter] for letter in ("l", "m", "d", "In"))):
        bodies.append(Body(m, (x + d * l * sm.sin(a), y - d * l * sm.cos(a)), inertia, a))
        x, y = x + l * sm.sin(a), y - l * sm.cos(a)
    return tuple(bodies)


def _loads_with_coordinates(angle: list[sm.Expr], l: list[sm.Symbol]) -> tuple[Load, ...]:
    """Return each torque with the angle between its links, and the force with the free end."""
    between = [a - b for a, b in zip(angle, [sm.S.Zero, *angle])]
    torques = [Load(me.dynamicsymbols(f"tau_{i + 1}"), a) for i, a in enumerate(between)]
    F_x, F_y = me.dynamicsymbols("F_x F_y")
    tip = [sm.Add(*(f(a) * b for a, b in zip(angle, l))) for f in (sm.sin, sm.cos)]
    return (*torques, Load(F_x, tip[0]), Load(F_y, -tip[1]))


def _skeleton(
    q: sm.Matrix, angle: list[sm.Expr], links: dict[str, list[sm.Symbol]], relative: bool
) -> Skeleton:
    n, joints = len(angle), [(sm.S.Zero, sm.S.Zero)]
    for a, length in zip(angle, links["l"]):
        x, y = joints[-1]
        joints.append((x + length * sm.sin(a), y - length * sm.cos(a)))
    return Skeleton(
        tuple(joints),
        lines=(tuple(range(n + 1)),),
        bodies=tuple(range(1, n + 1)),
        pivots=(0,),
        joints=tuple(range(1, n)),
        masses=(None,) * n,
        names=("O", *(f"P_{i + 1}" for i in range(n))),
        marks=_marks(q, angle, links, relative),
        ceiling=True,
    )


def _marks(
    q: sm.Matrix, angle: list[sm.Expr], links: dict[str, list[sm.Symbol]], relative: bool
) -> tuple[Mark, ...]:
    """Return the labels of a sketch: for each link, then for the forces on the chain."""
    down: Direction = (sm.S.Zero, sm.S.NegativeOne)
    marks: list[Mark] = []
    for i, (m, d, l) in enumerate(zip(links["m"], links["d"], links["l"])):
        direction = (sm.sin(angle[i - 1]), -sm.cos(angle[i - 1])) if relative and i else down
        marks += [Angle(q[i], i, direction, i + 1), Length(l, i, i + 1), Center(m, i, i + 1, d)]
    right, up = (sm.S.One, sm.S.Zero), (sm.S.Zero, sm.S.One)
    torques = [Torque(me.dynamicsymbols(f"tau_{i + 1}"), i) for i in range(len(angle))]
    F_x, F_y = me.dynamicsymbols("F_x F_y")
    return (*marks, *torques, Force(F_x, len(angle), right), Force(F_y, len(angle), up))
