"""Momentum of a machine that can move freely along an axis: internal loads must sum to zero."""

from __future__ import annotations

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.models.bodies import Load
from verification.differentiation import slope
from verification.energy import is_passive
from verification.gravity import upward
from verification.newton import moving_bodies
from verification.results import Rung
from verification.sentences import TOLERANCE, expression_text, rounded, state_text
from verification.subject import Subject

_NAME = "momentum"


def momentum(subject: Subject) -> Rung:
    """Check that loads between bodies sum to zero along each axis in which nothing holds them."""
    if len(subject.bodies) < 2:
        return Rung(_NAME, None, "There are no two bodies that could exert forces on each other.")
    x, axes = subject.states[0], []
    k, N = len(subject.equations.u), subject.matrix_at(subject.equations.kinematic_matrix, x)
    unit = subject.scales.speeds
    partial = moving_bodies(subject, x, np.zeros(k)).partial * unit[:, None, None]
    length = float(np.abs(partial[:, :, :3]).max()) or 1.0
    partial[:, :, :3] /= length
    rows = np.array([[1] * 3 + [any(b.moments)] * 3 for b in subject.bodies], dtype=bool).ravel()
    bound = subject.matrix_at(subject.jacobian, x) * unit
    bound /= np.maximum(np.abs(bound).max(axis=1, keepdims=True), np.finfo(float).tiny)
    J = np.vstack([partial.reshape(k, -1).T[rows], bound])
    spins = partial[:, :, 3:].reshape(k, -1).T[rows.reshape(-1, 6)[:, 3:].ravel()]
    sizes, directions = np.linalg.svd(np.vstack([spins, np.zeros((1, k))]))[1:]
    apart = unit * directions[np.sum(sizes > TOLERANCE * max(1.0, sizes.max(initial=0.0))) :]
    for axis in sorted({0, 1, 2} - {upward(subject)}):
        translation = np.zeros(len(J))
        shift = np.tile(np.eye(6)[axis], len(subject.bodies))[rows]
        translation[: len(shift)] = shift
        displacement = np.linalg.lstsq(J, translation, rcond=1e-10)[0]
        if np.abs(J @ displacement - translation).max() > TOLERANCE:
            continue
        axes.append("xyz"[axis])
        moved = unit * displacement / length
        pairs = [_internal_force(subject, x, load, moved, N, apart) for load in subject.loads]
        forces = [force for force, _ in pairs]
        if abs(sum(forces)) > 1e-8 * max((scale for _, scale in pairs), default=0.0):
            load = subject.loads[int(np.argmax(np.abs(forces)))]
            return Rung(
                _NAME,
                False,
                f"Nothing holds the machine along {axes[-1]}, but the forces between its bodies "
                f"sum to {rounded(sum(forces))} N instead of 0 {state_text(subject, x)}. What "
                f"does {expression_text(subject, load.value)} act on at its other end? If it is "
                "an external force, make it an input.",
            )
    if not axes:
        return Rung(_NAME, None, "The bodies cannot all move together along a horizontal axis.")
    return Rung(_NAME, True, f"The forces between bodies sum to zero along {' and '.join(axes)}.")


def _internal_force(
    subject: Subject, x: Array, load: Load, translation: Array, N: Array, relative_motions: Array
) -> tuple[float, float]:
    """Return the force of an internal load on a rigid translation, and its scale; 0 for others."""
    n, k = len(subject.equations.q), len(subject.equations.u)

    def derivative(e: sm.Expr, q_change: Array, u_change: Array) -> tuple[float, float]:
        """Return a derivative of an expression, and the sum of the magnitudes of its terms."""
        changes = np.concatenate([q_change, u_change, np.zeros(len(x) - n - k)])
        formulas = subject.formulas([e])
        terms = [
            slope(formulas, subject.instant, x, row, subject.numbers)[0] for row in np.diag(changes)
        ]
        return float(np.sum(terms)), float(np.abs(terms).sum())

    def depends(q_change: Array, u_change: Array) -> bool:
        change, scale = derivative(load.value, q_change, u_change)
        return abs(change) > TOLERANCE * scale

    still, nothing = np.zeros(k), np.zeros(n)
    if (
        not is_passive(subject, load)
        or depends(N @ translation, still)
        or depends(nothing, translation)
        or not any(depends(N @ motion, subject.scales.rate * motion) for motion in relative_motions)
    ):
        return 0.0, 0.0
    value = float(subject.values_at([load.value], x)[0])
    (along, scale), (rate, rate_scale) = (
        derivative(load.along, N @ translation, still),
        derivative(load.rate, nothing, translation),
    )
    return value * (along + rate), abs(value) * (scale + rate_scale)
