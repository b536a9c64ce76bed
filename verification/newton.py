"""Newton's and Euler's laws for every body, along the motion that the equations claim.

Places are differentiated by arithmetic, and forces of joints drop out along partial velocities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import agree, label_of
from verification.differentiation import NoNumberError, along_path, slope
from verification.forcing import applied
from verification.gravity import upward, weight
from verification.results import Rung
from verification.sentences import NEAR, at, between, both, capital
from verification.subject import INSTANT, Subject

_LEAVING = " What leaves takes its momentum along: a force is m a, without the rate of m times v."


def newton(subject: Subject) -> Rung:
    """Ask every body for m a and the rate of its angular momentum, and what moves it so.

    Both are counted along each speed's partial velocities: there the forces of joints drop out.
    """
    name = "Newton's laws"
    if not subject.bodies:
        return Rung(
            name, None, "No bodies are known: a Model has them as bodies=[Body(m, center)]."
        )
    if subject.moves_potential:
        return Rung(name, None, "The potential energy holds speeds: its forces are no slope of it.")
    try:
        gravity = weight(subject)
        if gravity.wrong:
            return Rung(name, False, f"Weight is wrong: {gravity.wrong}.")
        for x in subject.states:
            asked, active = inertial_and_applied(subject, x)
            size = max(np.abs(asked).max(), np.abs(active).max(), largest_part(subject, x))
            free = subject.free_directions(x).T  # a place off a constraint may be none of a body
            if not np.abs(free @ (asked - active)).max(initial=0.0) <= NEAR * size:
                return _unbalanced(subject, x, asked, active)
    except NoNumberError as error:
        return Rung(name, None, f"{error}.")
    count = len(subject.bodies)
    return Rung(
        name,
        True,
        f"For {count} {agree(subject.bodies, 'body', 'bodies')}, m a and the change of angular "
        f"momentum are what {'springs' if gravity.unasked else 'weight'} and loads ask, along "
        f"every speed, in {len(subject.states)} states."
        + (f" Weight was not asked: {gravity.unasked}." if gravity.unasked else ""),
    )


def _places(subject: Subject) -> list[sm.Expr]:
    """Return the centers and axes of all bodies."""
    return [e for body in subject.bodies for e in (*body.place, *body.axes)]


@dataclass(frozen=True, eq=False)
class MovingBodies:
    """How all bodies of a machine move in one state, with the accelerations that it claims.

    Parameters
    ----------
    places : array, shape (b, 3)
        Of the centers [m].
    axes : array, shape (b, 3, 3)
        Of each body, as columns.
    twists, rates : array, shape (b, 6)
        Velocity of the center and angular velocity, in world axes, and how they change.
    partial : array, shape (k, b, 6)
        The same for each speed alone: its partial velocities.
    masses : array, shape (b,)
    moments : array, shape (b, 3)
        About the body's own axes.
    """

    places: Array
    axes: Array
    twists: Array
    rates: Array
    partial: Array
    masses: Array
    moments: Array


def moving_bodies(subject: Subject, x: Array, u_dot: Array) -> MovingBodies:
    """Return how the bodies move in a state, while the speeds have the rates u̇."""
    eom, p, count = subject.equations, subject.numbers, len(subject.bodies)
    formulas = subject.formulas(_places(subject))
    derivatives = along_path(formulas, INSTANT, subject.path(x, u_dot), p)
    value, rate, second = (part.reshape(count, 12) for part in derivatives)
    R, R_dot, R_second = (part[:, 3:].reshape(count, 3, 3) for part in (value, rate, second))
    back = R.transpose(0, 2, 1)
    turn = R_dot @ back
    N, partial = subject.matrix_at(eom.kinematic_matrix, x), []
    for column in N.T:
        way = np.concatenate([column, np.zeros(len(x) - len(column))])
        along = slope(formulas, INSTANT, x, way, p).reshape(count, 12)
        partial.append(np.hstack([along[:, :3], axis_of(along[:, 3:].reshape(R.shape) @ back)]))
    moments = subject.values_at([m for body in subject.bodies for m in body.moments], x)
    return MovingBodies(
        places=value[:, :3],
        axes=R,
        twists=np.hstack([rate[:, :3], axis_of(turn)]),
        rates=np.hstack([second[:, :3], axis_of(R_second @ back - turn @ turn)]),
        partial=np.array(partial),
        masses=subject.values_at([body.mass for body in subject.bodies], x),
        moments=moments.reshape(count, 3),
    )


def inertial_and_applied(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return, for each speed, what inertia asks and what forces give."""
    solved, k = subject.accelerations(x), len(subject.equations.u)
    moving = moving_bodies(subject, x, solved[:k])
    inertias = moving.axes @ (moving.moments[:, :, None] * moving.axes.transpose(0, 2, 1))
    spin = np.einsum("bij,bj->bi", inertias, moving.twists[:, 3:])
    torques = np.einsum("bij,bj->bi", inertias, moving.rates[:, 3:])
    torques += np.cross(moving.twists[:, 3:], spin)
    forces = moving.masses[:, None] * moving.rates[:, :3]
    asked = np.einsum("kbi,bi->k", moving.partial, np.hstack([forces, torques]))
    active = _weights(subject, moving) + without_weight(subject, x, solved[k:])
    return asked, active


