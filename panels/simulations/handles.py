"""Handles of a mechanism: a point is moved to a position, thrown, or pushed.

The program of a live simulation computes the resulting coordinates and speeds; the page passes the
position of the pointer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any

import numpy as np

from panels.drawing.bundle import resource
from straightline.aliases import Array
from straightline.assignments import Number, Numbers, where
from straightline.evaluator import Formula
from straightline.linear_algebra import solve_symmetric
from straightline.operations import square_root
from straightline.routines import Program, Routine

#: Largest number of moves of a point to the pointer, and magnitude of the last move [rad or m].
MOVES, STILL = 60, 1e-9
#: Numbers of the actions, which the page reads as well.
_GRASPS = json.loads(resource("panels/simulations/grasps.json"))
HOLD, THROW, PUSH = (_GRASPS[name] for name in ("hold", "throw", "push"))
#: Largest move [m] as part of ‖∂(position)/∂q‖: a target out of reach would otherwise make the
#: mechanism swing back and forth.
SHORT = 0.25


@dataclass(frozen=True)
class Handles:
    """The points that can be dragged, as functions of the coordinates.

    Parameters
    ----------
    count, coordinates, speeds : int
        Numbers of points, coordinates, and speeds.
    positions : function (t, x, p) -> 2 numbers for each point
        Their positions [m].
    slopes : function (t, x, p) -> 2n numbers for each point
        ∂x/∂q, then ∂y/∂q, for n coordinates.
    accelerations : function (t, x, p, forces) -> numbers
        M⁻¹ applied to generalized forces: the change of the speeds from an impulse.
    constraints : function (t, x, p) -> m n numbers, optional
        Φ = ∂φ/∂q row by row.
    """

    count: int
    coordinates: int
    speeds: int
    positions: Formula
    slopes: Formula
    accelerations: Callable[[Any, Any, Any, Any], Sequence[Any]]
    constraints: Formula | None = None

    def add_to(self, program: Program, states: int, correction: Formula | None) -> None:
        """Add the routine ``grasp(point, what)``, for the index of a point.

        Action 0 moves the point to the position in ``hand`` [m], at rest; action 1 gives it the
        velocity in ``hand`` [m/s], and the mechanism the smallest compatible speeds; action 2
        applies the impulse in ``hand`` [N·s].
        """
        n = self.coordinates
        for name, length in (
            ("hand", 2),
            ("target", 2),
            ("row", 2 * n),
            ("move", n),
            ("slopes", 2 * n * self.count),
            ("positions", 2 * self.count),
        ):
            program.array(name, length)
        grasp = program.routine("grasp", "point", "what")
        what, i = grasp.argument("what"), grasp.whole("i")
        t, x, p = grasp.read("clock"), grasp.read("x", 0, states), program.p
        row, target = grasp.read("row", 0, 2 * n), grasp.read("target", 0, 2)
        grasp.store("target", 0, grasp.read("hand", 0, 2))
        with grasp.repeat(i < MOVES):
            self._read_row(grasp, t, x, p)
            with grasp.when(what >= PUSH):
                grasp.store("x", n, self._pushed(t, x, p, row, target))
                grasp.leave()
            with grasp.when(what < THROW):
                self._shorten(grasp, t, x, p)
            grasp.store("move", 0, smallest(row[:n], row[n:], target))
            move = grasp.read("move", 0, n)
            with grasp.when(what >= THROW):
                grasp.store("x", n, move)
                grasp.leave()
            grasp.store("x", 0, x[:n] + move)
            if correction:
                grasp.store("x", 0, correction(t, x, p))
            with grasp.when(reduce(and_, (abs(part) < STILL for part in move))):
                grasp.set(i, MOVES)
            grasp.set(i, i + 1)
        grasp.store("x", n, [0.0] * self.speeds)

    def _read_row(self, routine: Routine, t: Number, x: Array, p: Numbers) -> None:
        """Put ∂x/∂q and ∂y/∂q of the chosen point, along the constraints, into ``row``."""
        n, point = self.coordinates, routine.argument("point")
        routine.store("slopes", 0, self.slopes(t, x, p))
        rows = routine.read("slopes", point * (2 * n), 2 * n)
        Phi = self.constraints(t, x, p) if self.constraints else []
        routine.store("row", 0, [*along(Phi, rows[:n]), *along(Phi, rows[n:])])

    def _shorten(self, routine: Routine, t: Number, x: Array, p: Numbers) -> None:
        """Put the displacement from the point to the hand, or a part of it, into ``target``."""
        row = routine.read("row", 0, 2 * self.coordinates)
        routine.store("positions", 0, self.positions(t, x, p))
        here = routine.read("positions", routine.argument("point") * 2, 2)
        away = routine.read("hand", 0, 2) - here
        reach, distance = SHORT * square_root(row @ row), square_root(away @ away)
        part = where(distance > reach, reach / distance, 1.0)
        routine.store("target", 0, part * away)

    def _pushed(self, t: Number, x: Array, p: Numbers, row: Array, impulse: Numbers) -> Any:
        """Return the speeds after an impulse."""
        n = self.coordinates
        forces = row[:n] * impulse[0] + row[n:] * impulse[1]
        padded = [*forces, *[0.0] * (self.speeds - n)]
        change = np.asarray(self.accelerations(t, x, p, padded), dtype=object)
        return x[n : n + self.speeds] + change


def along(Phi: Numbers, v: Array) -> Array:
    """Return v without its part across constraints: v − Φᵀ (Φ Φᵀ)⁻¹ Φ v.

    Parameters
    ----------
    Phi : sequence of m n numbers
        Row by row.
    v : array, shape (n,)

    Returns
    -------
    array, shape (n,)
    """
    if not len(Phi):
        return v
    slopes = np.array(Phi, dtype=object).reshape(-1, len(v))
    shares = solve_symmetric(list((slopes @ slopes.T).ravel()), list(slopes @ v))
    rest: Array = v - slopes.T @ np.array(shares, dtype=object)
    return rest


def smallest(a: Array, b: Array, move: Array) -> Array:
    """Return the smallest change of q that moves a point by ``move``: Jᵀ (J Jᵀ + ε 1)⁻¹ move.

    Parameters
    ----------
    a, b : array, shape (n,)
        The rows of J.
    move : array, shape (2,)

    Returns
    -------
    array, shape (n,)
    """
    damping = 1e-3 * (a @ a + b @ b) + 1e-12
    aa, ab, bb = a @ a + damping, a @ b, b @ b + damping
    determinant = aa * bb - ab * ab
    dx, dy = move
    change: Array = a * ((bb * dx - ab * dy) / determinant) + b * (
        (aa * dy - ab * dx) / determinant
    )
    return change
