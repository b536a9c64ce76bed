"""Newton's and Euler's laws for every body, along the motion that the equations claim.

Positions are differentiated by jets, and projection on partial velocities removes joint forces.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import agree, label_of
from verification.differentiation import NoNumberError, along_path, slope
from verification.forcing import generalized_loads
from verification.gravity import find_gravity, upward
from verification.results import Rung
from verification.sentences import (
    TOLERANCE,
    capitalized,
    curves_between_states,
    distinct_texts,
    state_text,
)
from verification.subject import INSTANT, Subject

_LEAVING = " What leaves takes its momentum along: a force is m a, without the rate of m times v."


def newton(subject: Subject) -> Rung:
    """Compare inertia with applied forces of all bodies, projected on each partial velocity.

    The projection removes the forces of joints.
    """
    name = "Newton's laws"
    if not subject.bodies:
        return Rung(
            name, None, "No bodies are known: a Model has them as bodies=[Body(m, center)]."
        )
    if subject.potential_has_speeds:
        return Rung(name, None, "The potential energy holds speeds: its forces are no slope of it.")
    try:
        gravity = find_gravity(subject)
        if gravity.error:
            return Rung(name, False, f"Weight is wrong: {gravity.error}.")
        for x in subject.states:
            inertial, applied = inertial_and_applied_forces(subject, x)
            scale = max(np.abs(inertial).max(), np.abs(applied).max(), force_scale(subject, x))
            free = subject.free_directions(x).T  # off a constraint, no pose of a body may exist
            if not np.abs(free @ (inertial - applied)).max(initial=0.0) <= TOLERANCE * scale:
                return _unbalanced(subject, x, inertial, applied)
    except NoNumberError as error:
        return Rung(name, None, f"{error}.")
    count = len(subject.bodies)
    return Rung(
        name,
        True,
        f"For {count} {agree(subject.bodies, 'body', 'bodies')}, m a and the change of angular "
        f"momentum are what {'springs' if gravity.skipped else 'weight'} and loads ask, along "
        f"every speed, in {len(subject.states)} states."
        + (f" Weight was not asked: {gravity.skipped}." if gravity.skipped else ""),
    )


def _centers_and_axes(subject: Subject) -> list[sm.Expr]:
    """Return the centers and axes of all bodies."""
    return [e for body in subject.bodies for e in (*body.place, *body.axes)]


@dataclass(frozen=True, eq=False)
class MovingBodies:
    """The motion of all bodies of a machine in one state, with the claimed accelerations.

    Parameters
    ----------
    centers : array, shape (b, 3)
        Positions of the centers [m].
    axes : array, shape (b, 3, 3)
        Of each body, as columns.
    twists, rates : array, shape (b, 6)
        Velocity of the center and angular velocity, in world axes, and their time derivatives.
    partial : array, shape (k, b, 6)
        The partial velocities: the twists per unit of each speed.
    masses : array, shape (b,)
    moments : array, shape (b, 3)
        About the body's own axes.
    """

    centers: Array
    axes: Array
    twists: Array
    rates: Array
    partial: Array
    masses: Array
    moments: Array


def moving_bodies(subject: Subject, x: Array, u_dot: Array) -> MovingBodies:
    """Return the motion of the bodies in a state, for given u̇."""
    eom, p, count = subject.equations, subject.numbers, len(subject.bodies)
    formulas = subject.formulas(_centers_and_axes(subject))
    derivatives = along_path(formulas, INSTANT, subject.path(x, u_dot), p)
    value, rate, second = (part.reshape(count, 12) for part in derivatives)
    R, R_dot, R_second = (part[:, 3:].reshape(count, 3, 3) for part in (value, rate, second))
    R_transposed = R.transpose(0, 2, 1)
    spin_matrix = R_dot @ R_transposed
    N, partial = subject.matrix_at(eom.kinematic_matrix, x), []
    for column in N.T:
        direction = np.concatenate([column, np.zeros(len(x) - len(column))])
        derivative = slope(formulas, INSTANT, x, direction, p).reshape(count, 12)
        partial.append(
            np.hstack(
                [
                    derivative[:, :3],
                    axial_vectors(derivative[:, 3:].reshape(R.shape) @ R_transposed),
                ]
            )
        )
    moments = subject.values_at([m for body in subject.bodies for m in body.moments], x)
    return MovingBodies(
        centers=value[:, :3],
        axes=R,
        twists=np.hstack([rate[:, :3], axial_vectors(spin_matrix)]),
        rates=np.hstack(
            [second[:, :3], axial_vectors(R_second @ R_transposed - spin_matrix @ spin_matrix)]
        ),
        partial=np.array(partial),
        masses=subject.values_at([body.mass for body in subject.bodies], x),
        moments=moments.reshape(count, 3),
    )


def inertial_and_applied_forces(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return the generalized inertia forces and applied forces, an entry per speed."""
    solved, k = subject.accelerations(x), len(subject.equations.u)
    moving = moving_bodies(subject, x, solved[:k])
    inertias = moving.axes @ (moving.moments[:, :, None] * moving.axes.transpose(0, 2, 1))
    angular_momentum = np.einsum("bij,bj->bi", inertias, moving.twists[:, 3:])
    torques = np.einsum("bij,bj->bi", inertias, moving.rates[:, 3:])
    torques += np.cross(moving.twists[:, 3:], angular_momentum)
    forces = moving.masses[:, None] * moving.rates[:, :3]
    inertial = np.einsum("kbi,bi->k", moving.partial, np.hstack([forces, torques]))
    applied = _generalized_weight(subject, moving) + forces_without_weight(subject, x, solved[k:])
    return inertial, applied


