"""Linear model of a bicycle without a rider's hands: the benchmark of chapter 7.

The matrices are the published ones; a test computes them from the parts of the bicycle.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Load
from tutlib.models.model import Model
from tutlib.models.skeleton import Angle, Length, Skeleton

#: Mass matrix [kg·m²], damping per speed [kg·m], stiffness per gravity [kg·m] and per speed² [kg].
MASS = ((80.81722, 2.31941332208709), (2.31941332208709, 0.29784188199686))
DAMPING = ((0.0, 33.86641391492494), (-0.85035641456978, 1.68540397397560))
GRAVITY_STIFFNESS = ((-80.95, -2.59951685249872), (-2.59951685249872, -0.80329488458618))
SPEED_STIFFNESS = ((0.0, 76.59734589573222), (0.0, 2.65431523794604))
#: Wheelbase and trail [m], tilt of the steering axis [rad], wheel radii [m], gravity [m/s²].
WHEELBASE, TRAIL, TILT, REAR, FRONT, GRAVITY = 1.02, 0.08, math.pi / 10, 0.3, 0.35, 9.81
#: Points of a drawn rim.
_RIM = 20
#: Meanings of the symbols.
NAMES = {"phi": "lean", "delta": "steer", "v": "speed"}


def _on_axis(height: float) -> tuple[float, float]:
    """Return a position on the steering axis, ahead and up [m]."""
    return WHEELBASE + TRAIL - height * math.tan(TILT), height


#: Positions on the upright bicycle, ahead of the rear contact and above the ground [m].
POSITIONS = {
    "P": (0.0, 0.0),
    "Q": (WHEELBASE, 0.0),
    "B": (0.3, 0.9),
    "H": (0.9, 0.7),
    "ground": (WHEELBASE + TRAIL, 0.0),
    "above": _on_axis(1.55),
    "rear": (0.0, REAR),
    "front": (WHEELBASE, FRONT),
    "pedal": (0.42, 0.28),
    "saddle": (0.25, 0.8),
    "low": _on_axis(0.72),
    "high": _on_axis(0.95),
    "top": _on_axis(1.1),
    "grip": (_on_axis(1.1)[0] - 0.2, 1.13),
}
_NUMBER = {name: number for number, name in enumerate(POSITIONS)}
_FRAME = ("rear pedal low", "saddle high", "pedal saddle rear")


def bicycle() -> Model:
    """Return the benchmark bicycle, linearized about riding straight ahead, at the speed ``v``.

    The coordinates are the lean ``phi`` and the steer ``delta`` [rad], both positive to the right;
    the speed ``v`` = 5 m/s is a parameter. The rider sits still and does not steer. Terms that grow
    with the speed are loads: the ground does work on lean and steer, taken from the forward motion.
    The bicycle is drawn in space, seen from behind and from the right. It has fallen if it leans by
    more than 60°.

    Returns
    -------
    Model

    References
    ----------
    :cite:p:`Meijaard2007`.
    """
    speed = sm.Symbol("v", nonnegative=True)
    lean, steer = q = sm.Matrix(me.dynamicsymbols("phi delta"))
    u = q.diff(me.dynamicsymbols._t)
    mass, still = sm.Matrix(MASS), GRAVITY * sm.Matrix(GRAVITY_STIFFNESS)
    by_speed = speed**2 * sm.Matrix(SPEED_STIFFNESS)
    rolling = -speed * sm.Matrix(DAMPING) * u
    return Model(
        name="bicycle",
        equations=EquationsOfMotion(tuple(q), tuple(u), mass, rolling - (still + by_speed) * q),
        kinetic_energy=(u.T * mass * u)[0] / 2,
        potential_energy=(q.T * still * q)[0] / 2,
        skeleton=_in_space(lean, steer),
        parameters={speed: 5.0},
        names=NAMES,
        loads=tuple(Load(push, angle) for push, angle in zip(rolling - by_speed * q, q)),
        upright=sm.pi / 3 - sm.Abs(lean),
    )


def bicycle_views() -> dict[str, Model]:
    """Return the bicycle seen from the side, from behind, and from above, for sketches.

    Returns
    -------
    dict from str to Model
        The model of `bicycle` with different skeletons.
    """
    lean, steer = me.dynamicsymbols("phi delta")
    views = {
        "from the side": _from_the_side(),
        "from behind": _from_behind(lean),
        "from above": _from_above(steer),
    }
    return {view: replace(bicycle(), skeleton=skeleton) for view, skeleton in views.items()}


def _route(words: str) -> tuple[int, ...]:
    return tuple(_NUMBER[name] for name in words.split())


def _from_the_side() -> Skeleton:
    routes = (*_FRAME, "top low front", "top grip", "ground above")
    base, trail, head = sm.symbols("w c lambda", positive=True)
    return Skeleton(
        points=tuple((sm.Float(a), sm.Float(b)) for a, b in POSITIONS.values()),
        lines=tuple(map(_route, routes)),
        thin=tuple(range(len(routes))),
        faint=(len(routes) - 1,),
        wheels=((_NUMBER["rear"], _NUMBER["P"]), (_NUMBER["front"], _NUMBER["Q"])),
        bodies=_route("B H"),
        masses=(None, None),
        names=(*"PQBH", *[""] * (len(POSITIONS) - 4)),
        marks=(
            Length(base, *_route("P Q")),
            Length(trail, *_route("Q ground")),
            Angle(head, _NUMBER["top"], (sm.S.Zero, sm.S.One), _NUMBER["above"]),
        ),
    )


def _from_behind(lean: sm.Expr) -> Skeleton:
    up, right = sm.Matrix([sm.sin(lean), sm.cos(lean)]), sm.Matrix([sm.cos(lean), -sm.sin(lean)])
    bar = [1.1 * up + offset * right for offset in (-0.25, 0.25)]
    return Skeleton(
        points=tuple((*p,) for p in (*(h * up for h in (0.0, 0.6, 0.9, 1.2)), *bar)),
        lines=((0, 1), (1, 3), (4, 5)),
        thin=(1, 2),
        bodies=(2,),
        masses=(None,),
        names=("P", "", "B", "", "", ""),
        marks=(Angle(lean, 0, (sm.S.Zero, sm.S.One), 3),),
    )


def _from_above(steer: sm.Expr) -> Skeleton:
    turned, hub = FRONT * sm.Matrix([sm.cos(steer), -sm.sin(steer)]), sm.Matrix([WHEELBASE, 0])
    return Skeleton(
        points=((-REAR, 0), (REAR, 0), (*hub,), (*(hub - turned),), (*(hub + turned),)),
        lines=((0, 1), (3, 4), (1, 2)),
        thin=(2,),
        joints=(2,),
        marks=(Angle(steer, 2, (sm.S.One, sm.S.Zero), 4),),
    )


def _rotated(p: sm.Matrix, axis: sm.Matrix, angle: sm.Expr) -> sm.Matrix:
    along = axis * axis.dot(p) * (1 - sm.cos(angle))
    return p * sm.cos(angle) + axis.cross(p) * sm.sin(angle) + along


def _projected(
    lean: sm.Expr, steer: sm.Expr, position: tuple[float, float], of_fork: bool, offset: float = 0.0
) -> tuple[sm.Expr, sm.Expr]:
    """Return the projection of a point of frame or fork; large angles are drawn smaller."""
    ahead, axis = sm.Matrix([1, 0, 0]), sm.Matrix([-math.sin(TILT), 0, math.cos(TILT)])
    foot, p = sm.Matrix([WHEELBASE + TRAIL, 0, 0]), sm.Matrix([position[0], offset, position[1]])
    p = foot + _rotated(p - foot, axis, -sm.tanh(steer)) if of_fork else p
    a, b, z = _rotated(p, ahead, 1.4 * sm.tanh(lean / 1.4))
    return 0.82 * a - 0.57 * b, 0.95 * z + 0.17 * a + 0.25 * b


def _rim(hub: str, radius: float) -> list[tuple[float, float]]:
    angles, (a, z) = [2 * math.pi * k / _RIM for k in range(_RIM)], POSITIONS[hub]
    return [(a + radius * math.cos(angle), z + radius * math.sin(angle)) for angle in angles]


def _in_space(lean: sm.Expr, steer: sm.Expr) -> Skeleton:
    """Return frame, fork, and two rims in perspective."""
    projected, top = partial(_projected, lean, steer), POSITIONS["top"]
    spots = [
        projected(position, name in ("H", "front", "top")) for name, position in POSITIONS.items()
    ]
    bar = [projected((top[0] - 0.12, top[1]), True, offset) for offset in (-0.28, 0.28)]
    rear = [projected(spot, False) for spot in _rim("rear", REAR)]
    front = [projected(spot, True) for spot in _rim("front", FRONT)]
    n = len(spots)
    first, second = n + 2, n + 2 + _RIM
    rims = [tuple(start + k for k in (*range(_RIM), 0)) for start in (first, second)]
    frame = [*map(_route, _FRAME), _route("top low front"), (n, _NUMBER["top"], n + 1)]
    quarter, half = _RIM // 4, _RIM // 2
    spokes = [(s + k, s + k + half) for k in (0, quarter) for s in (first, second)]
    paths = (*rims, *frame, *spokes)
    return Skeleton(
        points=(*spots, *bar, *rear, *front),
        lines=paths,
        thin=tuple(range(len(paths))),
        faint=tuple(range(len(paths) - len(spokes), len(paths))),
        bodies=_route("B"),
        masses=(None,),
    )
