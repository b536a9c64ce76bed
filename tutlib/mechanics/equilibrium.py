"""Trim points: states in which all accelerations are zero and all constraints hold.

The inputs that hold a mechanism there, such as the thrust of a hovering drone, can also be found.
Chapter 7 finds the lowest configuration of a linkage with it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number
from straightline.evaluator import Evaluator
from straightline.expressions import evaluate
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
from tutlib.reading.names import agree, label_of, listed
from tutlib.reading.parameters import Named, Values, parameter_values

#: Tolerance of a least-squares fit in natural units, and the largest number of fits, each in new
#: units.
_EPS, _ATTEMPTS = 1e-15, 30
#: Relative slope below which a change counts as having no effect.
_UNDETERMINED = 1e-6
#: Relative distance at which a multiple root counts as found.
_NEAR = 2.0**-20


def trim(
    equations: Equations,
    values: Values,
    guess: ArrayLike,
    free: object = None,
    inputs: Mapping[Named, float] | None = None,
    time: float | None = None,
) -> Any:
    """Find a state near a guess with zero accelerations in which all constraints hold.

    Inputs that hold the mechanism there can be free, too: for example, the torque of a motor at a
    given angle, or the thrust of a hovering drone.

    Parameters
    ----------
    equations : EquationsOfMotion or ConstrainedEquations
    values : mapping from parameter (or its name) to number
    guess : array, shape (number of states,)
        Initial guess: coordinates, speeds, auxiliary states.
    free : sequence of states and inputs or their names, or a single one, optional
        States and inputs that may change, such as ``[theta, tau]``. By default, the coordinates
        may change, and the speeds keep their guessed values.
    inputs : mapping from input (or its name) to number, optional
        Values of inputs, and the guess of a free input; zero unless given.
    time : float, optional
        Time [s], needed if the equations depend on time explicitly.

    Returns
    -------
    array, shape (number of states,)
        With free inputs, a tuple of this array and a dictionary of all inputs with their values,
        as ``linearize(equations, state, values, inputs=...)`` takes it.

    Warns
    -----
    RuntimeWarning
        If free inputs are not determined, because free states or further inputs can compensate
        their changes: the result is then one of many near the guess.

    Raises
    ------
    ValueError
        If no such state is found (the message gives the remaining residual, and the state), a value
        belongs to no parameter, or the equations depend on time and no time is given. Tolerances
        are relative to the terms that cancel, so they do not depend on units.
    """
    from scipy.optimize import least_squares

    loops = equations if isinstance(equations, ConstrainedEquations) else None
    cut = cut_open(equations)
    at, moment = inputs_at(cut, inputs), moment_at(equations, time)
    t = real_number(time, "time") if moment else 0.0
    refuse_unknown(values, equations, at)
    known, states = [*cut.states, *cut.inputs], len(cut.states)
    moving = read_symbols(read_list(free) or cut.q, known, "no such state or input:", "there are")
    x = np.array(real_array(guess, "guess"))
    if x.shape != (states,):
        raise ValueError(f"the guess needs {states} entries; got shape {x.shape}")
    freed = [r for r in at if r in moving]
    held = {r: value for r, value in at.items() if r not in freed}
    needed = [*symbols_in([at[r] for r in freed])]
    if me.dynamicsymbols._t in needed:
        raise ValueError("the guess of a free input must be a number, not a function of time")
    numbers = dict(zip(needed, parameter_values(needed, values_of(needed, values))))
    x = np.append(x, evaluate([at[r] for r in freed], numbers))
    cut = cut.with_inputs({}, dict.fromkeys(freed, 0))  # a free input is a constant state
    loops = replace(loops, equations=cut) if loops else None
    eom = (loops.with_multipliers() if loops else cut).with_inputs(held)
    chosen = [cut.states.index(s) for s in moving]
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

    natural = NaturalScales(cut.with_inputs(held), values, x, vanishing)(cut.states)
    parameters = np.concatenate([f.values, phi.values])

    def terms(state: Array, part: float) -> Array:
        scale = [*np.maximum(np.abs(state), natural), *np.zeros(len(parameters))]
        return magnitudes(of_numbers, np.append(state, parameters), scale, part)

    def scaled(moved: Array, scale: Array, size: Array) -> Array:
        state = x.copy()
        state[chosen] = moved * scale
        return residual(state) / size

    if not np.isfinite(residual(x)).all():
        raise ValueError("the equations have no finite value at the guess: choose another guess")
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
        values_held = [f"{label_of(r)} = {number}" for r, number in _floats(held).items()]
        hint = f"; inputs were held at {listed(values_held)}: list those that may change in free"
        raise ValueError(
            f"no trim near the guess: the search ended at {here}, where {rest}{hint * bool(held)}"
        )
    if not freed:
        return x
    _warn_of_many(fit.jac, moving, freed)
    found = _floats(held) | dict(zip(freed, x[states:].tolist()))
    return x[:states], {r: found[r] for r in at}


def _floats(inputs: Mapping[sm.Expr, sm.Expr]) -> dict[sm.Expr, Any]:
    """Return inputs with numbers as floats; expressions of parameters stay as they are."""
    return {r: float(value) if value.is_number else value for r, value in inputs.items()}


def _warn_of_many(slope: Array, moving: Sequence[sm.Expr], inputs: Sequence[sm.Expr]) -> None:
    """Warn if inputs can change while the residual, in natural units, stays zero."""
    _, sizes, rows = np.linalg.svd(slope)
    alike = rows[np.count_nonzero(sizes > _UNDETERMINED * sizes.max(initial=0.0)) :]
    part = np.abs(alike).max(axis=0, initial=0.0) > _UNDETERMINED
    together = [label_of(symbol) for symbol, takes_part in zip(moving, part) if takes_part]
    if any(symbol in inputs for symbol, takes_part in zip(moving, part) if takes_part):
        warnings.warn(
            f"the trim is one of many: {listed(together)} can change without accelerations; hold "
            f"{agree(together, 'it', 'some of them')} to choose one",
            RuntimeWarning,
            stacklevel=3,
        )


def _left(residual: Array, constraints: int) -> str:
    """Return a description of nonzero residuals; constraints and their derivatives come last."""
    rates, open_by = np.split(np.abs(residual), [len(residual) - constraints])
    left = f"rates of up to {rates.max(initial=0.0):.2g}"
    if constraints:
        left += f", and constraints or their rates of up to {open_by.max():.2g},"
    return f"{left} are left"
