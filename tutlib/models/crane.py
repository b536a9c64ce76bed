"""Gantry crane of chapter 10: a trolley on a rail, a winch on it, a load on its rope."""

from __future__ import annotations

import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics.equations import EquationsOfMotion
from tutlib.models.bodies import Body, Load
from tutlib.models.model import Model
from tutlib.models.skeleton import Angle, Force, Length, Skeleton

#: Meanings of the symbols.
NAMES = {
    "x": "position of the trolley",
    "l": "length of the rope",
    "theta": "angle of the rope",
    "F": "force of the drive",
    "H": "force of the winch",
    "M": "mass of the trolley",
    "m": "mass of the load",
    "m_w": "inertia of the winch",
    "b": "friction of the trolley",
    "g": "gravity",
}
#: Units of the symbols.
UNITS = {
    "x": "m",
    "l": "m",
    "theta": "rad",
    "F": "N",
    "H": "N",
    "M": "kg",
    "m": "kg",
    "m_w": "kg",
    "b": "N·s/m",
    "g": "m/s²",
}
_TROLLEY = ((-1.2, 0.5), (1.2, 0.5), (1.2, -0.3), (-1.2, -0.3))
_WHEELS = ((-0.8, -0.5), (-0.8, -0.75), (0.8, -0.5), (0.8, -0.75))


def crane() -> Model:
    """Return a gantry crane whose load hangs from a trolley on a rope with a winch.

    The state is x = [x, l, θ, ẋ, l̇, θ̇]: the position of the trolley on its rail [m], the length
    of the rope [m], and its angle [rad], counterclockwise from hanging straight down. The inputs
    are the force ``F`` of the drive and the force ``H`` of the winch on the rope [N]. The
    rotating parts of the winch have the equivalent mass ``m_w`` along the rope.

    Returns
    -------
    Model
        M = 1200 kg, m = 4000 kg, m_w = 800 kg, b = 300 N·s/m, g = 9.81 m/s².
    """
    x, l, theta, F, H = me.dynamicsymbols("x l theta F H")
    M, m, m_w, b = sm.symbols("M m m_w b", positive=True)
    g, t = sm.Symbol("g", real=True), me.dynamicsymbols._t
    load = (x + l * sm.sin(theta), -l * sm.cos(theta))
    speed = sum(coordinate.diff(t) ** 2 for coordinate in load)
    kinetic = (M * x.diff(t) ** 2 + m_w * l.diff(t) ** 2 + m * sm.trigsimp(sm.expand(speed))) / 2
    potential = -m * g * l * sm.cos(theta)
    drive = F - b * x.diff(t)
    return Model(
        name="crane",
        equations=EquationsOfMotion.from_lagrangian(
            kinetic, potential, [x, l, theta], forces={x: drive, l: -H}
        ),
        kinetic_energy=kinetic,
        potential_energy=potential,
        skeleton=_drawing(x, l, theta, load, m, F),
        parameters={M: 1200.0, m: 4000.0, m_w: 800.0, b: 300.0, g: 9.81},
        names=NAMES,
        bodies=(Body(M, (x, sm.S.Zero)), Body(m_w, (l, sm.S.Zero)), Body(m, load)),
        loads=(Load(drive, x), Load(-H, l)),
        units=UNITS,
    )


def _drawing(
    x: sm.Expr, l: sm.Expr, theta: sm.Expr, load: tuple[sm.Expr, sm.Expr], m: sm.Expr, F: sm.Expr
) -> Skeleton:
    """Return the rail, the trolley on its wheels, the rope, and the load."""
    outline = [(x + dx, sm.Float(dy)) for dx, dy in (*_TROLLEY, *_WHEELS, (0.0, 0.5), (1.2, 0.1))]
    rail, middle = ((-9, -0.75), (9, -0.75)), (sm.S.Zero, sm.S.Zero)
    return Skeleton(
        points=((x, sm.S.Zero), load, *outline, *rail, middle),
        lines=((2, 3, 4, 5, 2), (0, 1), (12, 13)),
        bodies=(1,),
        thin=(0, 1, 2),
        faint=(2,),
        joints=(0,),
        wheels=((6, 7), (8, 9)),
        masses=(m,),
        names=(*[""] * 10, "M", *[""] * 4),
        marks=(
            Angle(theta, 0, (sm.S.Zero, sm.S.NegativeOne), 1),
            Length(l, 0, 1),
            Length(x, 14, 0),
            Force(F, 11, (sm.S.One, sm.S.Zero)),
        ),
    )
