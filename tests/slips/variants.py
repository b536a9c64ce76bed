"""Right machines written otherwise: none of these may be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import sympy as sm
import sympy.physics.mechanics as me

from tests.slips.planter import Planter
from tutlib import EquationsOfMotion
from tutlib.models import Load, Model, Skeleton

t = me.dynamicsymbols._t


def variants(model: Model) -> Iterator[tuple[str, Callable[[], Model]]]:
    """Yield the same machine in other words."""
    planter, eom = Planter(model), model.equations
    g = next((s for s in model.parameters if str(s) == "g"), None)
    yield "as it is", lambda: model
    yield "without bodies", lambda: replace(model, bodies=())
    if g is not None and model.potential_energy.has(g):
        gamma = sm.Symbol("gamma", real=True)
        yield "gravity is called gamma, and no units", lambda: renamed(model, g, gamma, 9.81)
        yield "gravity is a number, and no units", lambda: renamed(model, g, sm.Float(9.81), None)
    if not planter.derived:
        return
    T, V = model.kinetic_energy, model.potential_energy
    yield "V from another zero", lambda: replace(model, potential_energy=V + 7, units={})
    if not model.constraints:
        yield "rows multiplied", lambda: multiplied(model)
    for q in eom.q[:1]:
        yield "a coordinate from another zero", lambda q=q: moved(planter, {q: q + 0.3})
        yield "a coordinate the other way around", lambda q=q: moved(planter, {q: -q})
    if model.constraints:
        return
    yield "speeds with names of their own", lambda: named(model)
    halves = [Load(load.value / 2, load.along, load.rate) for load in model.loads for _ in range(2)]
    if halves:
        yield "each load in two halves", lambda: planter.with_energies(T, V, halves)


def renamed(model: Model, symbol: Any, other: Any, value: float | None) -> Model:
    """Return a machine in which a parameter has another name, or is a number; units are gone."""
    known = {symbol: other}
    parameters = {s: v for s, v in model.parameters.items() if s != symbol}
    eom = model.equations
    read = {name: getattr(eom, name).xreplace(known) for name in ("mass_matrix", "forcing")}
    cut = model.cut_open
    return replace(
        model,
        equations=replace(eom, **read),
        kinetic_energy=model.kinetic_energy.xreplace(known),
        potential_energy=model.potential_energy.xreplace(known),
        units={},
        names={},
        parameters=parameters | ({other: value} if value is not None else {}),
        cut_open=cut and replace(cut, forcing=cut.forcing.xreplace(known)),
        loads=tuple(load.with_known(known) for load in model.loads),
        skeleton=Skeleton(model.skeleton.points, model.skeleton.lines),
    )


def multiplied(model: Model) -> Model:
    """Return a machine each of whose equations is multiplied by a number of its own."""
    D = sm.diag(*(sm.Rational(2 + i, 3) for i in range(len(model.equations.u))))
    eom = model.equations
    return model.with_equations(
        replace(eom, mass_matrix=D * eom.mass_matrix, forcing=D * eom.forcing)
    )


def moved(planter: Planter, change: dict[Any, Any]) -> Model:
    """Return a machine in other coordinates."""
    model = planter.model

    def other(expression: Any) -> Any:
        return sm.sympify(expression).subs(change).doit()

    bodies = [
        replace(
            b,
            center=tuple(map(other, b.center)),
            turned=b.turned.applyfunc(other) if b.in_space else other(b.turned),
        )
        for b in model.bodies
    ]
    loads = [Load(*map(other, (load.value, load.along, load.rate))) for load in model.loads]
    constraints = tuple(map(other, model.constraints))
    points = tuple(tuple(map(other, point)) for point in model.skeleton.points)
    return planter.with_energies(
        other(model.kinetic_energy),
        other(model.potential_energy),
        loads,
        bodies=tuple(bodies),
        constraints=constraints,
        skeleton=Skeleton(points, model.skeleton.lines),
    )


def named(model: Model) -> Model:
    """Return a machine whose speeds have names of their own; energies and loads keep the rates."""
    eom = model.equations
    speeds = me.dynamicsymbols(f"v_1:{len(eom.u) + 1}")
    known = dict(zip(eom.u, speeds))
    forcing, M = eom.forcing.subs(known), eom.mass_matrix.subs(known)
    equations = EquationsOfMotion(
        list(eom.q), speeds, M, forcing, kinematic_matrix=sm.eye(len(speeds))
    )
    return replace(model, equations=equations)
