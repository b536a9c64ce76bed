"""Constraints along a motion: met, independent, differentiated twice, and obeyed as simulated."""

from __future__ import annotations

import numpy as np

from straightline.aliases import Array
from tutlib.methods.trajectory import SimulationError
from tutlib.models.skeleton import Length
from tutlib.reading.names import label_of
from verification.differentiation import along_path, moving, slope
from verification.energy import run
from verification.results import Curves, Rung
from verification.sentences import at, both, rounded
from verification.subject import INSTANT, Subject


def constraints(subject: Subject) -> Rung:
    """Look at φ, φ̇ and φ̈ along the motion of the equations as they are simulated."""
    name, loop = "constraints", subject.loop
    if not loop:
        return Rung(name, None, "There are no constraints.")
    for x in subject.states:
        if failed := _not_kept(subject, x) or _drawn_open(subject, x):
            return failed
    m = len(loop.constraints) + len(loop.velocity_constraints)
    form = "the closed equations keep" if subject.closed else "the accelerations keep"
    return Rung(
        name,
        True,
        f"{m} constraint{'s' * (m > 1)}: their rates are what G u says, and "
        f"{form} φ̈ at zero, in {len(subject.states)} states.",
    )


def why_no_state(subject: Subject) -> str:
    """Say why none was found in which the loops are closed and accelerations determined."""
    for x in [_closed(subject)] if subject.loop else []:
        if x is None:
            return "in which its loops are closed: can they be, with these lengths?"
        G = subject.matrix_at(subject.jacobian, x)
        tolerance = 1e-9 * np.abs(G).max()
        rank = np.linalg.matrix_rank(G, tol=tolerance)
        for i in reversed(range(len(G) if rank < len(G) else 0)):
            if np.linalg.matrix_rank(np.delete(G, i, axis=0), tol=tolerance) == rank:
                return (
                    f"in which its constraints are independent: {at(subject, x)}, the gradient "
                    f"of constraint {i + 1} is a combination of the others'. Leave it out, or "
                    "give a state to begin from, near=[...]"
                )
    return (
        "in which its loops are closed and its equations determine all accelerations: has "
        "everything that moves a mass? If so, give a state to begin from, near=[...]"
    )


def _closed(subject: Subject) -> Array | None:
    """Return a state whose loops are closed, though constraints may depend on each other."""
    assert subject.loop is not None
    n, phi = len(subject.equations.q), subject.formulas(list(subject.loop.constraints))
    x = np.random.default_rng(7).uniform(-1, 1, len(subject.equations.states))
    for _ in range(60):
        left = phi.floats(INSTANT, x, subject.numbers)
        if not np.abs(left).max(initial=0.0) > 1e-9:
            return x
        slopes = [slope(phi, INSTANT, x, way, subject.numbers) for way in np.eye(len(x))[:n]]
        x[:n] -= np.linalg.lstsq(np.array(slopes).T, left, rcond=1e-10)[0]
    return None


def _drawn_open(subject: Subject, x: Array) -> Rung | None:
    """Look whether the drawing is closed where the constraints are met, and as long as it says."""
    if subject.skeleton is None or not subject.skeleton.points:
        return None
    skeleton = subject.skeleton
    flat = subject.values_at([c for point in skeleton.points for c in point], x)
    points = flat.reshape(-1, 2)
    far = np.linalg.norm(points[:, None] - points, axis=-1)
    near = 1e-6 * max(far.max(), 1e-12)
    for mark in (mark for mark in skeleton.marks if isinstance(mark, Length)):
        if mark.symbol in subject.values:
            length, drawn = subject.values[mark.symbol], far[mark.start, mark.end]
            if abs(drawn - abs(length)) > near:
                pair = both(drawn, length)
                return _not_drawn(
                    f"{label_of(mark.symbol)} is drawn {pair[0]} m long where the "
                    f"constraints are met, and is {pair[1]} m"
                )
    ends = {end for line in skeleton.lines for end in line}
    for i in {*skeleton.pivots} - ends:
        gap = float(np.delete(far[i], i).min(initial=np.inf))
        if near < gap < np.inf:
            return _not_drawn(
                f"no link reaches pivot {i + 1} where the constraints are met, and "
                f"{rounded(gap)} m are missing"
            )
    return None


def _not_drawn(what: str) -> Rung:
    return Rung(
        "constraints",
        False,
        f"The drawing is open: {what}. Has a constraint another sign than the drawing?",
    )


