"""Disk, such as a coin, that rolls on a table without slipping, taught in chapter 5."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Body
from tutlib.models.model import Model
from tutlib.models.skeleton import Skeleton

#: Points on the drawn rim, and width of the tread in radii.
_RIM, _TREAD = 24, 0.15

#: Meanings of the symbols.
NAMES = {
    "q_1": "yaw",
    "q_2": "lean from upright",
    "q_3": "spin about the axle",
    "q_4": "position of the contact point to the right",
    "q_5": "position of the contact point to the back",
    "u_1": "angular velocity about the heading",
    "u_2": "angular velocity about the axle",
    "u_3": "angular velocity about the steepest radius",
    "m": "mass",
    "r": "radius",
    "g": "gravity",
}
#: Units of the symbols.
UNITS = {
    **dict.fromkeys(("q_1", "q_2", "q_3"), "rad"),
    **dict.fromkeys(("u_1", "u_2", "u_3"), "rad/s"),
    "q_4": "m",
    "q_5": "m",
    "m": "kg",
    "r": "m",
    "g": "m/s²",
}


def rolling_disc() -> Model:
    """Return a thin disk that rolls without slipping, with its angular velocity as speeds.

    The coordinates are yaw ``q_1`` about the vertical, lean ``q_2`` from upright, and spin ``q_3``
    about the axle [rad], and the position ``q_4, q_5`` [m] of the contact point on the table. The
    speeds ``u_1, u_2, u_3`` [rad/s] are the components of the angular velocity along the heading,
    the axle, and the steepest radius of the disk: only the first is the derivative of a coordinate.
    The parameters are ``m`` = 1 kg, ``r`` = 0.5 m, and ``g`` = 9.81 m/s². The disk is drawn with
    its shadow, from the side and a little from above; the drawn body is the contact point.

    Returns
    -------
    Model

    References
    ----------
    :cite:p:`KaneLevinson1985`, chapters 2 to 4.
    """
    yaw, lean, spin, x, y = q = me.dynamicsymbols("q_1:6")
    u_1, u_2, u_3 = u = me.dynamicsymbols("u_1:4")
    m, r = sm.symbols("m r", positive=True)
    g = sm.Symbol("g", real=True)
    N = sm.Matrix(
        [
            [0, 0, 1 / sm.cos(lean)],
            [1, 0, 0],
            [0, 1, -sm.tan(lean)],
            [0, r * sm.cos(yaw), -r * sm.cos(yaw) * sm.tan(lean)],
            [0, r * sm.sin(yaw), -r * sm.sin(yaw) * sm.tan(lean)],
        ]
    )
    M = m * r**2 / 4 * sm.diag(5, 6, 1)
    tilt = u_3 * sm.tan(lean)
    F = (
        m
        * r**2
        * sm.Matrix(
            [
                g * sm.sin(lean) / r + 3 * u_2 * u_3 / 2 - u_3 * tilt / 4,
                -u_1 * u_3,
                u_1 * (tilt - 2 * u_2) / 4,
            ]
        )
    )
    return Model(
        name="rolling disc",
        equations=EquationsOfMotion(q, u, M, F, N),
        kinetic_energy=m * r**2 * (5 * u_1**2 + 6 * u_2**2 + u_3**2) / 8,
        potential_energy=m * g * r * sm.cos(lean),
        skeleton=_skeleton(yaw, lean, spin, x, y, r),
        parameters={m: 1.0, r: 0.5, g: 9.81},
        names=NAMES,
        bodies=(_disc(q, m, r),),
        units=UNITS,
    )


def _disc(q: Sequence[sm.Expr], m: sm.Symbol, r: sm.Symbol) -> Body:
    """Return the disk as a body: two of its axes rotate with it, the third is its axle."""
    yaw, lean, spin, x, y = q
    heading, up = directions(yaw, lean)
    first = up * sm.cos(spin) + heading * sm.sin(spin)
    second = heading * sm.cos(spin) - up * sm.sin(spin)
    axes = sm.Matrix.hstack(first, second, up.cross(heading))
    return Body(
        m, tuple(sm.Matrix([x, y, 0]) + r * up), [m * r**2 * f / 4 for f in (1, 1, 2)], axes
    )


def directions(yaw: sm.Expr, lean: sm.Expr) -> tuple[sm.Matrix, sm.Matrix]:
    """Return the heading and the steepest radius, unit vectors with the third axis up."""
    heading = sm.Matrix([sm.cos(yaw), sm.sin(yaw), 0])
    up = sm.Matrix([sm.sin(yaw) * sm.sin(lean), -sm.cos(yaw) * sm.sin(lean), sm.cos(lean)])
    return heading, up


def _skeleton(
    yaw: sm.Expr, lean: sm.Expr, spin: sm.Expr, x: sm.Expr, y: sm.Expr, r: sm.Expr
) -> Skeleton:
    """Return a wheel with its shadow, seen along the y axis from 25° above."""
    # Points: the rim in the plane of the disk; for every second one, the other end of the tread,
    # then the shadow; the contact.
    heading, up = directions(yaw, lean)
    contact = sm.Matrix([x, y, 0])

    def seen(point: sm.Matrix) -> tuple[sm.Expr, sm.Expr]:
        return point[0], 0.906 * point[2] + 0.423 * point[1]

    rim = []
    for k in range(_RIM):
        angle = spin + 2 * sm.pi * k / _RIM
        rim.append(contact + r * (up + up * sm.cos(angle) + heading * sm.sin(angle)))
    tread = [point + _TREAD * r * up.cross(heading) for point in rim[::2]]
    shadow = [sm.Matrix([*point[:2], 0]) for point in rim[::2]]
    half, last = _RIM // 2, 2 * _RIM
    circle = (*range(_RIM), 0)
    behind = (*range(_RIM, _RIM + half), _RIM)
    below = (*range(_RIM + half, last), _RIM + half)
    spokes = tuple((k, k + half) for k in range(0, half, 4))
    across = tuple((2 * k, _RIM + k) for k in range(half))
    faint = (below, behind, *spokes, *across)
    return Skeleton(
        tuple(map(seen, (*rim, *tread, *shadow, contact))),
        lines=(*faint, circle),
        bodies=(last,),
        thin=tuple(range(len(faint) + 1)),
        faint=tuple(range(len(faint))),
        masses=(None,),
    )
