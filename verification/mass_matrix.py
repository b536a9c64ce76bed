"""The mass matrix: symmetric, positive wherever it can move, and that of the kinetic energy."""

from __future__ import annotations

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import label_of, listed
from verification.forcing import SCALED, matrix_of_energy, only_scaled
from verification.results import Rung
from verification.sentences import NEAR, at, between, both, near, rounded
from verification.subject import Subject


def mass_matrix(subject: Subject) -> Rung:
    """Look at M in random states: symmetric, positive, and that of the kinetic energy."""
    least = np.inf
    if failed := _impossible(subject):
        return failed
    for x in subject.states:
        M = subject.matrix_at(subject.equations.mass_matrix, x)
        for look in (_not_symmetric, _not_definite, _not_of_energy):
            if failed := look(subject, x, M):
                right = only_scaled(subject)
                return Rung("mass matrix", True, SCALED) if right else failed
        free = subject.free_directions(x)
        if free.size:
            least = min(least, float(np.linalg.eigvalsh(free.T @ M @ free).min()))
    sentence = f"M is symmetric and positive in {len(subject.states)} states drawn at random"
    sentence += f"; its least eigenvalue is {rounded(least)}" if np.isfinite(least) else ""
    sentence += ", and T is ½ uᵀ M u." if subject.energies else "."
    return Rung("mass matrix", True, sentence)


def _not_symmetric(subject: Subject, x: Array, M: Array) -> Rung | None:
    off, u = np.abs(M - M.T), subject.equations.u
    if off.max() <= NEAR * np.abs(M).max():
        return None
    i, j = divmod(int(np.argmax(off)), len(M))
    one, other = both(M[i, j], M[j, i])
    pair = [subject.equations.mass_matrix[i, j], subject.equations.mass_matrix[j, i]]
    return Rung(
        "mass matrix",
        False,
        f"M is not symmetric: {at(subject, x)}, entry ({i + 1}, {j + 1}) is {one}, and "
        f"({j + 1}, {i + 1}) is {other}. Is {label_of(u[i])} written in other coordinates "
        f"than {label_of(u[j])}, or one of the two equations multiplied by a factor?",
        between(
            subject,
            lambda state: subject.values_at(pair, state),
            [f"M({i + 1}, {j + 1})", f"M({j + 1}, {i + 1})"],
            "entry of M",
        ),
    )


def _not_definite(subject: Subject, x: Array, M: Array) -> Rung | None:
    u, free = subject.equations.u, subject.free_directions(x)
    if not free.size:
        return None
    values, vectors = np.linalg.eigh(free.T @ M @ free)
    if values[0] > NEAR * np.abs(values).max():
        return None
    i = int(np.argmax(np.abs(free @ vectors[:, 0])))

    def least(state: Array) -> list[float]:
        M = subject.matrix_at(subject.equations.mass_matrix, state)
        return [float(np.linalg.eigvalsh(M).min()), 0.0]

    return Rung(
        "mass matrix",
        False,
        f"M is not positive: {at(subject, x)}, its least eigenvalue is {rounded(values[0])}, "
        f"mostly in {label_of(u[i])}. A mass moving that way would have no kinetic "
        "energy, or less.",
        between(subject, least, ["least eigenvalue", "zero"], "eigenvalue of M"),
    )


def _not_of_energy(subject: Subject, x: Array, M: Array) -> Rung | None:
    if not subject.energies:
        return None
    expected, u = matrix_of_energy(subject, x), subject.equations.u
    off = np.abs(expected - M)
    if near(expected, M, max(np.abs(M).max(), abs(subject.values_at(subject.energies[:1], x)[0]))):
        return None
    i, j = divmod(int(np.argmax(off)), len(M))
    one, other = both(M[i, j], expected[i, j])
    return Rung(
        "mass matrix",
        False,
        f"M is not that of T: {at(subject, x)}, entry ({i + 1}, {j + 1}) is {one}, and "
        f"∂²T/∂{label_of(u[i])}∂{label_of(u[j])} is {other}.",
    )


def _impossible(subject: Subject) -> Rung | None:
    """Ask whether a body can have its moments of inertia: in space none is more than two others."""
    for body in subject.bodies:
        moments = [sm.sympify(moment).subs(subject.nominal) for moment in body.moments]
        if not body.in_space or any(moment.free_symbols for moment in moments):
            continue
        one, other, largest = sorted(map(float, moments))
        if largest > (one + other) * (1 + NEAR) or one < 0:
            listing = listed([rounded(float(moment)) for moment in moments])
            return Rung(
                "mass matrix",
                False,
                f"A body of mass {body.mass} has the moments of "
                f"inertia {listing} kg·m²: in no body is one larger than both others "
                "together.",
            )
    return None
