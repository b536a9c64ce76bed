"""Bodies and loads of a free-body diagram: masses, and forces and torques that do work.

Equations and energies do not depend on them: from them, `verification` derives the equations a
second time with Newton's laws. Chapter 5 explains why both must agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sm

from straightline.arguments import instance, shown
from tutlib.reading.expressions import read_expression, read_expressions, read_matrix


@dataclass(frozen=True)
class Body:
    """Rigid body or particle.

    Parameters
    ----------
    mass : Expr
        Mass [kg].
    center : (x, y) or (x, y, z)
        Center of mass in world axes [m]: in the plane with y up, in space with z up.
    inertia : Expr, or three of them
        Moment of inertia about the center [kg·m²]; in space, three about the body's axes.
    turned : Expr or Matrix, shape (3, 3)
        In the plane the angle of the body, counterclockwise [rad]; in space the matrix whose
        columns are the body's axes.

    Raises
    ------
    TypeError
        If an argument is not an expression.
    ValueError
        If there are not two or three coordinates, or inertia and rotation do not fit them.
    """

    mass: sm.Expr
    center: tuple[sm.Expr, ...]
    inertia: Any = sm.S.Zero
    turned: Any = sm.S.Zero

    def __post_init__(self) -> None:
        center = read_expressions(self.center, "coordinate of the center")
        if len(center) not in (2, 3):
            raise ValueError(
                f"a center of mass must have two or three coordinates; got {shown(self.center)}"
            )
        object.__setattr__(self, "center", center)
        object.__setattr__(self, "mass", read_expression(self.mass, "mass"))
        if len(center) == 2:
            read: list[Any] = [read_expression(getattr(self, n), n) for n in ("inertia", "turned")]
        else:
            inertia = self.inertia if self.inertia != 0 else [0, 0, 0]
            read = [read_expressions(inertia, "moment of inertia"), _axes(self.turned)]
            if len(read[0]) != 3:
                raise ValueError(
                    "in space, a body must have three moments of inertia; got "
                    f"{shown(self.inertia)}"
                )
        for name, value in zip(("inertia", "turned"), read):
            object.__setattr__(self, name, value)

    @property
    def place(self) -> sm.Matrix:
        """The center of mass in space; the third coordinate is zero in the plane."""
        return sm.Matrix([*self.center, *[0] * (3 - len(self.center))])

    @property
    def axes(self) -> sm.Matrix:
        """The matrix whose columns are the body's axes."""
        return sm.Matrix(self.turned) if self.in_space else sm.rot_ccw_axis3(self.turned)

    @property
    def moments(self) -> tuple[sm.Expr, ...]:
        """The moments of inertia about the body's axes."""
        return tuple(self.inertia) if self.in_space else (sm.S.Zero, sm.S.Zero, self.inertia)

    @property
    def in_space(self) -> bool:
        """Whether it has three coordinates."""
        return len(self.center) == 3

    def with_known(self, known: Mapping[sm.Expr, sm.Expr | float]) -> Body:
        """Return the body with symbols replaced, given a mapping from symbol to value."""
        known = _read_known(known)
        inertia = self.inertia if self.in_space else [self.inertia]
        moments = tuple(sm.sympify(moment).xreplace(known) for moment in inertia)
        return Body(
            self.mass.xreplace(known),
            tuple(c.xreplace(known) for c in self.center),
            moments if self.in_space else moments[0],
            self.turned.xreplace(known),
        )


@dataclass(frozen=True)
class Load:
    """Force or torque that does work, apart from weight.

    Parameters
    ----------
    value : Expr
        Force [N] or torque [N·m].
    along : Expr
        Coordinate of the point of application in the direction of the force [m], or the angle
        [rad]: the power is the value times its time derivative. For a torque between two links, it
        is the angle of one relative to the other.
    rate : Expr, optional
        If there is no such coordinate, the velocity in its direction [m/s] or the angular velocity
        about its axis [rad/s], linear in speeds or derivatives of coordinates, such as that of a
        body about its own axis: the power per unit of the value.

    Raises
    ------
    TypeError
        If an argument is not an expression.
    """

    value: sm.Expr
    along: sm.Expr = sm.S.Zero
    rate: sm.Expr = sm.S.Zero

    def __post_init__(self) -> None:
        for name in ("value", "along", "rate"):
            object.__setattr__(self, name, read_expression(getattr(self, name), name))

    def with_known(self, known: Mapping[sm.Expr, sm.Expr | float]) -> Load:
        """Return the load with symbols replaced, given a mapping from symbol to value."""
        known = _read_known(known)
        return Load(*(e.xreplace(known) for e in (self.value, self.along, self.rate)))


def _read_known(substitutions: object) -> dict[sm.Expr, sm.Expr]:
    by_symbol = instance(substitutions, "known", Mapping, "such as {d: 1}")  # type: ignore[type-abstract]
    return {s: read_expression(value, f"what is known of {s}") for s, value in by_symbol.items()}


def _axes(turned: object) -> sm.ImmutableDenseMatrix:
    """Return a matrix of three columns; the world axes unless given."""
    read = read_matrix(
        sm.eye(3) if isinstance(turned, int | sm.Expr) and turned == 0 else turned, "turned"
    )
    if read.shape != (3, 3):
        raise ValueError(
            f"in space, the axes of a body must be a matrix of shape (3, 3); got shape {read.shape}"
        )
    return read
