"""Checks of constraints: rates, φ̈ = 0 along the simulated motion, and a closed drawing."""

from __future__ import annotations

import numpy as np

from straightline.aliases import Array
from tutlib.models.skeleton import Length
from tutlib.reading.names import label_of
from verification.differentiation import along_path, jet, slope
from verification.results import Rung
from verification.sentences import distinct_texts, rounded, state_text
from verification.subject import Subject


def constraints(subject: Subject) -> Rung:
    """Check φ, φ̇ and φ̈ along the motion of the simulated equations."""
    name, loop = "constraints", subject.loop
    if not loop:
        return Rung(name, None, "There are no constraints.")
    for x in subject.states:
        if failed := _check_state(subject, x) or _check_drawing(subject, x):
            return failed
    m = len(loop.constraints) + len(loop.velocity_constraints)
    form = "closed equations" if subject.closed else "accelerations"
    return Rung(
        name,
        True,
        f"The {form} keep {m} constraint{'s' * (m > 1)} in {len(subject.states)} states: φ̇ is "
        "G u, and φ̈ is zero.",
    )


def why_no_state(subject: Subject) -> str:
    """Return why no state was found that closes the loops and determines accelerations."""
    for x in [_closed_state(subject)] if subject.loop else []:
        if x is None:
            return "in which its loops are closed. Can they be, with these lengths?"
        G = subject.matrix_at(subject.jacobian, x)
        G = G * subject.scales.speeds
        G /= np.maximum(np.abs(G).max(axis=1, keepdims=True), np.finfo(float).tiny)
        tolerance = 1e-9
        rank = np.linalg.matrix_rank(G, tol=tolerance)
        for i in reversed(range(len(G) if rank < len(G) else 0)):
            if np.linalg.matrix_rank(np.delete(G, i, axis=0), tol=tolerance) == rank:
                return (
                    f"in which its constraints are independent: {state_text(subject, x)}, the "
                    f"gradient of constraint {i + 1} is a combination of the others'. Leave it "
                    "out, or give a state to begin from, near=[...]"
                )
    return (
        "in which its loops are closed and its equations determine all accelerations. Does "
        "everything that moves have a mass? If so, give a state to begin from, near=[...]"
    )


def _closed_state(subject: Subject) -> Array | None:
    """Return a state that closes the loops even if constraints are redundant."""
    assert subject.loop is not None
    n, phi = len(subject.equations.q), subject.formulas(list(subject.loop.constraints))
    x = subject.amplitudes * np.random.default_rng(7).uniform(-1, 1, len(subject.amplitudes))
    for _ in range(60):
        residual = phi.floats(subject.instant, x, subject.numbers)
        slopes = np.array(
            [
                slope(phi, subject.instant, x, direction, subject.numbers)
                for direction in np.diag(subject.amplitudes)[:n]
            ]
        ).T
        scale = np.maximum(np.abs(slopes).max(axis=1), np.finfo(float).tiny)
        if not np.abs(residual / scale).max(initial=0.0) > 1e-9:
            return x
        step = np.linalg.lstsq(slopes / scale[:, None], residual / scale, rcond=1e-10)[0]
        x[:n] -= subject.amplitudes[:n] * step
    return None


def _check_drawing(subject: Subject, x: Array) -> Rung | None:
    """Return a failed rung if the drawing is open, or has other lengths, in a consistent state."""
    if subject.skeleton is None or not subject.skeleton.points:
        return None
    skeleton = subject.skeleton
    coordinates = subject.values_at([c for point in skeleton.points for c in point], x)
    points = coordinates.reshape(-1, 2)
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    tolerance = 1e-6 * distances.max()
    for mark in (mark for mark in skeleton.marks if isinstance(mark, Length)):
        if mark.symbol in subject.values:
            length, drawn = subject.values[mark.symbol], distances[mark.start, mark.end]
            if abs(drawn - abs(length)) > tolerance:
                texts = distinct_texts(drawn, length)
                return _wrong_drawing(
                    f"{label_of(mark.symbol)} is drawn {texts[0]} m long where the constraints "
                    f"are satisfied, but it is {texts[1]} m"
                )
    ends = {end for line in skeleton.lines for end in line}
    for i in {*skeleton.pivots} - ends:
        gap = float(np.delete(distances[i], i).min(initial=np.inf))
        if tolerance < gap < np.inf:
            return _wrong_drawing(
                f"where the constraints are satisfied, no link reaches pivot {i + 1}; "
                f"{rounded(gap)} m are missing"
            )
    return None


def _wrong_drawing(problem: str) -> Rung:
    """Return a failed rung about the drawing."""
    return Rung(
        "constraints",
        False,
        f"The drawing is open: {problem}. Does a constraint have the wrong sign?",
    )


