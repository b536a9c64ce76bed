"""Trim points: states in which all accelerations are zero and all constraints hold.

Chapter 7 finds the lowest configuration of a linkage with it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from straightline.aliases import Array
from straightline.arguments import real_array, real_number
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
from tutlib.reading.expressions import read_list, read_symbols
from tutlib.reading.names import label_of
from tutlib.reading.parameters import Named, Values


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
        If no such state is found; the message gives what remains, and where. If a value belongs to
        no parameter, or the equations depend on time and no time is given.
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

    def residual(moved: Array) -> Array:
        state = x.copy()
        state[chosen] = moved
        extended = np.insert(state, k, np.zeros(len(eom.states) - len(state)))
        rates = f(t, extended)
        return np.concatenate([rates[n:k], rates[len(eom.q) + len(eom.u) :], phi(t, state)])

    fit = least_squares(residual, x[chosen], xtol=1e-15, ftol=1e-15, gtol=1e-15)
    if not np.abs(fit.fun).max() < 1e-8:
        here = dict(zip(map(label_of, cut.states), x.round(4).tolist()))
        raise ValueError(f"no trim near the guess: at {here} {_left(fit.fun, len(vanishing))}")
    x[chosen] = fit.x
    return x


def _left(residual: Array, constraints: int) -> str:
    """Return in words what is not zero; the last entries are the constraints and their rates."""
    rates, open_by = np.split(np.abs(residual), [len(residual) - constraints])
    left = f"and around it, rates of up to {rates.max(initial=0.0):.2g}"
    if constraints:
        left += f", and constraints or their rates of up to {open_by.max():.2g},"
    return f"{left} are left"
