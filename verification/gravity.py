"""Gravity in the potential energy: V grows by one constant times mass times height.

The constant is found by a fit, whatever it is called. Terms of V without masses belong to springs,
and do not matter here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
import sympy as sm

from tutlib.mechanics.derivations import symbols_in
from tutlib.reading.names import label_of
from verification.differentiation import slope
from verification.sentences import TOLERANCE, rounded
from verification.subject import INSTANT, Subject

#: Gravitational accelerations of the Moon, Mars, Venus, the Earth, and Jupiter [m/s²], and 1 for
#: dimensionless equations. A number near one of them is accepted as gravity.
_PLANETS = (1.0, 1.62, 3.71, 8.87, 9.81, 10.0, 24.8)
_PLANET_TOLERANCE = 0.006
NO_WEIGHT = "V holds none"


@dataclass(frozen=True)
class Gravity:
    """The gravity that was found in a potential energy.

    Parameters
    ----------
    acceleration : float
        The gravitational acceleration [m/s²]; 0 if it is unknown, and V belongs to springs alone.
    error : str
        What is wrong with it.
    skipped : str
        Why it was not checked.
    """

    acceleration: float = 0.0
    error: str = ""
    skipped: str = ""


def upward(subject: Subject) -> int:
    """Return the index of the axis that points up."""
    return 2 if subject.bodies[0].in_space else 1


@lru_cache(maxsize=4)
def find_gravity(subject: Subject) -> Gravity:
    """Find the constant by which V grows with mass times height, and check it."""
    if subject.gravity is not None:
        value = subject.nominal.get(subject.gravity, 1.0)
        label = label_of(subject.gravity)
        error = (
            f"{label} is {rounded(value)}: with that weight pulls upward, for heights grow upward"
        )
        return Gravity(subject.values[subject.gravity], error if value < 0 else "")
    if subject.energies is None or subject.potential_has_speeds:
        return Gravity(skipped="no potential energy is known")
    fits = [fit for fit in _fits(subject) if fit is not None]
    accelerations = [
        acceleration
        for _, acceleration, sideways, otherwise in fits
        if not otherwise and not sideways and acceleration
    ]
    if not any(
        acceleration or sideways or otherwise for _, acceleration, sideways, otherwise in fits
    ):
        sentence = (
            f"V holds none, and gravity is {subject.gravity_value}" if subject.gravity_value else ""
        )
        return Gravity(error=sentence, skipped=NO_WEIGHT)
    for mass, _, sideways, otherwise in fits:
        if otherwise or sideways:
            if not (accelerations or sideways):
                return Gravity(skipped=f"in V stands {mass} otherwise than in weight")
            how = "otherwise" if otherwise else f"sideways, with {rounded(sideways)} N/kg"
            return Gravity(error=f"in V {mass} pulls {how}, and not by its height alone")
    (name, first, *_), *others = fits
    for mass, acceleration, *_ in others:
        if not abs(acceleration - first) <= TOLERANCE * max(abs(acceleration), abs(first)):
            values_text = (
                f"{rounded(first)} N/kg for {name}, and {rounded(acceleration)} for {mass}"
            )
            return Gravity(error=f"in V weight is {values_text}")
    return _check_magnitude(subject, first)


Fit = tuple[str, float, float, bool]


def _fits(subject: Subject) -> list[Fit | None]:
    """Return how V grows with each mass's height and sideways, and whether it has other terms."""
    assert subject.energies is not None
    masses = [body.mass for body in subject.bodies]
    up, V = upward(subject), subject.energies[1]
    symbols = sorted(symbols_in(masses) & {*subject.symbols}, key=str)
    centers = [
        sm.Add(*(body.mass * body.place[i] for body in subject.bodies))
        for i in (up, *({0, 1, 2} - {up}))
    ]
    if not symbols:
        fit = _fit(subject, "a mass", [V, *centers])
        # without masses as symbols, the terms of springs cannot be distinguished from weight
        return [None if fit and fit[-1] else fit]
    return [_fit(subject, label_of(s), [e.diff(s) for e in (V, *centers)]) for s in symbols]


def _fit(subject: Subject, mass: str, expressions: list[sm.Expr]) -> Fit | None:
    """Fit the derivatives of V by those of a height and of horizontal coordinates."""
    formulas, columns = subject.formulas(expressions), []
    for x, direction in product(subject.states, np.eye(len(subject.states[0]))):
        if np.any(direction[: len(subject.equations.q)]):
            columns.append(slope(formulas, INSTANT, x, direction, subject.numbers))
    rows = np.array(columns)
    V, positions = rows[:, 0], rows[:, 1:]
    scale = np.abs(rows).max()
    if not np.abs(rows[:, :2]).max() > TOLERANCE * scale:
        return None  # the mass stays level and has no weight in V
    for axes in ([0], [0, 1, 2]):
        regressors = np.where(np.isin(range(3), axes), positions, 0.0)
        slopes = np.linalg.lstsq(regressors, V, rcond=1e-9)[0]
        if np.abs(regressors @ slopes - V).max() <= TOLERANCE * scale:
            sideways = slopes[1:][np.argmax(np.abs(slopes[1:]))] if len(axes) > 1 else 0.0
            return mass, float(slopes[0]), float(sideways), False
    return mass, float(slopes[0]), 0.0, True


def _check_magnitude(subject: Subject, acceleration: float) -> Gravity:
    """Check that a constant is a known gravitational acceleration."""
    assert subject.energies is not None
    text = rounded(acceleration)
    if acceleration < 0:
        return Gravity(error=f"in V a mass weighs {text} N/kg, upward: heights grow upward")
    if subject.gravity_value is not None:
        agrees = abs(acceleration - subject.gravity_value) <= TOLERANCE * abs(acceleration)
        sentence = (
            f"in V a mass weighs {text} N/kg, and gravity is {rounded(subject.gravity_value)}"
        )
        return Gravity(acceleration, "" if agrees else sentence)
    numbers = np.array(
        [subject.values[s] for s in symbols_in([subject.energies[1]]) if s in subject.values]
    )
    products = [a * b for a in numbers for b in (1.0, *np.sin(numbers), *np.cos(numbers))]
    if np.any(np.abs(np.array(products) / acceleration - 1) < TOLERANCE):
        return Gravity(acceleration)
    if np.any(np.abs(np.array(_PLANETS) / acceleration - 1) < _PLANET_TOLERANCE):
        return Gravity(acceleration)
    return Gravity(
        acceleration,
        f"in V a mass weighs {text} N/kg, which is no parameter and on no planet: "
        f"if it is right, say gravity={text}",
    )
