"""What a check cannot know, and its maker can: asked beside the ladder, and nothing fails by it."""

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
from verification.gravity import NO_WEIGHT, upward, weight
from verification.invariance import turning
from verification.sentences import NEAR, formula, rounded
from verification.subject import INSTANT, Subject

#: How friction is named, where no unit says so.
_RUBBING = ("c", "d", "b", "mu", "delta", "beta")
_OF_FRICTION = tuple(map(unit_of, ("N·s/m", "N·m·s")))


def questions(subject: Subject) -> tuple[str, ...]:
    """Return what there is to ask of a machine, each a sentence or two."""
    asked = []
    for ask in (_half, _weightless, _upside_down, _twice, _by_place, _grounded):
        try:
            asked.append(ask(subject))
        except NoNumberError:
            continue
    return tuple(filter(None, asked))


def _half(subject: Subject) -> str:
    if subject.bodies or subject.energies is None:
        return ""
    return (
        "No bodies are known, so half of the ladder was not asked: give the Model "
        "bodies=[Body(m, center)]."
    )


def _weightless(subject: Subject) -> str:
    if not subject.bodies or weight(subject).unasked != NO_WEIGHT:
        return ""
    up = upward(subject)
    height = sm.Add(*(body.mass * body.place[up] for body in subject.bodies))
    x, rising = subject.states[0], subject.formulas([height])
    rises = [slope(rising, INSTANT, x, way, subject.numbers)[0] for way in np.eye(len(x))]
    if not np.abs(rises[: len(subject.equations.q)]).max() > NEAR:
        return ""
    return "V holds no weight, and its bodies rise and fall: does it lie flat, or is it in space?"


def _upside_down(subject: Subject) -> str:
    """Ask, where no bodies are known, whether V falls while what is drawn rises."""
    from scipy.optimize import nnls

    g = subject.gravity
    if subject.bodies or subject.energies is None or g is None:
        return ""
    if (value := subject.nominal.get(g, 1.0)) < 0:
        return f"{label_of(g)} is {rounded(value)}: does weight pull upward?"
    V, heights = subject.energies[1], [y for _, y in subject.points]
    drawn, rows = subject.formulas([V - V.subs(g, 0), *heights]), []
    for x in subject.states:
        ways = np.eye(len(x))[: len(subject.equations.q)]
        rows += [slope(drawn, INSTANT, x, way, subject.numbers) for way in ways]
    table = np.array(rows)
    if not heights or not np.abs(table[:, 1:]).max() > NEAR:
        return ""
    up, down = (nnls(table[:, 1:], sign * table[:, 0])[1] for sign in (1, -1))
    if not (up > 1e-6 and down < 1e-9 * max(1.0, up)):
        return ""
    return "V falls while the points that are drawn rise: is the sign of its weight right?"


def _twice(subject: Subject) -> str:
    for one, other in combinations(subject.loads, 2):
        if one == other and one.value != 0:
            value, along = (formula(subject, e) for e in (one.value, one.along or one.rate))
            return f"The load {value} along {along} stands twice: are there two?"
    return ""


def _by_place(subject: Subject) -> str:
    """Ask of a load with a coefficient of friction and without a speed."""
    for load in subject.loads:
        if load.value.has(*subject.equations.u) or not load.value.has(*subject.equations.q):
            continue
        for symbol in map(str, symbols_in([load.value])) if is_passive(subject, load) else ():
            unit = subject.units.get(symbol)
            if unit_of(unit) in _OF_FRICTION if unit else symbol.split("_")[0] in _RUBBING:
                return (
                    f"The load {formula(subject, load.value)} holds no speed: does {symbol} "
                    "rub, or is it a spring?"
                )
    return ""


def _grounded(subject: Subject) -> str:
    """Ask of a torque or a spring in the plane that turns a link against the ground."""
    x = subject.states[0]
    if (rotation := turning(subject, x)) is None or np.sum(np.abs(rotation[0]) > NEAR) < 2:
        return ""
    way, _, moving = rotation
    g = subject.gravity
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    V = subject.energies[1] if subject.energies else sm.S.Zero
    masses = symbols_in([body.mass for body in subject.bodies])
    springs = [e for e in sm.Add.make_args(V) if not symbols_in([e]) & {*masses, g}]
    torques = [(load.value, load.along, 1.0) for load in subject.loads]
    for value, along, size in (*torques, *((e, e, 0.0) for e in springs)):
        of = subject.formulas([along])
        grown = np.array(
            [slope(of, INSTANT, x, _padded(column, len(x)), subject.numbers)[0] for column in N.T]
        )
        turned = grown @ way
        if abs(turned) < NEAR or (size and abs(abs(turned) - size) > NEAR):
            continue
        if not any(_moves_only(part, grown) for part in moving.partial.transpose(1, 0, 2)):
            return (
                f"{formula(subject, value)} turns a link against the ground that does not hang "
                "on it: does it not stand on the link before, whose angle is "
                "missing?"
            )
    return ""


def _padded(way: Array, size: int) -> Array:
    return np.concatenate([way, np.zeros(size - len(way))])


def _moves_only(partial: Array, grown: Array) -> bool:
    """Whether a body moves with one combination of speeds alone, and does."""
    size = np.abs(partial).max()
    aside = partial - np.outer(grown, grown @ partial) / (grown @ grown)
    return bool(size > NEAR and np.abs(aside).max() <= 1e-9 * size)