def _check_state(subject: Subject, x: Array) -> Rung | None:
    """Return a failed rung if constraints are violated along the motion through a state."""
    loop, p = subject.loop, subject.numbers
    assert loop is not None
    u_dot = simulated_accelerations(subject, x)
    if u_dot is None:
        return Rung(
            "constraints", False, f"The closed equations have no value {state_text(subject, x)}."
        )
    path = subject.path(x, u_dot)
    phi = loop.constraints
    _, rate, second = along_path(
        subject.formulas([*phi, *loop.velocity_constraints]), subject.instant, path, p
    )
    claimed = subject.values_at(list(loop.rates), x)
    size, speeds = subject.scales, np.abs(u_dot) + subject.scales.rate**2 * subject.scales.speeds
    G = np.abs(subject.matrix_at(subject.jacobian, x))
    for i in range(len(phi)):
        if not abs(rate[i] - claimed[i]) <= 1e-8 * size.rate * (G[i] @ size.speeds):
            claimed_text, actual_text = distinct_texts(claimed[i], rate[i])
            return Rung(
                "constraints",
                False,
                f"The rate of constraint {i + 1} is {actual_text} {state_text(subject, x)}, but "
                f"G u is {claimed_text}.",
            )
    for i, residual in enumerate([*second[: len(phi)], *rate[len(phi) :]]):
        if not abs(residual) <= 1e-8 * (G[i] @ speeds):
            return _violated(subject, x, i, residual)
    return _compare_accelerations(subject, x, u_dot)


def _violated(subject: Subject, x: Array, i: int, residual: float) -> Rung:
    """Return a failed rung for a constraint with nonzero φ̈, or ψ̇."""
    assert subject.loop is not None
    symbol = "φ̈" if i < len(subject.loop.constraints) else "ψ̇"
    return Rung(
        "constraints",
        False,
        f"The motion violates constraint {i + 1}: {state_text(subject, x)}, {symbol} is "
        f"{rounded(residual)} instead of 0. Is the term Ġ u in its second derivative?",
    )


def _compare_accelerations(subject: Subject, x: Array, u_dot: Array) -> Rung | None:
    """Compare the simulated accelerations with those of M u̇ = F + Gᵀλ."""
    expected, unit = subject.accelerations(x)[: len(u_dot)], subject.scales.speeds
    i = int(np.argmax(np.abs(u_dot - expected) / unit))
    scale = float(np.abs(expected / unit).max()) + subject.scales.rate**2
    if abs(u_dot[i] - expected[i]) <= 1e-8 * scale * unit[i]:
        return None
    actual_text, expected_text = distinct_texts(u_dot[i], expected[i])
    return Rung(
        "constraints",
        False,
        f"The closed equations keep the constraints, but differ from M u̇ = F + Gᵀλ: "
        f"{state_text(subject, x)}, the derivative of {label_of(subject.equations.u[i])} is "
        f"{actual_text} instead of {expected_text}.",
    )


def simulated_accelerations(subject: Subject, x: Array) -> Array | None:
    """Return u̇ of all speeds from the simulated equations; None if they are singular."""
    if subject.closed is None:
        return subject.accelerations(x)[: len(subject.equations.u)]
    closed = subject.closed
    start = subject.state_of(closed, x)
    formulas = subject.formulas([*closed.mass_matrix, *closed.forcing], closed.states)
    numbers = formulas.floats(subject.instant, start, subject.numbers)
    count = len(closed.u)
    M, F = numbers[: count * count].reshape(count, count), numbers[count * count :]
    if not np.isfinite(numbers).all() or not np.linalg.cond(M) < 1e14:
        return None
    rates = np.asarray(np.linalg.solve(M, F), dtype=float)
    if {*subject.equations.u} <= {*closed.u}:
        return np.asarray(rates[[closed.u.index(speed) for speed in subject.equations.u]])
    return _rates_of_all_speeds(subject, x, start, rates)


def _rates_of_all_speeds(subject: Subject, x: Array, start: Array, u_dot: Array) -> Array:
    """Return u̇ of all speeds from those of independent speeds, using the coordinates."""
    closed = subject.simulated_equations
    n, count = len(closed.q), len(closed.u)
    rates = subject.formulas(closed.rates, closed.states)
    q_dot = rates.floats(subject.instant, start, subject.numbers)
    pairs = [*zip(start[:n], q_dot), *zip(start[n : n + count], u_dot)]
    path = [*(jet(*pair) for pair in pairs), *(jet(z) for z in start[n + count :])]
    q_second = along_path(rates, subject.instant, path, subject.numbers)[1]
    without_accelerations = subject.second_rates(x, np.zeros(len(subject.equations.u)))
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    return np.asarray(np.linalg.lstsq(N, q_second - without_accelerations, rcond=None)[0])
