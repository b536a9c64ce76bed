"""What is drawn of a mechanism, and what a sketch names: points, links, joints, masses, marks.

Every model of the course in the plane has a skeleton, made of its own coordinates and lengths, so
that no picture can disagree with the equations.
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
    """An angle that a sketch shows by an arc, from a zero line to a link.

    Parameters
    ----------
    symbol : Expr
        The coordinate, counter-clockwise [rad].
    vertex : int
        The point around which it turns.
    zero : (dx, dy)
        Direction of its zero line, as expressions of the state.
    to : int
        The point at which the link's other end is.
    """

    kind: ClassVar[str] = "angle"
    symbol: sm.Expr
    vertex: int
    zero: Direction
    to: int


@dataclass(frozen=True)
class Length:
    """A length that a sketch shows by a dimension line from one point to another.

    Parameters
    ----------
    symbol : Expr
        In meters.
    start, end : int
        The points.
    """

    kind: ClassVar[str] = "length"
    symbol: sm.Expr
    start: int
    end: int


@dataclass(frozen=True)
class Center:
    """The center of mass of a link, on the line between two points.

    Parameters
    ----------
    symbol : Expr
        The link's mass [kg].
    start, end : int
        The points.
    fraction : Expr
        How far from start to end it is, from 0 to 1.
    """

    kind: ClassVar[str] = "center"
    symbol: sm.Expr
    start: int
    end: int
    fraction: sm.Expr


@dataclass(frozen=True)
class Force:
    """A force that acts at a point.

    Parameters
    ----------
    symbol : Expr
        In newtons.
    point : int
        Where it acts.
    direction : (dx, dy)
        Where it points if it is positive.
    """

    kind: ClassVar[str] = "force"
    symbol: sm.Expr
    point: int
    direction: Direction


@dataclass(frozen=True)
class Torque:
    """A torque at a joint, on the link beyond it, counter-clockwise if it is positive.

    Parameters
    ----------
    symbol : Expr
        In newton meters.
    point : int
        The joint.
    """

    kind: ClassVar[str] = "torque"
    symbol: sm.Expr
    point: int


Mark = Angle | Length | Center | Force | Torque


@dataclass(frozen=True)
class Skeleton:
    """What to draw of a mechanism in the plane, or of one in space from above and aside.

    Parameters
    ----------
    points : tuple of (x, y), or of (x, y, z)
        World coordinates as expressions of the state [m]: x to the right, y up; in space z up.
    lines : tuple of tuples of int
        Each a path through points, by index: rigid links, drawn with a width.
    bodies : tuple of int
        Points that can be taken hold of, drawn as disks; the last one leaves a trace.
    pivots : tuple of int
        Points drawn as fixed to the ground.
    thin : tuple of int
        Numbers of the lines that are no links but threads, rims, braces: drawn thin.
    joints : tuple of int
        Points drawn as pins.
    wheels : tuple of (int, int)
        Centers, each with a point of its rim.
    masses : tuple of Expr or None
        Masses of the bodies [kg], in their order, which their disks show by their size; None has
        none, and is a mere point or joint. All disks are equal where no masses are given.
    names : tuple of str
        Names of the points in sketches, such as ``"P_1"``; an empty one has none.
    marks : tuple of Angle, Length, Center, Force or Torque
        What a sketch names.
    ceiling : bool
        Whether the ground is above the pivots, because what hangs there hangs down.
    faint : tuple of int
        Numbers of those thin lines that are drawn faint, such as spokes, or a shadow.
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
        seen = tuple(_seen(*place) if len(place) == 3 else place for place in self.points)
        object.__setattr__(self, "points", seen)

    @classmethod
    def of(cls, bodies: Sequence[Body]) -> Skeleton:
        """Return disks at the places of bodies, with a bar for each that can be seen to turn.

        In the plane the bar is that of the uniform rod with the body's mass and moment of inertia.
        Bodies in space are seen from above and aside, as in an isometric drawing.

        Parameters
        ----------
        bodies : sequence of Body
        """
        drawn = several(bodies, "bodies", lambda one: instance(one, "each of them", Body))
        points, lines = [tuple(body.center) for body in drawn], []
        for body in drawn:
            if not body.in_space and 0 not in (body.inertia, body.mass):
                (x, y), half = body.center, sm.sqrt(3 * body.inertia / body.mass)
                dx, dy = half * sm.cos(body.turned), half * sm.sin(body.turned)
                lines.append((len(points), len(points) + 1))
                points += [(x - dx, y - dy), (x + dx, y + dy)]
        masses = tuple(body.mass for body in drawn)
        return cls(tuple(points), tuple(lines), tuple(range(len(drawn))), masses=masses)


def _seen(x: sm.Expr, y: sm.Expr, z: sm.Expr) -> tuple[sm.Expr, sm.Expr]:
    """Return where an isometric drawing has a place in space, the third axis up."""
    return sm.sqrt(3) / 2 * (y - x), z - (x + y) / 2
