"""Scales of a machine: an amplitude for each state, and a rate.

All states, runs, and tolerances are relative to these scales, so that a verdict does not depend on
whether a machine is measured in micrometers or in kilometers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sm
from numpy.typing import ArrayLike

from straightline.aliases import Array
from tutlib.fields import Field
from tutlib.reading.names import leaf_name
from tutlib.units import PURE, unit_of
from verification.differentiation import slope

#: A `Subject`, whose module imports this one.
Subject = Any
#: The time at which the drawn states are evaluated, in units of 1 / rate.
INSTANT = 0.37
_DRAWS = 5
_OF_NUMBERS = (
    sm.sin,
    sm.cos,
    sm.tan,
    sm.exp,
    sm.sinh,
    sm.cosh,
    sm.tanh,
)


@dataclass(frozen=True, eq=False)
class Scales:
    """Amplitudes in the units of the states, and a rate.

    Parameters
    ----------
    coordinates : array, shape (n,)
    speeds : array, shape (k,)
        Of the displacement that belongs to each speed: the speed's own amplitude is this times
        the rate.
    rate : float
        Of the motion that the forces cause [1/s].
    """

    coordinates: Array
    speeds: Array
    rate: float

    def of_states(self, auxiliary: int) -> Array:
        """Return an amplitude for each state."""
        return np.concatenate([self.coordinates, self.rate * self.speeds, np.ones(auxiliary)])


def scales_of(subject: Subject) -> Scales:
    """Return scales: 1 for angles, and equal kinetic energies for coordinates of unknown scale."""
    values = {**subject.values, **dict.fromkeys(subject.inputs, 0.0)}
    subject = replace(subject, values=values, _formulas=subject._formulas)
    eom = subject.equations
    n, k = len(eom.q), len(eom.u)
    draws = _rough_states(subject)
    diagonal = [eom.mass_matrix[i, i] for i in range(k)]
    inertia = _typical(subject.values_at(diagonal, x, INSTANT) for x in draws)
    inertia = np.where(inertia > 0, inertia, inertia.max(initial=0.0) or 1.0)
    N = _typical(subject.values_at(list(eom.kinematic_matrix), x, INSTANT) for x in draws).reshape(
        n, k
    )
    speeds = 1 / np.sqrt(inertia)
    coordinates = (N * speeds).max(axis=1, initial=0.0)
    coordinates = np.where(coordinates > 0, coordinates, 1.0)
    references = _references(subject, draws)
    ratios = [np.log(r / c) for r, c in zip(references, coordinates) if np.isfinite(r)]
    ratios = ratios or _reach_of_constraints(subject, coordinates) or [*-np.log(coordinates)]
    factor = np.exp(np.mean(ratios))
    coordinates = np.where(np.isfinite(references), references, factor * coordinates)
    speeds = factor * speeds
    if subject.speeds_are_rates:
        speeds = coordinates
    still = [np.where((np.arange(len(x)) < n) | (np.arange(len(x)) >= n + k), x, 0) for x in draws]
    force = _typical(subject.values_at(list(eom.forcing), x, INSTANT) for x in still)
    rate = float(np.sqrt(force @ speeds / (inertia @ speeds**2)))
    if not (np.isfinite(rate) and rate > 0):
        near = np.zeros(n + k) if subject.near is None else subject.near[: n + k]
        rate = float(np.max(np.abs(near[n:]) / speeds, initial=0.0)) or 1.0
    return Scales(coordinates, speeds, rate)


def _reach_of_constraints(subject: Subject, coordinates: Array) -> list[float]:
    """Return, as a logarithm, the factor at which each constraint differs as much as from zero."""
    if not subject.loop or not subject.loop.constraints:
        return []
    formulas, found = subject.formulas(list(subject.loop.constraints)), []
    factors = np.logspace(-15, 15, 121)
    rest = np.zeros(len(subject.equations.states) - len(coordinates))
    at_zero, *rows = [
        formulas.floats(INSTANT, np.concatenate([factor * coordinates, rest]), subject.numbers)
        for factor in (0.0, *factors)
    ]
    for value, row in zip(at_zero, np.array(rows).T):
        far = np.flatnonzero(np.abs(row - value) >= abs(value))
        if value and len(far):
            found.append(float(np.log(factors[far[0]])))
    return found


def _rough_states(subject: Subject) -> list[Array]:
    """Return states about the given one, or about zero, before any scale is known."""
    random, count = np.random.default_rng(3), len(subject.equations.states)
    if subject.near is not None:
        return [subject.near * (1 + 0.1 * random.uniform(-1, 1, count)) for _ in range(_DRAWS)]
    return [random.uniform(-1, 1, count) for _ in range(_DRAWS)]


def with_scaled_inputs(subject: Subject) -> Subject:
    """Return the machine with inputs that do some work in comparison with its energy."""
    forcing, still = list(subject.equations.forcing), dict.fromkeys(subject.inputs, 0.0)
    values, x = dict(subject.values), _rough_states(subject)[0]

    def force(**given: float) -> Array:
        known = {s: given.get(str(s), v) for s, v in {**subject.values, **still}.items()}
        machine = replace(subject, values=known, _formulas=subject._formulas)
        return np.asarray(machine.values_at(forcing, x, INSTANT))

    for symbol in {*subject.inputs} - {*subject.nominal}:
        work = np.abs(force(**{str(symbol): 1.0}) - force()) @ subject.scales.speeds
        if np.isfinite(work) and work > 0:
            values[symbol] *= 0.1 * subject.energy_scale(x) / work
    return replace(subject, values=values, _formulas=subject._formulas)


def scaled(f: Field, amplitudes: ArrayLike, rate: float = 1.0, origin: ArrayLike = 0.0) -> Field:
    """Return x' = f(t, x) for z in x = origin + amplitudes z, in units of 1 / rate."""
    amplitudes, origin = np.asarray(amplitudes), np.asarray(origin)

    def rates(t: Any, z: Any) -> Any:
        return f(t / rate, origin + z * amplitudes) / (amplitudes * rate)

    return Field(None, formula=lambda t, z, p: rates(t, z)) if f.formula else Field(rates)


