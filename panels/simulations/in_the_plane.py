"""Formulas of a planar motion: a model's equations, energies, and points.

`live` creates them for mechanisms that are described by coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me

from panels.drawing.frames import box_around
from panels.simulations.handles import Handles
from panels.simulations.motion import AnyMethod, Motion
from straightline.aliases import Array
from straightline.assignments import Number, Numbers
from straightline.compiled_function import compiled
from straightline.evaluator import Formula
from straightline.expressions import from_sympy
from straightline.linear_algebra import solve_general, solve_symmetric
from straightline.tracing import CannotTrace
from tutlib.mechanics.solved_equations import is_symmetric
from tutlib.methods.integration import integrate
from tutlib.methods.trajectory import SimulationError
from tutlib.models.model import Model

if TYPE_CHECKING:
    from tutlib.mechanics.equations import EquationsOfMotion


Parameters = Sequence[sm.Symbol]


def planar_motion(
    model: Model,
    parameters: Parameters,
    outputs: Sequence[sm.Expr],
    power: tuple[sm.Expr, Sequence[sm.Symbol]],
    methods: Sequence[AnyMethod],
    handles: Sequence[tuple[sm.Expr, sm.Expr]],
) -> Motion:
    """Return a model's motion.

    Parameters
    ----------
    model : Model
        A model without inputs.
    parameters : sequence of Symbol
        The entries of the array p.
    outputs : sequence of Expr
        Expressions in the states and their derivatives, such as those of impulses, which are
        forces.
    power : (Expr, sequence of Symbol)
        The power that may change the energy [W], and its symbols for the derivatives of states.
    methods : sequence of methods
    handles : sequence of (x, y)
        Positions of the points that can be dragged; empty if the speeds are not derivatives of
        coordinates.
    """
    eom, right = model.equations, model.compile()
    rate, symbols = power
    of_rates = from_sympy([rate], (me.dynamicsymbols._t, (*eom.states, *symbols), parameters))
    correction, closing = None, None
    if model.constraints:
        correction = _projection(model, parameters)
        closing = _projection(model.with_projection(1), parameters)
    rates = with_parameters(right.traced(len(eom.states)), tuple(right.parameters), parameters)
    return Motion(
        states=len(eom.states),
        parameters=len(parameters),
        rates=rates,
        outputs=_shown(model, parameters, outputs, rates),
        methods=methods,
        power=lambda t, x, p, rates: of_rates(t, [*x, *rates], p)[0],
        coordinates=len(eom.q),
        correction=correction,
        closing=closing,
        handles=_handles(model, parameters, handles) if handles else None,
    )


def _shown(
    model: Model, parameters: Parameters, outputs: Sequence[sm.Expr], rates: Formula
) -> Formula:
    """Return the outputs, with the derivatives of states that they contain."""
    states = model.equations.states
    held = {rate for e in outputs for rate in e.atoms(sm.Derivative)}
    of_states = {state.diff(me.dynamicsymbols._t): i for i, state in enumerate(states)}
    needed = {rate: i for rate, i in of_states.items() if rate in held and rate not in states}
    formula = from_sympy(outputs, (me.dynamicsymbols._t, (*states, *needed), parameters))
    if not needed:
        return formula

    def shown(t: Number, x: Numbers, p: Numbers) -> Sequence[Number]:
        derivatives = list(rates(t, x, p))
        values: Sequence[Number] = formula(t, [*x, *(derivatives[i] for i in needed.values())], p)
        return values

    return shown


def _projection(model: Model, parameters: Parameters) -> Formula:
    project = model.projection()
    return with_parameters(
        project.traced(len(model.equations.states)), tuple(project.parameters), parameters
    )


def refuse_unfollowed(step: Callable[..., object], model: Model, x: Array) -> None:
    """Reject a user-defined step that cannot be traced, or whose trace gives different values.

    Parameters
    ----------
    step : function (f, t, x, h) -> x
    model : Model
    x : array, shape (k,)
        A state at which to try it.

    Raises
    ------
    ValueError
    """
    try:
        integrate(model.compile(), [0.0, 0.01], x, compiled(step))
    except (CannotTrace, SimulationError) as error:
        name = getattr(step, "__name__", "your step")
        reason = getattr(error, "reason", str(error)).replace(": leave out compiled", "")
        raise ValueError(f"{name} cannot run in the page: {reason}") from error


def with_parameters(formula: Formula, names: Sequence[str], page_parameters: Parameters) -> Formula:
    """Return a formula that takes its parameters by name from those of the page."""
    indices = [list(map(str, page_parameters)).index(name) for name in names]
    return lambda t, x, p: formula(t, x, [p[i] for i in indices])


def _handles(
    model: Model, parameters: Parameters, points: Sequence[tuple[sm.Expr, sm.Expr]]
) -> Handles:
    eom = model.equations

    def formula(expressions: Sequence[sm.Expr]) -> Formula:
        return from_sympy(expressions, (me.dynamicsymbols._t, eom.states, parameters))

    flat = eom.in_states([coordinate for point in points for coordinate in point])
    Phi = sm.Matrix(model.constraints).jacobian(eom.q) if model.constraints else ()
    return Handles(
        count=len(points),
        coordinates=len(eom.q),
        speeds=len(eom.u),
        positions=formula(flat),
        slopes=formula([coordinate.diff(q) for coordinate in flat for q in eom.q]),
        accelerations=_accelerations(eom, formula(list(eom.mass_matrix))),
        constraints=formula(list(Phi)) if model.constraints else None,
    )


def _accelerations(
    eom: EquationsOfMotion, entries: Formula
) -> Callable[[Any, Any, Any, Any], Sequence[Any]]:
    solve = solve_symmetric if is_symmetric(eom.mass_matrix) else solve_general
    return lambda t, x, p, forces: solve(entries(t, x, p), forces, eom.multipliers)


def energy_rate(energy: sm.Expr, states: Sequence[sm.Expr], rates: Sequence[sm.Expr]) -> sm.Expr:
    """Return dE/dt of an energy for given derivatives of its states."""
    frozen = {state: _frozen(state) for state in states}
    back = {dummy: state for state, dummy in frozen.items()}
    still = energy.xreplace(frozen)
    power = still.diff(me.dynamicsymbols._t)
    for dummy, rate in zip(frozen.values(), rates):
        power += still.diff(dummy) * rate
    return power.xreplace(back)


@cache
def _frozen(state: sm.Expr) -> sm.Dummy:
    """Return the dummy of a frozen state: always the same, for SymPy's caches."""
    return sm.Dummy()


def reach(model: Model, x0: Array, is_angle: Sequence[bool]) -> list[float]:
    """Return left, bottom, right, top [m] of the points that any angles reach from a state.

    Parameters
    ----------
    model : Model
    x0 : array, shape (k,)
    is_angle : sequence of bool
        Which of the states are angles.
    """
    constraints = model.constraints
    x = np.tile(x0, (20_000 if constraints else 400, 1))
    for i in range(len(model.equations.q)):
        if is_angle[i]:
            x[1:, i] = np.random.default_rng(i).uniform(-np.pi, np.pi, len(x) - 1)
    if constraints:  # those that come near to closing the loops
        open_by = model.compile_outputs(constraints)(np.zeros(len(x)), x)
        x = x[np.argsort(np.abs(open_by).max(axis=1))[:100]]
    points = model.positions(np.zeros(len(x)), x)
    return [round(v, 3) for v in box_around(points)]
