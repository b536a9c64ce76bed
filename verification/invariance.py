"""Invariance of the motion under rotation, a shift of time, and time reversal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sm
from numpy.typing import NDArray

from straightline.aliases import Array
from tutlib.mechanics.linearization_point import holds_time
from tutlib.models.bodies import Load
from tutlib.reading.names import label_of
from verification.differentiation import Formulas, NoNumberError, along_path, slope
from verification.energy import is_passive
from verification.gravity import upward
from verification.newton import MovingBodies, body_points, moving_bodies
from verification.results import Curves, Rung
from verification.sentences import (
    TOLERANCE,
    capitalized,
    distinct_texts,
    expression_text,
    rounded,
    state_text,
)
from verification.subject import INSTANT, Subject

_NAME = "invariance"
_ANGLE, _SHIFT, _STEPS = 0.4, 1.3, 30


def invariance(subject: Subject) -> Rung:
    """Rotate the machine, shift time, and reverse it, where the motion must not change."""
    rungs = []
    for check in (_rotating_bodies, _internal_forces, _rotated, _time_shifted, _time_reversed):
        try:
            rungs.append(check(subject))
        except NoNumberError as error:
            rungs.append(Rung(_NAME, None, f"{capitalized(str(error))}."))
        if rungs[-1].passed is False:
            return rungs[-1]
    passed = [rung for rung in rungs if rung.passed]
    ordered = (*passed, *(r for r in rungs if not r.passed))
    sentence = " ".join(filter(None, (rung.sentence for rung in ordered)))
    return Rung(_NAME, True if passed else None, sentence)


# ---- rotation, and forces between bodies


def _rotated(subject: Subject) -> Rung:
    """Rotate about the origin: about the vertical in space, without weight in the plane."""
    coordinates = [sm.sympify(e) for point in body_points(subject) for e in point]
    if not coordinates:
        return Rung(_NAME, None, "Where its points are is not known: the world is not turned.")
    passive = subject.with_values(dict.fromkeys(subject.inputs, 0.0))
    if subject.gravity is not None and not _in_space(subject):
        passive = passive.with_values({subject.gravity: 0.0})
    R = np.kron(np.eye(len(coordinates) // 3), _rotation_about_z(_ANGLE))
    formulas = passive.formulas(coordinates)
    for x in passive.states:
        if (
            np.abs(passive.values_at([load.value for load in passive.loads], x)).max(initial=0.0)
            > 0
        ):
            return Rung(_NAME, None, "Its loads are tied to the ground: it cannot be turned.")
        if not subject.bodies and not _points_show_motion(passive, formulas, x):
            return Rung(_NAME, None, "The picture does not show all that moves: it is not turned.")
        rotated = _rotated_state(passive, formulas, R, x)
        if rotated is None:
            return Rung(_NAME, None, "The ground holds it: it cannot be turned.")
        if _potential_differs(passive, x, rotated):
            return Rung(_NAME, None, "Its springs are tied to the ground: it cannot be turned.")
        actual, expected = (
            _accelerations(passive, formulas, rotated),
            R @ _accelerations(passive, formulas, x),
        )
        i = int(np.argmax(np.abs(actual - expected)))
        if not abs(actual[i] - expected[i]) <= 1e-7 * max(
            np.abs(actual).max(), np.abs(expected).max(), 1.0
        ):
            sentence = _rotation_sentence(subject, x, i, *distinct_texts(actual[i], expected[i]))
            return Rung(_NAME, False, sentence, _curves_over_angle(passive, formulas, x, i))
    weightless = "" if _in_space(subject) or subject.gravity is None else ", without weight,"
    return Rung(_NAME, True, f"Turned by {_ANGLE} rad{weightless} it moves as before.")


def rigid_rotation(subject: Subject, x: Array) -> tuple[Array, Array, MovingBodies] | None:
    """Return speeds of a planar rigid rotation, speeds that move no center, and the bodies."""
    k = len(subject.equations.u)
    if not subject.bodies or _in_space(subject):
        return None
    moving = moving_bodies(subject, x, np.zeros(k))
    count, r = len(subject.bodies), moving.centers
    J = np.hstack([moving.partial[:, :, :2].reshape(k, -1).T, -np.tile(np.eye(2), (count, 1))])
    velocities = np.stack([-r[:, 1], r[:, 0]], axis=1).ravel()
    speeds = np.linalg.lstsq(J, velocities, rcond=1e-10)[0]
    if np.abs(J @ speeds - velocities).max() > 1e-9 * max(
        np.abs(velocities).max(), np.abs(J).max()
    ):
        return None
    singular_values, directions = np.linalg.svd(J)[1:]
    motionless = directions[np.sum(singular_values > 1e-9 * singular_values.max(initial=0.0)) :, :k]
    return np.asarray(speeds[:k]), np.asarray(motionless), moving


def _rotating_bodies(subject: Subject) -> Rung:
    """Check that a body rotates with its center when all centers rotate rigidly."""
    not_applicable, x = Rung(_NAME, None, ""), subject.states[0]
    if (rotation := rigid_rotation(subject, x)) is None:
        return not_applicable
    speeds, motionless, moving = rotation
    for b, body in enumerate(subject.bodies):
        spin = moving.partial[:, b, 5]
        tied = (
            np.abs(motionless @ spin).max(initial=0.0) < TOLERANCE
            and abs(spin @ speeds) < TOLERANCE
        )
        if body.inertia != 0 and tied and abs(np.abs(spin).max() - 1) < TOLERANCE:
            angle = expression_text(subject, body.turned)
            return Rung(
                _NAME,
                False,
                f"Where all centers of mass are turned as one, the body of "
                f"mass {body.mass} keeps its direction {angle}: is that a relative angle, "
                "and are its points turned by a sum?",
            )
    return not_applicable


def _internal_forces(subject: Subject) -> Rung:
    """Check that internal loads sum to zero along each axis in which nothing holds the machine."""
    not_applicable, x, eom = Rung(_NAME, None, ""), subject.states[0], subject.equations
    k = len(eom.u)
    if len(subject.bodies) < 2:
        return not_applicable
    moving, N = moving_bodies(subject, x, np.zeros(k)), subject.matrix_at(eom.kinematic_matrix, x)
    rows = np.array([[1] * 3 + [any(b.moments)] * 3 for b in subject.bodies], dtype=bool).ravel()
    J = np.vstack([moving.partial.reshape(k, -1).T[rows], subject.matrix_at(subject.jacobian, x)])
    spins = moving.partial[:, :, 3:].reshape(k, -1).T[rows.reshape(-1, 6)[:, 3:].ravel()]
    sizes, directions = np.linalg.svd(np.vstack([spins, np.zeros((1, k))]))[1:]
    apart = directions[np.sum(sizes > TOLERANCE * max(1.0, sizes.max(initial=0.0))) :]
    for axis in {0, 1, 2} - {upward(subject)}:
        translation = np.zeros(len(J))
        shift = np.tile(np.eye(6)[axis], len(subject.bodies))[rows]
        translation[: len(shift)] = shift
        speeds = np.linalg.lstsq(J, translation, rcond=1e-10)[0]
        if np.abs(J @ speeds - translation).max() > TOLERANCE:
            continue
        forces = [_internal_force(subject, x, load, speeds, N, apart) for load in subject.loads]
        sizes = np.abs(subject.values_at([load.value for load in subject.loads], x))
        if abs(sum(forces)) > 1e-8 * sizes.max(initial=0.0):
            i = int(np.argmax(np.abs(forces)))
            return Rung(
                _NAME,
                False,
                f"Nothing holds it along {'xyz'[axis]}, and what pushes between its bodies adds up "
                f"to {rounded(sum(forces))} N {state_text(subject, x)}: on what does "
                f"{expression_text(subject, subject.loads[i].value)} push with its other end? If "
                "something outside gives it, leave it an input.",
            )
    return not_applicable


def _internal_force(
    subject: Subject, x: Array, load: Load, translation: Array, N: Array, relative_motions: Array
) -> float:
    """Return the force of an internal load on a rigid translation; 0 for other loads."""
    n, k = len(subject.equations.q), len(subject.equations.u)
    value, position, rate = (subject.formulas([e]) for e in (load.value, load.along, load.rate))

    def derivative(formulas: Formulas, q_change: Array, u_change: Array) -> float:
        direction = np.concatenate([q_change, u_change, np.zeros(len(x) - n - k)])
        return float(slope(formulas, INSTANT, x, direction, subject.numbers)[0])

    still = np.zeros(k)
    translation_changes = [
        abs(derivative(value, N @ translation, still)),
        abs(derivative(value, 0 * x[:n], translation)),
    ]
    relative_changes = [abs(derivative(value, N @ motion, motion)) for motion in relative_motions]
    if (
        not is_passive(subject, load)
        or max(translation_changes) > TOLERANCE
        or not max(relative_changes, default=0.0) > TOLERANCE
    ):
        return 0.0
    pushed = derivative(position, N @ translation, still) + derivative(rate, 0 * x[:n], translation)
    return float(subject.values_at([load.value], x)[0] * pushed)


def _points_show_motion(subject: Subject, formulas: Formulas, x: Array) -> bool:
    """Whether the points determine the motion: no kinetic energy while they are at rest."""
    if subject.energies is None:
        return True
    n, k = len(subject.equations.q), len(subject.equations.u)
    rest = np.array(x)
    rest[n : n + k] = 0.0
    base = _velocities(subject, formulas, rest)
    directions = np.eye(len(x))[n : n + k]
    J = np.array(
        [_velocities(subject, formulas, rest + direction) - base for direction in directions]
    ).T
    singular_values, right_vectors = np.linalg.svd(J)[1:]
    hidden = (
        right_vectors[np.sum(singular_values > 1e-9 * singular_values.max(initial=0.0)) :]
        @ directions
    )
    kinetic = [
        subject.values_at([subject.energies[0]], state)[0]
        for state in (rest, *(rest + direction for direction in hidden))
    ]
    return bool(np.abs(kinetic).max() <= TOLERANCE * subject.values_at([subject.energies[0]], x)[0])


def _in_space(subject: Subject) -> bool:
    """Whether the bodies are three-dimensional."""
    return bool(subject.bodies) and subject.bodies[0].in_space


def _potential_differs(subject: Subject, x: Array, rotated: Array) -> bool:
    """Whether the potential energy differs between two states."""
    if subject.energies is None:
        return False
    before, after = (subject.values_at([subject.energies[1]], state)[0] for state in (x, rotated))
    return not bool(np.isclose(before, after, rtol=1e-8, atol=1e-8))


def _rotation_sentence(subject: Subject, x: Array, i: int, actual: str, expected: str) -> str:
    """Return the sentence of a failed rotation."""
    condition = "" if _in_space(subject) or subject.gravity is None else "without weight, "
    return capitalized(
        f"{condition}turned by {_ANGLE} rad about the origin, it does not move as before: "
        f"{state_text(subject, x)}, the acceleration of point {i // 3 + 1} along {'xyz'[i % 3]} "
        f"becomes {actual} m/s², and turned with it would be {expected}. Does an energy hold an "
        "absolute angle where a difference belongs?"
    )


def _rotation_about_z(angle: float) -> Array:
    """Return the matrix of a rotation about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _accelerations(subject: Subject, formulas: Formulas, x: Array) -> Array:
    """Return the accelerations of points."""
    u_dot = subject.accelerations(x)[: len(subject.equations.u)]
    return along_path(formulas, INSTANT, subject.path(x, u_dot), subject.numbers)[2]