def _typical(values: Iterable[Array]) -> Array:
    """Return the median magnitude of numbers in several states; 0 if there is none."""
    rows = np.abs(np.array(list(values)))
    rows = np.where(np.isfinite(rows), rows, np.nan)
    finite = [column[np.isfinite(column)] for column in rows.T]
    return np.array([np.median(column) if len(column) else 0.0 for column in finite])


def _references(subject: Subject, draws: list[Array]) -> Array:
    """Return the amplitude of each coordinate whose scale the formulas or units show, or nan."""
    eom = subject.equations
    expressions = [
        *eom.mass_matrix,
        *eom.forcing,
        *(subject.loop.constraints if subject.loop else ()),
    ]
    expressions += [e for body in subject.bodies for e in (*body.place, *body.axes)]
    found = sm.Matrix(expressions).atoms(*_OF_NUMBERS)
    arguments = sorted({f.args[0] for f in found}, key=str)
    numbers, directions = subject.numbers, np.eye(len(eom.states))[: len(eom.q)]
    references = np.full(len(eom.q), np.nan)
    if arguments:
        formulas = subject.formulas(arguments)
        for i, direction in enumerate(directions):
            slopes = _typical(slope(formulas, 0.0, x, direction, numbers) for x in draws)
            references[i] = 1 / slopes.max() if slopes.max() > 0 else np.nan
    try:
        by_unit = {name: unit_of(unit) for name, unit in subject.units.items()}
    except ValueError:  # reported by the check of the units
        by_unit = {}
    lengths = [
        abs(value)
        for symbol, value in subject.nominal.items()
        if by_unit.get(str(symbol)) == unit_of("m") and value
    ]
    for i, q in enumerate(eom.q):
        unit = by_unit.get(leaf_name(q))
        if np.isnan(references[i]) and unit == PURE:
            references[i] = 1.0
        elif np.isnan(references[i]) and unit == unit_of("m") and lengths:
            references[i] = np.exp(np.mean(np.log(lengths)))
    if np.isnan(references).all() and subject.near is not None:
        near = np.abs(subject.near[: len(eom.q)])
        references = np.where(near > 0, near, np.nan)
    return references
