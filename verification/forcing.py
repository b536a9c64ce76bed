"""The forcing F recomputed from the energies and loads, or from M, by automatic differentiation."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import label_of
from verification.differentiation import NoNumberError, partial_derivative_and_rate, slope
from verification.results import Rung
from verification.sentences import (
    capitalized,
    close,
    curves_between_states,
    distinct_texts,
    state_text,
)
from verification.subject import INSTANT, Subject


def forcing(subject: Subject) -> Rung:
    """Compare F with −d/dt ∂T/∂q̇ + ∂(T − V)/∂q + Q at u̇ = 0, by automatic differentiation."""
    name, eom = "forcing", subject.equations
    if eom.kinematic_matrix != sm.eye(len(eom.u)) or any(eom.kinematic_drift):
        return Rung(
            name,
            None,
            "The speeds are not the rates of the coordinates: d/dt ∂T/∂q̇ asks "
            "for these. Newton's laws ask the same of any speeds.",
        )
    has_energies = subject.energies is not None
    try:
        for x in subject.states:
            actual, expected = (
                _forcing_of_energies(subject, x)
                if has_energies
                else _forcing_of_mass_matrix(subject, x)
            )
            F = subject.values_at(list(eom.forcing), x)
            M = np.abs(subject.values_at(list(eom.mass_matrix), x)).max()
            scale = max(
                np.abs(actual).max(),
                np.abs(expected).max(),
                np.abs(F).max(),
                M * np.abs(x[len(eom.q) :] ** 2).max(),
            )
            difference = np.abs(actual - expected)
            if not close(actual, expected, scale):
                if has_energies and rows_are_scaled(subject):
                    return Rung(name, True, SCALED_ROWS)
                return _wrong_forcing(
                    subject, x, actual, expected, int(np.argmax(difference)), has_energies
                )
    except NoNumberError as error:
        return Rung(name, None, f"{error}.")
    formula = (
        "−d/dt ∂T/∂q̇ + ∂(T − V)/∂q + Q"
        if has_energies
        else "What M says of it, −Ṁ u + ½ ∂(uᵀ M u)/∂q,"
    )
    return Rung(
        name,
        True,
        f"{formula} gives the same F in {len(subject.states)} states, by arithmetic that carries "
        "rates"
        + (
            "."
            if has_energies
            else ": its terms with two speeds. No energies are known for the others."
        ),
    )


def _forcing_of_energies(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return F of the equations, and F of the energies and loads."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    if subject.potential_has_speeds:
        T, V = T - V, sm.S.Zero
    kinetic, potential = subject.formulas([T]), subject.formulas([V])
    rates = [*subject.coordinate_rates(x), *np.zeros(len(x) - n)]
    expected = generalized_loads(subject, x)
    for i in range(k):
        _, momentum_rate = partial_derivative_and_rate(kinetic, INSTANT, x, rates, n + i, p)
        direction = np.eye(len(x))[i]
        force = slope(kinetic, INSTANT, x, direction, p) - slope(
            potential, INSTANT, x, direction, p
        )
        expected[i] += force[0] - momentum_rate
    return subject.values_at(list(eom.forcing), x), expected


def mass_matrix_of_energy(subject: Subject, x: Array) -> Array:
    """Return the second differences of T − V in the speeds; they are exact, as T is quadratic."""
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    n, u = len(subject.equations.q), subject.equations.u
    L = T - V + V.xreplace(dict.fromkeys(u, sm.S.Zero))  # V counts only where it depends on speeds
    at_rest = np.array(x)
    at_rest[n : n + len(u)] = 0.0
    directions = np.eye(len(x))[n : n + len(u)]
    rest_value = subject.values_at([L], at_rest)[0]
    single_values = [subject.values_at([L], at_rest + direction)[0] for direction in directions]
    return np.array(
        [
            [
                subject.values_at([L], at_rest + row + column)[0]
                - row_value
                - column_value
                + rest_value
                for column, column_value in zip(directions, single_values)
            ]
            for row, row_value in zip(directions, single_values)
        ]
    )


SCALED_ROWS = "The motion is right, and the rows of M and F are scaled: they are not those of the "
SCALED_ROWS += "energies, and M⁻¹ F is."


@lru_cache(maxsize=4)
def rows_are_scaled(subject: Subject) -> bool:
    """Whether M and F differ from those of the energies although all accelerations agree."""
    eom = subject.equations
    speeds_are_rates = eom.kinematic_matrix == sm.eye(len(eom.u)) and not any(eom.kinematic_drift)
    if subject.energies is None or subject.loop or not speeds_are_rates:
        return False
    scaled = False
    for x in subject.states:
        M, actual = mass_matrix_of_energy(subject, x), subject.accelerations(x)
        scaled |= not close(M, subject.matrix_at(eom.mass_matrix, x), np.abs(M).max())
        if not np.linalg.cond(M) < 1e12:
            return False
        try:
            expected = np.linalg.solve(M, _forcing_of_energies(subject, x)[1])
        except NoNumberError:
            return False
        if not close(actual, expected, max(np.abs(actual).max(), np.abs(expected).max())):
            return False
    return scaled


def generalized_loads(subject: Subject, x: Array) -> Array:
    """Return the generalized forces of the loads: values times partial derivatives of positions."""
    n, k = len(subject.equations.q), len(subject.equations.u)
    generalized = np.zeros(k)
    if not subject.loads:
        return generalized
    values = subject.values_at([load.value for load in subject.loads], x)
    positions = subject.formulas([load.along for load in subject.loads])
    rates = subject.formulas([load.rate for load in subject.loads])
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    for i in range(k):
        direction, speed_direction = np.zeros(len(x)), np.eye(len(x))[n + i]
        direction[:n] = N[:, i]
        displaced = slope(positions, INSTANT, x, direction, subject.numbers)
        generalized[i] = values @ (
            displaced + slope(rates, INSTANT, x, speed_direction, subject.numbers)
        )
    return generalized


def _forcing_of_mass_matrix(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return the part of F that is even in the speeds, of the equations and of M."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    u = sm.Matrix(eom.u)
    T = (u.T * eom.mass_matrix * u)[0, 0] / 2
    kinetic, at_rest, reversed_state = subject.formulas([T]), np.array(x), np.array(x)
    at_rest[n : n + k], reversed_state[n : n + k] = 0.0, -x[n : n + k]
    F = [subject.values_at(list(eom.forcing), state) for state in (x, reversed_state, at_rest)]
    rates = [*subject.coordinate_rates(x), *np.zeros(len(x) - n)]
    expected = np.zeros(k)
    for i in range(k):
        _, momentum_rate = partial_derivative_and_rate(kinetic, INSTANT, x, rates, n + i, p)
        expected[i] = slope(kinetic, INSTANT, x, np.eye(len(x))[i], p)[0] - momentum_rate
    return (F[0] + F[1]) / 2 - F[2], expected


def _wrong_forcing(
    subject: Subject, x: Array, actual: Array, expected: Array, i: int, has_energies: bool
) -> Rung:
    """Return a failed rung for entry i of F."""
    actual_text, expected_text = distinct_texts(actual[i], expected[i])
    compute = _forcing_of_energies if has_energies else _forcing_of_mass_matrix
    origin = "the energies and loads give" if has_energies else "M gives"
    quantity = "F" if has_energies else "the part of F with two speeds"
    speed = label_of(subject.equations.u[i])
    return Rung(
        "forcing",
        False,
        f"{capitalized(state_text(subject, x))}, {quantity} in the equation of {speed} is "
        f"{actual_text}, and {origin} "
        f"{expected_text}.{_hint_at_rest(subject, x) if has_energies else ''}",
        curves_between_states(
            subject,
            lambda state: [part[i] for part in compute(subject, state)],
            ["of the equations", "of the energies" if has_energies else "of M"],
            "entry of F",
        ),
    )


def _hint_at_rest(subject: Subject, x: Array) -> str:
    """Return a sentence that says whether F is right where nothing moves."""
    at_rest = np.array(x)
    at_rest[len(subject.equations.q) :] = 0.0
    actual, expected = _forcing_of_energies(subject, at_rest)
    if close(actual, expected, max(np.abs(actual).max(), np.abs(expected).max(), 1e-9)):
        return " Where nothing moves it is right: look at the terms with speeds."
    return " It is wrong where nothing moves, too: look at potential energy and loads."
