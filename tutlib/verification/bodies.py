"""Newton's and Euler's laws for every body, along the motion that the equations claim.

Places are differentiated by arithmetic, and forces of joints drop out along partial velocities.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sm

from tutlib.exercises.answers import agree
from tutlib.programs.names import label_of
from tutlib.programs.right_hand_side import Array
from tutlib.verification.forcing import applied
from tutlib.verification.numbers import NoNumberError, along_path, slope
from tutlib.verification.record import Rung
from tutlib.verification.subject import INSTANT, Subject
from tutlib.verification.telling import NEAR, at, between, both, capital


def newton(subject: Subject) -> Rung:
    """Ask every body for m a and the rate of its angular momentum, and what moves it so.

    Both are counted along each speed's partial velocities: there the forces of joints drop out.
    """
    name = "Newton's laws"
    if not subject.bodies:
        return Rung(
            name, None, "No bodies are known: a Model has them as bodies=[Body(m, center)]."
        )
    try:
        for x in subject.states:
            asked, given = inertial_and_given(subject, x)
            size = max(np.abs(asked).max(), np.abs(given).max(), _largest_part(subject, x))
            if not np.abs(asked - given).max() <= NEAR * size:
                return _unbalanced(subject, x, asked, given)
    except NoNumberError as error:
        return Rung(name, None, f"{error}.")
    count = len(subject.bodies)
    return Rung(
        name,
        True,
        f"For {count} {agree(subject.bodies, 'body', 'bodies')}, m a and the change of angular "
        f"momentum are what weight and loads ask, along every speed, in {len(subject.states)} "
        "states.",
    )


def _places(subject: Subject) -> list[sm.Expr]:
    """Return the centers and axes of all bodies."""
    return [e for body in subject.bodies for e in (*body.place, *body.axes)]


def inertial_and_given(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return, for each speed, what inertia asks and what forces give."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    solved = subject.accelerations(x)
    u_dot, forces = solved[:k], solved[k:]
    formulas = subject.formulas(_places(subject))
    value, rate, second = along_path(formulas, INSTANT, subject.path(x, u_dot), p)
    N = subject.matrix_at(eom.kinematic_matrix, x)
    partial = []
    for i in range(k):
        way = np.zeros(len(x))
        way[:n] = N[:, i]
        partial.append(slope(formulas, INSTANT, x, way, p))
    masses = subject.values_at([body.mass for body in subject.bodies], x)
    moments = subject.values_at([m for body in subject.bodies for m in body.moments], x)
    asked = np.zeros(k)
    for b, mass in enumerate(masses):
        own = slice(12 * b, 12 * b + 12)
        force, torque = _momentum_rates(value[own], rate[own], second[own], mass,
                                        moments[3 * b : 3 * b + 3])  # fmt: skip
        for i in range(k):
            turning = _turning(value[own], partial[i][own])
            asked[i] += partial[i][own][:3] @ force + turning @ torque
    given = applied(subject, x) + _weights_and_springs(subject, x, masses, partial)
    return asked, given + subject.matrix_at(subject.jacobian, x).T @ forces


def _momentum_rates(
    value: Array, rate: Array, second: Array, mass: float, moments: Array
) -> tuple[Array, Array]:
    """Return m a, and the rate of the angular momentum about the center."""
    R, R_dot, R_second = (part[3:].reshape(3, 3) for part in (value, rate, second))
    turn = R_dot @ R.T
    omega = _axis(turn)
    alpha = _axis(R_second @ R.T - turn @ turn)
    J = R @ np.diag(moments) @ R.T
    return mass * second[:3], J @ alpha + np.cross(omega, J @ omega)


def _axis(skew: Array) -> Array:
    return np.array([skew[2, 1] - skew[1, 2], skew[0, 2] - skew[2, 0], skew[1, 0] - skew[0, 1]]) / 2


def _turning(value: Array, along: Array) -> Array:
    """Return the partial angular velocity."""
    return _axis(along[3:].reshape(3, 3) @ value[3:].reshape(3, 3).T)


def _weights_and_springs(subject: Subject, x: Array, masses: Array, partial: list[Array]) -> Array:
    """Return the forces of weight on each body, and those of what V holds without weight."""
    k, g = len(subject.equations.u), subject.gravity
    found = np.zeros(k)
    if g is not None:
        up = 2 if subject.bodies[0].in_space else 1
        pull = subject.values[g]
        for i in range(k):
            rise = sum(mass * partial[i][12 * b + up] for b, mass in enumerate(masses))
            found[i] = -pull * rise
    if subject.energies is None:
        return found
    V = subject.energies[1].subs(g, 0) if g is not None else subject.energies[1]
    N, n = subject.matrix_at(subject.equations.kinematic_matrix, x), len(subject.equations.q)
    for i in range(k):
        way = np.zeros(len(x))
        way[:n] = N[:, i]
        found[i] -= slope(subject.formulas([V]), INSTANT, x, way, subject.numbers)[0]
    return found


def _largest_part(subject: Subject, x: Array) -> float:
    """Return the size of what is added up: the largest entry of F."""
    return float(np.abs(subject.values_at(list(subject.equations.forcing), x)).max())


def _unbalanced(subject: Subject, x: Array, asked: Array, given: Array) -> Rung:
    i = int(np.argmax(np.abs(asked - given)))
    mine, other = both(asked[i], given[i])
    label = label_of(subject.equations.u[i])
    return Rung(
        "Newton's laws",
        False,
        f"{capital(at(subject, x))}, the equations move the bodies so that along {label} their "
        f"inertia asks for {mine}, and weight, springs and loads give {other}: is a body, a center "
        "of mass or a force not what the energies say?",
        between(
            subject,
            lambda state: [part[i] for part in inertial_and_given(subject, state)],
            ["asked by inertia", "given by forces"],
            f"along {label}",
        ),
    )


def turned_places(subject: Subject) -> list[Any]:
    """Return the points that say where a machine is: three coordinates each."""
    if subject.bodies:
        found: list[Any] = []
        for body in subject.bodies:
            axes = body.axes
            rigid = any(body.moments)
            found.append(list(body.place))
            if rigid:
                found += [list(body.place + axes[:, i]) for i in range(3)]
        return found
    return [[*point, sm.S.Zero] for point in subject.points]
