"""What must change nothing: the world turned, a later day, time run backward."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sm
from numpy.typing import NDArray

from straightline.aliases import Array
from tutlib.mechanics.linearization_point import holds_time
from tutlib.models.bodies import Load
from tutlib.reading.names import label_of
from verification.differentiation import Formulas, NoNumberError, along_path, slope
from verification.energy import is_passive
from verification.gravity import upward
from verification.newton import MovingBodies, moving_bodies, turned_places
from verification.results import Curves, Rung
from verification.sentences import NEAR, at, both, capital, formula, rounded
from verification.subject import INSTANT, Subject

_NAME = "invariance"
_ANGLE, _LATER, _STEPS = 0.4, 1.3, 30


def invariance(subject: Subject) -> Rung:
    """Turn the world, shift time and reverse it, wherever that must change nothing."""
    rungs = []
    for ask in (_axes, _pushed, _turned, _later, _reversed):
        try:
            rungs.append(ask(subject))
        except NoNumberError as error:
            rungs.append(Rung(_NAME, None, f"{capital(str(error))}."))
        if rungs[-1].passed is False:
            return rungs[-1]
    held = [rung for rung in rungs if rung.passed]
    ordered = (*held, *(r for r in rungs if not r.passed))
    sentence = " ".join(filter(None, (rung.sentence for rung in ordered)))
    return Rung(_NAME, True if held else None, sentence)


# ---- the world turned


def _turned(subject: Subject) -> Rung:
    """Turn the machine about the origin: in the plane without weight, in space upright."""
    places = [sm.sympify(e) for point in turned_places(subject) for e in point]
    if not places:
        return Rung(_NAME, None, "Where its points are is not known: the world is not turned.")
    still = subject.with_values(dict.fromkeys(subject.inputs, 0.0))
    if subject.gravity is not None and not _in_space(subject):
        still = still.with_values({subject.gravity: 0.0})
    R = np.kron(np.eye(len(places) // 3), _about_z(_ANGLE))
    formulas = still.formulas(places)
    for x in still.states:
        if np.abs(still.values_at([load.value for load in still.loads], x)).max(initial=0.0) > 0:
            return Rung(_NAME, None, "Its loads are tied to the ground: it cannot be turned.")
        if not subject.bodies and not _is_shown(still, formulas, x):
            return Rung(_NAME, None, "The picture does not show all that moves: it is not turned.")
        there = _moved(still, formulas, R, x)
        if there is None:
            return Rung(_NAME, None, "The ground holds it: it cannot be turned.")
        if _is_tied(still, x, there):
            return Rung(_NAME, None, "Its springs are tied to the ground: it cannot be turned.")
        mine, asked = _accelerations(still, formulas, there), R @ _accelerations(still, formulas, x)
        i = int(np.argmax(np.abs(mine - asked)))
        if not abs(mine[i] - asked[i]) <= 1e-7 * max(np.abs(mine).max(), np.abs(asked).max(), 1.0):
            sentence = _not_turned(subject, x, i, *both(mine[i], asked[i]))
            return Rung(_NAME, False, sentence, _over_angles(still, formulas, x, i))
    weightless = "" if _in_space(subject) or subject.gravity is None else ", without weight,"
    return Rung(_NAME, True, f"Turned by {_ANGLE} rad{weightless} it moves as before.")


def turning(subject: Subject, x: Array) -> tuple[Array, Array, MovingBodies] | None:
    """Return speeds that turn all centers in the plane as one; those that move none; the bodies."""
    k = len(subject.equations.u)
    if not subject.bodies or _in_space(subject):
        return None
    moving = moving_bodies(subject, x, np.zeros(k))
    count, r = len(subject.bodies), moving.places
    J = np.hstack([moving.partial[:, :, :2].reshape(k, -1).T, -np.tile(np.eye(2), (count, 1))])
    asked = np.stack([-r[:, 1], r[:, 0]], axis=1).ravel()
    way = np.linalg.lstsq(J, asked, rcond=1e-10)[0]
    if np.abs(J @ way - asked).max() > 1e-9 * max(np.abs(asked).max(), np.abs(J).max()):
        return None
    sizes, ways = np.linalg.svd(J)[1:]
    still = ways[np.sum(sizes > 1e-9 * sizes.max(initial=0.0)) :, :k]
    return np.asarray(way[:k]), np.asarray(still), moving


def _axes(subject: Subject) -> Rung:
    """Ask whether a body turns with its center, where all centers are turned as one."""
    nothing, x = Rung(_NAME, None, ""), subject.states[0]
    if (rotation := turning(subject, x)) is None:
        return nothing
    way, still, moving = rotation
    for b, body in enumerate(subject.bodies):
        spin = moving.partial[:, b, 5]
        tied = np.abs(still @ spin).max(initial=0.0) < NEAR and abs(spin @ way) < NEAR
        if body.inertia != 0 and tied and abs(np.abs(spin).max() - 1) < NEAR:
            turned = formula(subject, body.turned)
            return Rung(
                _NAME,
                False,
                f"Where all centers of mass are turned as one, the body of "
                f"mass {body.mass} keeps its direction {turned}: is that a relative angle, "
                "and are its points turned by a sum?",
            )
    return nothing


def _pushed(subject: Subject) -> Rung:
    """Ask loads between bodies for their sum, where nothing holds all of them along an axis."""
    nothing, x, eom = Rung(_NAME, None, ""), subject.states[0], subject.equations
    k = len(eom.u)
    if len(subject.bodies) < 2:
        return nothing
    moving, N = moving_bodies(subject, x, np.zeros(k)), subject.matrix_at(eom.kinematic_matrix, x)
    rows = np.array([[1] * 3 + [any(b.moments)] * 3 for b in subject.bodies], dtype=bool).ravel()
    J = np.vstack([moving.partial.reshape(k, -1).T[rows], subject.matrix_at(subject.jacobian, x)])
    spins = moving.partial[:, :, 3:].reshape(k, -1).T[rows.reshape(-1, 6)[:, 3:].ravel()]
    sizes, ways = np.linalg.svd(np.vstack([spins, np.zeros((1, k))]))[1:]
    apart = ways[np.sum(sizes > NEAR * max(1.0, sizes.max(initial=0.0))) :]
    for axis in {0, 1, 2} - {upward(subject)}:
        asked = np.zeros(len(J))
        shift = np.tile(np.eye(6)[axis], len(subject.bodies))[rows]
        asked[: len(shift)] = shift
        way = np.linalg.lstsq(J, asked, rcond=1e-10)[0]
        if np.abs(J @ way - asked).max() > NEAR:
            continue
        pushes = [_push(subject, x, load, way, N, apart) for load in subject.loads]
        sizes = np.abs(subject.values_at([load.value for load in subject.loads], x))
        if abs(sum(pushes)) > 1e-8 * sizes.max(initial=0.0):
            i = int(np.argmax(np.abs(pushes)))
            return Rung(
                _NAME,
                False,
                f"Nothing holds it along {'xyz'[axis]}, and what pushes "
                f"between its bodies adds up to {rounded(sum(pushes))} N "
                f"{at(subject, x)}: on what does "
                f"{formula(subject, subject.loads[i].value)} push with its other end? If "
                "something outside gives it, leave it an input.",
            )
    return nothing


def _push(subject: Subject, x: Array, load: Load, way: Array, N: Array, apart: Array) -> float:
    """Return what a load between bodies pushes along a way on which they go as one; 0 of others."""
    n, k = len(subject.equations.q), len(subject.equations.u)
    value, places, rate = (subject.formulas([e]) for e in (load.value, load.along, load.rate))

    def along(what: Formulas, places: Array, speeds: Array) -> float:
        all_of_it = np.concatenate([places, speeds, np.zeros(len(x) - n - k)])
        return float(slope(what, INSTANT, x, all_of_it, subject.numbers)[0])

    still = np.zeros(k)
    felt = [abs(along(value, N @ way, still)), abs(along(value, 0 * x[:n], way))]
    seen = [abs(along(value, N @ one, one)) for one in apart]
    if not is_passive(subject, load) or max(felt) > NEAR or not max(seen, default=0.0) > NEAR:
        return 0.0
    pushed = along(places, N @ way, still) + along(rate, 0 * x[:n], way)
    return float(subject.values_at([load.value], x)[0] * pushed)


def _is_shown(subject: Subject, formulas: Formulas, x: Array) -> bool:
    """Whether nothing moves while all points are at rest: else the picture is not the world."""
    if subject.energies is None:
        return True
    n, k = len(subject.equations.q), len(subject.equations.u)
    rest = np.array(x)
    rest[n : n + k] = 0.0
    base = _velocities(subject, formulas, rest)
    ways = np.eye(len(x))[n : n + k]
    J = np.array([_velocities(subject, formulas, rest + way) - base for way in ways]).T
    sizes, unseen = np.linalg.svd(J)[1:]
    hidden = unseen[np.sum(sizes > 1e-9 * sizes.max(initial=0.0)) :] @ ways
    kinetic = [
        subject.values_at([subject.energies[0]], state)[0]
        for state in (rest, *(rest + way for way in hidden))
    ]
    return bool(np.abs(kinetic).max() <= NEAR * subject.values_at([subject.energies[0]], x)[0])


def _in_space(subject: Subject) -> bool:
    return bool(subject.bodies) and subject.bodies[0].in_space


def _is_tied(subject: Subject, x: Array, there: Array) -> bool:
    """Whether the potential energy is another in another place."""
    if subject.energies is None:
        return False
    here, turned = (subject.values_at([subject.energies[1]], state)[0] for state in (x, there))
    return not bool(np.isclose(here, turned, rtol=1e-8, atol=1e-8))


def _not_turned(subject: Subject, x: Array, i: int, mine: str, asked: str) -> str:
    how = "" if _in_space(subject) or subject.gravity is None else "without weight, "
    return capital(
        f"{how}turned by {_ANGLE} rad about the origin, it does not move as before: "
        f"{at(subject, x)}, the acceleration of point {i // 3 + 1} along {'xyz'[i % 3]} becomes "
        f"{mine} m/s², and turned with it would be {asked}. Does an energy hold an absolute angle "
        "where a difference belongs?"
    )


def _about_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _accelerations(subject: Subject, formulas: Formulas, x: Array) -> Array:
    """Return the accelerations of points."""
    u_dot = subject.accelerations(x)[: len(subject.equations.u)]
    return along_path(formulas, INSTANT, subject.path(x, u_dot), subject.numbers)[2]


def _moved(subject: Subject, formulas: Formulas, R: NDArray[np.floating], x: Array) -> Array | None:
    """Return the state in which all points are turned, and move so; None if there is none."""
    eom, p = subject.equations, subject.numbers
    n, k = len(eom.q), len(eom.u)
    phi = subject.formulas(list(subject.loop.constraints) if subject.loop else [])
    asked = np.concatenate([R @ formulas.floats(INSTANT, x, p), phi.floats(INSTANT, x, p)])
    there = np.array(x)
    for _ in range(_STEPS):
        here = np.concatenate([f.floats(INSTANT, there, p) for f in (formulas, phi)])
        columns = [
            np.concatenate([slope(f, INSTANT, there, way, p) for f in (formulas, phi)])
            for way in np.eye(len(x))[:n]
        ]
        there[:n] += np.linalg.lstsq(np.array(columns).T, asked - here, rcond=1e-10)[0]
    here = np.concatenate([f.floats(INSTANT, there, p) for f in (formulas, phi)])
    if not np.abs(here - asked).max() <= 1e-9 * max(1.0, np.abs(asked).max()):
        return None

    wanted = _velocities(subject, formulas, x)
    wanted[: len(R)] = R @ wanted[: len(R)]
    rest = np.array(there)
    rest[n : n + k] = 0.0
    base = _velocities(subject, formulas, rest)
    unit = np.eye(len(x))[n : n + k]
    along = [_velocities(subject, formulas, rest + one) - base for one in unit]
    there[n : n + k] = np.linalg.lstsq(np.array(along).T, wanted - base, rcond=1e-10)[0]
    missed = np.abs(_velocities(subject, formulas, there) - wanted).max()
    return there if missed <= 1e-8 * max(1.0, np.abs(wanted).max()) else None


def _velocities(subject: Subject, formulas: Formulas, x: Array) -> Array:
    """Return the rates of points, and of constraints."""
    path = subject.path(x, np.zeros(len(subject.equations.u)))
    rates = along_path(formulas, INSTANT, path, subject.numbers)[1]
    held = subject.values_at(list(subject.loop.rates), x) if subject.loop else np.zeros(0)
    return np.concatenate([rates, held])


def _over_angles(subject: Subject, formulas: Formulas, x: Array, i: int) -> Curves | None:
    """Return one acceleration, turned back, over the angle by which the world is turned."""
    angles, turns = np.linspace(-0.5, 0.5, 11), []
    for angle in angles:
        R = np.kron(np.eye(formulas.count // 3), _about_z(angle))
        there = _moved(subject, formulas, R, x)
        if there is None:
            return None
        turns.append((R.T @ _accelerations(subject, formulas, there))[i])
    lines = {"turned back": (angles, np.array(turns)), "as before": (angles, 0 * angles + turns[5])}
    return Curves("angle of the world [rad]", "acceleration [m/s²]", lines)


# ---- another time


def _later(subject: Subject) -> Rung:
    """Let the same state be reached later."""
    if holds_time(_driving(subject), subject.equations):
        return Rung(_NAME, None, "It is driven by time, and a later day is another.")
    for x in subject.states:
        now, then = (subject.accelerations(x, t=t) for t in (INSTANT, INSTANT + _LATER))
        i = int(np.argmax(np.abs(now - then)))
        if not abs(now[i] - then[i]) <= NEAR * max(np.abs(now).max(), 1.0):
            if subject.energies is None:
                return Rung(_NAME, None, "Time stands in it, and what drives it is not known.")
            pair, label = both(then[i], now[i]), label_of(subject.whole.u[i])
            return Rung(
                _NAME,
                False,
                f"{_LATER} s later the same state goes another way: {at(subject, x)}, the rate of "
                f"{label} is {pair[0]}, and was {pair[1]}, though no energy and no load depends "
                "on time.",
            )
    return Rung(_NAME, True, f"{_LATER} s later it moves as before.")


def _driving(subject: Subject) -> Sequence[sm.Expr]:
    """Return what may hold time: energies, loads and constraints."""
    loads = [e for load in subject.loads for e in (load.value, load.along, load.rate)]
    loop = subject.loop
    held = [*loop.constraints, *loop.velocity_constraints] if loop else []
    return [*(subject.energies or ()), *loads, *held]


def _reversed(subject: Subject) -> Rung:
    """Run time backward, where nothing rubs or is driven."""
    if subject.energies is None:
        return Rung(_NAME, None, "What rubs is not known: time is not reversed.")
    if holds_time(_driving(subject), subject.equations):
        return Rung(_NAME, None, "Backward in time it would be driven otherwise: it is not tried.")
    n, k = len(subject.equations.q), len(subject.equations.u)
    asked = [*subject.energies, *(load.value for load in subject.loads)]
    for x in subject.states:
        back = np.array(x)
        back[n : n + k] *= -1
        before, after = (subject.values_at(asked, state) for state in (x, back))
        if subject.equations.auxiliary or not np.allclose(before, after, rtol=1e-12):
            return Rung(
                _NAME,
                None,
                "Something rubs, turns or is controlled: it tells forward from backward.",
            )
        mine, forward = (subject.accelerations(state)[:k] for state in (back, x))
        i = int(np.argmax(np.abs(mine - forward)))
        if not abs(mine[i] - forward[i]) <= 1e-8 * max(np.abs(forward).max(), 1.0):
            pair, label = both(mine[i], forward[i]), label_of(subject.equations.u[i])
            return Rung(
                _NAME,
                False,
                f"Backward it goes another way, though nothing rubs: {at(subject, x)}, the rate of "
                f"{label} is {pair[1]}, and {pair[0]} with all speeds reversed. Has a speed lost "
                "its square?",
            )
    return Rung(_NAME, True, "Run backward it goes the same way back.")