def _rotated_state(
    subject: Subject, formulas: Formulas, R: NDArray[np.floating], x: Array
) -> Array | None:
    """Return the state in which all points and velocities are rotated; None if there is none."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    phi = subject.formulas(list(subject.loop.constraints) if subject.loop else [])
    target = np.concatenate([R @ formulas.floats(INSTANT, x, p), phi.floats(INSTANT, x, p)])
    rotated = np.array(x)
    for _ in range(_STEPS):
        current = np.concatenate([f.floats(INSTANT, rotated, p) for f in (formulas, phi)])
        columns = [
            np.concatenate([slope(f, INSTANT, rotated, direction, p) for f in (formulas, phi)])
            for direction in np.eye(len(x))[:n]
        ]
        rotated[:n] += np.linalg.lstsq(np.array(columns).T, target - current, rcond=1e-10)[0]
    current = np.concatenate([f.floats(INSTANT, rotated, p) for f in (formulas, phi)])
    if not np.abs(current - target).max() <= 1e-9 * max(1.0, np.abs(target).max()):
        return None

    velocities = _velocities(subject, formulas, x)
    velocities[: len(R)] = R @ velocities[: len(R)]
    rest = np.array(rotated)
    rest[n : n + k] = 0.0
    base = _velocities(subject, formulas, rest)
    unit_speeds = np.eye(len(x))[n : n + k]
    slopes = [
        _velocities(subject, formulas, rest + unit_speed) - base for unit_speed in unit_speeds
    ]
    rotated[n : n + k] = np.linalg.lstsq(np.array(slopes).T, velocities - base, rcond=1e-10)[0]
    error = np.abs(_velocities(subject, formulas, rotated) - velocities).max()
    return rotated if error <= 1e-8 * max(1.0, np.abs(velocities).max()) else None


def _velocities(subject: Subject, formulas: Formulas, x: Array) -> Array:
    """Return the velocities of points, and the rates of constraints."""
    path = subject.path(x, np.zeros(len(subject.equations.u)))
    rates = along_path(formulas, INSTANT, path, subject.numbers)[1]
    held = subject.values_at(list(subject.loop.rates), x) if subject.loop else np.zeros(0)
    return np.concatenate([rates, held])


def _curves_over_angle(subject: Subject, formulas: Formulas, x: Array, i: int) -> Curves | None:
    """Return one acceleration, rotated back, over the angle of rotation."""
    angles, accelerations = np.linspace(-0.5, 0.5, 11), []
    for angle in angles:
        R = np.kron(np.eye(formulas.count // 3), _rotation_about_z(angle))
        rotated = _rotated_state(subject, formulas, R, x)
        if rotated is None:
            return None
        accelerations.append((R.T @ _accelerations(subject, formulas, rotated))[i])
    lines = {
        "turned back": (angles, np.array(accelerations)),
        "as before": (angles, 0 * angles + accelerations[5]),
    }
    return Curves("angle of the world [rad]", "acceleration [m/s²]", lines)


# ---- time shift and reversal


def _time_shifted(subject: Subject) -> Rung:
    """Shift time: the accelerations in a state must stay the same."""
    if holds_time(_maybe_time_dependent(subject), subject.equations):
        return Rung(_NAME, None, "It is driven by time, and a later day is another.")
    for x in subject.states:
        now, later = (subject.accelerations(x, t=t) for t in (INSTANT, INSTANT + _SHIFT))
        i = int(np.argmax(np.abs(now - later)))
        if not abs(now[i] - later[i]) <= TOLERANCE * max(np.abs(now).max(), 1.0):
            if subject.energies is None:
                return Rung(_NAME, None, "Time stands in it, and what drives it is not known.")
            texts, label = (
                distinct_texts(later[i], now[i]),
                label_of(subject.complete_equations.u[i]),
            )
            return Rung(
                _NAME,
                False,
                f"{_SHIFT} s later the same state goes another way: {state_text(subject, x)}, the "
                f"rate of {label} is {texts[0]}, and was {texts[1]}, though no energy and no load "
                "depends on time.",
            )
    return Rung(_NAME, True, f"{_SHIFT} s later it moves as before.")


def _maybe_time_dependent(subject: Subject) -> Sequence[sm.Expr]:
    """Return the expressions that may depend on time: energies, loads, and constraints."""
    loads = [e for load in subject.loads for e in (load.value, load.along, load.rate)]
    loop = subject.loop
    constraints = [*loop.constraints, *loop.velocity_constraints] if loop else []
    return [*(subject.energies or ()), *loads, *constraints]


def _time_reversed(subject: Subject) -> Rung:
    """Reverse time, without friction and driving: the accelerations must stay the same."""
    if subject.energies is None:
        return Rung(_NAME, None, "What rubs is not known: time is not reversed.")
    if holds_time(_maybe_time_dependent(subject), subject.equations):
        return Rung(_NAME, None, "Backward in time it would be driven otherwise: it is not tried.")
    n, k = len(subject.equations.q), len(subject.equations.u)
    expressions = [*subject.energies, *(load.value for load in subject.loads)]
    for x in subject.states:
        reversed_state = np.array(x)
        reversed_state[n : n + k] *= -1
        before, after = (subject.values_at(expressions, state) for state in (x, reversed_state))
        if subject.equations.auxiliary or not np.allclose(before, after, rtol=1e-12):
            return Rung(
                _NAME,
                None,
                "Something rubs, turns or is controlled: it tells forward from backward.",
            )
        backward, forward = (subject.accelerations(state)[:k] for state in (reversed_state, x))
        i = int(np.argmax(np.abs(backward - forward)))
        if not abs(backward[i] - forward[i]) <= 1e-8 * max(np.abs(forward).max(), 1.0):
            texts, label = distinct_texts(backward[i], forward[i]), label_of(subject.equations.u[i])
            return Rung(
                _NAME,
                False,
                f"Backward it goes another way, though nothing rubs: {state_text(subject, x)}, the "
                f"rate of {label} is {texts[1]}, and {texts[0]} with all speeds reversed. Has a "
                "speed lost its square?",
            )
    return Rung(_NAME, True, "Run backward it goes the same way back.")