def axial_vectors(skew: Array) -> Array:
    """Return the vectors of skew matrices, shape (..., 3, 3) to (..., 3)."""
    indices = ((2, 1), (0, 2), (1, 0))
    return np.stack([skew[..., i, j] - skew[..., j, i] for i, j in indices], axis=-1) / 2


def _generalized_weight(subject: Subject, moving: MovingBodies) -> Array:
    """Return the generalized forces of the weight of all bodies."""
    return (
        -find_gravity(subject).acceleration * moving.partial[:, :, upward(subject)] @ moving.masses
    )


def forces_without_weight(subject: Subject, x: Array, forces: Array) -> Array:
    """Return the generalized forces of loads, springs, and the constraint forces λ."""
    generalized = generalized_loads(subject, x) + subject.matrix_at(subject.jacobian, x).T @ forces
    if subject.energies is None:
        return generalized
    g, N = subject.gravity, subject.matrix_at(subject.equations.kinematic_matrix, x)
    V = subject.energies[1].subs(g, 0) if g is not None else subject.energies[1]
    if g is None and (acceleration := find_gravity(subject).acceleration):
        V -= acceleration * sm.Add(*(b.mass * b.place[upward(subject)] for b in subject.bodies))
    for i, column in enumerate(N.T):
        direction = np.concatenate([column, np.zeros(len(x) - len(column))])
        generalized[i] -= slope(subject.formulas([V]), INSTANT, x, direction, subject.numbers)[0]
    return generalized


def force_scale(subject: Subject, x: Array) -> float:
    """Return the largest magnitude in F and in M times accelerations or squared speeds."""
    eom, n = subject.equations, len(subject.equations.q)
    F, M = (np.abs(subject.values_at(list(e), x)).max() for e in (eom.forcing, eom.mass_matrix))
    rates = [*x[n : n + len(eom.u)] ** 2, *subject.accelerations(x)[: len(eom.u)]]
    return float(max(F, M * np.abs(rates).max()))


def _unbalanced(subject: Subject, x: Array, inertial: Array, applied: Array) -> Rung:
    """Return a failed rung for the speed with the largest imbalance."""
    i = int(np.argmax(np.abs(inertial - applied)))
    inertial_text, applied_text = distinct_texts(inertial[i], applied[i])
    label = label_of(subject.equations.u[i])
    return Rung(
        "Newton's laws",
        False,
        f"{capitalized(state_text(subject, x))}, the equations move the bodies so that along "
        f"{label} their inertia asks for {inertial_text}, and weight, springs and loads give "
        f"{applied_text}: is a body, a center of mass or a force not what the energies "
        f"say?{_LEAVING * subject.has_variable_mass}",
        curves_between_states(
            subject,
            lambda state: [part[i] for part in inertial_and_applied_forces(subject, state)],
            ["asked by inertia", "given by forces"],
            f"along {label}",
        ),
    )


def body_points(subject: Subject) -> list[sm.Expr]:
    """Return points that determine the pose of a machine, three coordinates each."""
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
