"""Input of a verification: a machine's expressions, and numbers for its symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from numpy.typing import ArrayLike
from sympy.core.function import AppliedUndef

from straightline.aliases import Kind
from straightline.arguments import instance, real_array, real_number
from tutlib.mechanics.constraints import ConstrainedEquations
from tutlib.mechanics.derivations import atoms, symbols_in
from tutlib.mechanics.linearization_point import Equations
from tutlib.models.bodies import Body, Load
from tutlib.models.machines import equations_of, with_known
from tutlib.models.model import Model
from tutlib.models.spatial import SpatialModel
from tutlib.models.symbol_meanings import read_meanings
from tutlib.reading.names import plain_name
from tutlib.reading.parameters import Values, match_names, match_pairs, parameter_values
from verification.scales import with_scaled_inputs
from verification.subject import Subject, body_expressions

_T = me.dynamicsymbols._t
_UNITS = 'such as {"m": "kg"}'


def read_subject(
    machine: object,
    values: Values | None = None,
    units: Mapping[sm.Expr | str, str] | None = None,
    near: ArrayLike | None = None,
    gravity: sm.Expr | str | float | None = None,
) -> Subject:
    """Read a machine of any accepted type, and draw numbers for its symbols.

    Parameters
    ----------
    machine : Model, EquationsOfMotion, ConstrainedEquations, KanesMethod or LagrangesMethod
    values : mapping from symbol (or its name) to number, optional
    units : mapping from symbol (or its name) to str, optional
    near : array, optional
    gravity : Symbol, str or float, optional

    Returns
    -------
    Subject

    Raises
    ------
    TypeError, ValueError
        If the machine cannot be verified; the message says why.
    """
    model, system = _read_machine(machine)
    loads = _instances(model or system, "loads", Load)
    constant = _symbols_for_inputs(system, model, loads)
    equations = with_known(system, constant)
    loop = equations if isinstance(equations, ConstrainedEquations) else None
    subject = Subject(
        name=model.name if model else "machine",
        equations=loop.equations if loop else equations,
        loop=loop,
        closed=with_known(model.equations, constant) if model and model.cut_open else None,
        energies=(model.kinetic_energy, model.potential_energy) if model else None,
        bodies=_instances(model or system, "bodies", Body),
        loads=tuple(load.with_known(constant) for load in loads),
        skeleton=model.skeleton if model else None,
        units={**(model.units if model else {}), **read_meanings(units or {}, "units", _UNITS)},
        values={},
        inputs=tuple(constant.values()),
        near=None if near is None else real_array(near, "near"),
    )
    subject = with_scaled_inputs(_with_numbers(subject, model, values))
    return _with_weight(_with_gravity(subject, gravity))


def _instances(machine: object, name: str, kind: type[Kind]) -> tuple[Kind, ...]:
    """Return the bodies or loads of a model or of constrained equations."""
    hint = f"make it with tutlib.models.{kind.__name__}"
    items = getattr(machine, name, ())
    return tuple(instance(item, f"each of the {name}", kind, hint) for item in items)


def _read_machine(machine: object) -> tuple[Model | None, Equations]:
    """Return the model, if the machine is one, and its equations."""
    if isinstance(machine, SpatialModel):
        raise TypeError(
            f"the state of the {machine.name} is on a curved space, so there are no M and F to "
            "verify; give its equations in coordinates, as an EquationsOfMotion or a Model"
        )
    system = equations_of(machine)
    if (system.equations if isinstance(system, ConstrainedEquations) else system).multipliers:
        raise ValueError(
            "these equations contain multipliers, but not their constraints: give "
            "ConstrainedEquations(equations, constraints), or the Model"
        )
    return machine if isinstance(machine, Model) else None, system


def _symbols_for_inputs(
    system: Equations, model: Model | None, loads: Sequence[Load]
) -> dict[sm.Expr, sm.Symbol]:
    """Return a symbol for each function of time that is not a state."""
    opened = system.equations if isinstance(system, ConstrainedEquations) else system
    functions = {*opened.inputs, *(model.equations.inputs if model else ())}
    functions |= atoms([load.value for load in loads], AppliedUndef)
    states = {s.expr if isinstance(s, sm.Derivative) else s for s in (*opened.q, *opened.states)}
    inputs = sorted(functions - states, key=str)
    return {function: sm.Symbol(plain_name(function), real=True) for function in inputs}


def _with_numbers(subject: Subject, model: Model | None, values: Values | None) -> Subject:
    """Return the machine with unequal numbers near its own, in terms of its states."""
    in_states, energies = subject.equations.in_states, None
    if subject.energies:
        T, V = in_states(subject.energies)
        energies = (T, V)
    loads = tuple(Load(*in_states([e.value, e.along, e.rate])) for e in subject.loads)
    subject = replace(subject, energies=energies, loads=loads)
    needed = symbols_in(_all_expressions(subject)) - {_T}
    nominal = dict(model.parameters) if model else {}
    if values is not None:
        names = (*needed, *nominal)
        nominal |= match_names(values, names, "no such parameter:", "the parameters are")
    random, numbers = np.random.default_rng(11), {}
    for symbol in sorted(needed, key=str):
        numbers[symbol] = _number(symbol, nominal.get(symbol), random)
    subject = replace(subject, values=numbers, nominal=nominal)
    count = len(subject.equations.states)
    if subject.near is not None and subject.near.shape != (count,):
        states = ", ".join(map(plain_name, subject.equations.states))
        raise ValueError(f"near must contain {states}; got shape {subject.near.shape}")
    return subject


def _all_expressions(subject: Subject) -> list[sm.Expr]:
    """Return all expressions of a machine."""
    points = subject.skeleton.points if subject.skeleton else ()
    rows = [*(subject.energies or ()), *(e for point in points for e in point)]
    for equations in (subject.complete_equations, subject.closed):
        if equations:
            rows += [*equations.mass_matrix, *equations.forcing, *equations.rates]
            rows += [rate for _, rate in equations.auxiliary]
    rows += [e for body in subject.bodies for e in body_expressions(body)]
    rows += [e for load in subject.loads for e in (load.value, load.along, load.rate)]
    rows += [*(subject.loop.constraints if subject.loop else ())]
    return [sm.sympify(row) for row in rows]


def _with_gravity(subject: Subject, gravity: sm.Expr | str | float | None) -> Subject:
    """Return the machine with the given gravity: a parameter or a number."""
    if gravity is None:
        return subject
    if isinstance(gravity, str | sm.Symbol):
        matched = match_pairs([(gravity, None)], subject.values, "no such parameter:", "there are")
        return replace(subject, gravity_symbol=next(iter(matched)))
    value, symbol = real_number(gravity, "gravity"), subject.gravity
    if symbol is not None and symbol not in subject.nominal:
        return replace(subject, gravity_symbol=symbol, values={**subject.values, symbol: value})
    return replace(subject, gravity_value=value)


def _with_weight(subject: Subject) -> Subject:
    """Return a machine without energies with the weight of its bodies among the loads."""
    g = subject.gravity if subject.gravity is not None else subject.gravity_value
    if subject.energies or not subject.bodies or g is None:
        return subject
    weights = [Load(-b.mass * g, b.place[2 if b.in_space else 1]) for b in subject.bodies]
    return replace(subject, loads=(*subject.loads, *weights))


def _number(symbol: sm.Symbol, nominal: float | None, random: np.random.Generator) -> float:
    """Return a number for a symbol: near its own value if it has one, with its declared sign."""
    factor, default = random.uniform(0.9, 1.1), random.uniform(0.6, 1.6)
    if symbol.is_integer:
        return float(nominal if nominal is not None else 2)
    if nominal is None:
        return -default if symbol.is_nonpositive else default
    (value,) = parameter_values([symbol], {symbol: nominal})
    if value:
        return factor * value
    return 0.3 * default if symbol.is_nonnegative is not False else 0.0
