"""Newton's and Euler's laws for every body, along the motion that the equations give.

Positions are differentiated by jets, and projection on partial velocities removes joint forces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.mechanics.derivations import symbols_in
from tutlib.reading.names import agree, label_of
from verification.differentiation import along_path, slope
from verification.forcing import (
    SCALED_ROWS,
    force_scale,
    generalized_load,
    rows_are_scaled,
    wrong_forcing,
)
from verification.gravity import NO_WEIGHT, find_gravity, upward
from verification.results import Rung
from verification.sentences import (
    TOLERANCE,
    curves_between_states,
    distinct_texts,
    rounded,
    state_text,
)
from verification.subject import Subject

_NAME = "Newton's laws"
_VARIABLE_MASS = " Mass that leaves takes its momentum along: use m a, without ṁ v."


def newton(subject: Subject) -> Rung:
    """Compare inertia with applied forces of all bodies, projected on each partial velocity.

    The projection removes the forces of joints.
    """
    if not subject.bodies:
        return _lagrange(subject)
    gravity = find_gravity(subject)
    if gravity.error:
        return Rung(_NAME, False, f"V does not fit the weight of the bodies: {gravity.error}.")
    if subject.potential_has_speeds:
        return Rung(_NAME, None, "V contains speeds, so its forces are not the gradient of V.")
    for x in subject.states:
        inertial, applied = inertial_and_applied_forces(subject, x)
        free = subject.free_directions(x).T  # off a constraint, no pose of a body may exist
        difference = np.abs(free @ (inertial - applied)).max(initial=0.0)
        if not difference <= TOLERANCE * force_scale(subject, x, inertial, applied):
            return _unbalanced(subject, x, inertial, applied)
    count = f"{len(subject.bodies)} {agree(subject.bodies, 'body', 'bodies')}"
    sentence = (
        f"For {count}, forces and torques give the accelerations of the equations in "
        f"{len(subject.states)} states."
    )
    if gravity.skipped == NO_WEIGHT and _rises(subject):
        sentence += (
            " V contains no weight, although the bodies rise: is the machine horizontal, or in "
            "space?"
        )
    elif gravity.skipped:
        sentence += f" Weight was not checked: {gravity.skipped}."
    return Rung(_NAME, True, sentence)


def _lagrange(subject: Subject) -> Rung:
    """Compare F with the energies, which is what can be checked without bodies."""
    unknown = "No bodies are known: a Model has them as bodies=[Body(m, center)]."
    if subject.energies is None or not subject.speeds_are_rates:
        return Rung(_NAME, None, unknown)
    if sentence := wrong_forcing(subject):
        return Rung(_NAME, False, sentence)
    if rows_are_scaled(subject):
        return Rung(_NAME, True, SCALED_ROWS)
    return Rung(
        _NAME,
        True,
        f"{unknown} F is that of T, V, and the loads in {len(subject.states)} states.",
    )


def _rises(subject: Subject) -> bool:
    """Whether the center of mass can rise."""
    up = upward(subject)
    height = subject.formulas([sm.Add(*(b.mass * b.place[up] for b in subject.bodies))])
    x = subject.states[0]
    directions = np.eye(len(x))[: len(subject.equations.q)]
    return any(
        abs(slope(height, subject.instant, x, d, subject.numbers)[0]) > 0 for d in directions
    )


@dataclass(frozen=True, eq=False)
class MovingBodies:
    """The motion of all bodies of a machine in one state, with the accelerations of the equations.

    Parameters
    ----------
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

    axes: Array
    twists: Array
    rates: Array
    partial: Array
    masses: Array
    moments: Array

    @property
    def squared_speeds(self) -> Array:
        """v² and the squares of the angular velocities about the body's axes, shape (b, 4)."""
        own = np.einsum("bji,bj->bi", self.axes, self.twists[:, 3:])
        return np.hstack([(self.twists[:, :3] ** 2).sum(axis=1, keepdims=True), own**2])


