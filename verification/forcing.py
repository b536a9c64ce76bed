"""The forcing, found a second time: from the energies and loads, or from M, by arithmetic."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.reading.names import label_of
from verification.differentiation import NoNumberError, slope, slope_and_its_rate
from verification.results import Rung
from verification.sentences import at, between, both, capital, near
from verification.subject import INSTANT, Subject


def forcing(subject: Subject) -> Rung:
    """Find F a second time: −d/dt ∂T/∂q̇ + ∂(T − V)/∂q + Q by arithmetic, with u̇ = 0."""
    name, eom = "forcing", subject.equations
    if eom.kinematic_matrix != sm.eye(len(eom.u)) or any(eom.kinematic_drift):
        return Rung(
            name,
            None,
            "The speeds are not the rates of the coordinates: d/dt ∂T/∂q̇ asks "
            "for these. Newton's laws ask the same of any speeds.",
        )
    whole = subject.energies is not None
    try:
        for x in subject.states:
            mine, expected = _forcing_of_energies(subject, x) if whole else _of_mass(subject, x)
            F = subject.values_at(list(eom.forcing), x)
            M = np.abs(subject.values_at(list(eom.mass_matrix), x)).max()
            size = max(
                np.abs(mine).max(),
                np.abs(expected).max(),
                np.abs(F).max(),
                M * np.abs(x[len(eom.q) :] ** 2).max(),
            )
            wrong = np.abs(mine - expected)
            if not near(mine, expected, size):
                if whole and only_scaled(subject):
                    return Rung(name, True, SCALED)
                return _wrong_forcing(subject, x, mine, expected, int(np.argmax(wrong)), whole)
    except NoNumberError as error:
        return Rung(name, None, f"{error}.")
    how = "−d/dt ∂T/∂q̇ + ∂(T − V)/∂q + Q" if whole else "What M says of it, −Ṁ u + ½ ∂(uᵀ M u)/∂q,"
    return Rung(
        name,
        True,
        f"{how} gives the same F in {len(subject.states)} states, by arithmetic that carries rates"
        + ("." if whole else ": its terms with two speeds. No energies are known for the others."),
    )


def _forcing_of_energies(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return F as it stands, and as the energies and loads give it."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    if subject.moves_potential:
        T, V = T - V, sm.S.Zero
    kinetic, potential = subject.formulas([T]), subject.formulas([V])
    rates = [*subject.place_rates(x), *np.zeros(len(x) - n)]
    expected = applied(subject, x)
    for i in range(k):
        _, change = slope_and_its_rate(kinetic, INSTANT, x, rates, n + i, p)
        along = np.eye(len(x))[i]
        force = slope(kinetic, INSTANT, x, along, p) - slope(potential, INSTANT, x, along, p)
        expected[i] += force[0] - change
    return subject.values_at(list(eom.forcing), x), expected


def matrix_of_energy(subject: Subject, x: Array) -> Array:
    """Return the second differences of T − V along speeds, which are exact."""
    T, V = subject.energies or (sm.S.Zero, sm.S.Zero)
    n, u = len(subject.equations.q), subject.equations.u
    L = T - V + V.xreplace(dict.fromkeys(u, sm.S.Zero))  # of a potential, the part with speeds
    still = np.array(x)
    still[n : n + len(u)] = 0.0
    ways = np.eye(len(x))[n : n + len(u)]
    rest = subject.values_at([L], still)[0]
    single = [subject.values_at([L], still + way)[0] for way in ways]
    return np.array(
        [
            [
                subject.values_at([L], still + one + other)[0] - a - b + rest
                for other, b in zip(ways, single)
            ]
            for one, a in zip(ways, single)
        ]
    )


SCALED = "The motion is right, and the rows of M and F are scaled: they are not those of the "
SCALED += "energies, and M⁻¹ F is."


@lru_cache(maxsize=4)
def only_scaled(subject: Subject) -> bool:
    """Whether M and F are not those of the energies, and all accelerations are."""
    eom = subject.equations
    rates = eom.kinematic_matrix == sm.eye(len(eom.u)) and not any(eom.kinematic_drift)
    if subject.energies is None or subject.loop or not rates:
        return False
    scaled = False
    for x in subject.states:
        M, mine = matrix_of_energy(subject, x), subject.accelerations(x)
        scaled |= not near(M, subject.matrix_at(eom.mass_matrix, x), np.abs(M).max())
        if not np.linalg.cond(M) < 1e12:
            return False
        try:
            asked = np.linalg.solve(M, _forcing_of_energies(subject, x)[1])
        except NoNumberError:
            return False
        if not near(mine, asked, max(np.abs(mine).max(), np.abs(asked).max())):
            return False
    return scaled


def applied(subject: Subject, x: Array) -> Array:
    """Return the generalized forces of the loads: each value times the slope of its place."""
    n, k = len(subject.equations.q), len(subject.equations.u)
    generalized = np.zeros(k)
    if not subject.loads:
        return generalized
    values = subject.values_at([load.value for load in subject.loads], x)
    places = subject.formulas([load.along for load in subject.loads])
    rates = subject.formulas([load.rate for load in subject.loads])
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    for i in range(k):
        way, faster = np.zeros(len(x)), np.eye(len(x))[n + i]
        way[:n] = N[:, i]
        driven = slope(places, INSTANT, x, way, subject.numbers)
        generalized[i] = values @ (driven + slope(rates, INSTANT, x, faster, subject.numbers))
    return generalized


def _of_mass(subject: Subject, x: Array) -> tuple[Array, Array]:
    """Return the part of F that is even in speeds, as it stands and as M gives it."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    u = sm.Matrix(eom.u)
    T = (u.T * eom.mass_matrix * u)[0, 0] / 2
    kinetic, still, back = subject.formulas([T]), np.array(x), np.array(x)
    still[n : n + k], back[n : n + k] = 0.0, -x[n : n + k]
    F = [subject.values_at(list(eom.forcing), state) for state in (x, back, still)]
    rates = [*subject.place_rates(x), *np.zeros(len(x) - n)]
    expected = np.zeros(k)
    for i in range(k):
        _, change = slope_and_its_rate(kinetic, INSTANT, x, rates, n + i, p)
        expected[i] = slope(kinetic, INSTANT, x, np.eye(len(x))[i], p)[0] - change
    return (F[0] + F[1]) / 2 - F[2], expected


def _wrong_forcing(
    subject: Subject, x: Array, mine: Array, expected: Array, i: int, whole: bool
) -> Rung:
    one, other = both(mine[i], expected[i])
    find = _forcing_of_energies if whole else _of_mass
    origin = "the energies and loads give" if whole else "M gives"
    what = "F" if whole else "the part of F with two speeds"
    speed = label_of(subject.equations.u[i])
    return Rung(
        "forcing",
        False,
        f"{capital(at(subject, x))}, {what} in the equation of {speed} is {one}, and {origin} "
        f"{other}.{_where_else(subject, x) if whole else ''}",
        between(
            subject,
            lambda state: [part[i] for part in find(subject, state)],
            ["of the equations", "of the energies" if whole else "of M"],
            "entry of F",
        ),
    )


def _where_else(subject: Subject, x: Array) -> str:
    """Say whether F is right where nothing moves."""
    still = np.array(x)
    still[len(subject.equations.q) :] = 0.0
    rest, asked = _forcing_of_energies(subject, still)
    if near(rest, asked, max(np.abs(rest).max(), np.abs(asked).max(), 1e-9)):
        return " Where nothing moves it is right: look at the terms with speeds."
    return " It is wrong where nothing moves, too: look at potential energy and loads."
