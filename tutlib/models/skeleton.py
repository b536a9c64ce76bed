"""Drawing of a mechanism in the plane: points, links, joints, masses, and labels of a sketch.

A skeleton is in terms of the model's own coordinates and lengths, so no picture can disagree with
the equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import sympy as sm

from straightline.arguments import instance, several
from tutlib.models.bodies import Body

Direction = tuple[sm.Expr, sm.Expr]


@dataclass(frozen=True)
class Angle:
    """Angle that a sketch shows as an arc from a zero line to a link.

    Parameters
    ----------
    symbol : Expr
        The coordinate, counterclockwise [rad].
    vertex : int
        Index of the point at the center of the arc.
    zero : (dx, dy)
        Direction of the zero line, in terms of the state.
    to : int
        Index of the point at the other end of the link.
    """

    kind: ClassVar[str] = "angle"
    symbol: sm.Expr
    vertex: int
    zero: Direction
    to: int


@dataclass(frozen=True)
class Length:
    """Length that a sketch shows as a dimension line from one point to another.

    Parameters
    ----------
    symbol : Expr
        Length [m].
    start, end : int
        Indices of the points.
    """

    kind: ClassVar[str] = "length"
    symbol: sm.Expr
    start: int
    end: int


@dataclass(frozen=True)
class Center:
    """Center of mass of a link, on the line between two points.

    Parameters
    ----------
    symbol : Expr
        Mass of the link [kg].
    start, end : int
        Indices of the points.
    fraction : Expr
        Position between start and end, from 0 to 1.
    """

    kind: ClassVar[str] = "center"
    symbol: sm.Expr
    start: int
    end: int
    fraction: sm.Expr


@dataclass(frozen=True)
class Force:
    """Force that acts at a point.

    Parameters
    ----------
    symbol : Expr
        Force [N].
    point : int
        Index of the point of application.
    direction : (dx, dy)
        Direction of a positive force.
    """

    kind: ClassVar[str] = "force"
    symbol: sm.Expr
    point: int
    direction: Direction


@dataclass(frozen=True)
class Torque:
    """Torque at a joint, on the link beyond it, counterclockwise if it is positive.

    Parameters
    ----------
    symbol : Expr
        Torque [N·m].
    point : int
        Index of the joint's point.
    """

    kind: ClassVar[str] = "torque"
    symbol: sm.Expr
    point: int


Mark = Angle | Length | Center | Force | Torque


@dataclass(frozen=True)
class Skeleton:
    """Drawing of a mechanism in the plane, or of one in space in an isometric view.

    Parameters
    ----------
    points : tuple of (x, y), or of (x, y, z)
        World coordinates in terms of the state [m]: x to the right, y up; in space z up.
    lines : tuple of tuples of int
        Paths through points, by index: rigid links, drawn with a width.
    bodies : tuple of int
        Points that can be dragged, drawn as disks; the last one leaves a trace.
    pivots : tuple of int
        Points drawn as fixed to the ground.
    thin : tuple of int
        Indices of lines that are drawn thin: threads, rims, braces.
    joints : tuple of int
        Points drawn as pins.
    wheels : tuple of (int, int)
        Centers, each with a point on the rim.
    masses : tuple of Expr or None
        Masses of the bodies [kg], shown by the area of their disks; None for a body without mass,
        such as a point or joint. All disks are equal if no masses are given.
    names : tuple of str
        Names of the points in sketches, such as ``"P_1"``; empty for no name.
    marks : tuple of Angle, Length, Center, Force or Torque
        Labels of a sketch.
    ceiling : bool
        Whether the ground is above the pivots, because the mechanism hangs from it.
    faint : tuple of int
        Indices of thin lines that are drawn faint, such as spokes, or a shadow.
    """

    points: tuple[tuple[sm.Expr, ...], ...]
    lines: tuple[tuple[int, ...], ...]
    bodies: tuple[int, ...] = ()
    pivots: tuple[int, ...] = ()
    thin: tuple[int, ...] = ()
    joints: tuple[int, ...] = ()
    wheels: tuple[tuple[int, int], ...] = ()
    masses: tuple[sm.Expr | None, ...] = ()
    names: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    ceiling: bool = False
    faint: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        seen = tuple(_isometric(*point) if len(point) == 3 else point for point in self.points)
        object.__setattr__(self, "points", seen)

    @classmethod
    def of(cls, bodies: Sequence[Body]) -> Skeleton:
        """Return disks at the centers of bodies, with a bar that shows the rotation of each.

        In the plane, the bar is the uniform rod of the same mass and moment of inertia. Bodies in
        space are shown in an isometric view.

        Parameters
        ----------
        bodies : sequence of Body
        """
        drawn = several(bodies, "bodies", lambda item: instance(item, "each of them", Body))
        points, lines = [tuple(body.center) for body in drawn], []
        for body in drawn:
            if not body.in_space and 0 not in (body.inertia, body.mass):
                (x, y), half = body.center, sm.sqrt(3 * body.inertia / body.mass)
                dx, dy = half * sm.cos(body.turned), half * sm.sin(body.turned)
                lines.append((len(points), len(points) + 1))
                points += [(x - dx, y - dy), (x + dx, y + dy)]
        masses = tuple(body.mass for body in drawn)
        return cls(tuple(points), tuple(lines), tuple(range(len(drawn))), masses=masses)


def _isometric(x: sm.Expr, y: sm.Expr, z: sm.Expr) -> tuple[sm.Expr, sm.Expr]:
    """Return the isometric projection of a point in space, the third axis up."""
    return sm.sqrt(3) / 2 * (y - x), z - (x + y) / 2
