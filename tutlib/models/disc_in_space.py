"""Rolling disk of chapter 5 in space: the same equations, drawn as a coin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from straightline.aliases import Array
from straightline.arguments import truth
from straightline.assignments import Number
from straightline.compiled_function import compiled
from straightline.evaluator import Formula
from straightline.expressions import from_sympy
from tutlib.fields import Field
from tutlib.models.lines import Face, Lines, Name, SpaceArrow
from tutlib.models.rolling_disc import NAMES, directions, rolling_disc
from tutlib.models.spatial import SpatialModel
from tutlib.reading.names import plain_name
from tutlib.spaces.space import R

#: Points on the rim of each side, colored sectors per side, half the thickness, and the length of
#: the axes, the last two in radii.
_RIM, _SECTORS, _HALF, _AXIS = 24, 8, 0.06, 1.6
_CENTERS, _CONTACT, _CENTER, _TIPS = 2 * _RIM, 2 * _RIM + 2, 2 * _RIM + 3, 2 * _RIM + 4


def rolling_disc_in_space(axes: bool = True) -> SpatialModel:
    """Return the disk of `rolling_disc`, with the same equations, drawn as a coin in space.

    Its sectors show how it spins, and its contact point leaves a trace on the table at height 0.

    Parameters
    ----------
    axes : bool
        Whether the heading, the axle, and the steepest radius are drawn from its center.

    Returns
    -------
    SpatialModel
    """
    disc, named = rolling_disc(), truth(axes, "axes")
    eom, right = disc.equations, disc.compile()
    values = {plain_name(symbol): value for symbol, value in disc.parameters.items()}
    places = _coin(eom.q, next(s for s in disc.parameters if plain_name(s) == "r"))
    energy, *points = (
        from_sympy(part, (me.dynamicsymbols._t, eom.states, disc.parameters))
        for part in ([disc.kinetic_energy + disc.potential_energy], places)
    )
    return SpatialModel(
        disc.name,
        Field(
            compiled(partial(_rates, right.traced(len(eom.states)), tuple(right.parameters))),
            R(len(eom.states)),
            values,
        ),
        partial(_energy, energy),
        compiled(partial(_points, *points)),
        _drawn(named),
        [plain_name(state) for state in eom.states],
        refuse=_no_disc,
        names=NAMES,
    )


def _rates(formula: Formula, names: Sequence[str], t: float, x: Array, **p: float) -> Array:
    return np.array(formula(t, x, [p[name] for name in names]))


def _energy(formula: Formula, t: Number, x: object, **p: Number) -> Number:
    energy: Number = formula(t, x, list(p.values()))[0]
    return energy


def _points(formula: Formula, t: Any, x: object, **p: Number) -> Array:
    return np.array(formula(t, x, list(p.values()))).reshape(-1, 3)


def _no_disc(parameters: Mapping[str, float]) -> str:
    for name, meaning in (("m", "mass"), ("r", "radius")):
        if not parameters[name] > 0:
            return f"the {meaning} {name} must be positive; got {parameters[name]:g}"
    return ""


def _coin(q: Sequence[sm.Expr], r: sm.Symbol) -> list[sm.Expr]:
    """Return the points: both rims, centers of both sides, contact, center, tips of the axes."""
    yaw, lean, spin, x, y = q
    heading, up = directions(yaw, lean)
    axle, contact = up.cross(heading), sm.Matrix([x, y, 0])
    center = contact + r * up
    sides = [center + side * _HALF * r * axle for side in (1, -1)]
    angles = [spin + 2 * sm.pi * k / _RIM for k in range(_RIM)]
    ways = [up * sm.cos(angle) + heading * sm.sin(angle) for angle in angles]
    rims = [side + r * way for side in sides for way in ways]
    tips = [center + _AXIS * r * way for way in (heading, axle, up)]
    return [c for place in (*rims, *sides, contact, center, *tips) for c in place]


def _drawn(axes: bool) -> Lines:
    """Return sectors of both sides, the tread between them, and the axes if wanted."""
    wide, faces = _RIM // _SECTORS, []
    for sector in range(_SECTORS):
        rim = [k % _RIM for k in range(wide * sector, wide * (sector + 1) + 1)]
        tint = 0.8 if sector % 2 else 0.3
        faces.append(Face((_CENTERS, *rim), 1, tint))
        faces.append(Face((_CENTERS + 1, *(_RIM + k for k in reversed(rim))), 1, tint))
    for k in range(_RIM):
        following = (k + 1) % _RIM
        faces.append(Face((_RIM + k, _RIM + following, following, k), 1, 0.55))
    named = zip(("heading", "axle", "steepest radius"), ("series-3", "series-4", "series-5"))
    shown = [(_TIPS + i, name, role) for i, (name, role) in enumerate(named)] if axes else []
    return Lines(
        lines=(),
        faces=tuple(faces),
        arrows=tuple(SpaceArrow(_CENTER, tip, role) for tip, _, role in shown),
        names=tuple(Name(name, tip, _CENTER, role) for tip, name, role in shown),
        traced=_CONTACT,
        ground=0.0,
    )
