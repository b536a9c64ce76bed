"""Momentum of a machine that can move freely along an axis: internal loads must sum to zero."""

from __future__ import annotations

import numpy as np

from straightline.aliases import Array
from tutlib.models.bodies import Load
from verification.differentiation import Formulas, slope
from verification.energy import is_passive
from verification.gravity import upward
from verification.newton import moving_bodies
from verification.results import Rung
from verification.sentences import TOLERANCE, expression_text, rounded, state_text
from verification.subject import INSTANT, Subject

_NAME = "momentum"


def momentum(subject: Subject) -> Rung:
    """Check that loads between bodies sum to zero along each axis in which nothing holds them."""
    if len(subject.bodies) < 2:
        return Rung(_NAME, None, "There are no two bodies that could exert forces on each other.")
    x, axes = subject.states[0], []
    k, N = len(subject.equations.u), subject.matrix_at(subject.equations.kinematic_matrix, x)
    partial = moving_bodies(subject, x, np.zeros(k)).partial
    rows = np.array([[1] * 3 + [any(b.moments)] * 3 for b in subject.bodies], dtype=bool).ravel()
    J = np.vstack([partial.reshape(k, -1).T[rows], subject.matrix_at(subject.jacobian, x)])
    spins = partial[:, :, 3:].reshape(k, -1).T[rows.reshape(-1, 6)[:, 3:].ravel()]
    sizes, directions = np.linalg.svd(np.vstack([spins, np.zeros((1, k))]))[1:]
    apart = directions[np.sum(sizes > TOLERANCE * max(1.0, sizes.max(initial=0.0))) :]
    for axis in sorted({0, 1, 2} - {upward(subject)}):
        translation = np.zeros(len(J))
        shift = np.tile(np.eye(6)[axis], len(subject.bodies))[rows]
        translation[: len(shift)] = shift
        speeds = np.linalg.lstsq(J, translation, rcond=1e-10)[0]
        if np.abs(J @ speeds - translation).max() > TOLERANCE:
            continue
        axes.append("xyz"[axis])
        forces = [_internal_force(subject, x, load, speeds, N, apart) for load in subject.loads]
        sizes = np.abs(subject.values_at([load.value for load in subject.loads], x))
        if abs(sum(forces)) > 1e-8 * sizes.max(initial=0.0):
            load = subject.loads[int(np.argmax(np.abs(forces)))]
            return Rung(
                _NAME,
                False,
                f"Nothing holds the machine along {axes[-1]}, but the forces between its bodies "
                f"sum to {rounded(sum(forces))} N instead of 0 {state_text(subject, x)}. On what "
                f"does {expression_text(subject, load.value)} act at its other end? If something "
                "outside exerts it, make it an input.",
            )
    if not axes:
        return Rung(_NAME, None, "The bodies cannot all move together along a horizontal axis.")
    return Rung(_NAME, True, f"The forces between bodies sum to zero along {' and '.join(axes)}.")


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