def moving_bodies(subject: Subject, x: Array, u_dot: Array) -> MovingBodies:
    """Return the motion of the bodies in a state, for given u̇."""
    eom, p, count = subject.equations, subject.numbers, len(subject.bodies)
    formulas = subject.formulas([e for body in subject.bodies for e in (*body.place, *body.axes)])
    derivatives = along_path(formulas, subject.instant, subject.path(x, u_dot), p)
    value, rate, second = (part.reshape(count, 12) for part in derivatives)
    R, R_dot, R_second = (part[:, 3:].reshape(count, 3, 3) for part in (value, rate, second))
    R_transposed = R.transpose(0, 2, 1)
    spin_matrix = R_dot @ R_transposed
    N, partial = subject.matrix_at(eom.kinematic_matrix, x), []
    for column in N.T:
        direction = np.concatenate([column, np.zeros(len(x) - len(column))])
        derivative = slope(formulas, subject.instant, x, direction, p).reshape(count, 12)
        spins = axial_vectors(derivative[:, 3:].reshape(R.shape) @ R_transposed)
        partial.append(np.hstack([derivative[:, :3], spins]))
    moments = subject.values_at([m for body in subject.bodies for m in body.moments], x)
    return MovingBodies(
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
    return inertial, _applied_forces(subject, x, solved[k:])


def axial_vectors(skew: Array) -> Array:
    """Return the vectors of skew matrices, shape (..., 3, 3) to (..., 3)."""
    indices = ((2, 1), (0, 2), (1, 0))
    return np.stack([skew[..., i, j] - skew[..., j, i] for i, j in indices], axis=-1) / 2


def _applied_forces(subject: Subject, x: Array, multipliers: Array) -> Array:
    """Return the generalized forces of loads, of V, and of the constraint forces λ."""
    applied = subject.matrix_at(subject.jacobian, x).T @ multipliers
    for load in subject.loads:
        applied = applied + generalized_load(subject, load, x)
    V = subject.formulas([subject.energies[1] if subject.energies else sm.S.Zero])
    for i, column in enumerate(subject.matrix_at(subject.equations.kinematic_matrix, x).T):
        direction = np.concatenate([column, np.zeros(len(x) - len(column))])
        applied[i] -= slope(V, subject.instant, x, direction, subject.numbers)[0]
    return np.asarray(applied)


def _unbalanced(subject: Subject, x: Array, inertial: Array, applied: Array) -> Rung:
    """Return a failed rung for the speed with the largest imbalance."""
    if not subject.energies and subject.gravity is None and subject.gravity_value is None:
        return Rung(
            _NAME,
            None,
            "The weight of the bodies is not known: give gravity, as in gravity=9.81, or 0 if "
            "there is none.",
        )
    i = int(np.argmax(np.abs(inertial - applied) * subject.scales.speeds))
    inertial_text, applied_text = distinct_texts(inertial[i], applied[i])
    label = label_of(subject.equations.u[i])
    cause = _wrong_kinetic_energy(subject, x) or wrong_forcing(subject)
    sentence = (
        f"The sum of m a of the bodies along {label} is {inertial_text}, but the applied forces "
        f"give {applied_text}."
    )
    if not cause:
        sentence = f"{sentence[:-1]}, {state_text(subject, x)}."
    return Rung(
        _NAME,
        False,
        f"{cause} {sentence}".lstrip() + _VARIABLE_MASS * subject.has_variable_mass,
        curves_between_states(
            subject,
            lambda state: [part[i] for part in inertial_and_applied_forces(subject, state)],
            ["m a of the bodies", "applied forces"],
            f"generalized force along {label}",
        ),
    )


def _wrong_kinetic_energy(subject: Subject, x: Array) -> str:
    """Return for which body T is not ½ m v² + ½ ωᵀ J ω, and by how much; empty if it is."""
    if subject.energies is None:
        return ""
    T = subject.energies[0]
    k = len(subject.equations.u)
    squares = moving_bodies(subject, x, subject.accelerations(x)[:k]).squared_speeds
    inertias = [[body.mass, *body.moments] for body in subject.bodies]

    def energy_of_bodies(symbol: sm.Symbol | None = None) -> float:
        parts = [e if symbol is None else sm.diff(e, symbol) for row in inertias for e in row]
        return float(subject.values_at(parts, x) @ squares.ravel() / 2)

    energy, own = float(subject.values_at([T], x)[0]), energy_of_bodies()
    if abs(energy - own) <= TOLERANCE * max(abs(energy), abs(own)):
        return ""
    symbols = sorted(symbols_in([e for row in inertias for e in row]) & {*subject.symbols}, key=str)
    differences = {
        s: float(subject.values[s] * (subject.values_at([T.diff(s)], x)[0] - energy_of_bodies(s)))
        for s in symbols
    }
    texts = distinct_texts(energy, own)
    sentence = (
        f"T does not equal the sum of the bodies' kinetic energies: {state_text(subject, x)}, T is "
        f"{texts[0]} J and the sum {texts[1]} J."
    )
    if not differences:
        return sentence
    symbol = max(differences, key=lambda s: abs(differences[s]))
    return (
        f"{sentence} The part with {label_of(symbol)} differs by {rounded(differences[symbol])} J."
    )
