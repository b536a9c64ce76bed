"""Gravity in the potential energy: V contains m a·r of each mass with one constant vector a.

The vector is found by a fit, whatever gravity is called, and along any axes. Terms of V without
masses belong to springs, and do not matter here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sympy as sm

from straightline.aliases import Array
from tutlib.mechanics.derivations import symbols_in
from tutlib.reading.names import label_of
from verification.differentiation import slope
from verification.sentences import TOLERANCE, distinct_texts, rounded, state_text
from verification.subject import Subject

#: Gravitational accelerations of the Moon, Mars, Venus, the Earth, and Jupiter [m/s²], and 1 for
#: dimensionless equations. A number near one of them is accepted as gravity.
_PLANETS = np.array([1.0, 1.62, 3.71, 8.87, 9.81, 10.0, 24.8])
_PLANET_TOLERANCE = 0.006
NO_WEIGHT = "V contains none"


@dataclass(frozen=True)
class Gravity:
    """The result of a check of the weight in a potential energy.

    Parameters
    ----------
    error : str
        What is wrong with it.
    skipped : str
        Why it was not checked.
    """

    error: str = ""
    skipped: str = ""


@dataclass(frozen=True, eq=False)
class _Part:
    """Derivatives of the part of V with one mass, and of its moments Σ m x, Σ m y, Σ m z.

    Parameters
    ----------
    mass : Symbol or None
        None if no mass is a symbol: the part of V that contains gravity.
    V : array, shape (r,)
        ∂V/∂q in each state and for each coordinate, per unit of the mass.
    moments : array, shape (r, 3)
        The vertical one first.
    """

    mass: sm.Symbol | None
    V: Array
    moments: Array

    def fitted(self, vector: Array) -> bool:
        """Whether V is the weight of a gravity vector."""
        scale = max(np.abs(self.V).max(), np.abs(self.moments[:, 0] * vector[0]).max())
        return bool(np.abs(self.moments @ vector - self.V).max() <= TOLERANCE * scale)


def upward(subject: Subject) -> int:
    """Return the index of the axis that points up."""
    return 2 if subject.bodies[0].in_space else 1


@lru_cache(maxsize=4)
def find_gravity(subject: Subject) -> Gravity:
    """Find the vector by which V grows with mass times position, and check it."""
    g = subject.gravity
    if subject.energies is None:
        return Gravity()  # weight is one of the loads
    if subject.potential_has_speeds:
        return Gravity(skipped="no potential energy is known")
    if g is not None and (value := subject.nominal.get(g, 1.0)) < 0:
        return Gravity(f"{label_of(g)} is {rounded(value)}, so weight would pull upward")
    parts = _parts(subject)
    if not any(np.abs(part.V).max() > 0 for part in parts):
        given = subject.gravity_value
        return Gravity(f"V contains none, but gravity is {given}" if given else "", NO_WEIGHT)
    vector, straight = _common_vector(parts), _common_vector(parts, axes=1)
    if straight is not None:
        return _check_magnitude(subject, float(straight[0]))
    if vector is None:
        return _disagreement(subject, parts)
    magnitude = float(np.linalg.norm(vector))
    if vector[0] > TOLERANCE * magnitude:  # axes that are tilted
        return _check_magnitude(subject, magnitude)
    if _check_magnitude(subject, magnitude, tilted=False).error:
        return Gravity()  # a component of gravity along an axis that is tilted
    return Gravity(
        f"V grows with the horizontal position, by {rounded(magnitude)} N/kg, and not with the "
        "height"
    )


def _parts(subject: Subject) -> list[_Part]:
    """Return the parts of V that may be weight, without those of masses that stay level."""
    assert subject.energies is not None
    g, up = subject.gravity, upward(subject)
    V = subject.energies[1]
    weight = V - V.subs(g, 0) if g is not None else V
    symbols: list[sm.Symbol | None] = [
        *sorted(symbols_in([b.mass for b in subject.bodies]) & {*subject.symbols}, key=str)
    ]
    moments = [
        sm.Add(*(body.mass * body.place[i] for body in subject.bodies))
        for i in (up, *({0, 1, 2} - {up}))
    ]
    parts, n = [], len(subject.equations.q)
    directions = [_allowed_directions(subject, x) for x in subject.states]
    for symbol in symbols or [None]:
        expressions = [e if symbol is None else e.diff(symbol) for e in (weight, *moments)]
        formulas = subject.formulas(expressions)
        gradients = [
            [
                slope(formulas, subject.instant, x, unit, subject.numbers)
                for unit in np.eye(len(x))[:n]
            ]
            for x in subject.states
        ]
        rows = np.vstack([d.T @ g for d, g in zip(directions, gradients)])
        terms = np.abs(gradients) * subject.scales.coordinates[:, None]
        if np.abs(rows[:, :2]).max(initial=0.0) > TOLERANCE * terms.max():
            parts.append(_Part(symbol, rows[:, 0], rows[:, 1:]))
    return parts


def _allowed_directions(subject: Subject, x: Array) -> Array:
    """Return the directions of the coordinates that the constraints allow, as columns."""
    N = subject.matrix_at(subject.equations.kinematic_matrix, x)
    return np.asarray(N @ subject.free_directions(x))


def _common_vector(parts: list[_Part], axes: int = 3) -> Array | None:
    """Return the gravity vector of all parts, the vertical component first, if there is one."""
    regressors = np.vstack([part.moments for part in parts])[:, :axes]
    fitted = np.linalg.lstsq(regressors, np.concatenate([part.V for part in parts]), rcond=1e-9)
    vector = np.zeros(3)
    vector[:axes] = fitted[0]
    return vector if all(part.fitted(vector) for part in parts) else None


def _disagreement(subject: Subject, parts: list[_Part]) -> Gravity:
    """Describe the mass whose part of V is not its weight."""
    g, up = subject.gravity, "xyz"[upward(subject)]
    alone = [_common_vector([part], axes=1) for part in parts]
    if g is not None:
        acceleration = subject.values[g]
    else:
        found = [vector[0] for vector in alone if vector is not None and vector[0] > 0]
        if not found:
            return Gravity(skipped="V contains masses in terms that are not weight")
        acceleration = found[0]
    errors = [acceleration * part.moments[:, 0] - part.V for part in parts]
    part, error = max(zip(parts, errors), key=lambda pair: float(np.abs(pair[1]).max()))
    i = int(np.argmax(np.abs(error)))
    mass = 1.0 if part.mass is None else subject.values[part.mass]
    state, k = divmod(i, len(errors[0]) // len(subject.states))
    x = subject.states[state]
    direction = _allowed_directions(subject, x)[:, k]
    texts = distinct_texts(mass * part.V[i], mass * acceleration * part.moments[i, 0])
    label = label_of(subject.equations.q[int(np.argmax(np.abs(direction)))])
    along = f"∂V/∂{label}" if np.count_nonzero(direction) == 1 else f"dV along a motion of {label}"
    of_mass = f" of {label_of(part.mass)}" if part.mass is not None else ""
    return Gravity(
        f"{state_text(subject, x)}, the part{of_mass} in {along} is {texts[0]}, but the weight "
        f"m g {up} of the bodies gives {texts[1]}"
    )


def _check_magnitude(subject: Subject, acceleration: float, tilted: bool = True) -> Gravity:
    """Check that a constant is gravity, or a component of it, or a known number."""
    assert subject.energies is not None
    text, g = rounded(acceleration), subject.gravity
    if acceleration < 0:
        return Gravity(f"in V a mass weighs {text} N/kg, so its weight would pull upward")
    expected = subject.gravity_value if g is None else subject.values[g]
    if expected is not None and abs(acceleration - expected) <= TOLERANCE * acceleration:
        return Gravity()
    numbers = np.array(
        [subject.values[s] for s in symbols_in([subject.energies[1]]) if s in subject.values]
    )
    components = (*np.sin(numbers), *np.cos(numbers)) if tilted else ()
    products = [a * b for a in (*numbers, *_PLANETS) for b in (1.0, *components)]
    if expected is not None:
        products = [expected * b for b in components]
    if np.any(np.abs(np.array(products) / acceleration - 1) < TOLERANCE):
        return Gravity()
    if expected is not None:
        return Gravity(f"in V a mass weighs {text} N/kg, but gravity is {rounded(expected)} m/s²")
    if np.any(np.abs(_PLANETS / acceleration - 1) < _PLANET_TOLERANCE):
        return Gravity()
    return Gravity(
        f"in V a mass weighs {text} N/kg, which is neither a parameter nor the gravity of a "
        f"planet: if it is right, call verify with gravity={text}"
    )
