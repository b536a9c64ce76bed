"""Trim points: states in which all accelerations are zero and all constraints hold.

Chapter 7 finds the lowest configuration of a linkage with it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number
from straightline.evaluator import Evaluator
from tutlib.fields import Field
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.derivations import symbols_in
from tutlib.mechanics.linearization_point import (
    Equations,
    cut_open,
    inputs_at,
    moment_at,
    refuse_unknown,
    values_of,
)
from tutlib.mechanics.scales import ROUNDED, ROUNDING, NaturalScales, magnitudes
from tutlib.reading.expressions import read_list, read_symbols
from tutlib.reading.names import label_of
from tutlib.reading.parameters import Named, Values

#: Tolerance of a least-squares fit in natural units, and the most fits, each in new units.
_EPS, _ATTEMPTS = 1e-15, 30
#: Relative distance at which a multiple root counts as found.
_NEAR = 2.0**-20


def trim(
    equations: Equations,
    values: Values,
    guess: ArrayLike,
    free: object = None,
    inputs: Mapping[Named, float] | None = None,
    time: float | None = None,
) -> Array:
    """Return a state near a guess with zero accelerations in which all constraints hold.

    Parameters
    ----------
    equations : EquationsOfMotion or ConstrainedEquations
    values : mapping from parameter (or its name) to number
    guess : array, shape (number of states,)
        Coordinates, speeds, auxiliary states.
    free : sequence of states or their names, or a single one, optional
        States that may change; the coordinates unless given, so that speeds stay as guessed.
    inputs : mapping from input (or its name) to number, optional
        Values of inputs; zero unless given.
    time : float, optional
        Time [s], needed if the equations depend on time explicitly.

    Returns
    -------
    array, shape (number of states,)

    Raises
    ------
    ValueError
        If no such state is found; the message gives what remains, and where. What counts as zero
        is relative to the terms that cancel, so units do not matter. If a value belongs to no
        parameter, or the equations depend on time and no time is given.
    """
    from scipy.optimize import least_squares

    loops = equations if isinstance(equations, ConstrainedEquations) else None
    cut = cut_open(equations)
    at, moment = inputs_at(cut, inputs), moment_at(equations, time)
    t = real_number(time, "time") if moment else 0.0
    refuse_unknown(values, equations, at)
    eom = (loops.with_multipliers() if loops else cut).with_inputs(at)
    moving = read_symbols(read_list(free) or cut.q, cut.states, "no such state:", "there are")
    x, chosen = np.array(real_array(guess, "guess")), [cut.states.index(s) for s in moving]
    if x.shape != (len(cut.states),):
        raise ValueError(f"the guess needs {len(cut.states)} entries; got shape {x.shape}")
    f = eom.compile(values_of(eom.parameters, values))
    n, k = len(cut.q), len(cut.q) + len(cut.u)
    vanishing = [*loops.constraints, *loops.rates] if loops else [*cut.invariants]
    phi = (loops or cut).compile_outputs(vanishing, values_of([*symbols_in(vanishing)], values))

    def residual(state: Array, f: Field = f, phi: Evaluator = phi) -> Array:
        extended = np.insert(state, k, np.zeros(len(eom.states) - len(state)))
        rates = f(t, extended)
        return np.concatenate([rates[n:k], rates[len(eom.q) + len(eom.u) :], phi(t, state)])

    def of_numbers(numbers: Array) -> Array:
        state, of_f, of_phi = np.split(numbers, np.cumsum([len(x), len(f.values)]))
        changed = f.with_parameters(dict(zip(f.parameters, of_f)))
        return residual(state, changed, Evaluator(phi.formula, phi.states, of_phi))

    natural = NaturalScales(cut.with_inputs(at), values, x, vanishing)(cut.states)
    parameters = np.concatenate([f.values, phi.values])

    def terms(state: Array, part: float) -> Array:
        scale = [*np.maximum(np.abs(state), natural), *np.zeros(len(parameters))]
        return magnitudes(of_numbers, np.append(state, parameters), scale, part)

    def scaled(moved: Array, scale: Array, size: Array) -> Array:
        state = x.copy()
        state[chosen] = moved * scale
        return residual(state) / size

    if not np.isfinite(residual(x)).all():
        raise ValueError("the equations have no finite value at the guess: start elsewhere")
    for _ in range(_ATTEMPTS):  # terms at the guess may be far larger than those at rest
        scale, size = np.maximum(np.abs(x), natural)[chosen], terms(x, _NEAR)
        size[size == 0] = 1.0
        start = x[chosen] / scale
        fit = least_squares(scaled, start, xtol=_EPS, ftol=_EPS, gtol=_EPS, args=(scale, size))
        if not np.abs(fit.fun).max() < np.abs(scaled(start, scale, size)).max():
            break
        x[chosen] = np.where(np.abs(fit.x) < _EPS, 0.0, fit.x) * scale
    left, fine, wide = residual(x), terms(x, ROUNDING), terms(x, _NEAR)
    # At a multiple root, such as that of a cubic spring, only the distance to it can be small.
    zero = np.maximum(ROUNDED * fine, np.where(wide > 4 * fine, _NEAR * wide, 0.0))
    if not (np.abs(left) <= zero).all():
        here = ", ".join(f"{label_of(s)} = {v:.5g}" for s, v in zip(cut.states, x))
        rest = _left(left, len(vanishing))
        raise ValueError(f"no trim near the guess: the search ended at {here}, where {rest}")
    return x


def _left(residual: Array, constraints: int) -> str:
    """Return in words what is not zero; the last entries are the constraints and their rates."""
    rates, open_by = np.split(np.abs(residual), [len(residual) - constraints])
    left = f"rates of up to {rates.max(initial=0.0):.2g}"
    if constraints:
        left += f", and constraints or their rates of up to {open_by.max():.2g},"
    return f"{left} are left"