def axis_of(skew: Array) -> Array:
    """Return the vectors of skew matrices, shape (..., 3, 3) to (..., 3)."""
    indices = ((2, 1), (0, 2), (1, 0))
    return np.stack([skew[..., i, j] - skew[..., j, i] for i, j in indices], axis=-1) / 2


def _weights(subject: Subject, moving: MovingBodies) -> Array:
    """Return what the weight of all bodies gives along each speed."""
    return -weight(subject).pull * moving.partial[:, :, upward(subject)] @ moving.masses


def without_weight(subject: Subject, x: Array, forces: Array) -> Array:
    """Return what loads, springs and the forces λ of constraints give along each speed."""
    generalized = applied(subject, x) + subject.matrix_at(subject.jacobian, x).T @ forces
    if subject.energies is None:
        return generalized
    g, N = subject.gravity, subject.matrix_at(subject.equations.kinematic_matrix, x)
    V = subject.energies[1].subs(g, 0) if g is not None else subject.energies[1]
    if g is None and (pull := weight(subject).pull):
        V -= pull * sm.Add(*(b.mass * b.place[upward(subject)] for b in subject.bodies))
    for i, column in enumerate(N.T):
        way = np.concatenate([column, np.zeros(len(x) - len(column))])
        generalized[i] -= slope(subject.formulas([V]), INSTANT, x, way, subject.numbers)[0]
    return generalized


def largest_part(subject: Subject, x: Array) -> float:
    """Return the size of what is added up: the largest entry of F, of M times rates or squares."""
    eom, n = subject.equations, len(subject.equations.q)
    F, M = (np.abs(subject.values_at(list(e), x)).max() for e in (eom.forcing, eom.mass_matrix))
    rates = [*x[n : n + len(eom.u)] ** 2, *subject.accelerations(x)[: len(eom.u)]]
    return float(max(F, M * np.abs(rates).max()))


def _unbalanced(subject: Subject, x: Array, asked: Array, active: Array) -> Rung:
    i = int(np.argmax(np.abs(asked - active)))
    mine, other = both(asked[i], active[i])
    label = label_of(subject.equations.u[i])
    return Rung(
        "Newton's laws",
        False,
        f"{capital(at(subject, x))}, the equations move the bodies so that along {label} their "
        f"inertia asks for {mine}, and weight, springs and loads give {other}: is a body, a center "
        f"of mass or a force not what the energies say?{_LEAVING * subject.loses_mass}",
        between(
            subject,
            lambda state: [part[i] for part in inertial_and_applied(subject, state)],
            ["asked by inertia", "given by forces"],
            f"along {label}",
        ),
    )


def turned_places(subject: Subject) -> list[sm.Expr]:
    """Return the points that say where a machine is: three coordinates each."""
    if subject.bodies:
        points: list[Any] = []
        for body in subject.bodies:
            axes = body.axes
            rigid = any(body.moments)
            points.append(list(body.place))
            if rigid:
                points += [list(body.place + axes[:, i]) for i in range(3)]
        return points
    return [[*point, sm.S.Zero] for point in subject.points]
