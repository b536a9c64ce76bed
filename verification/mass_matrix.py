"""Checks of the mass matrix: symmetric, positive definite, and that of the kinetic energy."""

from __future__ import annotations

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import label_of, listed
from verification.forcing import SCALED_ROWS, mass_matrix_of_energy, rows_are_scaled
from verification.results import Rung
from verification.sentences import (
    TOLERANCE,
    close,
    curves_between_states,
    distinct_texts,
    rounded,
    state_text,
)
from verification.subject import Subject


def mass_matrix(subject: Subject) -> Rung:
    """Check that M is symmetric, positive definite, and that of the kinetic energy."""
    least = np.inf
    if failed := _impossible_inertia(subject):
        return failed
    for x in subject.states:
        M = subject.matrix_at(subject.equations.mass_matrix, x)
        for check in (_not_symmetric, _not_definite, _not_of_energy):
            if failed := check(subject, x, M):
                right = rows_are_scaled(subject)
                return Rung("mass matrix", True, SCALED_ROWS) if right else failed
        free = subject.free_directions(x)
        if free.size:
            least = min(least, float(np.linalg.eigvalsh(free.T @ M @ free).min()))
    sentence = f"M is symmetric and positive in {len(subject.states)} states drawn at random"
    sentence += f"; its least eigenvalue is {rounded(least)}" if np.isfinite(least) else ""
    sentence += ", and T is ½ uᵀ M u." if subject.energies else "."
    return Rung("mass matrix", True, sentence)


def _not_symmetric(subject: Subject, x: Array, M: Array) -> Rung | None:
    """Return a failed rung if M is not symmetric."""
    asymmetry, u = np.abs(M - M.T), subject.equations.u
    if asymmetry.max() <= TOLERANCE * np.abs(M).max():
        return None
    i, j = divmod(int(np.argmax(asymmetry)), len(M))
    above, below = distinct_texts(M[i, j], M[j, i])
    pair = [subject.equations.mass_matrix[i, j], subject.equations.mass_matrix[j, i]]
    return Rung(
        "mass matrix",
        False,
        f"M is not symmetric: {state_text(subject, x)}, entry ({i + 1}, {j + 1}) is {above}, and "
        f"({j + 1}, {i + 1}) is {below}. Is {label_of(u[i])} written in other coordinates "
        f"than {label_of(u[j])}, or one of the two equations multiplied by a factor?",
        curves_between_states(
            subject,
            lambda state: subject.values_at(pair, state),
            [f"M({i + 1}, {j + 1})", f"M({j + 1}, {i + 1})"],
            "entry of M",
        ),
    )


def _not_definite(subject: Subject, x: Array, M: Array) -> Rung | None:
    """Return a failed rung if M is not positive definite in the allowed directions."""
    u, free = subject.equations.u, subject.free_directions(x)
    if not free.size:
        return None
    values, vectors = np.linalg.eigh(free.T @ M @ free)
    if values[0] > TOLERANCE * np.abs(values).max():
        return None
    i = int(np.argmax(np.abs(free @ vectors[:, 0])))

    def least(state: Array) -> list[float]:
        M = subject.matrix_at(subject.equations.mass_matrix, state)
        return [float(np.linalg.eigvalsh(M).min()), 0.0]

    return Rung(
        "mass matrix",
        False,
        f"M is not positive: {state_text(subject, x)}, its least eigenvalue is "
        f"{rounded(values[0])}, mostly in {label_of(u[i])}. A mass moving that way would have no "
        "kinetic energy, or less.",
        curves_between_states(subject, least, ["least eigenvalue", "zero"], "eigenvalue of M"),
    )


def _not_of_energy(subject: Subject, x: Array, M: Array) -> Rung | None:
    """Return a failed rung if M differs from the second derivatives of T."""
    if not subject.energies:
        return None
    expected, u = mass_matrix_of_energy(subject, x), subject.equations.u
    difference = np.abs(expected - M)
    if close(expected, M, max(np.abs(M).max(), abs(subject.values_at(subject.energies[:1], x)[0]))):
        return None
    i, j = divmod(int(np.argmax(difference)), len(M))
    actual_text, expected_text = distinct_texts(M[i, j], expected[i, j])
    return Rung(
        "mass matrix",
        False,
        f"M is not that of T: {state_text(subject, x)}, entry ({i + 1}, {j + 1}) is {actual_text}, "
        f"and ∂²T/∂{label_of(u[i])}∂{label_of(u[j])} is {expected_text}.",
    )


def _impossible_inertia(subject: Subject) -> Rung | None:
    """Return a failed rung for principal moments of inertia that no body has."""
    for body in subject.bodies:
        moments = [sm.sympify(moment).subs(subject.nominal) for moment in body.moments]
        if not body.in_space or any(moment.free_symbols for moment in moments):
            continue
        smallest, middle, largest = sorted(map(float, moments))
        if largest > (smallest + middle) * (1 + TOLERANCE) or smallest < 0:
            moments_text = listed([rounded(float(moment)) for moment in moments])
            return Rung(
                "mass matrix",
                False,
                f"A body of mass {body.mass} has the moments of "
                f"inertia {moments_text} kg·m²: in no body is one larger than both others "
                "together.",
            )
    return None
