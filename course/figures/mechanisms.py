"""Sketches of systems that a reader models: drawings with labels, without equations.

Chapter 2 uses them.
"""

from __future__ import annotations

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from tutlib.mechanics import EquationsOfMotion
from tutlib.models import Angle, Length, Model, Skeleton

_theta = me.dynamicsymbols("theta")
_along = sm.Matrix([sm.sin(_theta), -sm.cos(_theta)])
_across = sm.Matrix([sm.cos(_theta), sm.sin(_theta)])


def _drawing(skeleton: Skeleton, values: dict[sm.Symbol, float] | None = None) -> Model:
    """Return a model that can be drawn at any angle, but does not move."""
    still = EquationsOfMotion((_theta,), (_theta.diff(),), sm.eye(1), sm.zeros(1, 1))
    return Model("drawing", still, sm.S.Zero, sm.S.Zero, skeleton, values or {})


def spring_pendulum() -> Model:
    """Return the drawing of a mass on a spring that swings; its state is the angle.

    Returns
    -------
    Model
        With the marks ``theta``, ``l`` (unstretched length), and ``e`` (extension).
    """
    windings = 24
    coils = [
        1.5 * i / windings * _along + 0.08 * np.sin(np.pi / 2 * i) * _across
        for i in range(windings + 1)
    ]
    unstretched = windings + 1  # the index of the point at this length
    skeleton = Skeleton(
        tuple(map(tuple, [*coils, 1.1 * _along])),
        (tuple(range(windings + 1)),),
        (windings,),
        thin=(0,),
        names=("O", *(windings - 1) * ("",), "m"),
        marks=(
            Angle(_theta, 0, (0, -1), windings),
            Length(sm.Symbol("l"), 0, unstretched),
            Length(sm.Symbol("e"), unstretched, windings),
        ),
    )
    return _drawing(skeleton)


def ring_on_wire() -> Model:
    """Return the drawing of a ring on a slanted wire, with a mass on a rod; its state is the angle.

    Returns
    -------
    Model
        With the marks ``beta`` (slope of the wire), ``theta``, and ``l`` (length of the rod).
    """
    beta, l = sm.symbols("beta l")
    ring = 1.5 * sm.Matrix([sm.cos(beta), -sm.sin(beta)])
    skeleton = Skeleton(
        tuple(map(tuple, [sm.zeros(2, 1), 2 * ring, ring, ring + l * _along])),
        ((0, 1), (2, 3)),
        (2, 3),
        thin=(0,),
        names=("O", "", "m_0", "m"),
        marks=(Angle(beta, 0, (1, 0), 1), Angle(_theta, 2, (0, -1), 3), Length(l, 2, 3)),
    )
    return _drawing(skeleton, {beta: 0.55, l: 1.2})


def masses_on_string() -> Model:
    """Return the drawing of two masses on a string over two pulleys; its state is the angle.

    Returns
    -------
    Model
        With the mark ``theta``, the angle of the mass on the right.
    """
    skeleton = Skeleton(
        ((-0.6, -0.8), (-0.6, 0), (0.6, 0), (0.6 + 1.3 * _along[0], 1.3 * _along[1])),
        ((0, 1, 2, 3),),
        (0, 3),
        thin=(0,),
        names=("m_1", "", "", "m_2"),
        marks=(Angle(_theta, 2, (0, -1), 3),),
    )
    return _drawing(skeleton)