def _not_kept(subject: Subject, x: Array) -> Rung | None:
    loop, p = subject.loop, subject.numbers
    assert loop is not None
    u_dot = simulated_accelerations(subject, x)
    if u_dot is None:
        return Rung("constraints", False, f"The closed equations have no value {at(subject, x)}.")
    path = subject.path(x, u_dot)
    phi = loop.constraints
    _, rate, second = along_path(
        subject.formulas([*phi, *loop.velocity_constraints]), INSTANT, path, p
    )
    size = max(1.0, float(np.abs(u_dot).max()), float(np.abs(x).max() ** 2))
    said = subject.values_at(list(loop.rates), x)
    for i in range(len(phi)):
        if not abs(rate[i] - said[i]) <= 1e-8 * size:
            mine, other = both(said[i], rate[i])
            return Rung(
                "constraints",
                False,
                f"The rate of constraint {i + 1} is {other} {at(subject, x)}, and G u says {mine}.",
            )
    for i, left in enumerate([*second[: len(phi)], *rate[len(phi) :]]):
        if not abs(left) <= 1e-8 * size:
            return _left(subject, x, i, left)
    return _otherwise(subject, x, u_dot, size)


def _left(subject: Subject, x: Array, i: int, left: float) -> Rung:
    assert subject.loop is not None
    what = "φ̈" if i < len(subject.loop.constraints) else "ψ̇"
    return Rung(
        "constraints",
        False,
        f"The motion leaves constraint {i + 1}: {at(subject, x)}, {what} is {rounded(left)} and "
        "not 0. Was it differentiated twice, with the term Ġ u?",
        _opening(subject, i),
    )


def _otherwise(subject: Subject, x: Array, u_dot: Array, size: float) -> Rung | None:
    """Compare the simulated accelerations with those of M u̇ = F + Gᵀλ."""
    asked = subject.accelerations(x)[: len(u_dot)]
    i = int(np.argmax(np.abs(u_dot - asked)))
    if abs(u_dot[i] - asked[i]) <= 1e-8 * size:
        return None
    mine, other = both(u_dot[i], asked[i])
    return Rung(
        "constraints",
        False,
        f"The closed equations keep the constraints, and move otherwise than M u̇ = F + Gᵀλ: "
        f"{at(subject, x)}, the rate of {label_of(subject.equations.u[i])} is {mine}, not {other}.",
    )


def simulated_accelerations(subject: Subject, x: Array) -> Array | None:
    """Return u̇ of the cut-open equations' speeds, as the simulated form of a model has it."""
    if subject.closed is None:
        return subject.accelerations(x)[: len(subject.equations.u)]
    closed = subject.closed
    start = subject.start_of(closed, x)
    formulas = subject.formulas([*closed.mass_matrix, *closed.forcing], closed.states)
    numbers = formulas.floats(INSTANT, start, subject.numbers)
    size = len(closed.u)
    M, F = numbers[: size * size].reshape(size, size), numbers[size * size :]
    if not np.isfinite(numbers).all() or not np.linalg.cond(M) < 1e14:
        return None
    rates = np.asarray(np.linalg.solve(M, F), dtype=float)
    if {*subject.equations.u} <= {*closed.u}:
        return np.asarray(rates[[closed.u.index(speed) for speed in subject.equations.u]])
    return _of_all_speeds(subject, x, start, rates)


def _of_all_speeds(subject: Subject, x: Array, start: Array, u_dot: Array) -> Array:
    """Return u̇ of all speeds from those of independent ones: by way of the coordinates."""
    closed = subject.motion
    n, size = len(closed.q), len(closed.u)
    rates = subject.formulas(closed.rates, closed.states)
    q_dot = rates.floats(INSTANT, start, subject.numbers)
    pairs = [*zip(start[:n], q_dot), *zip(start[n : n + size], u_dot)]
    path = [*(moving(*pair) for pair in pairs), *(moving(z) for z in start[n + size :])]
    q_second = along_path(rates, INSTANT, path, subject.numbers)[1]
    still = subject.second_rates(x, np.zeros(len(subject.equations.u)))
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    return np.asarray(np.linalg.lstsq(N, q_second - still, rcond=None)[0])


def _opening(subject: Subject, i: int) -> Curves | None:
    """Return a constraint along a run."""
    assert subject.loop is not None
    if i >= len(subject.loop.constraints):
        return None
    try:
        motion = run(subject, subject.motion)
    except (SimulationError, ValueError):
        return None
    n = len(subject.equations.q)
    phi = subject.formulas([subject.loop.constraints[i]], subject.equations.q)
    gaps = np.array([phi.floats(t, x[:n], subject.numbers)[0] for t, x in zip(motion.t, motion.x)])
    lines = {f"constraint {i + 1}": (motion.t, gaps), "zero": (motion.t, 0 * gaps)}
    return Curves("time [s]", "left open", lines)
