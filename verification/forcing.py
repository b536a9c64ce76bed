"""The forcing F recomputed from the energies and loads, by automatic differentiation.

It names the load or the term in which the equations differ.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.mechanics.derivations import partial_derivatives
from tutlib.models.bodies import Load
from tutlib.reading.names import label_of
from verification.differentiation import partial_derivative_and_rate, slope
from verification.sentences import (
    close,
    difference_text,
    distinct_texts,
    expression_text,
    state_text,
)
from verification.subject import Subject

#: The mistakes with a whole load that are named.
_FACTORS = {
    0.0: "missing",
    0.5: "halved",
    2.0: "doubled",
    -1.0: "there with the opposite sign",
}
SCALED_ROWS = (
    "The accelerations are right, but the rows of M and F are scaled: they are not those of "
    "the energies."
)


def forcing_of_energies(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return F of the equations, and F = −d/dt ∂T/∂q̇ + ∂(T − V)/∂q + Q at u̇ = 0."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    if subject.potential_has_speeds:
        T, V = T - V, sm.S.Zero
    kinetic, potential = subject.formulas([T]), subject.formulas([V])
    rates = [*subject.coordinate_rates(x), *np.zeros(len(x) - n)]
    expected = sum((generalized_load(subject, load, x) for load in subject.loads), np.zeros(k))
    for i in range(k):
        _, momentum_rate = partial_derivative_and_rate(kinetic, subject.instant, x, rates, n + i, p)
        direction = np.eye(len(x))[i]
        force = slope(kinetic, subject.instant, x, direction, p) - slope(
            potential, subject.instant, x, direction, p
        )
        expected[i] += force[0] - momentum_rate
    return subject.values_at(list(eom.forcing), x), expected


def mass_matrix_of_energy(subject: Subject, x: Array) -> Array:
    """Return the second derivatives of T − V with respect to the speeds."""
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    n, k = len(subject.equations.q), len(subject.equations.u)
    L = subject.formulas([T - V if subject.potential_has_speeds else T])
    directions = np.eye(len(x))[n : n + k]
    columns = [
        [
            partial_derivative_and_rate(L, subject.instant, x, d, n + i, subject.numbers, time=0.0)[
                1
            ]
            for i in range(k)
        ]
        for d in directions
    ]
    return np.array(columns).T


@lru_cache(maxsize=4)
def rows_are_scaled(subject: Subject) -> bool:
    """Whether M and F differ from those of the energies although all accelerations agree."""
    if subject.energies is None or subject.loop or not subject.speeds_are_rates:
        return False
    scaled = False
    for x in subject.states:
        M, actual = mass_matrix_of_energy(subject, x), subject.accelerations(x)
        unit = np.outer(subject.scales.speeds, subject.scales.speeds)
        given = subject.matrix_at(subject.equations.mass_matrix, x)
        scaled |= not close(M * unit, given * unit, np.abs(M * unit).max())
        try:
            expected = np.linalg.solve(M, forcing_of_energies(subject, x)[1])
        except np.linalg.LinAlgError:
            return False
        actual, expected = actual / subject.scales.speeds, expected / subject.scales.speeds
        if not close(actual, expected, max(np.abs(actual).max(), np.abs(expected).max())):
            return False
    return scaled


def generalized_load(subject: Subject, load: Load, x: Array) -> Array:
    """Return the generalized forces of a load: its value times its partial velocities."""
    n, k = len(subject.equations.q), len(subject.equations.u)
    generalized = np.zeros(k)
    position, rate = subject.formulas([load.along]), subject.formulas([load.rate])
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    for i in range(k):
        direction, speed_direction = np.zeros(len(x)), np.eye(len(x))[n + i]
        direction[:n] = N[:, i]
        generalized[i] = (
            slope(position, subject.instant, x, direction, subject.numbers)
            + slope(rate, subject.instant, x, speed_direction, subject.numbers)
        )[0]
    return np.asarray(subject.values_at([load.value], x)[0] * generalized)


def force_scale(subject: Subject, x: Array, *forces: Array) -> float:
    """Return the largest work of forces, and of M times accelerations, over the amplitudes."""
    unit, k = subject.scales.speeds, len(subject.equations.u)
    M = np.abs(subject.matrix_at(subject.equations.mass_matrix, x))
    terms = [*forces, subject.values_at(list(subject.equations.forcing), x)]
    terms.append(M @ np.abs(subject.accelerations(x)[:k]))
    return float(max(subject.energy_scale(x), *(np.abs(term * unit).max() for term in terms)))


def wrong_forcing(subject: Subject) -> str:
    """Return which load or which term of F differs from the energies and loads; empty if none."""
    if subject.energies is None or not subject.speeds_are_rates or rows_are_scaled(subject):
        return ""
    pairs = [forcing_of_energies(subject, x) for x in subject.states]
    for x, (actual, expected) in zip(subject.states, pairs):
        scale, unit = force_scale(subject, x, actual, expected), subject.scales.speeds
        if not close(actual * unit, expected * unit, scale):
            break
    else:
        return ""
    difference = np.concatenate([(actual - expected) * unit for actual, expected in pairs])
    if sentence := blamed_load(subject, difference):
        return sentence
    i = int(np.argmax(np.abs(actual - expected) * unit))
    return _wrong_term(subject, x, i, actual[i], expected[i])


def blamed_load(subject: Subject, difference: Array) -> str:
    """Name the load to which a difference of scaled forces in all states is proportional."""
    scale, unit = np.abs(difference).max(), subject.scales.speeds
    for load in subject.loads:
        forces = np.concatenate([generalized_load(subject, load, x) * unit for x in subject.states])
        if not np.abs(forces).max() > 0:
            continue
        for factor, word in _FACTORS.items():
            if np.abs((factor - 1) * forces - difference).max() <= 1e-8 * scale:
                text = expression_text(subject, load.value)
                return f"The load {text} is {word} in the equations."
    return ""


def wrong_solution(subject: Subject) -> str:
    """Return which term or load is wrong in equations with M = 1; empty if several are."""
    eom, unit = subject.equations, subject.scales.speeds
    if subject.loop or not subject.speeds_are_rates or eom.mass_matrix != sm.eye(len(unit)):
        return ""
    difference = []
    for x in subject.states:
        M, actual = mass_matrix_of_energy(subject, x), subject.accelerations(x)
        expected = forcing_of_energies(subject, x)[1]
        difference.append((M @ actual - expected) * unit)
    cause = blamed_load(subject, np.concatenate(difference))
    cause = cause or _blamed_term(subject, np.array(difference) / unit)
    if not cause:
        return ""
    right = np.linalg.solve(M, expected)
    i = int(np.argmax(np.abs(actual - right) / unit))
    actual_text, expected_text = distinct_texts(actual[i], right[i])
    return (
        f"The derivative of {label_of(eom.u[i])} is {actual_text} {state_text(subject, x)}, but "
        f"the energies and loads give {expected_text}. {cause}"
    )


def _blamed_term(subject: Subject, difference: Array) -> str:
    """Name the term of the energies to which a difference of forces in all states belongs."""
    for i, symbol in enumerate(subject.equations.u):
        for term in sm.Add.make_args(sm.expand(_symbolic_forcing(subject, i))):
            forces = np.zeros_like(difference)
            forces[:, i] = [subject.values_at([term], x)[0] for x in subject.states]
            for factor, word in _FACTORS.items():
                if close((factor - 1) * forces, difference, 10 * np.abs(forces).max()):
                    text = expression_text(subject, term)
                    return f"In the equation of {label_of(symbol)}, the term {text} is {word}."
    return ""


def _symbolic_forcing(subject: Subject, i: int) -> sm.Expr:
    """Return entry i of F of the energies and loads."""
    eom = subject.equations
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    by_speeds, by_coordinates, _ = partial_derivatives(sm.Matrix([T - V]), eom.u, eom.q)
    momentum = sm.Matrix([by_speeds[i]])
    _, along, explicit = partial_derivatives(momentum, eom.u, eom.q)
    symbolic = by_coordinates[i] - (along * sm.Matrix(eom.rates))[0] - explicit[0]
    for load in subject.loads:
        power = sm.Matrix([load.along]), sm.Matrix([load.rate])
        partial = partial_derivatives(power[0], eom.u, eom.q)[1][i]
        partial += partial_derivatives(power[1], eom.u, eom.q)[0][i]
        symbolic += load.value * partial
    return symbolic


def _wrong_term(subject: Subject, x: Array, i: int, actual: float, expected: float) -> str:
    """Return which terms are missing in entry i of F."""
    eom, symbolic = subject.equations, _symbolic_forcing(subject, i)
    label = label_of(eom.u[i])
    if text := difference_text(subject, symbolic, eom.forcing[i]):
        return f"The equation of {label} lacks the term {text} of the energies and loads."
    actual_text, expected_text = distinct_texts(actual, expected)
    return (
        f"F in the equation of {label} is {actual_text} {state_text(subject, x)}, but the "
        f"energies and loads give {expected_text}."
    )
