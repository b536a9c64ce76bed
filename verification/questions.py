"""Questions about a machine that no check can answer but its author can; they fail nothing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.mechanics.derivations import symbols_in
from tutlib.reading.names import label_of
from tutlib.units import unit_of
from verification.differentiation import NoNumberError, slope
from verification.energy import is_passive
from verification.gravity import NO_WEIGHT, find_gravity, upward
from verification.invariance import rigid_rotation
from verification.sentences import TOLERANCE, expression_text, rounded
from verification.subject import INSTANT, Subject

#: Usual names of friction coefficients, for symbols without units.
_FRICTION_NAMES = ("c", "d", "b", "mu", "delta", "beta")
_FRICTION_UNITS = tuple(map(unit_of, ("N·s/m", "N·m·s")))


def questions(subject: Subject) -> tuple[str, ...]:
    """Return the questions about a machine, each a sentence or two."""
    found = []
    for ask in (
        _without_bodies,
        _weightless,
        _upside_down,
        _duplicate_load,
        _friction_without_speed,
        _grounded_torque,
    ):
        try:
            found.append(ask(subject))
        except NoNumberError:
            continue
    return tuple(filter(None, found))


def _without_bodies(subject: Subject) -> str:
    """Ask for bodies, if there are none."""
    if subject.bodies or subject.energies is None:
        return ""
    return (
        "No bodies are known, so half of the ladder was not asked: give the Model "
        "bodies=[Body(m, center)]."
    )


def _weightless(subject: Subject) -> str:
    """Ask whether a machine is horizontal or in space, if its bodies rise and V has no weight."""
    if not subject.bodies or find_gravity(subject).skipped != NO_WEIGHT:
        return ""
    up = upward(subject)
    height = sm.Add(*(body.mass * body.place[up] for body in subject.bodies))
    x, height_formula = subject.states[0], subject.formulas([height])
    slopes = [
        slope(height_formula, INSTANT, x, direction, subject.numbers)[0]
        for direction in np.eye(len(x))
    ]
    if not np.abs(slopes[: len(subject.equations.q)]).max() > TOLERANCE:
        return ""
    return "V holds no weight, and its bodies rise and fall: does it lie flat, or is it in space?"


def _upside_down(subject: Subject) -> str:
    """Ask, without bodies, whether weight has the wrong sign: V falls as the drawing rises."""
    from scipy.optimize import nnls

    g = subject.gravity
    if subject.bodies or subject.energies is None or g is None:
        return ""
    if (value := subject.nominal.get(g, 1.0)) < 0:
        return f"{label_of(g)} is {rounded(value)}: does weight pull upward?"
    V, heights = subject.energies[1], [y for _, y in subject.points]
    formulas, rows = subject.formulas([V - V.subs(g, 0), *heights]), []
    for x in subject.states:
        directions = np.eye(len(x))[: len(subject.equations.q)]
        rows += [
            slope(formulas, INSTANT, x, direction, subject.numbers) for direction in directions
        ]
    table = np.array(rows)
    if not heights or not np.abs(table[:, 1:]).max() > TOLERANCE:
        return ""
    residual_up, residual_down = (nnls(table[:, 1:], sign * table[:, 0])[1] for sign in (1, -1))
    if not (residual_up > 1e-6 and residual_down < 1e-9 * max(1.0, residual_up)):
        return ""
    return "V falls while the points that are drawn rise: is the sign of its weight right?"


def _duplicate_load(subject: Subject) -> str:
    """Ask about a load that is given twice."""
    for first, second in combinations(subject.loads, 2):
        if first == second and first.value != 0:
            value, along = (
                expression_text(subject, e) for e in (first.value, first.along or first.rate)
            )
            return f"The load {value} along {along} stands twice: are there two?"
    return ""


def _friction_without_speed(subject: Subject) -> str:
    """Ask about a load with a coefficient of friction and without a speed."""
    for load in subject.loads:
        if load.value.has(*subject.equations.u) or not load.value.has(*subject.equations.q):
            continue
        for symbol in map(str, symbols_in([load.value])) if is_passive(subject, load) else ():
            unit = subject.units.get(symbol)
            if (
                unit_of(unit) in _FRICTION_UNITS
                if unit
                else symbol.split("_")[0] in _FRICTION_NAMES
            ):
                return (
                    f"The load {expression_text(subject, load.value)} holds no speed: does "
                    f"{symbol} rub, or is it a spring?"
                )
    return ""


def _grounded_torque(subject: Subject) -> str:
    """Ask about a torque or spring between the ground and a link that does not hang on it."""
    x = subject.states[0]
    if (rotation := rigid_rotation(subject, x)) is None or np.sum(
        np.abs(rotation[0]) > TOLERANCE
    ) < 2:
        return ""
    direction, _, moving = rotation
    g = subject.gravity
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    V = subject.energies[1] if subject.energies else sm.S.Zero
    masses = symbols_in([body.mass for body in subject.bodies])
    springs = [e for e in sm.Add.make_args(V) if not symbols_in([e]) & {*masses, g}]
    torques = [(load.value, load.along, 1.0) for load in subject.loads]
    for value, angle, magnitude in (*torques, *((e, e, 0.0) for e in springs)):
        formulas = subject.formulas([angle])
        slopes = np.array(
            [
                slope(formulas, INSTANT, x, _padded(column, len(x)), subject.numbers)[0]
                for column in N.T
            ]
        )
        turn = slopes @ direction
        if abs(turn) < TOLERANCE or (magnitude and abs(abs(turn) - magnitude) > TOLERANCE):
            continue
        if not any(_moves_only(part, slopes) for part in moving.partial.transpose(1, 0, 2)):
            return (
                f"{expression_text(subject, value)} turns a link against the ground that does not "
                "hang on it: does it not stand on the link before, whose angle is missing?"
            )
    return ""


def _padded(direction: Array, size: int) -> Array:
    """Return a direction of coordinates as a direction of states."""
    return np.concatenate([direction, np.zeros(size - len(direction))])


def _moves_only(partial: Array, slopes: Array) -> bool:
    """Whether a body moves, and only with one combination of speeds."""
    magnitude = np.abs(partial).max()
    remainder = partial - np.outer(slopes, slopes @ partial) / (slopes @ slopes)
    return bool(magnitude > TOLERANCE and np.abs(remainder).max() <= 1e-9 * magnitude)
