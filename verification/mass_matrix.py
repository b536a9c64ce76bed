"""Checks of the mass matrix: symmetric, positive definite, and that of the kinetic energy."""

from __future__ import annotations

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.mechanics.derivations import partial_derivatives
from tutlib.reading.names import label_of, listed
from verification.forcing import SCALED_ROWS, mass_matrix_of_energy, rows_are_scaled, wrong_solution
from verification.results import Rung
from verification.sentences import (
    TOLERANCE,
    difference_text,
    distinct_texts,
    rounded,
    state_text,
)
from verification.subject import Subject

_NAME = "mass matrix"
#: The least eigenvalue of a scaled mass matrix that rounding cannot cause.
_SMALLEST = 1e-13


def mass_matrix(subject: Subject) -> Rung:
    """Check that M is symmetric, positive definite, and that of the kinetic energy.

    Rows of equations without energies may be scaled, so that nothing about M can be wrong.
    """
    if sentence := _impossible_inertia(subject):
        return Rung(_NAME, False, sentence)
    for x in subject.states:
        M = subject.matrix_at(subject.equations.mass_matrix, x)
        scale = _scale(M)
        if sentence := _not_of_energy(subject, x, M, scale):
            scaled = rows_are_scaled(subject)
            cause = SCALED_ROWS if scaled else wrong_solution(subject) or sentence
            return Rung(_NAME, scaled, cause)
        sentence = _not_symmetric(subject, x, M, scale) or _not_definite(subject, x, M, scale)
        if sentence and subject.energies:
            return Rung(_NAME, False, sentence)
        if sentence:
            return Rung(_NAME, None, f"{sentence} Rows that were scaled or combined do the same.")
    sentence = f"M is symmetric and positive definite in {len(subject.states)} random states"
    return Rung(_NAME, True, f"{sentence}{', and T is ½ uᵀ M u' if subject.energies else ''}.")


def _scale(M: Array) -> Array:
    """Return the magnitude of each entry of M: the geometric mean of the diagonal's entries."""
    diagonal = np.abs(np.diag(M))
    diagonal = np.where(diagonal > 0, diagonal, np.abs(M).max(axis=1))
    roots = np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    return np.outer(roots, roots)


def _not_symmetric(subject: Subject, x: Array, M: Array, scale: Array) -> str:
    """Describe entries of M that are not symmetric."""
    asymmetry, u = np.abs(M - M.T) / scale, subject.equations.u
    if asymmetry.max() <= TOLERANCE:
        return ""
    i, j = sorted(divmod(int(np.argmax(asymmetry)), len(M)))
    above, below = distinct_texts(M[i, j], M[j, i])
    return (
        f"M is not symmetric: {state_text(subject, x)}, entry ({i + 1}, {j + 1}) is {above}, but "
        f"({j + 1}, {i + 1}) is {below}. Are the equations of {label_of(u[i])} and "
        f"{label_of(u[j])} written for the same coordinates?"
    )


def _not_definite(subject: Subject, x: Array, M: Array, scale: Array) -> str:
    """Describe an allowed direction in which M is not positive."""
    u, free = subject.equations.u, subject.free_directions(x)
    if not free.size:
        return ""
    roots = np.sqrt(np.diag(scale))
    free = np.linalg.qr(roots[:, None] * free)[0]
    values, vectors = np.linalg.eigh(free.T @ (M / scale) @ free)
    if values[0] > _SMALLEST:
        return ""
    direction = (free @ vectors[:, 0]) / roots
    direction /= np.abs(direction).max()
    i = int(np.argmax(np.abs(free @ vectors[:, 0])))
    return (
        f"M is not positive definite: {state_text(subject, x)}, uᵀ M u is "
        f"{rounded(float(direction @ M @ direction))} for speeds mostly along {label_of(u[i])}, so "
        "a motion would have no kinetic energy, or a negative one."
    )


def _not_of_energy(subject: Subject, x: Array, M: Array, scale: Array) -> str:
    """Describe the entry of M that differs most from the second derivative of T."""
    if not subject.energies:
        return ""
    expected, eom = mass_matrix_of_energy(subject, x), subject.equations
    difference = np.abs(expected - M) / np.maximum(scale, _scale(expected))
    if difference.max() <= TOLERANCE:
        return ""
    i, j = divmod(int(np.argmax(difference)), len(M))
    actual_text, expected_text = distinct_texts(M[i, j], expected[i, j])
    T, V = subject.energies
    L = sm.Matrix([T - V if subject.potential_has_speeds else T])
    momentum = partial_derivatives(L, eom.u, eom.q)[0][i]
    second = partial_derivatives(sm.Matrix([momentum]), eom.u, eom.q)[0][j]
    text = difference_text(subject, second, eom.mass_matrix[i, j])
    more = f" It lacks the term {text}." if text else ""
    return (
        f"M is not that of T: {state_text(subject, x)}, entry ({i + 1}, {j + 1}) is {actual_text}, "
        f"but ∂²T/∂{label_of(eom.u[i])}∂{label_of(eom.u[j])} is {expected_text}.{more}"
    )


def _impossible_inertia(subject: Subject) -> str:
    """Describe principal moments of inertia that no body has; a hole has negative ones."""
    for body in subject.bodies:
        moments = [sm.sympify(moment).subs(subject.nominal) for moment in body.moments]
        if not body.in_space or any(moment.free_symbols for moment in moments):
            continue
        smallest, middle, largest = sorted(abs(float(moment)) for moment in moments)
        is_axle = middle == 0  # only its own rotation is counted
        if largest > (smallest + middle) * (1 + TOLERANCE) and not is_axle:
            text = listed([rounded(float(moment)) for moment in moments])
            return (
                f"The body of mass {body.mass} has the moments of inertia {text} kg·m². In every "
                "body the largest is at most the sum of the other two."
            )
    return ""
